// Any bytes as a file of arrays (.params or safetensors): read, mapped, listed, and given to a network as its parameters.
#include <fstream>
#include <iterator>

#include "steps.h"

#ifndef FUZZ_DATA
#define FUZZ_DATA "tests/data"
#endif

namespace {

std::string network() {
  std::ifstream file(FUZZ_DATA "/predict/small-symbol.json");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  fuzz::demand(!text.empty());
  return text;
}

void list_all(const char* data, size_t size) {
  NDListHandle list = nullptr;
  mx_uint count = 0;
  if (!fuzz::predicted(MXNDListCreate(data, static_cast<int>(size), &list, &count))) return;
  for (mx_uint i = 0; i < count; ++i) {
    const char* name = nullptr;
    const float* values = nullptr;
    const mx_uint* shape = nullptr;
    mx_uint ndim = 0;
    fuzz::demand(fuzz::predicted(MXNDListGet(list, i, &name, &values, &shape, &ndim)) && name);
    uint64_t elements = 1;
    for (mx_uint d = 0; d < ndim; ++d) elements *= shape[d];
    fuzz::demand(elements == 0 || values[0] + values[elements - 1] != 0x1.5eedp77f);  // so that both are read
  }
  MXNDListFree(list);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string json = network();
  fuzz::prepare();
  mg_array_list* list = nullptr;
  const bool loads = fuzz::worked(mg_arrays_load_buffer(data, size, &list));
  if (loads) fuzz::read_all(list);
  {
    const fuzz::MemoryFile file(data, size);
    mg_mapping_set(MG_MAPPING_ALWAYS);
    if (fuzz::worked(mg_arrays_map(file.path(), &list))) fuzz::read_all(list);
  }
  list_all(reinterpret_cast<const char*>(data), size);
  if (loads) fuzz::predict(json, data, size);
  return 0;
}
