package mixgrad

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const data = "../data/"

func must[T any](value T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func images(t *testing.T, begin, end int64) *NDArray {
	all := must(Load(data + "digits.params"))(t)["images"]
	part := must(all.Slice(begin, end))(t)
	return must(must(Cast().Dtype(Float32).Call(part))(t).Scale(1.0 / 16))(t)
}

func same(t *testing.T, array *NDArray, expected ...float32) {
	t.Helper()
	found := must(Values[float32](array))(t)
	if len(found) != len(expected) {
		t.Fatalf("%v, expected %v", found, expected)
	}
	for i := range found {
		if math.Abs(float64(found[i]-expected[i])) > 1e-5 {
			t.Fatalf("%v, expected %v", found, expected)
		}
	}
}

func TestArrays(t *testing.T) {
	x := must(FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3))(t)
	same(t, must(x.Add(x))(t), 2, 4, 6, 8, 10, 12)
	same(t, must(Sum().Call(x))(t), 21)
	same(t, must(Sum().Axis(0).Call(x))(t), 5, 7, 9)
	parts := must(SliceChannel().NumOutputs(3).Axis(1).Call(x))(t)
	same(t, parts[2], 3, 6)
	if shape := must(Concat().Dim(0).Call(x, x))(t).Shape(); len(shape) != 2 || shape[0] != 4 {
		t.Fatal(shape)
	}
	if size := must(RandomUniform().Shape(2, 5).Call())(t).Size(); size != 10 {
		t.Fatal(size)
	}
	x.Close()
}

func TestUnusedArraysAreCollected(t *testing.T) {
	const size = 64 << 20
	x := must(Zeros([]int64{size / 4}, CPU()))(t)
	now, _ := MemoryInUse()
	for i := 0; i < 40; i++ {
		must(x.Scale(2))(t)
	}
	ok(t, WaitAll())
	_, peak := MemoryInUse()
	if limit := now + 640<<20; peak > limit {
		t.Fatalf("%d MiB in use at once", peak>>20)
	}
	x.Close()
	for _, use := range []func() error{
		func() error { _, err := x.Scale(2); return err },
		func() error { _, err := x.Reshape(4); return err },
		func() error { _, err := Values[float32](x); return err },
	} {
		if err := use(); err == nil || !strings.Contains(err.Error(), "closed") {
			t.Fatal(err)
		}
	}
	x.Close()
}

func TestGradients(t *testing.T) {
	x := must(FromSlice([]float32{0.5, -1, 2}, 3))(t)
	ok(t, x.AttachGrad())
	var y *NDArray
	ok(t, Record(func() error {
		e, err := Exp().Call(x)
		if err != nil {
			return err
		}
		if e, err = e.Mul(x); err != nil {
			return err
		}
		y, err = Sum().Call(e)
		return err
	}))
	ok(t, y.Backward())
	var expected []float32
	for _, v := range []float64{0.5, -1, 2} {
		expected = append(expected, float32(math.Exp(v)*(v+1)))
	}
	same(t, must(x.Grad())(t), expected...)
}

func TestErrors(t *testing.T) {
	a, b := must(Zeros([]int64{2, 3}, CPU()))(t), must(Zeros([]int64{4, 5}, CPU()))(t)
	_, err := BroadcastAdd().Call(a, b)
	if err == nil || !strings.Contains(err.Error(), "(2, 3)") || err.(*Error).Status != StatusShape {
		t.Fatal(err)
	}
	if _, err := Apply("Convolutoin", nil, &Params{}); err == nil || !strings.Contains(err.Error(), "Convolution") {
		t.Fatal(err)
	}
	if _, err := Apply("relu", []*NDArray{a}, (&Params{}).Set("x", struct{}{})); err == nil {
		t.Fatal("a struct is no parameter")
	}
	if _, err := Values[float64](a); err == nil || !strings.Contains(err.Error(), "float32") {
		t.Fatal(err)
	}
	if err := SetValues(a, []float32{1}); err == nil {
		t.Fatal("one value for six elements")
	}
	if _, err := LoadSymbol("/nowhere-symbol.json"); err == nil {
		t.Fatal("no such file")
	}
}

