#include "files/safetensors_file.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/order.h"

namespace mixgrad {
namespace {

constexpr uint64_t kMaxHeader = 100'000'000;  // the reference implementation's
constexpr char kMetadata[] = "__metadata__";

struct DTypeName {
  DType dtype;
  const char* name;
};
constexpr DTypeName kDTypeNames[] = {
    {DType::float64, "F64"},   {DType::float32, "F32"}, {DType::float16, "F16"},
    {DType::bfloat16, "BF16"}, {DType::int64, "I64"},   {DType::int32, "I32"},
    {DType::int8, "I8"},       {DType::uint8, "U8"},    {DType::boolean, "BOOL"}};

const char* file_name_of(DType dtype) {
  for (const DTypeName& row : kDTypeNames) {
    if (row.dtype == dtype) return row.name;
  }
  fail(Status::unsupported, "[save] safetensors has no dtype for ", mixgrad::name_of(dtype));
}

// One tensor of the header; the offsets count from the end of the header.
struct TensorEntry {
  const std::string* name;
  Shape shape;
  DType dtype;
  uint64_t begin, end;
};

class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  std::vector<TensorEntry> run(const Json& header) const {
    if (!header.object())
      fail(Status::format, "[load] ", file_, ": the header is ", header.kind_name(), "; expected an object");
    std::vector<TensorEntry> entries;
    for (const auto& [name, value] : *header.object()) {
      if (name == kMetadata)
        check_metadata(value);
      else
        entries.push_back(read_entry(name, value));
    }
    return entries;
  }

  // Throws unless the entries, in order of their offsets, cover `bytes` bytes without gap or overlap.
  void check_cover(const std::vector<TensorEntry>& entries, const std::vector<uint32_t>& order,
                   uint64_t bytes) const {
    uint64_t at = 0;
    for (const size_t i : order) {
      const TensorEntry& e = entries[i];
      if (e.begin != at) {
        reject(*e.name, "begins at byte ", e.begin, "; expected ", at, ", where the tensor before it ends");
      }
      at = e.end;
    }
    if (at != bytes) {
      fail(Status::format, "[load] ", file_, " holds ", bytes, " bytes of elements; its header describes ",
           at);
    }
  }

 private:
  template <class... Args>
  [[noreturn]] void reject(const std::string& name, const Args&... args) const {
    fail(Status::format, "[load] tensor '", name, "' of ", file_, " ", args...);
  }

  void check_metadata(const Json& value) const {
    bool fine = value.object() != nullptr;
    for (size_t i = 0; fine && i < value.object()->size(); ++i) {
      fine = (*value.object())[i].second.string() != nullptr;
    }
    if (!fine) fail(Status::format, "[load] ", file_, ": ", kMetadata, " must map texts to texts");
  }

  TensorEntry read_entry(const std::string& name, const Json& value) const {
    if (!is_name(name)) fail(Status::format, "[load] ", file_, " has a tensor's name with a zero byte");
    if (!value.object()) reject(name, "is ", value.kind_name(), "; expected an object");
    const Json* dtype = value.find("dtype");
    const Json* shape = value.find("shape");
    const Json* offsets = value.find("data_offsets");
    if (!dtype || !dtype->string() || !shape || !shape->array() || !offsets || !offsets->array() ||
        offsets->array()->size() != 2) {
      reject(name, "lacks a dtype (text), a shape (array) or data_offsets (array of two)");
    }
    TensorEntry entry{&name, Shape(), read_dtype(name, *dtype->string()), 0, 0};
    if (shape->array()->size() > kMaxDims)
      reject(name, "has ", shape->array()->size(), " axes; expected at most ", int{kMaxDims});
    for (const Json& extent : *shape->array()) {
      entry.shape.push_back(static_cast<int64_t>(read_size(name, extent, "an extent")));
    }
    try {
      check_extents(entry.shape, size_of(entry.dtype), "load");
    } catch (const Error&) {
      reject(name, "has the shape ", entry.shape, ", which overflows");
    }
    entry.begin = read_size(name, (*offsets->array())[0], "an offset");
    entry.end = read_size(name, (*offsets->array())[1], "an offset");
    const uint64_t bytes = static_cast<uint64_t>(entry.shape.size()) * size_of(entry.dtype);
    if (entry.end < entry.begin || entry.end - entry.begin != bytes) {
      reject(name, "lies from byte ", entry.begin, " to ", entry.end, "; shape ", entry.shape, " of ",
             *dtype->string(), " takes ", bytes);
    }
    return entry;
  }

