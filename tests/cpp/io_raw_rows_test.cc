// Long rows of raw records, which several tasks read from the source: the same batches whatever their number, damage left out or
// thrown, and reads that fail or hang.
#include "io/raw_rows.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "io/batches.h"
#include "io/record_writer.h"

using namespace mixgrad;
using namespace mixgrad::io;

namespace {

constexpr size_t kRow = 16 << 10, kRecords = 40;
constexpr uint64_t kNone = ~uint64_t{0};

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

// Memory in the place of a local file, which fails or hangs at reads that hold a byte.
class TestFile final : public ByteSource {
 public:
  explicit TestFile(std::string content)
      : ByteSource("file", content.size(), "test"), content_(std::move(content)) {}
  int descriptor() const override { return 1 << 20; }  // nobody has opened that one

  std::atomic<uint64_t> fails_at{kNone}, hangs_at{kNone};

 private:
  void fetch(uint64_t offset, void* out, size_t bytes) override {
    const auto holds = [&](uint64_t at) { return at >= offset && at - offset < bytes; };
    while (holds(hangs_at)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (holds(fails_at)) fail_reading(offset, bytes, "the test says so");
    std::memcpy(out, content_.data() + offset, bytes);
  }

  const std::string content_;
};

struct RecordFile {
  std::string bytes;
  std::vector<uint64_t> offsets;
  std::vector<std::string> rows;
};

// Every ninth record in two parts. Of those that `unfit` divides every second one is too long, the others have no head.
RecordFile records(uint64_t unfit = 0) {
  RecordFile file;
  RecordWriter writer(std::make_unique<StringSink>(&file.bytes), "test");
  std::mt19937_64 random(9);
  for (size_t i = 0; i < kRecords; ++i) {
    std::string row(kRow, '\0');
    for (char& byte : row) byte = static_cast<char>(random());
    if (i % 9 == 4) std::memcpy(row.data() + 400 * i, &kRecordMagic, 4);
    const float label = static_cast<float>(i) / 2;
    const uint64_t id = i;
    std::string record(24, '\0');
    std::memcpy(record.data() + 4, &label, sizeof label);
    std::memcpy(record.data() + 8, &id, sizeof id);
    record += row;
    const bool bad = unfit && i % unfit == 1;
    if (bad && i % 2) record += "more";
    file.offsets.push_back(writer.write({record.data(), record.size()}));
    file.rows.push_back(row);
  }
  writer.commit();
  for (size_t i = 0; i < kRecords; ++i)
    if (unfit && i % unfit == 1 && i % 2 == 0) file.bytes.replace(file.offsets[i], 4, "none");
  return file;
}

RawBatchOptions options_of(int32_t threads) {
  RawBatchOptions options;
  options.batch_size = 7;
  options.data_shape = {static_cast<int64_t>(kRow)};
  options.dtype = DType::uint8;
  options.preprocess_threads = threads;
  options.prefetch_buffer = 2;
  return options;
}

std::unique_ptr<Batches> batches_of(const SourceRef& source, const RawBatchOptions& options,
                                    const std::vector<uint64_t>& offsets = {}) {
  const Damage damage = options.damaged == BatchOptions::Damaged::skip ? Damage::skip : Damage::raise;
  auto order = offsets.empty() ? file_order(source, {0, source->bytes()}, damage, "test")
                               : index_order(source, offsets, true, 5, damage, "test");
  auto maker = raw_maker(options, {}, "test");
  CHECK(leaves_rows(*source, *maker));
  return std::make_unique<Batches>(std::move(order), std::move(maker), options, "test");
}

// Numbers of the records of an epoch, whose rows and labels must be theirs, and what was thrown on the way.
struct Taken {
  std::vector<uint64_t> ids;
  std::string errors;
  uint64_t skipped = 0;
};
Taken take(Batches& batches, const RecordFile& file) {
  Taken taken;
  for (PlacedBatch batch;;) {
    try {
      if (!batches.next(&batch)) break;
    } catch (const Error& error) {
      CHECK(error.status() == Status::format);
      taken.errors += error.message() + "\n";
      continue;
    }
    batch.data->wait_to_read();
    for (size_t i = 0; i < batch.ids.size(); ++i) {
      const auto id = static_cast<size_t>(batch.ids[i]);
      const char* const row = static_cast<const char*>(batch.data->chunk().data()) + i * kRow;
      CHECK(std::memcmp(row, file.rows[id].data(), kRow) == 0);
      CHECK(static_cast<const float*>(batch.labels->chunk().data())[i] == static_cast<float>(id) / 2);
      if (i < batch.ids.size() - batch.pad) taken.ids.push_back(id);
    }
  }
  taken.skipped = batches.skipped().records;
  return taken;
}

TEST(long_rows_are_the_same_by_any_number_of_threads) {
  for (const uint64_t unfit : {0, 5}) {
    const RecordFile file = records(unfit);
    const SourceRef source(new TestFile(file.bytes));
    for (const bool indexed : {false, true}) {
      for (const auto damaged : {BatchOptions::Damaged::raise, BatchOptions::Damaged::skip}) {
        Taken first;
        for (const int32_t threads : {1, 2, 7}) {
          RawBatchOptions options = options_of(threads);
          options.damaged = damaged;
          const auto batches = batches_of(source, options, indexed ? file.offsets : std::vector<uint64_t>());
          const Taken taken = take(*batches, file);
          if (threads == 1) first = taken;
          CHECK(taken.ids == first.ids);
          CHECK(taken.errors == first.errors);
          CHECK(taken.skipped == first.skipped);
          CHECK(taken.errors.empty() == (unfit == 0 || damaged == BatchOptions::Damaged::skip));
          CHECK((taken.skipped == 0) == (unfit == 0));
          if (unfit == 0) CHECK(taken.ids.size() == kRecords);
          batches->reset();
          CHECK(!take(*batches, file).ids.empty());
        }
      }
    }
  }
}

TEST(of_rows_that_cannot_be_read_the_first_is_named_and_nothing_is_lost) {
  const RecordFile file = records();
  for (const int32_t threads : {1, 2, 7}) {
    auto* const made = new TestFile(file.bytes);
    const SourceRef source(made);
    const auto batches = batches_of(source, options_of(threads));
    made->fails_at = file.offsets[17] + 5000;
    std::vector<uint64_t> ids;
    PlacedBatch batch;
    for (int i = 0; i < 2; ++i) {
      CHECK(batches->next(&batch));
      ids.insert(ids.end(), batch.ids.begin(), batch.ids.end());
    }
    for (int i = 0; i < 3; ++i) {
      std::string message;
      try {
        batches->next(&batch);
      } catch (const Error& error) {
        CHECK(error.status() == Status::io);
        message = error.message();
      }
      CHECK(message == text("[test] cannot read ", kRow, " bytes at ", file.offsets[17] + 32,
                            " of 'file': the test says so"));
    }
    made->fails_at = kNone;
    const Taken rest = take(*batches, file);
    ids.insert(ids.end(), rest.ids.begin(), rest.ids.end());
    CHECK(ids.size() == kRecords);
    for (size_t i = 0; i < ids.size(); ++i) CHECK(ids[i] == i);
  }
}

TEST(a_row_that_does_not_come_is_reported_and_reading_goes_on_later) {
  const RecordFile file = records();
  for (const int32_t threads : {1, 2}) {
    auto* const made = new TestFile(file.bytes);
    const SourceRef source(made);
    made->hangs_at = file.offsets[3] + 9000;
    RawBatchOptions options = options_of(threads);
    options.stall_seconds = 0.2;
    const auto batches = batches_of(source, options);
    std::string message;
    PlacedBatch batch;
    try {
      batches->next(&batch);
    } catch (const Error& error) {
      message = error.message();
    }
    batches->reset();  // waits for nothing, and the next batch waits for the row that hangs
    std::string again;
    try {
      batches->next(&batch);
    } catch (const Error& error) {
      again = error.message();
    }
    // Another reader, which shares the lane, is not held up.
    const SourceRef other(new TestFile(file.bytes));
    const Taken meanwhile = take(*batches_of(other, options), file);
    made->hangs_at = kNone;  // before a check may fail: the task would hang
    CHECK(message == text("[test] reading 'file' at ", file.offsets[3] + 32, " of ", file.bytes.size(),
                          " bytes has given nothing for 0.2 seconds (stall_seconds)"));
    CHECK(again == message);
    CHECK(meanwhile.ids.size() == kRecords);
    CHECK(take(*batches, file).ids == meanwhile.ids);
  }
}

}  // namespace
