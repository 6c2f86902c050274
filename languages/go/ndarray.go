package mixgrad

// #include "mixgrad/mixgrad.h"
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

// DType says what an element is.
type DType int32

// The dtypes.
const (
	Float32  DType = C.MG_DTYPE_FLOAT32
	Float64  DType = C.MG_DTYPE_FLOAT64
	Float16  DType = C.MG_DTYPE_FLOAT16
	Uint8    DType = C.MG_DTYPE_UINT8
	Int32    DType = C.MG_DTYPE_INT32
	Int8     DType = C.MG_DTYPE_INT8
	Int64    DType = C.MG_DTYPE_INT64
	Bool     DType = C.MG_DTYPE_BOOL
	BFloat16 DType = C.MG_DTYPE_BFLOAT16
)

var dtypeNames = map[DType]string{
	Float32: "float32", Float64: "float64", Float16: "float16", Uint8: "uint8", Int32: "int32", Int8: "int8",
	Int64: "int64", Bool: "bool", BFloat16: "bfloat16",
}

func (d DType) String() string {
	if name, ok := dtypeNames[d]; ok {
		return name
	}
	return fmt.Sprintf("dtype %d", int32(d))
}

// Element is a Go type whose values are elements of an array.
type Element interface {
	float32 | float64 | uint8 | int8 | int32 | int64
}

func dtypeOf[T Element]() DType {
	var zero T
	switch any(zero).(type) {
	case float32:
		return Float32
	case float64:
		return Float64
	case uint8:
		return Uint8
	case int8:
		return Int8
	case int32:
		return Int32
	default:
		return Int64
	}
}

// Device is where an array lies.
type Device struct{ kind, id int32 }

// CPU is the host.
func CPU() Device { return Device{C.MG_DEVICE_CPU, 0} }

// GPU of a number from 0.
func GPU(id int) Device { return Device{C.MG_DEVICE_GPU, int32(id)} }

func (d Device) c() C.mg_device { return C.mg_device{kind: C.int32_t(d.kind), id: C.int32_t(d.id)} }

// NDArray is a dense array whose values may still be on their way.
type NDArray struct{ handle *C.mg_array }

func own(handle *C.mg_array) *NDArray {
	if handle == nil {
		return nil
	}
	out := &NDArray{handle}
	runtime.SetFinalizer(out, (*NDArray).Close)
	return out
}

// Close gives the memory back now unless something else still uses it; the array cannot be used afterwards.
func (a *NDArray) Close() {
	C.mg_array_destroy(a.handle)
	a.handle = nil
	runtime.SetFinalizer(a, nil)
}

var errClosed = &Error{StatusInvalidArgument, "[mixgrad] the array was closed and cannot be used any more"}

// closed gives an error if one of the arrays was.
func closed(arrays ...*NDArray) error {
	for _, a := range arrays {
		if a != nil && a.handle == nil {
			return errClosed
		}
	}
	return nil
}

func handleOf(a *NDArray) *C.mg_array {
	if a == nil {
		return nil
	}
	return a.handle
}

func handlesOf(arrays []*NDArray) []*C.mg_array {
	out := make([]*C.mg_array, len(arrays), len(arrays)+1)
	for i, array := range arrays {
		out[i] = handleOf(array)
	}
	return out
}

func pointer(handles []*C.mg_array) **C.mg_array {
	if len(handles) == 0 {
		return nil
	}
	return &handles[0]
}

// Empty makes an array whose values are undefined.
func Empty(shape []int64, dtype DType, device Device) (*NDArray, error) {
	var m memory
	defer m.free()
	var out *C.mg_array
	err := try(func() C.mg_status {
		return C.mg_array_create(m.shape(shape), C.int32_t(len(shape)), C.int32_t(dtype), device.c(), &out)
	})
	return own(out), err
}

// FromSlice makes an array on the CPU of values in row-major order; their number must be the shape's.
func FromSlice[T Element](values []T, shape ...int64) (*NDArray, error) {
	out, err := Empty(shape, dtypeOf[T](), CPU())
	if err != nil {
		return nil, err
	}
	return out, SetValues(out, values)
}

// Zeros makes an array of float32 zeros.
func Zeros(shape []int64, device Device) (*NDArray, error) {
	out, err := Empty(shape, Float32, device)
	if err != nil {
		return nil, err
	}
	return out, SetValues(out, make([]float32, out.Size()))
}

// Shape gives the extents.
func (a *NDArray) Shape() []int64 {
	defer runtime.KeepAlive(a)
	ndim := int(C.mg_array_get_ndim(a.handle))
	if ndim <= 0 {
		return []int64{}
	}
	extents := (*int64)(unsafe.Pointer(C.mg_array_get_shape(a.handle)))
	return append([]int64{}, unsafe.Slice(extents, ndim)...)
}

// Size is the number of elements.
func (a *NDArray) Size() int {
	defer runtime.KeepAlive(a)
	return int(C.mg_array_get_size(a.handle))
}

// DType says what an element is.
func (a *NDArray) DType() DType {
	defer runtime.KeepAlive(a)
	return DType(C.mg_array_get_dtype(a.handle))
}

func (a *NDArray) needs(wanted DType, what string) error {
	if err := closed(a); err != nil {
		return err
	}
	held := a.DType()
	if held == wanted || (held == Bool && wanted == Uint8) {
		return nil
	}
	return &Error{StatusDType, fmt.Sprintf("[%s] the array holds %v, the program's values are %v", what, held, wanted)}
}

