// Parts of JPEG files: the pixels of whole ones, whatever the sampling, the scale and the place; damage.
#include "io/jpeg_rows.h"

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "io/decoder.h"
#include "io/jpeg_library.h"
#include "io_jpeg.h"

using namespace mixgrad::io;

namespace {

Bytes bytes_of(const std::string& file) {
  return {reinterpret_cast<const uint8_t*>(file.data()), file.size()};
}

bool has_parts() { return jpeg_functions() && jpeg_functions()->parts; }

struct Picture {
  std::string file;
  PictureHeader header;
  PictureRequest request;
  PictureSize size;
  std::vector<uint8_t> pixels;  // of a whole decode

  Picture(int width, int height, int sampling, uint64_t seed, const PictureRequest& wanted)
      : request(wanted) {
    file = test_jpeg::file_of(width, height, sampling, 0, seed);
    header = probe_picture(bytes_of(file));
    size = decoded_size(header, request);
    pixels.resize(size.bytes());
    decode_picture(bytes_of(file), header, request, pixels.data());
  }

  // Reads rows from the top down, some of them left out and some asked for twice, and compares each.
  void check_part(const PicturePart& part, std::mt19937_64& random) const {
    const auto rows = decode_rows(bytes_of(file), header, request, part);
    CHECK(rows != nullptr);
    const auto n = static_cast<int64_t>(size.channels);
    const bool all = random() % 2 == 0;
    for (int64_t y = 0; y < part.height; y += all ? 1 : 1 + static_cast<int64_t>(random() % 9)) {
      for (uint64_t times = 1 + random() % 2; times > 0; --times) {
        const uint8_t* const row = rows->row(y);
        const uint8_t* const expected = pixels.data() + ((part.y + y) * size.width + part.x) * n;
        if (std::memcmp(row, expected, static_cast<size_t>(part.width * n)) != 0)
          CHECK_EQ("row " + std::to_string(y) + " of " + std::to_string(part.x) + ", " +
                       std::to_string(part.y) + ", " + std::to_string(part.width) + ", " +
                       std::to_string(part.height) + " in " + std::to_string(size.width) + " x " +
                       std::to_string(size.height),
                   "that of the whole picture");
      }
    }
    rows->finish();
  }
};

std::string read_part(const std::string& file, const PictureHeader& header, const PicturePart& part) {
  const auto rows = decode_rows(bytes_of(file), header, {}, part);
  std::string pixels;
  for (int64_t y = 0; y < part.height; ++y)
    pixels.append(reinterpret_cast<const char*>(rows->row(y)), static_cast<size_t>(part.width) * 3);
  rows->finish();
  return pixels;
}

PicturePart random_part(const PictureSize& size, std::mt19937_64& random) {
  const auto extent = [&](int64_t most) {
    return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
  };
  PicturePart part{0, 0, extent(size.width), extent(size.height)};
  part.x = extent(size.width - part.width + 1) - 1;
  part.y = extent(size.height - part.height + 1) - 1;
  return part;
}

TEST(parts_of_jpeg_files_have_the_pixels_of_whole_ones) {
  if (!has_parts()) return;
  constexpr int kSizes[][2] = {{1, 1}, {7, 5}, {16, 16}, {17, 33}, {40, 24}, {64, 100}, {131, 97}, {200, 50}};
  std::mt19937_64 random(1);
  for (const auto& size : kSizes) {
    for (int sampling = 0; sampling < test_jpeg::kSamplings; ++sampling) {
      for (const int eighths : {8, 4, 2, 1}) {
        PictureRequest request;
        request.eighths = eighths;
        request.channels = random() % 3 == 0 ? 1 : 3;
        request.bgr = random() % 2 == 0;
        const Picture picture(size[0], size[1], sampling, random(), request);
        if (eighths != 8 && picture.header.most_h > 2) {
          CHECK(decode_rows(bytes_of(picture.file), picture.header, request, {0, 0, 1, 1}) == nullptr);
          continue;
        }
        picture.check_part({0, 0, picture.size.width, picture.size.height}, random);
        for (int i = 0; i < 12; ++i) picture.check_part(random_part(picture.size, random), random);
      }
    }
  }
}

// What decodes where the system has libjpeg-turbo's libjpeg alone.
JpegFunctions libjpeg_alone() {
  JpegFunctions found{};
  found.parts = jpeg_functions()->parts;
  return found;
}

TEST(libjpeg_alone_gives_the_pixels_of_libturbojpeg) {
  if (!has_parts()) return;
  std::mt19937_64 random(2);
  for (int i = 0; i < 6 * 4 * 4; ++i) {
    PictureRequest request;
    request.eighths = 1 << i % 4;
    request.channels = random() % 3 == 0 ? 1 : 3;
    request.bgr = random() % 2 == 0;
    const int width = 1 + static_cast<int>(random() % 90), height = 1 + static_cast<int>(random() % 90);
    const std::string file = test_jpeg::file_of(width, height, i % test_jpeg::kSamplings,
                                                i % 3 == 0 ? test_jpeg::kProgressive : 0, random());
    const PictureSize size = decoded_size(probe_picture(bytes_of(file)), request);
    std::vector<uint8_t> expected(size.bytes()), pixels(size.bytes());
    decode_jpeg(*jpeg_functions(), bytes_of(file), request, size, expected.data());
    decode_jpeg(libjpeg_alone(), bytes_of(file), request, size, pixels.data());
    CHECK(pixels == expected);
    CHECK_THROWS(
        decode_jpeg(libjpeg_alone(), bytes_of(file.substr(0, file.size() - 8)), request, size, pixels.data()),
        format, "JPEG is damaged");
  }
}

// A progressive file: the rough values of its blocks, then so many scans of single coefficients, which are all zero.
std::string many_scans(int count) {
  std::string file = test_jpeg::file_of(16, 16, 0, test_jpeg::kProgressive, 1);
  file.resize(file.find("\xff\xc4", file.find("\xff\xda")));
  // A Huffman table whose one symbol, of one bit, ends a block.
  file += std::string("\xff\xc4\x00\x14\x10\x01", 6) + std::string(15, '\0') + std::string(1, '\0');
  for (int i = 0; i < count; ++i) {
    const int coefficient = 1 + i / 3 % 63, bit = 13 - i / (3 * 63), before = bit == 13 ? 0 : bit + 1;
    file += std::string("\xff\xda\x00\x08\x01", 5) + static_cast<char>(1 + i % 3) + '\0' +
            std::string(2, static_cast<char>(coefficient)) + static_cast<char>(before * 16 + bit) + '\x0f';
  }
  return file + "\xff\xd9";
}

TEST(progressive_jpeg_files_of_more_than_500_scans_are_refused) {
  if (!has_parts()) return;
  std::vector<uint8_t> pixels(16 * 16 * 3), expected(16 * 16 * 3);
  decode_jpeg(*jpeg_functions(), bytes_of(many_scans(499)), {}, {16, 16, 3}, expected.data());
  decode_jpeg(libjpeg_alone(), bytes_of(many_scans(499)), {}, {16, 16, 3}, pixels.data());
  CHECK(pixels == expected);
  const JpegFunctions alone = libjpeg_alone();
  for (const JpegFunctions* library : {jpeg_functions(), &alone}) {
    CHECK_THROWS(decode_jpeg(*library, bytes_of(many_scans(501)), {}, {16, 16, 3}, pixels.data()), format,
                 "more than 500 scans");
  }
}

TEST(jpeg_files_in_several_scans_have_no_parts) {
  if (!has_parts()) return;
  const std::string file = test_jpeg::file_of(40, 40, 2, test_jpeg::kProgressive, 1);
  const PictureHeader header = probe_picture(bytes_of(file));
  CHECK(decode_rows(bytes_of(file), header, {}, {4, 4, 8, 8}) == nullptr);
  std::vector<uint8_t> pixels(40 * 40 * 3);
  decode_picture(bytes_of(file), header, {}, pixels.data());
}

TEST(parts_of_cut_jpeg_files_are_refused) {
  if (!has_parts()) return;
  const std::string whole = test_jpeg::file_of(64, 64, 2, 0, 1);
  const PictureHeader header = probe_picture(bytes_of(whole));
  // The mark of the end has two bytes; without them all pixels are there.
  for (const size_t left : {whole.size() - 1, whole.size() - 2}) {
    for (const PicturePart part : {PicturePart{0, 0, 64, 64}, PicturePart{8, 0, 16, 8}})
      CHECK(read_part(whole.substr(0, left), header, part) == read_part(whole, header, part));
  }
  for (size_t left = whole.size() - 3; left > whole.size() / 2; left -= 7) {
    const std::string file = whole.substr(0, left);
    for (const PicturePart part : {PicturePart{0, 0, 64, 64}, PicturePart{8, 0, 16, 8}}) {
      CHECK_THROWS(read_part(file, header, part), format, "JPEG is damaged");
    }
  }
  const std::string longer = whole + "what cameras write behind it";
  read_part(longer, header, {8, 0, 16, 8});
}

TEST(damaged_jpeg_files_give_rows_or_errors) {
  if (!has_parts()) return;
  std::mt19937_64 random(3);
  int refused = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string file =
        test_jpeg::file_of(48, 40, i % test_jpeg::kSamplings, 0, static_cast<uint64_t>(i % 12));
    for (uint64_t changes = 1 + random() % 4; changes > 0; --changes)
      file[random() % file.size()] = static_cast<char>(random());
    try {
      const PictureHeader header = probe_picture(bytes_of(file));
      if (header.width > 1000 || header.height > 1000) continue;
      PictureRequest request;
      request.eighths = i % 5 == 0 ? 4 : 8;
      const PictureSize size = decoded_size(header, request);
      const PicturePart part = random_part(size, random);
      const auto rows = decode_rows(bytes_of(file), header, request, part);
      if (!rows) continue;
      uint64_t sum = 0;
      for (int64_t y = 0; y < part.height; ++y) {
        const uint8_t* const row = rows->row(y);
        for (int64_t x = 0; x < part.width * size.channels; ++x) sum += row[x];
      }
      rows->finish();
      CHECK(sum <= 255u * static_cast<uint64_t>(part.width * part.height * size.channels));
    } catch (const mixgrad::Error& error) {
      CHECK(error.message().compare(0, 8, "[image] ") == 0);
      ++refused;
    }
  }
  CHECK(refused > 300);
}

}  // namespace
