#include "files/model_file.h"

#include <algorithm>
#include <cstring>

#include "base/checksum.h"
#include "base/error.h"
#include "files/params_file.h"

namespace mixgrad {
namespace {

constexpr char kModelMagic[9] = "MXGMODEL";
constexpr char kWeights[] = "weights";
constexpr uint64_t kModelHeader = 64, kModelEntry = 64, kModelAlign = 64;
constexpr uint32_t kMostSections = 256;
constexpr size_t kNameRoom = 40;

// 64 bytes in the file, in this order. Names are filled up with zeros.
struct Section {
  uint64_t begin = 0, bytes = 0, sum = 0;
  char name[kNameRoom] = {};

  std::string text() const { return std::string(name, strnlen(name, kNameRoom)); }
};
static_assert(sizeof(Section) == kModelEntry, "an entry of the table has no gaps");

// 64 bytes in the file, in this order.
struct Header {
  char magic[8];
  uint32_t version, sections;
  uint64_t bytes, table_sum;  // of the whole file; of the table of sections
  uint32_t form, zero[7];
};
static_assert(sizeof(Header) == kModelHeader, "the header has no gaps");

uint64_t aligned(uint64_t at) { return (at + kModelAlign - 1) / kModelAlign * kModelAlign; }

// Counts and sums what passes on its way to nowhere, or to a sink.
class CountingSink final : public ByteSink {
 public:
  explicit CountingSink(ByteSink* to) : to_(to) {}
  void write(const void* src, uint64_t bytes) override {
    if (to_) to_->write(src, bytes);
    sum_.add(src, bytes);
    bytes_ += bytes;
  }
  void commit() override {}
  uint64_t bytes() const { return bytes_; }
  uint64_t sum() const { return sum_.value(); }

 private:
  ByteSink* to_;
  Checksum sum_;
  uint64_t bytes_ = 0;
};

// The next bytes of a source, as a source that ends behind them.
class SectionSource final : public ByteSource {
 public:
  SectionSource(ByteSource& from, uint64_t bytes, std::string name)
      : from_(from), left_(bytes), name_(std::move(name)) {}
  void read(void* dst, uint64_t bytes) override {
    expect(bytes, "the next field");
    from_.read(dst, bytes);
    sum_.add(dst, bytes);
    left_ -= bytes;
  }
  void peek(void* dst, uint64_t bytes) override {
    expect(bytes, "the next field");
    from_.peek(dst, bytes);
  }
  storage::Block borrow(uint64_t bytes) override {
    expect(bytes, "the next field");
    const storage::Block block = from_.borrow(bytes);
    if (block.data) {
      sum_.add(block.data, bytes);
      left_ -= bytes;
    }
    return block;
  }
  uint64_t remaining() const override { return left_; }
  const std::string& name() const override { return name_; }
  uint64_t sum() const { return sum_.value(); }

