// Any bytes as a packed model: read, its texts and arrays looked at, its network bound and run. An input whose first byte is
// odd gets right checksums and lengths, so that what lies behind them is reached.
#include <algorithm>
#include <cstring>
#include <vector>

#include "steps.h"

namespace {

constexpr size_t kHeader = 64, kEntry = 64;  // as docs/model-file.md has them

void put(std::vector<uint8_t>& file, size_t at, uint64_t value) {
  std::memcpy(&file[at], &value, sizeof value);
}
uint64_t get(const uint8_t* at) {
  uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void mix(uint64_t& lane, uint64_t word) {
  lane = (lane ^ word) * 0x9E3779B97F4A7C15u;
  lane ^= lane >> 29;
}

uint64_t checksum(const uint8_t* data, size_t bytes) {
  uint64_t lane[4] = {1, 2, 3, 4}, sum = bytes;
  for (size_t at = 0; at < bytes; at += 32) {
    uint8_t group[32] = {};
    std::memcpy(group, data + at, std::min<size_t>(32, bytes - at));
    for (size_t i = 0; i < 4; ++i) mix(lane[i], get(group + 8 * i));
  }
  for (uint64_t word : lane) mix(sum, word);
  return sum;
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
    const uint64_t begin = get(&file[at]), bytes = get(&file[at + 8]);
    if (begin <= file.size() && bytes <= file.size() - begin)
      put(file, at + 16, checksum(file.data() + begin, bytes));
  }
  put(file, 24, checksum(file.data() + kHeader, sections * kEntry));
}

// `data` is the file: what mg_model_load reads, MXPredCreate takes as parameters.
void look_at(mg_model* model, const uint8_t* data, size_t size) {
  fuzz::demand(mg_model_get_weights(model) != nullptr);
  for (int32_t i = 0; i < mg_model_get_num_texts(model); ++i) {
    const char* text = nullptr;
    size_t bytes = 0;
    fuzz::demand(fuzz::worked(mg_model_get_text(model, mg_model_get_text_name(model, i), &text, &bytes)) &&
                 text);
  }
  for (int32_t i = 0; i < mg_model_get_num_arrays(model); ++i) {
    mg_array* array = nullptr;
    fuzz::demand(mg_model_get_array_name(model, i) && fuzz::worked(mg_model_get_array(model, i, &array)));
    mg_array_destroy(array);
  }
  const char* json = nullptr;
  size_t bytes = 0;
  if (fuzz::worked(mg_model_get_text(model, "symbol", &json, &bytes)))
    fuzz::predict({json, bytes}, data, size);
}

void load(const uint8_t* data, size_t size) {
  mg_model* model = nullptr;
  if (fuzz::worked(mg_model_load_buffer(data, size, &model))) {
    look_at(model, data, size);
    mg_model_destroy(model);
  }
  const fuzz::MemoryFile file(data, size);
  mg_mapping_set(MG_MAPPING_ALWAYS);
  if (fuzz::worked(mg_model_load(file.path(), &model))) mg_model_destroy(model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::prepare();
  if (size > 0 && data[0] % 2) {
    std::vector<uint8_t> file(data, data + size);
    mend(file);
    load(file.data(), file.size());
  } else {
    load(data, size);
  }
  return 0;
}
