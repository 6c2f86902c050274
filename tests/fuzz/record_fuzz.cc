// Any bytes as a file of records.
#include "record_steps.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::read_everything(data, size, false);
  return 0;
}
