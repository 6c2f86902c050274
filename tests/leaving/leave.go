// Leaves with a code of its own, in the state that its argument names, while work is queued. "states" lists them.
package main

/*
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime"
	"sort"
	"syscall"
	"time"

	mx "mixgrad"
)

const code, side = 7, 1000

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, "leave:", err)
		os.Exit(90)
	}
	return value
}

func ones(shape ...int64) *mx.NDArray {
	zeros := must(mx.Zeros(shape, mx.CPU()))
	return must(mx.Apply("ones_like", []*mx.NDArray{zeros}, &mx.Params{}))[0]
}

func dot(a, b *mx.NDArray) *mx.NDArray {
	return must(mx.Apply("dot", []*mx.NDArray{a, b}, &mx.Params{}))[0]
}

// Products that wait for each other.
func queue(count int) *mx.NDArray {
	a := ones(side, side)
	b := dot(a, a)
	for i := 1; i < count; i++ {
		b = dot(a, b)
	}
	return b
}

func wait(a *mx.NDArray) { _, _ = mx.Values[float32](a) }

type state struct {
	code int
	run  func()
}

var states = map[string]state{
	"return": {0, func() { queue(12) }},
	"exit":   {code, func() { queue(12); os.Exit(code) }},
	"exit_in_goroutine": {code, func() {
		go func() { queue(12); os.Exit(code) }()
		select {}
	}},
	"exit_of_c": {code, func() { queue(12); C.exit(code) }},
	"exit_of_c_in_new_thread": {code, func() {
		queue(12)
		go func() {
			runtime.LockOSThread()
			C.exit(code)
		}()
		select {}
	}},
	"panic": {2, func() {
		null, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		_ = syscall.Dup2(int(null.Fd()), 2)
		queue(12)
		panic("on the way")
	}},
	"fatal": {1, func() { queue(12); log.SetOutput(nowhere{}); log.Fatal("on the way") }},
	"goroutine_waits": {code, func() {
		values := queue(100)
		go wait(values)
		time.Sleep(5 * time.Millisecond)
		os.Exit(code)
	}},
	"goroutines_push": {0, func() {
		for i := 0; i < 4; i++ {
			go func() {
				for {
					queue(2).Close()
				}
			}()
		}
		time.Sleep(20 * time.Millisecond)
	}},
	"sigterm": {code, func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM)
		queue(12)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		<-signals
		os.Exit(code)
	}},
	"finalizers": {0, func() {
		for i := 0; i < 5; i++ {
			queue(2)
			runtime.GC()
		}
	}},
	"backward": {0, func() {
		x := ones(side, side)
		_ = x.AttachGrad()
		var y *mx.NDArray
		_ = mx.Record(func() error { y = dot(dot(x, x), x); return nil })
		must(0, y.Backward())
	}},
	"kvstore": {0, func() {
		store := must(mx.NewKVStore("local"))
		values := ones(side, side)
		must(0, store.Init("w", values))
		must(0, store.SetUpdater(func(_ string, received, stored *mx.NDArray) error {
			return mx.ApplyTo("dot", []*mx.NDArray{received, received}, &mx.Params{}, stored)
		}))
		for i := 0; i < 5; i++ {
			must(0, store.Push("w", queue(1)))
			must(0, store.Pull("w", values))
		}
	}},
	"saving": {0, func() {
		values := queue(4)
		go func() { _ = mx.Save(os.DevNull, map[string]*mx.NDArray{"w": values}) }()
		time.Sleep(10 * time.Millisecond)
	}},
}

type nowhere struct{}

func (nowhere) Write(text []byte) (int, error) { return len(text), nil }

func main() {
	if os.Args[1] == "states" {
		names := []string{}
		for name := range states {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			fmt.Println(name, states[name].code)
		}
		return
	}
	states[os.Args[1]].run()
}
