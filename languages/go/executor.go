package mixgrad

// #include "mixgrad/mixgrad.h"
import "C"

import (
	"runtime"
	"strings"
	"unsafe"
)

// GradReq says what becomes of the gradients of arguments.
type GradReq int32

// None is computed, it overwrites what the array held, or it is added to that.
const (
	GradNull  GradReq = C.MG_GRAD_REQ_NULL
	GradWrite GradReq = C.MG_GRAD_REQ_WRITE
	GradAdd   GradReq = C.MG_GRAD_REQ_ADD
)

// Executor is a planned graph over arrays.
type Executor struct {
	handle          *C.mg_executor
	arguments       []string
	auxiliaryStates []string
}

func zerosOf(shapes [][]int64, device Device) ([]*NDArray, error) {
	out := make([]*NDArray, len(shapes))
	for i, shape := range shapes {
		var err error
		if out[i], err = Zeros(shape, device); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// SimpleBind makes float32 arrays of zeros for every variable, with the shapes that follow from those given, and binds to
// them. The variables given are data: they get no gradient.
func (s *Symbol) SimpleBind(shapes map[string][]int64, req GradReq, device Device) (*Executor, error) {
	defer runtime.KeepAlive(s)
	all, err := s.InferShape(shapes)
	if err != nil {
		return nil, err
	}
	out := &Executor{}
	if out.arguments, err = s.ListArguments(); err != nil {
		return nil, err
	}
	if out.auxiliaryStates, err = s.ListAuxiliaryStates(); err != nil {
		return nil, err
	}
	args, err := zerosOf(all.Arguments, device)
	if err != nil {
		return nil, err
	}
	aux, err := zerosOf(all.AuxiliaryStates, device)
	if err != nil {
		return nil, err
	}
	grads := make([]*NDArray, len(args))
	var m memory
	defer m.free()
	reqs := unsafe.Slice((*C.int32_t)(m.bytes(uintptr(len(args)+1)*4)), len(args)+1)
	for i, name := range out.arguments {
		if _, data := shapes[name]; data || req == GradNull {
			continue
		}
		if grads[i], err = Zeros(all.Arguments[i], device); err != nil {
			return nil, err
		}
		reqs[i] = C.int32_t(req)
	}
	// The struct holds pointers, so it and what it points to lie in memory of C.
	arrays := (*C.mg_executor_arrays)(m.bytes(C.sizeof_mg_executor_arrays))
	arrays.size = C.sizeof_mg_executor_arrays
	arrays.num_arguments, arrays.num_auxiliaries = C.int32_t(len(args)), C.int32_t(len(aux))
	arrays.arguments, arrays.gradients, arrays.auxiliaries = m.handles(args), m.handles(grads), m.handles(aux)
	arrays.grad_reqs = &reqs[0]
	err = try(func() C.mg_status { return C.mg_executor_bind(s.handle, arrays, device.c(), nil, &out.handle) })
	runtime.KeepAlive(args)
	runtime.KeepAlive(grads)
	runtime.KeepAlive(aux)
	if err != nil {
		return nil, err
	}
	runtime.SetFinalizer(out, (*Executor).Close)
	return out, nil
}

// Close gives the working memory back now; the executor cannot be used afterwards. Arrays of its dictionaries can.
func (e *Executor) Close() {
	C.mg_executor_destroy(e.handle)
	e.handle = nil
	runtime.SetFinalizer(e, nil)
}

func (m *memory) handles(arrays []*NDArray) **C.mg_array {
	out := (**C.mg_array)(m.bytes(uintptr(len(arrays)) * unsafe.Sizeof((*C.mg_array)(nil))))
	copy(unsafe.Slice(out, len(arrays)), handlesOf(arrays))
	return out
}

// Forward computes the outputs; training keeps what Backward needs.
func (e *Executor) Forward(training bool) error {
	defer runtime.KeepAlive(e)
	mode := C.int32_t(0)
	if training {
		mode = 1
	}
	return try(func() C.mg_status { return C.mg_executor_forward(e.handle, mode) })
}

// Backward computes gradients of the last forward run. Heads: one per output, or none when the outputs are losses.
func (e *Executor) Backward(heads ...*NDArray) error {
	defer runtime.KeepAlive(e)
	handles := handlesOf(heads)
	return try(func() C.mg_status {
		return C.mg_executor_backward(e.handle, C.int32_t(len(handles)), pointer(handles))
	})
}

func (e *Executor) get(part C.int32_t, index int) (*NDArray, error) {
	defer runtime.KeepAlive(e)
	var out *C.mg_array
	err := try(func() C.mg_status { return C.mg_executor_get_array(e.handle, part, C.int32_t(index), &out) })
	return own(out), err
}

func (e *Executor) dict(part C.int32_t, names []string) (map[string]*NDArray, error) {
	out := map[string]*NDArray{}
	for i, name := range names {
		array, err := e.get(part, i)
		if err != nil {
			return nil, err
		}
		if array != nil {
			out[name] = array
		}
	}
	return out, nil
}

// Outputs are the same arrays in every run.
func (e *Executor) Outputs() ([]*NDArray, error) {
	out := make([]*NDArray, int(C.mg_executor_get_num_outputs(e.handle)))
	for i := range out {
		var err error
		if out[i], err = e.get(C.MG_PART_OUTPUTS, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ArgDict gives the arguments by name.
func (e *Executor) ArgDict() (map[string]*NDArray, error) {
	return e.dict(C.MG_PART_ARGUMENTS, e.arguments)
}

// GradDict gives the gradients of the arguments that have one.
func (e *Executor) GradDict() (map[string]*NDArray, error) {
	return e.dict(C.MG_PART_GRADIENTS, e.arguments)
}

// AuxDict gives the auxiliary states by name.
func (e *Executor) AuxDict() (map[string]*NDArray, error) {
	return e.dict(C.MG_PART_AUXILIARY_STATES, e.auxiliaryStates)
}

// CopyParamsFrom copies values in by name ("arg:" and "aux:" before it are taken off); unknown names are an error.
func (e *Executor) CopyParamsFrom(params map[string]*NDArray) error {
	args, err := e.ArgDict()
	if err != nil {
		return err
	}
	aux, err := e.AuxDict()
	if err != nil {
		return err
	}
	for key, value := range params {
		name := strings.TrimPrefix(strings.TrimPrefix(key, "arg:"), "aux:")
		target := args[name]
		if target == nil {
			target = aux[name]
		}
		if target == nil {
			return &Error{StatusNotFound, "[CopyParamsFrom] the graph has no variable " + name}
		}
		if err := value.CopyTo(target); err != nil {
			return err
		}
	}
	return nil
}

// DebugString tells nodes, memory plan and totals.
func (e *Executor) DebugString() (string, error) {
	defer runtime.KeepAlive(e)
	var text *C.char
	err := try(func() C.mg_status { return C.mg_executor_debug_text(e.handle, &text) })
	return takeText(text), err
}