 private:
  ByteSource& from_;
  uint64_t left_;
  std::string name_;
  Checksum sum_;
};

Section named_section(const std::string& name) {
  if (name.empty() || name.size() >= kNameRoom || !is_name(name)) {
    fail(Status::invalid_argument, "[save_model] a section is called '", name, "'; expected 1 to ",
         kNameRoom - 1, " bytes of UTF-8");
  }
  Section section;
  std::memcpy(section.name, name.data(), name.size());
  return section;
}

void write_weights(ByteSink& sink, const NamedArrays& arrays) {
  std::vector<Array*> pointers;
  for (const ArrayRef& array : arrays.arrays) {
    if (!array) fail(Status::invalid_argument, "[save_model] an array has no value");
    pointers.push_back(array.get());
  }
  write_params(sink, pointers, arrays.names);
}

void skip(ByteSource& source, uint64_t bytes) {
  char zeros[kModelAlign];
  for (; bytes > 0; bytes -= std::min<uint64_t>(bytes, sizeof zeros)) {
    source.read(zeros, std::min<uint64_t>(bytes, sizeof zeros));
  }
}

// The table of sections, which lie in order, inside the file, without touching one another.
std::vector<Section> read_table(ByteSource& source, const Header& header) {
  std::vector<Section> table(header.sections);
  Checksum sum;
  for (Section& section : table) {
    source.read(&section, sizeof section);
    sum.add(&section, sizeof section);
  }
  if (sum.value() != header.table_sum) {
    fail(Status::format, "[load_model] ", source.name(), ": the table of sections is damaged (checksum)");
  }
  uint64_t at = kModelHeader + header.sections * kModelEntry;
  for (size_t i = 0; i < table.size(); ++i) {
    const Section& s = table[i];
    if (s.begin < at || s.begin - at >= 2 * kModelAlign || s.begin > header.bytes ||
        s.bytes > header.bytes - s.begin) {
      fail(Status::format, "[load_model] ", source.name(), ": section '", s.text(), "' lies at ", s.begin,
           " and takes ", s.bytes, " of ", header.bytes, " bytes; the one before it ends at ", at);
    }
    for (size_t j = 0; j < i; ++j) {
      if (table[j].text() == s.text())
        fail(Status::format, "[load_model] ", source.name(), " has two sections '", s.text(), "'");
    }
    if (s.text().empty() || s.text().size() == kNameRoom || !is_name(s.text()))
      fail(Status::format, "[load_model] ", source.name(), ": the name of section ", i, " is none");
    at = s.begin + s.bytes;
  }
  if (at != header.bytes) {
    fail(Status::format, "[load_model] ", source.name(), " takes ", header.bytes,
         " bytes; its sections end at ", at);
  }
  return table;
}

Header read_header(ByteSource& source) {
  const uint64_t bytes = source.remaining();
  Header header;
  source.read(&header, sizeof header);
  if (std::memcmp(header.magic, kModelMagic, sizeof header.magic) != 0) {
    fail(Status::format, "[load_model] ", source.name(), " is no model file, which begins with '",
         kModelMagic, "'");
  }
  if (header.version != kModelFileVersion) {
    fail(Status::format, "[load_model] ", source.name(), " has version ", header.version,
         "; this library reads version ", kModelFileVersion);
  }
  if (header.bytes != bytes) {
    fail(Status::format, "[load_model] ", source.name(), " was written with ", header.bytes,
         " bytes and has ", bytes);
  }
  if (header.sections > kMostSections || header.form > 2) {
    fail(Status::format, "[load_model] ", source.name(), " names ", header.sections,
         " sections and weights of form ", header.form, "; expected at most ", kMostSections, " and 2");
  }
  return header;
}

}  // namespace

const std::string* ModelFile::text(const std::string& name) const {
  for (const auto& [key, value] : texts) {
    if (key == name) return &value;
  }
  return nullptr;
}

void write_model(ByteSink& sink, const ModelFile& model) {
  const NamedArrays weights = shrink_weights(model.arrays, model.form);
  std::vector<Section> table;
  for (const auto& [name, value] : model.texts) {
    Section section = named_section(name);
    for (const Section& other : table) {
      if (other.text() == name)
        fail(Status::invalid_argument, "[save_model] two sections are called '", name, "'");
    }
    if (name == kWeights)
      fail(Status::invalid_argument, "[save_model] '", kWeights, "' holds arrays, no text");
    section.bytes = value.size();
    section.sum = checksum_of(value.data(), value.size());
    table.push_back(section);
  }
  CountingSink counted(nullptr);
  write_weights(counted, weights);
  table.push_back(named_section(kWeights));
  table.back().bytes = counted.bytes();
  table.back().sum = counted.sum();
  if (table.size() > kMostSections) {
    fail(Status::invalid_argument, "[save_model] got ", table.size(), " sections; expected at most ",
         kMostSections);
  }

  uint64_t at = kModelHeader + table.size() * kModelEntry;
  for (Section& section : table) {
    section.begin = aligned(at);
    at = section.begin + section.bytes;
  }
  Header header = {};
  std::memcpy(header.magic, kModelMagic, sizeof header.magic);
  header.version = kModelFileVersion;
  header.sections = static_cast<uint32_t>(table.size());
  header.bytes = at;
  header.table_sum = checksum_of(table.data(), table.size() * sizeof(Section));
  header.form = static_cast<uint32_t>(model.form);

  sink.write(&header, sizeof header);
  sink.write(table.data(), table.size() * sizeof(Section));
  at = kModelHeader + table.size() * kModelEntry;
  for (size_t i = 0; i < table.size(); ++i) {
    const char zeros[kModelAlign] = {};
    sink.write(zeros, table[i].begin - at);
    if (i + 1 < table.size())
      sink.write(model.texts[i].second.data(), table[i].bytes);
    else
      write_weights(sink, weights);
    at = table[i].begin + table[i].bytes;
  }
}

bool looks_like_model(const void* data, uint64_t bytes) {
  return bytes >= sizeof kModelMagic - 1 && std::memcmp(data, kModelMagic, sizeof kModelMagic - 1) == 0;
}

ModelFile read_model(ByteSource& source, Device device) {
  const Header header = read_header(source);
  ModelFile model;
  model.form = static_cast<WeightForm>(header.form);
  uint64_t at = kModelHeader + header.sections * kModelEntry;
  source.expect(header.sections * kModelEntry, "the table of sections");
  for (const Section& section : read_table(source, header)) {
    skip(source, section.begin - at);
    SectionSource part(source, section.bytes, "section '" + section.text() + "' of " + source.name());
    if (section.text() == kWeights) {
      NamedArrays held = read_params(part, device, SparseEntries::made_dense);
      if (held.names.size() != held.arrays.size())
        fail(Status::format, "[load_model] ", part.name(), " holds arrays without names");
      model.arrays = expand_weights(std::move(held));
    } else {
      std::string value(static_cast<size_t>(section.bytes), '\0');
      if (section.bytes > 0) part.read(&value[0], section.bytes);
      model.texts.emplace_back(section.text(), std::move(value));
    }
    if (part.remaining() != 0 || part.sum() != section.sum)
      fail(Status::format, "[load_model] ", part.name(), " is damaged (checksum)");
    at = section.begin + section.bytes;
  }
  return model;
}

}  // namespace mixgrad
