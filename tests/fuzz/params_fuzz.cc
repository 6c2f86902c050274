// libFuzzer target: any bytes as a file of arrays either load or throw Error. See tests/fuzz/run.sh.
#include <cstddef>
#include <cstdint>

#include "array/named_arrays.h"
#include "base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto source = mixgrad::open_memory(data, size);
    const mixgrad::NamedArrays loaded = mixgrad::read_arrays(*source, mixgrad::Device());
    if (!loaded.names.empty() && loaded.names.size() != loaded.arrays.size()) __builtin_trap();
    mixgrad::MemorySink sink;  // what loads can be stored again
    for (const mixgrad::ArrayRef& array : loaded.arrays) {
      if (array) sink.write(array->host_data(), array->bytes());
    }
  } catch (const mixgrad::Error& error) {
    if (error.message().empty() || error.message()[0] != '[') __builtin_trap();
  }
  return 0;
}
