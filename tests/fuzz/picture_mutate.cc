// Mutated pictures in turn: picture_mutate FILES RECORD_FILE... takes the JPEG files of record files, a PNG file and a progressive
// header made here, changes, cuts, repeats and splices their bytes, and gives each to the fuzz target. Prints how many.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Content = std::vector<uint8_t>;

Content read_all(const char* path) {
  Content bytes;
  if (FILE* const file = std::fopen(path, "rb")) {
    uint8_t piece[4096];
    for (size_t n; (n = std::fread(piece, 1, sizeof piece, file)) > 0;)
      bytes.insert(bytes.end(), piece, piece + n);
    std::fclose(file);
  }
  return bytes;
}

// What lies between a start of image and the end of its record.
void add_jpegs(const Content& record, std::vector<Content>* to) {
  for (size_t at = 0; at + 8 < record.size();) {
    uint32_t length;
    std::memcpy(&length, record.data() + at + 4, 4);
    length &= (1u << 29) - 1;
    const size_t end = at + 8 + length;
    if (end > record.size()) return;
    for (size_t i = at + 8; i + 3 < end; ++i) {
      if (record[i] == 0xff && record[i + 1] == 0xd8 && record[i + 2] == 0xff) {
        to->push_back(
            Content(record.begin() + static_cast<long>(i), record.begin() + static_cast<long>(end)));
        break;
      }
    }
    at += 8 + (length + 3) / 4 * 4;
  }
}

// 4 x 4 grey pixels, stored.
const uint8_t kPng[] = {0x89, 'P',  'N',  'G',  13,   10,  26,  10,  0,    0,    0,    13,  'I',  'H',
                        'D',  'R',  0,    0,    0,    4,   0,   0,   0,    4,    8,    0,   0,    0,
                        0,    0x81, 0x8a, 0xa3, 0xd3, 0,   0,   0,   14,   'I',  'D',  'A', 'T',  0x78,
                        0x9c, 0x63, 0x60, 0x40, 5,    0,   0,   20,  0,    1,    0xe0, 0,   0x12, 0x34,
                        0,    0,    0,    0,    'I',  'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};

}  // namespace

int main(int argc, char** argv) {
  const long files = argc > 1 ? std::atol(argv[1]) : 100000;
  std::vector<Content> seeds{Content(kPng, kPng + sizeof kPng)};
  for (int i = 2; i < argc; ++i) add_jpegs(read_all(argv[i]), &seeds);
  std::mt19937 random(17);
  const auto below = [&](size_t n) { return static_cast<size_t>(random()) % (n ? n : 1); };
  for (long i = 0; i < files; ++i) {
    Content picture = seeds[below(seeds.size())];
    const size_t changes = 1 + below(8);
    for (size_t k = 0; k < changes && !picture.empty(); ++k) {
      const size_t at =
          below(4) == 0 ? below(picture.size()) : below(picture.size() < 700 ? picture.size() : 700);
      switch (below(6)) {
        case 0: picture[at] ^= static_cast<uint8_t>(1u << below(8)); break;
        case 1: picture[at] = static_cast<uint8_t>(random()); break;
        case 2: picture.resize(at); break;
        case 3:
          picture.insert(picture.begin() + static_cast<long>(at), below(64), static_cast<uint8_t>(random()));
          break;
        case 4:
          picture.erase(picture.begin() + static_cast<long>(at),
                        picture.begin() + static_cast<long>(at + below(picture.size() - at)));
          break;
        default: {
          const Content& other = seeds[below(seeds.size())];
          const size_t from = below(other.size());
          picture.resize(at);
          picture.insert(picture.end(), other.begin() + static_cast<long>(from), other.end());
        }
      }
    }
    // Behind its end there is memory that is not the picture's: reading on is found.
    Content exact(picture);
    exact.shrink_to_fit();
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
  }
  std::printf("%ld mutated pictures: errors or pixels\n", files);
}
