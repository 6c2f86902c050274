// libFuzzer target: any bytes as a packed model either load or throw Error. See tests/fuzz/run.sh. An input whose first byte
// is odd gets right checksums and lengths, so that what lies behind them is reached.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "array/model_file.h"
#include "base/checksum.h"
#include "base/error.h"

namespace {

constexpr size_t kHeader = 64, kEntry = 64;  // as docs/model-file.md has them

void put(std::vector<uint8_t>& file, size_t at, uint64_t value) {
  std::memcpy(&file[at], &value, sizeof value);
}
uint64_t get(const std::vector<uint8_t>& file, size_t at) {
  uint64_t value;
  std::memcpy(&value, &file[at], sizeof value);
  return value;
}

void mend(std::vector<uint8_t>& file) {
  if (file.size() < kHeader) return;
  std::memcpy(file.data(), "MXGMODEL\1\0\0", 12);
  put(file, 16, file.size());
  uint32_t sections;
  std::memcpy(&sections, &file[12], sizeof sections);
  sections = std::min<uint32_t>(sections % 8, static_cast<uint32_t>((file.size() - kHeader) / kEntry));
  std::memcpy(&file[12], &sections, sizeof sections);
  for (size_t i = 0; i < sections; ++i) {
    const size_t at = kHeader + i * kEntry;
    const uint64_t begin = get(file, at), bytes = get(file, at + 8);
    if (begin <= file.size() && bytes <= file.size() - begin)
      put(file, at + 16, mixgrad::checksum_of(file.data() + begin, bytes));
  }
  put(file, 24, mixgrad::checksum_of(file.data() + kHeader, sections * kEntry));
}

void load(const uint8_t* data, size_t size) {
  try {
    const auto source = mixgrad::open_memory(data, size);
    const mixgrad::ModelFile model = mixgrad::read_model(*source, mixgrad::Device());
    if (model.arrays.names.size() != model.arrays.arrays.size()) __builtin_trap();
    mixgrad::MemorySink sink;  // what loads can be stored again
    mixgrad::ModelFile again = model;
    again.form = mixgrad::WeightForm::float32;
    mixgrad::write_model(sink, again);
  } catch (const mixgrad::Error& error) {
    if (error.message().empty() || error.message()[0] != '[') __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 0 && data[0] % 2) {
    std::vector<uint8_t> file(data, data + size);
    mend(file);
    load(file.data(), file.size());
  } else {
    load(data, size);
  }
  return 0;
}
