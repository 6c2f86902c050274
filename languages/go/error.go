package mixgrad

// #include "mixgrad/mixgrad.h"
import "C"

import "runtime"

// Error is what failing calls return; its text names the operator, what arrived and what was expected.
type Error struct {
	Status  int // a number of the C header's mg_status
	Message string
}

func (e *Error) Error() string { return e.Message }

// Numbers of Error.Status.
const (
	StatusInvalidArgument = int(C.MG_STATUS_INVALID_ARGUMENT)
	StatusShape           = int(C.MG_STATUS_SHAPE)
	StatusDType           = int(C.MG_STATUS_DTYPE)
	StatusIndex           = int(C.MG_STATUS_INDEX)
	StatusOutOfMemory     = int(C.MG_STATUS_OUT_OF_MEMORY)
	StatusNotFound        = int(C.MG_STATUS_NOT_FOUND)
	StatusIO              = int(C.MG_STATUS_IO)
	StatusFormat          = int(C.MG_STATUS_FORMAT)
	StatusUnsupported     = int(C.MG_STATUS_UNSUPPORTED)
	StatusInternal        = int(C.MG_STATUS_INTERNAL)
	StatusStopped         = int(C.MG_STATUS_STOPPED)
)

// try runs a call of the C header. The message of a failure belongs to the system's thread, which a goroutine may leave
// between two calls unless it is locked to it.
func try(call func() C.mg_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if status := call(); status != C.MG_STATUS_OK {
		return &Error{int(status), C.GoString(C.mg_last_error())}
	}
	return nil
}

// WaitAll blocks until all pushed work is done and gives the first failure not yet reported.
func WaitAll() error {
	return try(func() C.mg_status { return C.mg_wait_all() })
}

// Seed of all random numbers from here on.
func Seed(value uint64) error {
	return try(func() C.mg_status { return C.mg_random_seed(C.uint64_t(value)) })
}

// SetThreads sets how many threads one large operator uses.
func SetThreads(count int) error {
	return try(func() C.mg_status { return C.mg_engine_set_num_threads(C.int32_t(count)) })
}