func TestStoredNetwork(t *testing.T) {
	net := must(LoadSymbol(data + "digits-symbol.json"))(t)
	executor := must(net.SimpleBind(map[string][]int64{"data": {20, 1, 8, 8}}, GradNull, CPU()))(t)
	ok(t, executor.CopyParamsFrom(must(Load(data+"digits-0001.params"))(t)))
	ok(t, images(t, 1777, 1797).CopyTo(must(executor.ArgDict())(t)["data"]))
	ok(t, executor.Forward(false))
	expected := must(Values[float32](must(Load(data + "expected.params"))(t)["probabilities"]))(t)
	same(t, must(executor.Outputs())(t)[0], expected...)
	again := must(SymbolFromJSON(must(net.JSON())(t)))(t)
	if len(must(again.ListArguments())(t)) != len(must(net.ListArguments())(t)) {
		t.Fatal("arguments got lost")
	}
	if !strings.Contains(must(executor.DebugString())(t), "conv1") {
		t.Fatal("no conv1")
	}
}

func TestTraining(t *testing.T) {
	const batch = 50
	net := must(Flatten().Node(must(Variable("data"))(t)))(t)
	net = must(FullyConnected().NumHidden(64).Name("fc1").Node(net, nil, nil))(t)
	net = must(Relu().Node(net))(t)
	net = must(FullyConnected().NumHidden(10).Name("fc2").Node(net, nil, nil))(t)
	net = must(SoftmaxOutput().Name("softmax").Node(net, nil))(t)
	shapes := map[string][]int64{"data": {batch, 1, 8, 8}, "softmax_label": {batch}}
	executor := must(net.SimpleBind(shapes, GradWrite, CPU()))(t)
	args, grads := must(executor.ArgDict())(t), must(executor.GradDict())(t)
	store := must(NewKVStore("local"))(t)
	momenta := map[string]*NDArray{}
	for name := range grads {
		shape := args[name].Shape()
		momenta[name] = must(Zeros(shape, CPU()))(t)
		if len(shape) == 2 {
			ok(t, must(RandomUniform().Low(-0.1).High(0.1).Shape(shape...).Call())(t).CopyTo(args[name]))
		}
		ok(t, store.Init(name, args[name]))
	}
	rate := (&Params{}).Set("lr", 0.1).Set("momentum", 0.9).Set("rescale_grad", 1.0/batch)
	ok(t, store.SetUpdater(func(key string, gradient, weight *NDArray) error {
		return ApplyTo("sgd_mom_update", []*NDArray{weight, gradient, momenta[key]}, rate, weight)
	}))
	x := images(t, 0, 1750)
	labels := must(Cast().Dtype(Float32).Call(must(Load(data + "digits.params"))(t)["labels"]))(t)
	give := func(at int64) {
		ok(t, must(x.Slice(at, at+batch))(t).CopyTo(args["data"]))
		ok(t, must(labels.Slice(at, at+batch))(t).CopyTo(args["softmax_label"]))
	}
	for epoch := 0; epoch < 20; epoch++ {
		for at := int64(0); at < 1500; at += batch {
			give(at)
			ok(t, executor.Forward(true))
			ok(t, executor.Backward())
			for name, gradient := range grads {
				ok(t, store.Push(name, gradient))
				ok(t, store.Pull(name, args[name]))
			}
		}
	}
	right := 0
	for at := int64(1500); at < 1750; at += batch {
		give(at)
		ok(t, executor.Forward(false))
		guesses := must(Values[float32](must(Argmax().Axis(1).Call(must(executor.Outputs())(t)[0]))(t)))(t)
		truth := must(Values[float32](must(labels.Slice(at, at+batch))(t)))(t)
		for i := range guesses {
			if guesses[i] == truth[i] {
				right++
			}
		}
	}
	if right <= 220 {
		t.Fatalf("%d of 250 held-out digits", right)
	}
	ok(t, store.SetUpdater(func(string, *NDArray, *NDArray) error { panic("as a test") }))
	if err := store.Push("fc1_bias", grads["fc1_bias"]); err == nil || !strings.Contains(err.Error(), "as a test") {
		t.Fatal(err)
	}
}

func TestFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arrays.params")
	a, b := must(FromSlice([]float32{3, 3}, 2))(t), must(FromSlice([]int32{4, 5}, 1, 2))(t)
	ok(t, Save(path, map[string]*NDArray{"a": a, "b": b}))
	loaded := must(Load(path))(t)
	same(t, loaded["a"], 3, 3)
	if values := must(Values[int32](loaded["b"]))(t); values[1] != 5 {
		t.Fatal(values)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
}
