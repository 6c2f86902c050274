// Batches made by several threads: the same whatever their number, damage left out or thrown, readers that go on elsewhere or go
// away while tasks run. Under sanitizers, too.
#include "io/batches.h"

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "io/decoder.h"
#include "io/jpeg_library.h"
#include "io/record_writer.h"
#include "io_jpeg.h"

using namespace mixgrad;
using namespace mixgrad::io;

namespace {

class FileSink final : public RecordSink {
 public:
  explicit FileSink(std::string* to) : to_(to) {}
  void write(const void* data, uint64_t bytes) override {
    to_->append(static_cast<const char*>(data), bytes);
  }
  void commit() override {}

 private:
  std::string* const to_;
};

// Uncompressed numbers behind a word that names them: pictures where the system has no libturbojpeg.
class PlainDecoder final : public Decoder {
 public:
  PlainDecoder() : Decoder("plain") {}
  bool probe(Bytes bytes, PictureHeader* out) override {
    if (bytes.size() < 6 || std::memcmp(bytes.data(), "PLAI", 4) != 0) return false;
    out->width = bytes[4];
    out->height = bytes[5];
    out->channels = 3;
    return true;
  }
  bool decode(Bytes bytes, const PictureHeader& header, int channels, bool, uint8_t* out) override {
    if (bytes.size() < 6 || std::memcmp(bytes.data(), "PLAI", 4) != 0) return false;
    const auto size = static_cast<size_t>(header.width * header.height * channels);
    if (bytes.size() != 6 + size)
      fail(Status::format, "[image] ", bytes.size() - 6, " bytes of plain pixels");
    std::memcpy(out, bytes.data() + 6, size);
    return true;
  }
};

std::string plain_picture(int width, int height, uint64_t seed) {
  std::string file = "PLAI";
  file += static_cast<char>(width);
  file += static_cast<char>(height);
  const std::vector<unsigned char> pixels = test_jpeg::pixels_of(width, height, seed);
  return file.append(pixels.begin(), pixels.end());
}

constexpr uint64_t kRecords = 23;

// Every second one JPEG where the system reads it. Those that `damaged` divides end early.
std::string pictures(uint64_t damaged = 0) {
  static const bool registered = (register_decoder(std::make_shared<PlainDecoder>()), true);
  CHECK(registered);
  std::string file;
  RecordWriter writer(std::make_unique<FileSink>(&file), "test");
  for (uint64_t i = 0; i < kRecords; ++i) {
    const int width = 40 + static_cast<int>(i % 5) * 6, height = 36 + static_cast<int>(i % 4) * 9;
    std::string picture =
        jpeg_functions() && i % 2 ? test_jpeg::file_of(width, height, 2, 0, i) : std::string();
    if (picture.empty()) picture = plain_picture(width, height, i);
    if (damaged && i % damaged == 0) picture.resize(picture.size() - 60);
    const uint32_t flag = 0;
    const float label = static_cast<float>(i);
    const uint64_t ids[2] = {i, 0};
    std::string record(reinterpret_cast<const char*>(&flag), 4);
    record.append(reinterpret_cast<const char*>(&label), 4).append(reinterpret_cast<const char*>(ids), 16);
    record += picture;
    writer.write({record.data(), record.size()});
  }
  writer.commit();
  return file;
}

PictureBatchOptions options_of(int64_t batch, int32_t threads) {
  PictureBatchOptions options;
  options.batch_size = batch;
  options.data_shape = {3, 24, 28};
  options.preprocess_threads = threads;
  options.prefetch_buffer = threads;
  options.rand_crop = true;
  options.resize = 32;
  options.rand_mirror = true;
  options.seed = 3;
  return options;
}

std::unique_ptr<Batches> batches_of(const std::string& file, const PictureBatchOptions& options,
                                    uint64_t chunk = 0) {
  const SourceRef source = memory_source(file.data(), file.size(), "file", "test");
  const Damage damage = options.damaged == BatchOptions::Damaged::skip ? Damage::skip : Damage::raise;
  const RecordRange range{0, file.size()};
  auto order = chunk ? chunk_order(source, range, chunk, 7, damage, "test")
                     : file_order(source, range, damage, "test");
  return std::make_unique<Batches>(std::move(order), picture_maker(options, {}, "test"), options, "test");
}

std::string bytes_of(const PlacedBatch& batch) {
  batch.data->wait_to_read();
  batch.labels->wait_to_read();
  std::string bytes(static_cast<const char*>(batch.data->chunk().data()),
                    static_cast<size_t>(batch.data->shape().size()) * sizeof(float));
  bytes.append(static_cast<const char*>(batch.labels->chunk().data()),
               static_cast<size_t>(batch.labels->shape().size()) * sizeof(float));
  for (const uint64_t id : batch.ids) bytes += std::to_string(id) + ",";
  return bytes + std::to_string(batch.pad);
}

std::vector<std::string> epochs_of(Batches& batches, int count) {
  std::vector<std::string> all;
  for (int epoch = 0; epoch < count; ++epoch) {
    for (PlacedBatch batch; batches.next(&batch);) all.push_back(bytes_of(batch));
    batches.reset();
  }
  return all;
}

TEST(batches_are_the_same_with_any_number_of_threads) {
  const std::string file = pictures();
  for (const uint64_t chunk : {uint64_t{0}, uint64_t{12000}}) {
    const auto expected = epochs_of(*batches_of(file, options_of(5, 1), chunk), 3);
    CHECK_EQ(expected.size(),
             14u);  // 23 and 2 * 23 - 2 ... records, the last batch filled from the next epoch
    for (const int32_t threads : {2, 7}) {
      const auto found = epochs_of(*batches_of(file, options_of(5, threads), chunk), 3);
      CHECK(found == expected);
    }
  }
}

TEST(batches_go_on_from_a_place) {
  const std::string file = pictures();
  const auto expected = epochs_of(*batches_of(file, options_of(4, 2)), 2);
  for (size_t taken = 0; taken < 5; ++taken) {
    const auto first = batches_of(file, options_of(4, 2));
    PlacedBatch batch;
    for (size_t i = 0; i < taken; ++i) CHECK(first->next(&batch));
    const auto second = batches_of(file, options_of(4, 3));
    CHECK(second->next(&batch));  // something is in the making there
    second->set_place(first->place());
    auto found = epochs_of(*second, 1);
    CHECK_EQ(found.size() + taken, expected.size() / 2);
    for (size_t i = 0; i < found.size(); ++i) CHECK(found[i] == expected[taken + i]);
  }
}

TEST(damaged_pictures_are_left_out_or_thrown) {
  const std::string file = pictures(6);  // 0, 6, 12, 18
  for (const int32_t threads : {1, 3}) {
    PictureBatchOptions options = options_of(5, threads);
    options.round_batch = false;
    options.damaged = BatchOptions::Damaged::skip;
    const auto skipping = batches_of(file, options);
    size_t examples = 0;
    for (PlacedBatch batch; skipping->next(&batch);) {
      bytes_of(batch);
      for (size_t i = 0; i + batch.pad < batch.ids.size(); ++i) CHECK(batch.ids[i] % 6 != 0);
      examples += batch.ids.size() - batch.pad;
    }
    CHECK_EQ(examples, kRecords - 4);
    CHECK_EQ(skipping->skipped().records, 4u);
    CHECK(skipping->skipped().first.find("record 0") != std::string::npos);

    options.damaged = BatchOptions::Damaged::raise;
    const auto raising = batches_of(file, options);
    size_t thrown = 0, left = 0;
    for (bool more = true; more;) {
      PlacedBatch batch;
      try {
        more = raising->next(&batch);
        if (!more) continue;
        bytes_of(batch);
        left += batch.ids.size() - batch.pad;
      } catch (const Error& error) {
        CHECK_EQ(error.status(), Status::format);
        CHECK(error.message().find(text("record ", 6 * thrown)) != std::string::npos);
        ++thrown;
      }
    }
    CHECK_EQ(thrown, 4u);
    CHECK_EQ(left, kRecords - 4);
  }
}

TEST(readers_may_go_away_and_batches_stay) {
  const std::string file = pictures(7);
  std::mt19937_64 random(5);
  for (int i = 0; i < 25; ++i) {
    PictureBatchOptions options = options_of(3, 1 + static_cast<int32_t>(random() % 5));
    options.damaged = BatchOptions::Damaged::skip;
    PlacedBatch kept;
    {
      const auto batches = batches_of(file, options, random() % 2 ? 9000 : 0);
      for (uint64_t taken = random() % 4; taken > 0; --taken) CHECK(batches->next(&kept));
      if (random() % 2) batches->reset();
      if (random() % 2) CHECK(batches->next(&kept));
    }
    if (kept.data) bytes_of(kept);
  }
  engine::Engine::get().wait_for_all();
}

TEST(readers_of_several_threads_do_not_disturb_each_other) {
  const std::string file = pictures();
  const auto expected = epochs_of(*batches_of(file, options_of(5, 2)), 2);
  std::vector<std::thread> team;
  std::vector<std::vector<std::string>> found(3);
  for (size_t i = 0; i < found.size(); ++i)
    team.emplace_back([&, i] { found[i] = epochs_of(*batches_of(file, options_of(5, 2)), 2); });
  for (std::thread& thread : team) thread.join();
  for (const auto& each : found) CHECK(each == expected);
}

TEST(raw_records_are_the_rows_of_batches) {
  std::string file, numbers;
  RecordWriter writer(std::make_unique<FileSink>(&file), "test", 400);  // some in several parts
  std::mt19937_64 random(9);
  for (int i = 0; i < 40; ++i) {
    std::string row(384, '\0');
    for (char& byte : row) byte = static_cast<char>(random());
    if (i % 9 == 4) std::memcpy(row.data() + 8 * (i % 40), &kRecordMagic, 4);
    numbers += row;
    writer.write({(std::string(24, '\0') + row).data(), 24 + row.size()});
  }
  writer.commit();
  const SourceRef source = memory_source(file.data(), file.size(), "file", "test");
  RawBatchOptions options;
  options.batch_size = 8;
  options.data_shape = {384};
  options.dtype = DType::uint8;
  Batches batches(file_order(source, {0, file.size()}, Damage::raise, "test"), raw_maker(options, {}, "test"),
                  options, "test");
  std::string found;
  for (PlacedBatch batch; batches.next(&batch);) {
    batch.data->wait_to_read();
    found.append(static_cast<const char*>(batch.data->chunk().data()), 8 * 384);
  }
  CHECK(found == numbers);
}

}  // namespace
