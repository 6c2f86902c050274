// Compressed gradients: what bytes mean, what is kept, and that bytes of others are refused before they are read.
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "kvstore/compression/codec.h"
#include "kvstore/distributed/array_table.h"
#include "kvstore/distributed/encoded_array.h"
#include "kvstore/protocol/fields.h"

using namespace mixgrad;
using namespace mixgrad::kvstore;
using protocol::Encoding;

namespace {

using Floats = std::vector<float>;

Compression settings(const char* type, double threshold = 0, double ratio = 0) {
  std::vector<NamedValue> params{{"type", Value(type)}};
  if (threshold != 0) params.push_back({"threshold", Value(threshold)});
  if (ratio != 0) params.push_back({"ratio", Value(ratio)});
  return Compression::of(params, "test");
}
std::vector<Compression> all_settings() {
  return {settings("2bit"),       settings("2bit", 0.1),    settings("1bit"),
          settings("1bit", 0.25), settings("fp16"),         settings("bf16"),
          settings("topk"),       settings("topk", 0, 0.3), settings("topk", 0, 1)};
}

struct Packed {
  protocol::Format format;
  std::vector<uint64_t> words;
  uint64_t bytes = 0;
  const uint8_t* data() const { return reinterpret_cast<const uint8_t*>(words.data()); }
  net::Payload payload() const { return net::Payload::copy_of(words.data(), bytes); }
};
Packed packed(const Compression& compression, const Floats& gradient, Floats& residual) {
  Packed out;
  out.bytes = compressed_bytes(compression, gradient.size());
  out.words.assign(out.bytes / 8 + 2, 0xabababababababab);
  out.format = compress(compression, gradient.data(), residual.data(), gradient.size(), out.words.data());
  // Nothing is written beyond.
  for (uint64_t i = out.bytes; i < out.words.size() * 8; ++i) CHECK_EQ(int{out.data()[i]}, 0xab);
  return out;
}
Floats opened(const Packed& from) {
  CHECK_EQ(wrong_with_compressed(from.format, from.data(), from.bytes), "");
  Floats out(from.format.elements + 1, -77);
  decompress(from.format, from.data(), out.data());
  CHECK_EQ(out.back(), -77.0f);
  out.pop_back();
  return out;
}

std::string about_of_floats(uint64_t count) {
  PieceAbout about;
  about.is_text = true;
  about.name = "w";
  about.extents = {static_cast<int64_t>(count)};
  about.dtype = static_cast<uint8_t>(DType::float32);
  about.count = count;
  return protocol::encoded(about);
}
protocol::Value dense(const Floats& values) {
  protocol::Value value;
  value.format.elements = values.size();
  value.format.dtype = static_cast<uint8_t>(DType::float32);
  value.payload = net::Payload::copy_of(values.data(), values.size() * 4);
  return value;
}
bool apply_step(ArrayTable& table, protocol::Step step, uint64_t round, const protocol::Value& value,
                const std::string& about = "", int32_t head = 0) {
  const std::vector<protocol::Mark> marks;
  const protocol::PieceId piece = step == protocol::Step::command ? protocol::kSlotItself : 5;
  return table.apply({1, round + 1, step, piece, round, marks, head, about, value});
}
Floats stored_in(ArrayTable& table, uint64_t round, size_t count) {
  protocol::Value out;
  CHECK(table.read(1, 5, round, {}, out));
  CHECK(out.format.encoding == Encoding::dense && out.payload.bytes == count * 4);
  Floats values(count);
  std::memcpy(values.data(), out.payload.data, count * 4);
  return values;
}

}  // namespace

