package mixgrad

// #include "mixgrad/mixgrad.h"
import "C"

import (
	"runtime"
	"strconv"
)

// Save writes named arrays in the format of MXNet's .params files; the file appears complete or not at all. Blocks.
func Save(path string, arrays map[string]*NDArray) error {
	defer runtime.KeepAlive(arrays)
	var m memory
	defer m.free()
	var names []string
	var values []*NDArray
	for name, array := range arrays {
		names, values = append(names, name), append(values, array)
	}
	return try(func() C.mg_status {
		return C.mg_arrays_save(m.text(path), m.text("params"), C.int32_t(len(names)), m.handles(values), m.texts(names))
	})
}

// Load reads any known format. Arrays without names are called "0", "1", ... Blocks.
func Load(path string) (map[string]*NDArray, error) {
	var m memory
	defer m.free()
	var list *C.mg_array_list
	if err := try(func() C.mg_status { return C.mg_arrays_load(m.text(path), &list) }); err != nil {
		return nil, err
	}
	defer C.mg_array_list_destroy(list)
	out := map[string]*NDArray{}
	for i := 0; i < int(C.mg_array_list_get_num_arrays(list)); i++ {
		var array *C.mg_array
		if err := try(func() C.mg_status { return C.mg_array_list_get(list, C.int32_t(i), &array) }); err != nil {
			return nil, err
		}
		if array == nil {
			continue // old files may hold "no value"
		}
		name := strconv.Itoa(i)
		if text := C.mg_array_list_get_name(list, C.int32_t(i)); text != nil {
			name = C.GoString(text)
		}
		out[name] = own(array)
	}
	return out, nil
}
