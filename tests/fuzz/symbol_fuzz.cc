// Any bytes as a symbol file: read, inferred, bound, and run where that is cheap.
#include "steps.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::prepare();
  fuzz::predict({reinterpret_cast<const char*>(data), size}, nullptr, 0);
  return 0;
}
