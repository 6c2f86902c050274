// Package mixgrad brings arrays, gradients, symbols, executors, files and stores of mixgrad to Go, over the C header.
//
// Work is asynchronous: only functions that say "Blocks" wait for values. An array, symbol or executor is used by one goroutine
// at a time. Memory is freed when the garbage collector finds a value unused, which it is made to do in time; Close frees it at once.
//
// The package links libmixgrad from build/release of its repository; CGO_LDFLAGS names another folder.
package mixgrad

// #cgo CFLAGS: -I${SRCDIR}/../../include
// #cgo LDFLAGS: -L${SRCDIR}/../../build/release -lmixgrad -Wl,-rpath,${SRCDIR}/../../build/release
// #include "mixgrad/mixgrad.h"
import "C"
