package mixgrad

// #include "mixgrad/mixgrad.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// Symbol stands for outputs of a graph.
type Symbol struct{ handle *C.mg_symbol }

func ownSymbol(handle *C.mg_symbol) *Symbol {
	if handle == nil {
		return nil
	}
	out := &Symbol{handle}
	runtime.SetFinalizer(out, func(s *Symbol) { C.mg_symbol_destroy(s.handle) })
	return out
}

func makeSymbol(make func(m *memory, out **C.mg_symbol) C.mg_status) (*Symbol, error) {
	var m memory
	defer m.free()
	var out *C.mg_symbol
	err := try(func() C.mg_status { return make(&m, &out) })
	return ownSymbol(out), err
}

// Variable is an input of a graph.
func Variable(name string) (*Symbol, error) {
	return makeSymbol(func(m *memory, out **C.mg_symbol) C.mg_status {
		return C.mg_symbol_create_variable(m.text(name), 0, nil, nil, out)
	})
}

// Group joins all outputs of all symbols.
func Group(symbols ...*Symbol) (*Symbol, error) {
	defer runtime.KeepAlive(symbols)
	handles := make([]*C.mg_symbol, len(symbols)+1)
	for i, symbol := range symbols {
		handles[i] = symbol.handle
	}
	return makeSymbol(func(_ *memory, out **C.mg_symbol) C.mg_status {
		return C.mg_symbol_group(C.int32_t(len(symbols)), &handles[0], out)
	})
}

// LoadSymbol reads MXNet's JSON, versions 0.7 to 1.9. Blocks.
func LoadSymbol(path string) (*Symbol, error) {
	return makeSymbol(func(m *memory, out **C.mg_symbol) C.mg_status { return C.mg_symbol_load(m.text(path), out) })
}

// SymbolFromJSON does the same from text.
func SymbolFromJSON(text string) (*Symbol, error) {
	return makeSymbol(func(m *memory, out **C.mg_symbol) C.mg_status {
		return C.mg_symbol_from_json(m.text(text), C.size_t(len(text)), nil, out)
	})
}

func takeText(text *C.char) string {
	if text == nil {
		return ""
	}
	defer C.mg_buffer_destroy(unsafe.Pointer(text))
	return C.GoString(text)
}

// JSON of MXNet 1.9.1.
func (s *Symbol) JSON() (string, error) {
	defer runtime.KeepAlive(s)
	var text *C.char
	err := try(func() C.mg_status { return C.mg_symbol_to_json(s.handle, &text) })
	return takeText(text), err
}

// Save writes the JSON; the file appears complete or not at all. Blocks.
func (s *Symbol) Save(path string) error {
	defer runtime.KeepAlive(s)
	var m memory
	defer m.free()
	return try(func() C.mg_status { return C.mg_symbol_save(s.handle, m.text(path)) })
}

// Output gives one of several outputs.
func (s *Symbol) Output(index int) (*Symbol, error) {
	defer runtime.KeepAlive(s)
	return makeSymbol(func(_ *memory, out **C.mg_symbol) C.mg_status {
		return C.mg_symbol_get_output(s.handle, C.int32_t(index), out)
	})
}

func (s *Symbol) list(part C.int32_t) ([]string, error) {
	defer runtime.KeepAlive(s)
	var list *C.mg_string_list
	if err := try(func() C.mg_status { return C.mg_symbol_list(s.handle, part, &list) }); err != nil {
		return nil, err
	}
	defer C.mg_string_list_destroy(list)
	out := make([]string, int(C.mg_string_list_get_num_strings(list)))
	for i := range out {
		out[i] = C.GoString(C.mg_string_list_get(list, C.int32_t(i)))
	}
	return out, nil
}

// ListArguments names the variables that no operator writes.
func (s *Symbol) ListArguments() ([]string, error) { return s.list(C.MG_PART_ARGUMENTS) }

// ListOutputs names the outputs.
func (s *Symbol) ListOutputs() ([]string, error) { return s.list(C.MG_PART_OUTPUTS) }

// ListAuxiliaryStates names the variables that an operator writes, such as the averages of BatchNorm.
func (s *Symbol) ListAuxiliaryStates() ([]string, error) { return s.list(C.MG_PART_AUXILIARY_STATES) }

// Shapes of the parts of a symbol, in the order of the lists of names.
type Shapes struct{ Arguments, Outputs, AuxiliaryStates [][]int64 }

// InferShape gives what follows from the shapes of some variables; an error when not all follow.
func (s *Symbol) InferShape(known map[string][]int64) (*Shapes, error) {
	defer runtime.KeepAlive(s)
	var m memory
	defer m.free()
	var names []string
	for name := range known {
		names = append(names, name)
	}
	count := len(names)
	ndims := unsafe.Slice((*C.int32_t)(m.bytes(uintptr(count)*4)), count)
	extents := (**C.int64_t)(m.bytes(uintptr(count) * unsafe.Sizeof((*C.int64_t)(nil))))
	for i, name := range names {
		ndims[i] = C.int32_t(len(known[name]))
		unsafe.Slice(extents, count)[i] = m.shape(known[name])
	}
	var ndim *C.int32_t
	if count > 0 {
		ndim = &ndims[0]
	}
	var inference *C.mg_inference
	err := try(func() C.mg_status {
		return C.mg_symbol_infer(s.handle, C.int32_t(count), m.texts(names), ndim, extents, nil, &inference)
	})
	if err != nil {
		return nil, err
	}
	defer C.mg_inference_destroy(inference)
	if C.mg_inference_has_shapes(inference) == 0 {
		return nil, &Error{StatusShape, "[InferShape] the shapes given do not decide all others; give those of more inputs"}
	}
	out := &Shapes{}
	for part, target := range map[C.int32_t]*[][]int64{
		C.MG_PART_ARGUMENTS: &out.Arguments, C.MG_PART_OUTPUTS: &out.Outputs, C.MG_PART_AUXILIARY_STATES: &out.AuxiliaryStates,
	} {
		names, err := s.list(part)
		if err != nil {
			return nil, err
		}
		for i := range names {
			var ndim C.int32_t
			var found *C.int64_t
			err := try(func() C.mg_status {
				return C.mg_inference_get_shape(inference, part, C.int32_t(i), &ndim, &found)
			})
			if err != nil {
				return nil, err
			}
			shape := append([]int64{}, unsafe.Slice((*int64)(unsafe.Pointer(found)), int(ndim))...)
			*target = append(*target, shape)
		}
	}
	return out, nil
}
