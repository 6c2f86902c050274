// Digits names the last twenty digits with a network that Python trained. Run from languages/go: go run ./examples/digits
package main

import (
	"fmt"
	"log"

	mx "mixgrad"
)

func run(folder string) error {
	digits, err := mx.Load(folder + "digits.params")
	if err != nil {
		return err
	}
	images, err := digits["images"].Slice(1777, 1797)
	if err != nil {
		return err
	}
	pixels, err := mx.Cast().Dtype(mx.Float32).Call(images)
	if err != nil {
		return err
	}
	if pixels, err = pixels.Scale(1.0 / 16); err != nil {
		return err
	}

	net, err := mx.LoadSymbol(folder + "digits-symbol.json")
	if err != nil {
		return err
	}
	executor, err := net.SimpleBind(map[string][]int64{"data": {20, 1, 8, 8}}, mx.GradNull, mx.CPU())
	if err != nil {
		return err
	}
	params, err := mx.Load(folder + "digits-0001.params")
	if err != nil {
		return err
	}
	if err := executor.CopyParamsFrom(params); err != nil {
		return err
	}
	arguments, err := executor.ArgDict()
	if err != nil {
		return err
	}
	if err := pixels.CopyTo(arguments["data"]); err != nil {
		return err
	}
	if err := executor.Forward(false); err != nil {
		return err
	}
	outputs, err := executor.Outputs()
	if err != nil {
		return err
	}
	best, err := mx.Argmax().Axis(1).Call(outputs[0])
	if err != nil {
		return err
	}
	guesses, err := mx.Values[float32](best)
	if err != nil {
		return err
	}
	fmt.Println("network:", guesses)
	labels, err := digits["labels"].Slice(1777, 1797)
	if err != nil {
		return err
	}
	truth, err := mx.Values[uint8](labels)
	fmt.Println("labels: ", truth)
	return err
}

func main() {
	if err := run("../data/"); err != nil {
		log.Fatal(err)
	}
}
