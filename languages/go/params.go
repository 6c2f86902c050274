package mixgrad

// #include <stdlib.h>
// #include <string.h>
// #include "mixgrad/mixgrad.h"
// static void set_integer(mg_value* value, int32_t kind, int64_t integer) {
//   value->kind = kind;
//   value->as.integer = integer;
// }
// static void set_real(mg_value* value, double real) {
//   value->kind = MG_VALUE_REAL;
//   value->as.real = real;
// }
// static void set_string(mg_value* value, const char* string) {
//   value->kind = MG_VALUE_STRING;
//   value->as.string = string;
// }
// static void set_items(mg_value* value, const mg_value* items, int32_t num_items) {
//   value->kind = MG_VALUE_TUPLE;
//   value->num_items = num_items;
//   value->as.items = items;
// }
import "C"

import (
	"fmt"
	"unsafe"
)

// Params are parameters of an operator by name.
type Params struct {
	names  []string
	values []interface{}
	node   string
}

// Set adds one: nil, bool, int, int64, float64, string, DType, []int64 or []float64.
func (p *Params) Set(name string, value interface{}) *Params {
	p.names = append(p.names, name)
	p.values = append(p.values, value)
	return p
}

// Name of the node, on symbols.
func (p *Params) Name(node string) *Params {
	p.node = node
	return p
}

// memory of C that lasts for one call; Go's memory must not hold pointers to Go's memory when C reads it.
type memory struct{ blocks []unsafe.Pointer }

func (m *memory) bytes(size uintptr) unsafe.Pointer {
	block := C.calloc(1, C.size_t(size)+1) // never NULL for a size of 0
	m.blocks = append(m.blocks, block)
	return block
}

func (m *memory) text(text string) *C.char {
	out := C.CString(text)
	m.blocks = append(m.blocks, unsafe.Pointer(out))
	return out
}

func (m *memory) texts(texts []string) **C.char {
	out := m.bytes(uintptr(len(texts)) * unsafe.Sizeof((*C.char)(nil)))
	for i, text := range texts {
		unsafe.Slice((**C.char)(out), len(texts))[i] = m.text(text)
	}
	return (**C.char)(out)
}

func (m *memory) shape(shape []int64) *C.int64_t {
	out := m.bytes(uintptr(len(shape)) * 8)
	copy(unsafe.Slice((*int64)(out), len(shape)), shape)
	return (*C.int64_t)(out)
}

func (m *memory) values(count int) []C.mg_value {
	block := m.bytes(uintptr(count) * unsafe.Sizeof(C.mg_value{}))
	return unsafe.Slice((*C.mg_value)(block), count)
}

func (m *memory) free() {
	for _, block := range m.blocks {
		C.free(block)
	}
}

func (m *memory) set(target *C.mg_value, name string, value interface{}) error {
	switch v := value.(type) {
	case nil:
		C.set_integer(target, C.MG_VALUE_NONE, 0)
	case bool:
		truth := C.int64_t(0)
		if v {
			truth = 1
		}
		C.set_integer(target, C.MG_VALUE_BOOLEAN, truth)
	case int:
		C.set_integer(target, C.MG_VALUE_INTEGER, C.int64_t(v))
	case int64:
		C.set_integer(target, C.MG_VALUE_INTEGER, C.int64_t(v))
	case float64:
		C.set_real(target, C.double(v))
	case string:
		C.set_string(target, m.text(v))
	case DType:
		C.set_string(target, m.text(v.String()))
	case []int64:
		items := m.values(len(v))
		for i := range v {
			C.set_integer(&items[i], C.MG_VALUE_INTEGER, C.int64_t(v[i]))
		}
		C.set_items(target, first(items), C.int32_t(len(v)))
	case []float64:
		items := m.values(len(v))
		for i := range v {
			C.set_real(&items[i], C.double(v[i]))
		}
		C.set_items(target, first(items), C.int32_t(len(v)))
	default:
		return &Error{StatusInvalidArgument, fmt.Sprintf("[%s] a parameter cannot be a %T", name, value)}
	}
	return nil
}

// lend puts the parameters where C can read them.
func (p *Params) lend(m *memory) (C.int32_t, **C.char, *C.mg_value, error) {
	values := m.values(len(p.values))
	for i, value := range p.values {
		if err := m.set(&values[i], p.names[i], value); err != nil {
			return 0, nil, nil, err
		}
	}
	return C.int32_t(len(p.values)), m.texts(p.names), first(values), nil
}

func first(values []C.mg_value) *C.mg_value {
	if len(values) == 0 {
		return nil
	}
	return &values[0]
}