// Values in row-major order. Blocks.
func Values[T Element](a *NDArray) ([]T, error) {
	defer runtime.KeepAlive(a)
	if err := a.needs(dtypeOf[T](), "Values"); err != nil {
		return nil, err
	}
	out := make([]T, a.Size(), a.Size()+1)
	bytes := C.size_t(uintptr(len(out)) * unsafe.Sizeof(*new(T)))
	err := try(func() C.mg_status {
		return C.mg_array_copy_to(a.handle, unsafe.Pointer(&out[:1][0]), bytes)
	})
	return out, err
}

// SetValues overwrites all values, whose number must be the array's. Blocks.
func SetValues[T Element](a *NDArray, values []T) error {
	defer runtime.KeepAlive(a)
	if err := a.needs(dtypeOf[T](), "SetValues"); err != nil {
		return err
	}
	if len(values) != a.Size() {
		return &Error{StatusShape, fmt.Sprintf("[SetValues] expected %d values, got %d", a.Size(), len(values))}
	}
	var source unsafe.Pointer
	if len(values) > 0 {
		source = unsafe.Pointer(&values[0])
	} else {
		source = unsafe.Pointer(new(T))
	}
	bytes := C.size_t(uintptr(len(values)) * unsafe.Sizeof(*new(T)))
	return try(func() C.mg_status { return C.mg_array_copy_from(a.handle, source, bytes) })
}

// CopyTo writes into another array of the same shape, across devices and dtypes.
func (a *NDArray) CopyTo(target *NDArray) error {
	defer runtime.KeepAlive(a)
	defer runtime.KeepAlive(target)
	if err := closed(a, target); err != nil {
		return err
	}
	return try(func() C.mg_status { return C.mg_array_copy(a.handle, target.handle) })
}

func (a *NDArray) derived(make func(out **C.mg_array) C.mg_status) (*NDArray, error) {
	defer runtime.KeepAlive(a)
	if err := closed(a); err != nil {
		return nil, err
	}
	var out *C.mg_array
	err := try(func() C.mg_status { return make(&out) })
	return own(out), err
}

// Reshape gives the same memory under another shape.
func (a *NDArray) Reshape(shape ...int64) (*NDArray, error) {
	var m memory
	defer m.free()
	return a.derived(func(out **C.mg_array) C.mg_status {
		return C.mg_array_reshape(a.handle, m.shape(shape), C.int32_t(len(shape)), out)
	})
}

// Slice gives rows begin to end, sharing memory.
func (a *NDArray) Slice(begin, end int64) (*NDArray, error) {
	return a.derived(func(out **C.mg_array) C.mg_status {
		return C.mg_array_slice(a.handle, C.int64_t(begin), C.int64_t(end), out)
	})
}

// Detach gives the same values without their history.
func (a *NDArray) Detach() (*NDArray, error) {
	return a.derived(func(out **C.mg_array) C.mg_status { return C.mg_array_detach(a.handle, out) })
}

// AttachGrad makes this a variable: Backward writes its gradient into Grad.
func (a *NDArray) AttachGrad() error {
	defer runtime.KeepAlive(a)
	return try(func() C.mg_status { return C.mg_array_attach_grad(a.handle, nil, C.MG_GRAD_REQ_WRITE) })
}

// Grad is the gradient's array; nil when this is no variable.
func (a *NDArray) Grad() (*NDArray, error) {
	return a.derived(func(out **C.mg_array) C.mg_status { return C.mg_array_get_grad(a.handle, out) })
}

// Backward computes gradients of this, with ones as its own, into the variables it was computed from.
func (a *NDArray) Backward() error {
	defer runtime.KeepAlive(a)
	heads := handlesOf([]*NDArray{a})
	return try(func() C.mg_status { return C.mg_autograd_backward(1, pointer(heads), nil, 0, 0) })
}

// Record runs a function while its calls are recorded for gradients and run as in training.
func Record(body func() error) error {
	// Recording belongs to the system's thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var recording, training C.int32_t
	C.mg_autograd_set_recording(1, &recording)
	C.mg_autograd_set_training(1, &training)
	defer C.mg_autograd_set_recording(recording, nil)
	defer C.mg_autograd_set_training(training, nil)
	return body()
}

func (a *NDArray) with(op string, b *NDArray) (*NDArray, error) {
	return applyOne(op, []*NDArray{a, b}, &Params{})
}

// Add gives the sum, broadcasting.
func (a *NDArray) Add(b *NDArray) (*NDArray, error) { return a.with("broadcast_add", b) }

// Sub gives the difference, broadcasting.
func (a *NDArray) Sub(b *NDArray) (*NDArray, error) { return a.with("broadcast_sub", b) }

// Mul gives the product, broadcasting.
func (a *NDArray) Mul(b *NDArray) (*NDArray, error) { return a.with("broadcast_mul", b) }

// Div gives the quotient, broadcasting.
func (a *NDArray) Div(b *NDArray) (*NDArray, error) { return a.with("broadcast_div", b) }

// Scale multiplies by a number.
func (a *NDArray) Scale(factor float64) (*NDArray, error) {
	return applyOne("_mul_scalar", []*NDArray{a}, (&Params{}).Set("scalar", factor))
}
