package mixgrad

// #include "mixgrad/mixgrad.h"
// void mixgrad_go_collect(void* context);
import "C"

import (
	"runtime"
	"time"
	"unsafe"
)

// Go's collector counts the bytes of its own heap, where an array is a pointer: the library asks for it when arrays weigh much.
func init() {
	C.mg_memory_set_collector((*[0]byte)(C.mixgrad_go_collect), nil, 0)
}

// MemoryInUse gives the bytes that arrays on the host hold, and the most that they held since the last call.
func MemoryInUse() (now, peak uint64) {
	var info C.mg_memory_info
	info.size = C.sizeof_mg_memory_info
	C.mg_memory_get_info(CPU().c(), &info)
	C.mg_memory_reset_peak(CPU().c())
	return uint64(info.in_use), uint64(info.peak)
}

// A finalizer of the program may wait for something that the calling goroutine does later.
const finalizersLimit = time.Second

//export mixgrad_go_collect
func mixgrad_go_collect(unsafe.Pointer) {
	// The first finalizer that is seen to run says that all found with it are about to, in one goroutine; the second that they
	// have.
	for i := 0; i < 2; i++ {
		seen := make(chan struct{})
		runtime.SetFinalizer(new([16]byte), func(*[16]byte) { close(seen) })
		runtime.GC()
		select {
		case <-seen:
		case <-time.After(finalizersLimit):
			return
		}
	}
}
