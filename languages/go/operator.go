package mixgrad

// #include "mixgrad/mixgrad.h"
import "C"

import "runtime"

func find(m *memory, name string) (*C.mg_op, error) {
	var op *C.mg_op
	text := m.text(name)
	err := try(func() C.mg_status { return C.mg_op_find(text, &op) })
	return op, err
}

// Apply applies the operator of a name to arrays and gives all its outputs.
func Apply(name string, inputs []*NDArray, params *Params) ([]*NDArray, error) {
	defer runtime.KeepAlive(inputs)
	if err := closed(inputs...); err != nil {
		return nil, err
	}
	var m memory
	defer m.free()
	op, err := find(&m, name)
	if err != nil {
		return nil, err
	}
	count, names, values, err := params.lend(&m)
	if err != nil {
		return nil, err
	}
	handles := handlesOf(inputs)
	for len(handles) > 0 && handles[len(handles)-1] == nil {
		handles = handles[:len(handles)-1]
	}
	var numInputs, numOutputs C.int32_t
	err = try(func() C.mg_status { return C.mg_op_arity(op, count, names, values, &numInputs, &numOutputs) })
	if err != nil {
		return nil, err
	}
	results := make([]*C.mg_array, numOutputs)
	err = try(func() C.mg_status {
		return C.mg_op_call(op, C.int32_t(len(handles)), pointer(handles), count, names, values, &numOutputs, pointer(results))
	})
	if err != nil {
		return nil, err
	}
	out := make([]*NDArray, len(results))
	for i, result := range results {
		out[i] = own(result)
	}
	return out, nil
}

func applyOne(name string, inputs []*NDArray, params *Params) (*NDArray, error) {
	out, err := Apply(name, inputs, params)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// ApplyTo applies an operator into an array that exists, such as sgd_update into the weight.
func ApplyTo(name string, inputs []*NDArray, params *Params, out *NDArray) error {
	defer runtime.KeepAlive(inputs)
	defer runtime.KeepAlive(out)
	if err := closed(append([]*NDArray{out}, inputs...)...); err != nil {
		return err
	}
	var m memory
	defer m.free()
	op, err := find(&m, name)
	if err != nil {
		return err
	}
	count, names, values, err := params.lend(&m)
	if err != nil {
		return err
	}
	handles, targets, room := handlesOf(inputs), handlesOf([]*NDArray{out}), C.int32_t(1)
	return try(func() C.mg_status {
		return C.mg_op_call(op, C.int32_t(len(handles)), pointer(handles), count, names, values, &room, pointer(targets))
	})
}

// ApplyNode makes a node of a graph; inputs that are nil become variables.
func ApplyNode(name string, inputs []*Symbol, params *Params) (*Symbol, error) {
	defer runtime.KeepAlive(inputs)
	var m memory
	defer m.free()
	op, err := find(&m, name)
	if err != nil {
		return nil, err
	}
	count, names, values, err := params.lend(&m)
	if err != nil {
		return nil, err
	}
	variadic := C.mg_op_has(op, m.text("variadic")) != 0
	var handles []*C.mg_symbol
	var inputNames []string
	for i, input := range inputs {
		if input == nil {
			continue
		}
		handles = append(handles, input.handle)
		if !variadic {
			var info C.mg_port_info
			info.size = C.sizeof_mg_port_info
			if err := try(func() C.mg_status { return C.mg_op_get_input(op, C.int32_t(i), &info) }); err != nil {
				return nil, err
			}
			inputNames = append(inputNames, C.GoString(info.name))
		}
	}
	var first **C.mg_symbol
	if len(handles) > 0 {
		first = &handles[0]
	}
	var named **C.char
	if !variadic {
		named = m.texts(inputNames)
	}
	var node *C.char
	if params.node != "" {
		node = m.text(params.node)
	}
	var out *C.mg_symbol
	err = try(func() C.mg_status {
		return C.mg_symbol_call(op, node, C.int32_t(len(handles)), named, first, count, names, values, 0, nil, nil, &out)
	})
	return ownSymbol(out), err
}