  uint64_t read_size(const std::string& name, const Json& value, const char* what) const {
    if (!value.integer() || *value.integer() < 0)
      reject(name, "has ", what, " that is not a whole number from 0 to 2^63 - 1");
    return static_cast<uint64_t>(*value.integer());
  }

  DType read_dtype(const std::string& name, const std::string& dtype) const {
    std::string known;
    for (const DTypeName& row : kDTypeNames) {
      if (dtype == row.name) return row.dtype;
      known += known.empty() ? row.name : std::string(", ") + row.name;
    }
    fail(Status::unsupported, "[load] tensor '", name, "' of ", file_, " has the dtype '", dtype,
         "'; known are ", known);
  }

  const std::string& file_;
};

}  // namespace

bool looks_like_safetensors(const char* bytes, size_t count) { return count >= 9 && bytes[8] == '{'; }

NamedArrays read_safetensors(ByteSource& source, Device device) {
  const auto length = source.number<uint64_t>();
  if (length > kMaxHeader) {
    fail(Status::format, "[load] ", source.name(), ": a header of ", length, " bytes; expected at most ",
         kMaxHeader);
  }
  source.expect(length, "the header");
  std::string text(length, '\0');
  source.read(&text[0], length);
  const Json header = parse_json(text, source.name());
  const HeaderReader reader(source.name());
  const std::vector<TensorEntry> entries = reader.run(header);

  std::vector<uint32_t> order = numbers_below(entries.size());
  sort_by(order, [&](size_t a, size_t b) {
    return std::pair(entries[a].begin, entries[a].end) < std::pair(entries[b].begin, entries[b].end);
  });
  reader.check_cover(entries, order, source.remaining());

  NamedArrays out;
  out.arrays.resize(entries.size());
  for (const size_t i : order) {
    out.arrays[i] = read_elements(source, entries[i].shape, entries[i].dtype, device);
  }
  for (const TensorEntry& e : entries) out.names.push_back(*e.name);
  return out;
}

void write_safetensors(ByteSink& sink, Span<Array* const> arrays, Span<const std::string> names) {
  if (names.size() != arrays.size()) {
    fail(Status::invalid_argument, "[save] safetensors needs a name for every array; got a list of ",
         arrays.size(), " arrays without names");
  }
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name == kMetadata || !seen.insert(name).second) {
      fail(Status::invalid_argument, "[save] the name '", name, "' is ",
           name == kMetadata ? "reserved by safetensors" : "there twice");
    }
  }
  // Wide elements first, so that every tensor is aligned to its elements.
  std::vector<uint32_t> order = numbers_below(arrays.size());
  sort_by(order,
          [&](size_t a, size_t b) { return size_of(arrays[a]->dtype()) > size_of(arrays[b]->dtype()); });
  std::vector<int64_t> begin(arrays.size());
  int64_t at = 0;
  for (const size_t i : order) {
    begin[i] = at;
    at += static_cast<int64_t>(arrays[i]->bytes());
  }
  Json::Object header;
  for (size_t i = 0; i < arrays.size(); ++i) {
    Json::Array shape;
    for (const int64_t extent : arrays[i]->shape()) shape.emplace_back(extent);
    const int64_t end = begin[i] + static_cast<int64_t>(arrays[i]->bytes());
    // One by one: a list in braces is destroyed twice by GCC 12 where a later item finds no memory.
    Json::Array offsets;
    offsets.emplace_back(begin[i]);
    offsets.emplace_back(end);
    Json::Object entry;
    entry.emplace_back("dtype", file_name_of(arrays[i]->dtype()));
    entry.emplace_back("shape", std::move(shape));
    entry.emplace_back("data_offsets", std::move(offsets));
    header.emplace_back(names[i], std::move(entry));
  }
  std::string text = Json(std::move(header)).dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  sink.number<uint64_t>(text.size());
  sink.write(text.data(), text.size());
  for (const size_t i : order) {
    arrays[i]->wait_to_read();
    if (arrays[i]->bytes() > 0) sink.write(arrays[i]->host_data(), arrays[i]->bytes());
  }
}

}  // namespace mixgrad
