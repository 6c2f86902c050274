// Record files: parts of records that are too long for one, resynchronising, parts of files. Damage of every kind is
// tests/soak/record_mutations.cc.
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "io/record_batch.h"
#include "io/record_reader.h"
#include "io/record_writer.h"

using namespace mixgrad::io;

namespace {

class StringSink final : public RecordSink {
 public:
  explicit StringSink(std::string* to) : to_(to) {}
  void write(const void* data, uint64_t bytes) override {
    to_->append(static_cast<const char*>(data), bytes);
  }
  void commit() override {}

 private:
  std::string* const to_;
};

std::string file_of(const std::vector<std::string>& records, uint32_t most_part) {
  std::string file;
  RecordWriter writer(std::make_unique<StringSink>(&file), "test", most_part);
  for (const std::string& record : records) writer.write({record.data(), record.size()});
  writer.commit();
  return file;
}

std::vector<std::string> records_of(const SourceRef& source, RecordRange range) {
  std::vector<std::string> records;
  RecordReader reader(source, range, Damage::raise, "test");
  for (Record record; reader.next(&record);) records.emplace_back(record.data.data(), record.data.size());
  return records;
}

std::vector<std::string> random_records(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> records(20);
  for (std::string& record : records) {
    record.resize(random() % 90);
    for (char& byte : record) byte = static_cast<char>(random());
    if (record.size() >= 8 && random() % 2)
      std::memcpy(record.data() + random() % (record.size() / 4 - 1) * 4, &kRecordMagic, 4);
  }
  return records;
}

TEST(records_longer_than_a_part_are_joined) {
  for (uint32_t most_part = 4; most_part < 40; ++most_part) {
    const std::vector<std::string> records = random_records(most_part);
    const std::string file = file_of(records, most_part);
    const SourceRef source = memory_source(file.data(), file.size(), "file", "test");
    CHECK(records_of(source, {0, file.size()}) == records);
    std::vector<std::string> parts;
    for (int64_t i = 0; i < 5; ++i) {
      for (std::string& record : records_of(source, part_of(*source, i, 5, "test")))
        parts.push_back(std::move(record));
    }
    CHECK(parts == records);
  }
}

// A size of MXNet's is one part, as MXNet writes it; one byte more is two, which it does not read.
TEST(the_longest_part) {
  const std::string record(20, 'x');
  CHECK_EQ(file_of({record}, 20).size(), 28u);
  const std::string two = file_of({record}, 19);
  uint32_t words[2];
  std::memcpy(words, two.data(), sizeof words);
  CHECK_EQ(words[1], 5u << 29 | 16u);
  std::memcpy(words, two.data() + 24, sizeof words);
  CHECK_EQ(words[1], 3u << 29 | 4u);
}

TEST(second_words_are_never_the_magic_word) {
  const uint32_t words[2] = {kRecordMagic, kRecordMagic};
  PartHeader part;
  CHECK(!parse_part_header(words, &part));
}

TEST(records_at_offsets) {
  const std::vector<std::string> records = random_records(1);
  const std::string file = file_of(records, 1 << 20);
  const SourceRef source = memory_source(file.data(), file.size(), "file", "test");
  RecordReader reader(source, {0, file.size()}, Damage::raise, "test");
  std::vector<uint64_t> offsets;
  for (Record record; reader.next_place(&record);) offsets.push_back(record.offset);
  CHECK_EQ(offsets.size(), records.size());
  for (size_t i = offsets.size(); i-- > 0;) {
    const Record record = reader.read_at(offsets[i]);
    CHECK(std::string(record.data.data(), record.data.size()) == records[i]);
  }
  CHECK_THROWS(reader.read_at(file.size()), format, "[test] no record at");
  CHECK_THROWS(reader.read_at(offsets[1] + 4), format, "no header of a record");
}

}  // namespace

// Readers at the end of a file give back memory that they did not use: it must not be taken in place of some that is there.
TEST(record_memory_of_batches_is_taken_again) {
  BatchMemory idle;
  ReusedMemory memory;
  const char* const data = memory.reserve(1000);
  idle.give(std::move(memory));
  for (int i = 0; i < 3; ++i) idle.give({});
  const ReusedMemory again = idle.take();
  CHECK(again.data() == data && again.capacity() == 1000);
  CHECK_EQ(idle.take().capacity(), 0u);
}
