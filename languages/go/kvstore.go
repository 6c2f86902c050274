package mixgrad

// #include "mixgrad/mixgrad.h"
// mg_status mixgrad_go_update(void* context, mg_value* key, mg_array* received, mg_array* stored);
// void mixgrad_go_release(void* context);
// static mg_status set_updater(mg_kvstore* store, uintptr_t context) {
//   mg_kvstore_updater updater;
//   updater.size = sizeof updater;
//   updater.context = (void*)context;
//   updater.update = (mg_status(*)(void*, const mg_value*, mg_array*, mg_array*))mixgrad_go_update;
//   updater.release = mixgrad_go_release;
//   return mg_kvstore_set_updater(store, &updater);
// }
// static int64_t key_integer(const mg_value* key) { return key->as.integer; }
// static const char* key_string(const mg_value* key) { return key->as.string; }
import "C"

import (
	"fmt"
	"runtime"
	"runtime/cgo"
	"strconv"
	"unsafe"
)

// KVStore holds arrays by key, shared by devices.
type KVStore struct{ handle *C.mg_kvstore }

// Updater says how pushes change what is stored: it writes stored.
type Updater func(key string, received, stored *NDArray) error

// NewKVStore of a kind: "local" keeps values on the host, "device" on the devices that push.
func NewKVStore(kind string) (*KVStore, error) {
	var m memory
	defer m.free()
	out := &KVStore{}
	if err := try(func() C.mg_status { return C.mg_kvstore_create(m.text(kind), &out.handle) }); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(out, func(k *KVStore) { C.mg_kvstore_destroy(k.handle) })
	return out, nil
}

func (k *KVStore) keys(m *memory, key string, count int) *C.mg_value {
	keys := m.values(count + 1)
	for i := range keys {
		_ = m.set(&keys[i], "key", key) // text never fails
	}
	return &keys[0]
}

// Init gives a key its first value.
func (k *KVStore) Init(key string, value *NDArray) error {
	defer runtime.KeepAlive(k)
	defer runtime.KeepAlive(value)
	var m memory
	defer m.free()
	handles := handlesOf([]*NDArray{value})
	return try(func() C.mg_status { return C.mg_kvstore_init(k.handle, 1, k.keys(&m, key, 1), pointer(handles)) })
}

// Push gives the sum of the values to the updater, or stores it.
func (k *KVStore) Push(key string, values ...*NDArray) error {
	defer runtime.KeepAlive(k)
	defer runtime.KeepAlive(values)
	var m memory
	defer m.free()
	return try(func() C.mg_status {
		return C.mg_kvstore_push(k.handle, C.int32_t(len(values)), k.keys(&m, key, len(values)), m.handles(values), 0)
	})
}

// Pull overwrites the arrays with what is stored.
func (k *KVStore) Pull(key string, outs ...*NDArray) error {
	defer runtime.KeepAlive(k)
	defer runtime.KeepAlive(outs)
	var m memory
	defer m.free()
	return try(func() C.mg_status {
		return C.mg_kvstore_pull(k.handle, C.int32_t(len(outs)), k.keys(&m, key, len(outs)), m.handles(outs), 0)
	})
}

// SetUpdater says how pushes change what is stored. It runs in the pushing goroutine; its error ends the push.
func (k *KVStore) SetUpdater(updater Updater) error {
	defer runtime.KeepAlive(k)
	handle := cgo.NewHandle(updater)
	return try(func() C.mg_status { return C.set_updater(k.handle, C.uintptr_t(handle)) })
}

//export mixgrad_go_update
func mixgrad_go_update(context unsafe.Pointer, key *C.mg_value, received, stored *C.mg_array) (status C.mg_status) {
	fail := func(text string) {
		var m memory
		defer m.free()
		C.mg_set_error(m.text(text))
		status = C.MG_STATUS_INTERNAL
	}
	defer func() { // a panic must not cross into C
		if reason := recover(); reason != nil {
			fail(fmt.Sprintf("[KVStore] the updater panicked: %v", reason))
		}
	}()
	name := strconv.FormatInt(int64(C.key_integer(key)), 10)
	if key.kind == C.MG_VALUE_STRING {
		name = C.GoString(C.key_string(key))
	}
	C.mg_array_retain(received)
	C.mg_array_retain(stored)
	updater := cgo.Handle(uintptr(context)).Value().(Updater)
	if err := updater(name, own(received), own(stored)); err != nil {
		fail(err.Error())
	}
	return status
}

//export mixgrad_go_release
func mixgrad_go_release(context unsafe.Pointer) { cgo.Handle(uintptr(context)).Delete() }