TEST(kvstore_compression_sends_and_keeps_all_of_a_gradient) {
  std::mt19937 generator(3);
  for (const Compression& compression : all_settings()) {
    for (const size_t count : {0u, 1u, 3u, 4u, 7u, 8u, 15u, 511u, 512u, 513u, 2000u}) {
      Floats residual(count), before(count), gradient(count);
      for (int step = 0; step < 5; ++step) {
        for (float& g : gradient) g = static_cast<float>(generator() % 2001) / 997.0f - 1.0f;
        before = residual;
        const Packed bytes = packed(compression, gradient, residual);
        CHECK(compression.makes(bytes.format));
        const Floats sent = opened(bytes);
        for (size_t i = 0; i < count; ++i) {
          const float x = before[i] + gradient[i];
          CHECK_EQ(residual[i], x - sent[i]);  // bit for bit
          CHECK(std::fabs(residual[i] + sent[i] - x) <= 1e-6f * (1 + std::fabs(sent[i])));
        }
      }
    }
  }
}

TEST(kvstore_compression_bits_mean_what_the_format_says) {
  Floats residual(5);
  const Packed two = packed(settings("2bit", 0.5), {0.5f, -0.5f, 0.49f, 2.0f, -0.75f}, residual);
  CHECK_EQ(two.bytes, 2u);
  CHECK_EQ(int{two.data()[0]}, 0b11100011);
  CHECK_EQ(int{two.data()[1]}, 0b10000000);
  CHECK((residual == Floats{0, 0, 0.49f, 1.5f, -0.25f}));
  residual.assign(5, 0);
  const Packed one = packed(settings("1bit"), {1, -3, 0, 2, -4}, residual);
  CHECK_EQ(one.bytes, 1u);
  CHECK_EQ(int{one.data()[0]}, 0b10110000);
  CHECK_EQ(float_of(one.format.threshold), 2.0f);
  CHECK((residual == Floats{-1, -1, -2, 0, -2}));
  residual.assign(5, 0);
  const Packed top = packed(settings("topk", 0, 0.4), {1, -3, 3, NAN, 0.5f}, residual);
  CHECK_EQ(top.format.count, 2u);
  int64_t numbers[2];
  std::memcpy(numbers, top.data(), sizeof numbers);
  CHECK(numbers[0] == 1 && numbers[1] == 3);  // of two equal ones the first; NaN goes, and does not stay
  CHECK((residual == Floats{1, 0, 3, 0, 0.5f}));
  for (const char* const type : {"fp16", "bf16"}) {
    residual.assign(3, 0);
    const bool is_half = !std::strcmp(type, "fp16");
    const Floats sent = opened(packed(settings(type), {3.4e38f, -INFINITY, 1}, residual = Floats(3)));
    CHECK(std::isfinite(sent[0]) && sent[1] == -INFINITY && sent[2] == 1);
    CHECK_EQ(sent[0] == 65504.0f, is_half);
    CHECK(residual[0] == 3.4e38f - sent[0] && residual[1] == 0 && residual[2] == 0);
  }
}

// As without compression the sum would have been at that element; then the key goes on.
TEST(kvstore_compression_shows_once_what_is_not_finite) {
  ArrayTable table;
  CHECK(apply_step(table, protocol::Step::init, 0, dense({1, 2, 3}), about_of_floats(3)));
  uint64_t round = 0;
  for (const Compression& compression : {settings("1bit"), settings("1bit", 0.25)}) {
    protocol::Value body;
    body.payload = net::Payload::of(compression.bytes());
    CHECK(apply_step(table, protocol::Step::command, 0, body, "", kCompressionHead));
    for (const float wrong : {NAN, INFINITY, -INFINITY}) {
      Floats residual{0.5f, 1, -1};
      const Packed bad = packed(compression, {1, wrong, 0.25f}, residual);
      CHECK((residual == Floats{1.5f, 0, -0.75f}));
      for (const float sent : opened(bad)) CHECK(std::isnan(sent));
      const protocol::Value value{bad.format, bad.payload()};
      CHECK(compression.makes(bad.format));
      CHECK_EQ(table.check_push(1, 5, value), "");
      CHECK(apply_step(table, protocol::Step::update, ++round, value));
      for (const float stored : stored_in(table, round, 3)) CHECK(std::isnan(stored));
      const Packed good = packed(compression, {1, 2, 3}, residual);
      CHECK_EQ(opened(good)[1], compression.threshold > 0 ? 0.25f : (2.5f + 2 + 2.25f) / 3);
      CHECK(std::isfinite(residual[1]));
    }
    // The sum of finite ones may be too large.
    Floats residual{3e38f};
    CHECK(std::isnan(opened(packed(compression, {3e38f}, residual))[0]));
    CHECK_EQ(residual[0], 0.0f);
    Packed other = packed(compression, {1}, residual);
    for (const uint32_t bits : {kNotFinite + 1, bits_of(INFINITY), kNotFinite | 0x80000000}) {
      other.format.threshold = bits;
      CHECK(wrong_with_compressed(other.format, other.data(), other.bytes) != "");
    }
  }
  // MXNet's numbers: what is not finite stays.
  Floats residual(3);
  const Floats sent = opened(packed(settings("2bit", 0.5), {NAN, INFINITY, -INFINITY}, residual));
  CHECK((sent == Floats{0, 0.5f, -0.5f}));
  CHECK(std::isnan(residual[0]) && residual[1] == INFINITY && residual[2] == -INFINITY);
}

