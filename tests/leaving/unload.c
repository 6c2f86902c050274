/* Leaves with code 7 after it has opened the library, queued work in it and closed it again. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "mixgrad/mixgrad.h"

static void* function(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (!found) {
    fprintf(stderr, "unload: %s\n", dlerror());
    exit(90);
  }
  return found;
}

int main(int argc, char** argv) {
  int round;
  for (round = 0; round < 3 && argc == 2; ++round) {
    const int64_t shape[2] = {1000, 1000};
    const mg_device cpu = {MG_DEVICE_CPU, 0};
    const mg_op* op = NULL;
    mg_array *inputs[2], *out = NULL;
    int32_t outputs = 1;
    int i;
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fprintf(stderr, "unload: %s\n", dlerror());
      return 90;
    }
    mg_status (*create)(const int64_t*, int32_t, int32_t, mg_device, mg_array**);
    mg_status (*find)(const char*, const mg_op**);
    mg_status (*call)(const mg_op*, int32_t, mg_array* const*, int32_t, const char* const*, const mg_value*,
                      int32_t*, mg_array**);
    *(void**)&create = function(library, "mg_array_create");
    *(void**)&find = function(library, "mg_op_find");
    *(void**)&call = function(library, "mg_op_call");
    if (create(shape, 2, MG_DTYPE_FLOAT32, cpu, &inputs[0]) || find("dot", &op)) return 90;
    inputs[1] = inputs[0];
    for (i = 0; i < 10; ++i, out = NULL) {
      if (call(op, 2, inputs, 0, NULL, NULL, &outputs, &out)) return 90;
    }
    dlclose(library);
  }
  return 7;
}
