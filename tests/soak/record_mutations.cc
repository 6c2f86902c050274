// record_mutations COUNT [SEED]: so many files of records, each damaged in one to four ways, are read in every way there is
// (tests/fuzz/record_steps.h). Built and run by tests/fuzz/record.sh soak.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "io/record_writer.h"
#include "record_steps.h"

namespace {

using mixgrad::io::kRecordMagic;
using Random = std::mt19937_64;
using Bytes = std::vector<char>;

class MemorySink final : public mixgrad::io::RecordSink {
 public:
  explicit MemorySink(Bytes* to) : to_(to) {}
  void write(const void* data, uint64_t bytes) override {
    const char* const from = static_cast<const char*>(data);
    to_->insert(to_->end(), from, from + bytes);
  }
  void commit() override {}

 private:
  Bytes* const to_;
};

size_t below(Random& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

void put_word(Bytes& file, size_t at, uint32_t word) {
  if (file.size() >= 4) std::memcpy(file.data() + std::min(at, file.size() - 4), &word, 4);
}

// Up to 12 records, with the magic word inside of some, in parts of few bytes in some files.
Bytes whole_file(Random& random) {
  Bytes file;
  const uint32_t most_part = random() % 3 == 0 ? 8 + static_cast<uint32_t>(below(random, 60)) : 1u << 29;
  mixgrad::io::RecordWriter writer(std::make_unique<MemorySink>(&file), "soak", most_part - 1);
  for (size_t records = below(random, 13); records > 0; --records) {
    Bytes data(below(random, random() % 8 == 0 ? 1500 : 70));
    for (char& byte : data) byte = static_cast<char>(random());
    for (size_t magics = random() % 4 == 0 ? 1 + below(random, 4) : 0; magics > 0; --magics)
      put_word(data, random() % 2 ? below(random, data.size()) : below(random, data.size()) / 4 * 4,
               kRecordMagic);
    writer.write({data.data(), data.size()});
  }
  writer.commit();
  return file;
}

uint32_t odd_word(Random& random, size_t size) {
  const uint32_t role = static_cast<uint32_t>(random() % 8) << 29;
  switch (random() % 5) {
    case 0: return kRecordMagic;
    case 1: return role | static_cast<uint32_t>(below(random, 64));
    case 2: return role | static_cast<uint32_t>(size - std::min(size, below(random, 40)));
    case 3: return role | 0x1fffffff;
    default: return static_cast<uint32_t>(random());
  }
}

void damage(Bytes& file, Random& random) {
  const size_t size = file.size(), at = below(random, size),
               length = below(random, std::min<size_t>(size - at, 200) + 1);
  const auto begin = file.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = begin + static_cast<std::ptrdiff_t>(length);
  switch (random() % 9) {
    case 0:
      if (size > 0) file[at] = static_cast<char>(file[at] ^ 1 << random() % 8);
      break;
    case 1: file.resize(at); break;
    case 2: file.erase(begin, end); break;
    case 3: std::fill(begin, end, '\0'); break;
    case 4: file.insert(begin, length, static_cast<char>(random())); break;
    case 5: {
      const Bytes copy(begin, end);
      file.insert(file.begin() + static_cast<std::ptrdiff_t>(below(random, size)), copy.begin(), copy.end());
      break;
    }
    case 6: put_word(file, at / 4 * 4, odd_word(random, size)); break;
    case 7:  // a header where none was
      put_word(file, at / 4 * 4, kRecordMagic);
      put_word(file, at / 4 * 4 + 4, odd_word(random, size));
      break;
    default:  // the size of a record
      for (size_t i = at / 4 * 4; i + 8 <= size; i += 4) {
        uint32_t word;
        std::memcpy(&word, file.data() + i, 4);
        if (word != kRecordMagic) continue;
        put_word(file, i + 4, odd_word(random, size - i));
        break;
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 1000000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  size_t bytes = 0;
  for (long i = 0; i < count; ++i) {
    Random random(seed * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(i));
    Bytes file = whole_file(random);
    if (i % 16 == 0) fuzz::read_everything(file.data(), file.size(), true);
    for (size_t ways = 1 + random() % 4; ways > 0; --ways) damage(file, random);
    fuzz::read_everything(file.data(), file.size(), false);
    bytes += file.size();
    if ((i + 1) % 100000 == 0) std::printf("%ld files, %zu bytes\n", i + 1, bytes), std::fflush(stdout);
  }
  std::printf("record_mutations: %ld damaged files (%zu bytes), seed %llu: nothing found\n", count, bytes,
              static_cast<unsigned long long>(seed));
  return 0;
}