TEST(kvstore_compression_refuses_bytes_that_make_no_sense) {
  std::mt19937 generator(5);
  Floats residual(41), gradient(41);
  for (float& g : gradient) g = static_cast<float>(generator() % 2001) / 997.0f - 1.0f;
  const auto wrong = [](const Packed& one) {
    return wrong_with_compressed(one.format, one.data(), one.bytes);
  };
  for (const Compression& compression : all_settings()) {
    const Packed good = packed(compression, gradient, residual);
    CHECK_EQ(wrong(good), "");
    Packed bad = good;
    bad.bytes -= 1;
    CHECK(wrong(bad).find(" bytes") != std::string::npos);
    bad = good;
    bad.format.elements = uint64_t{1} << 40;
    CHECK(wrong(bad) != "" || compression.encoding == Encoding::top_k);  // fewer of many elements
    bad = good;
    bad.format.count = uint64_t{1} << 61;
    CHECK(wrong(bad) != "");
    bad = good;
    bad.format.threshold = kNotFinite;
    CHECK_EQ(wrong(bad) == "", compression.encoding == Encoding::one_bit);
    bad.format.threshold = kNotFinite + 1;
    CHECK(wrong(bad) != "");
    bad = good;
    bad.format.dtype = static_cast<uint8_t>(DType::float64);
    CHECK(wrong(bad) != "");
  }
  Packed two = packed(settings("2bit"), gradient, residual);
  two.words[0] = 0x01;
  CHECK_EQ(wrong(two), "got two bits that stand for nothing");
  two = packed(settings("2bit"), gradient, residual);
  reinterpret_cast<uint8_t*>(two.words.data())[two.bytes - 1] |= 0x03;  // beyond the last element
  CHECK_EQ(wrong(two), "got two bits that stand for nothing");
  const Packed top = packed(settings("topk", 0, 0.1), gradient, residual);
  for (const int64_t number : {int64_t{-1}, int64_t{41}, INT64_MAX, INT64_MIN}) {
    for (const uint64_t at : {uint64_t{0}, top.format.count - 1}) {
      Packed bad = top;
      std::memcpy(&bad.words[at], &number, 8);
      CHECK(wrong(bad).find("element numbers") != std::string::npos);
    }
  }
  // Whatever is changed, what is accepted can be read.
  for (int i = 0; i < 20000; ++i) {
    Packed bad = packed(all_settings()[generator() % 9], gradient, residual);
    for (uint32_t k = 0; k <= generator() % 3; ++k) {
      auto* const bytes = reinterpret_cast<uint8_t*>(bad.words.data());
      if (bad.bytes > 0) bytes[generator() % bad.bytes] = static_cast<uint8_t>(generator());
    }
    if (generator() % 4 == 0) bad.format.encoding = static_cast<Encoding>(2 + generator() % 5);
    if (generator() % 4 == 0) bad.format.count = generator() % 45;
    if (!wrong(bad).empty()) continue;
    Floats out(bad.format.elements);
    decompress(bad.format, bad.data(), out.data());
  }
}

TEST(kvstore_compression_settings_travel_and_are_checked) {
  for (const Compression& one : all_settings()) {
    Compression read;
    const std::string bytes = one.bytes();
    CHECK(read.read(bytes.data(), bytes.size()));
    CHECK(read == one);
    CHECK(!read.read(bytes.data(), bytes.size() - 1));
  }
  const auto refusal = [](std::vector<NamedValue> params) {
    try {
      Compression::of(params, "test");
    } catch (const Error& error) {
      return std::string(error.message());
    }
    return std::string();
  };
  CHECK(refusal({}).find("expected a type") != std::string::npos);
  CHECK(refusal({{"type", Value("3bit")}}).find("'3bit'") != std::string::npos);
  CHECK(refusal({{"type", Value("2bit")}, {"threshold", Value(0.0)}}).find("threshold is 0") !=
        std::string::npos);
  CHECK(refusal({{"type", Value("2bit")}, {"ratio", Value(0.5)}}).find("has no ratio") != std::string::npos);
  CHECK(refusal({{"type", Value("topk")}, {"ratio", Value(1.5)}}).find("ratio is 1.5") != std::string::npos);
  CHECK(refusal({{"type", Value("fp16")}, {"level", Value(1)}}).find("'level'") != std::string::npos);
}

TEST(kvstore_compression_reaches_a_servers_table) {
  const Floats gradient{0.75f, -0.5f, 0.25f, 3, -0.125f};
  ArrayTable table;
  CHECK(apply_step(table, protocol::Step::init, 0, dense({1, 2, 3, 4, 5}), about_of_floats(5)));
  for (const Compression& compression : all_settings()) {
    Floats residual(5);
    const Packed bytes = packed(compression, gradient, residual);
    const protocol::Value value{bytes.format, bytes.payload()};
    // Not before it was said, as a first value never, and not otherwise than it was said.
    protocol::Value body;
    body.payload = net::Payload::of(Compression().bytes());
    CHECK(apply_step(table, protocol::Step::command, 0, body, "", kCompressionHead));
    CHECK(table.check_push(1, 5, value).find("the store expects none") != std::string::npos);
    CHECK(table.check_first(5, about_of_floats(5), value) != "");
    body.payload = net::Payload::of(compression.bytes());
    CHECK_EQ(table.check_command(kCompressionHead, body.payload), "");
    CHECK(apply_step(table, protocol::Step::command, 0, body, "", kCompressionHead));
    CHECK_EQ(table.check_push(1, 5, value), "");
    CHECK(table.check_push(1, 5, dense(gradient)).find("set_gradient_compression") != std::string::npos);
    protocol::Value cut = value;
    cut.payload.bytes -= 1;
    CHECK(table.check_push(1, 5, cut).find(" bytes") != std::string::npos);
    // What another server is given.
    ArrayTable other;
    CHECK(other.install(1, protocol::kSlotItself, "", 1, table.part(1, protocol::kSlotItself, 1)));
    CHECK(other.install(1, 5, about_of_floats(5), 0, table.part(1, 5, 0)));
    CHECK(other.install(1, 5, about_of_floats(5), 2, table.part(1, 5, 2)));
    CHECK_EQ(other.check_push(1, 5, value), "");
    // One update travels on as it came, several as their sum.
    const protocol::Contribution one[] = {{0, value}};
    CHECK(table.merge(1, 5, one).format.encoding == compression.encoding);
    const protocol::Contribution two[] = {{0, value}, {1, value}};
    const protocol::Value sum = table.merge(1, 5, two);
    CHECK(sum.format.encoding == Encoding::dense);
    const Floats sent = opened(bytes);
    CHECK(apply_step(table, protocol::Step::update, 1, value));
    CHECK(stored_in(table, 1, 5) == sent);
    CHECK(apply_step(table, protocol::Step::update, 2, sum));
    Floats twice = sent;
    for (float& x : twice) x += x;
    CHECK(stored_in(table, 2, 5) == twice);
  }
}
