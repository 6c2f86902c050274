// A mutator of libFuzzer's for symbol files. Random bytes seldom leave JSON whole; this one also puts other values in the place of
// strings, so that operators meet parameters, shapes, dtypes and inputs that they do not expect.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace {

using Random = std::minstd_rand;

size_t below(Random& random, size_t count) {
  return std::uniform_int_distribution<size_t>(0, count - 1)(random);
}

template <size_t N>
std::string any_of(Random& random, const char* const (&list)[N]) {
  return list[below(random, N)];
}

std::string number(Random& random) {
  static const char* const kNumbers[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "-1",
                                         "-2",
                                         "4",
                                         "5",
                                         "7",
                                         "8",
                                         "9",
                                         "16",
                                         "17",
                                         "1e9",
                                         "0.5",
                                         "-3.5",
                                         "2147483648",
                                         "-2147483649",
                                         "nan",
                                         "inf",
                                         "1e-30",
                                         "65537",
                                         "9223372036854775807",
                                         "None"};
  return any_of(random, kNumbers);
}

std::string tuple(Random& random) {
  const size_t count = below(random, 6);
  std::string text = "(";
  for (size_t i = 0; i < count; ++i) text += number(random) + (i + 1 < count || count == 1 ? ", " : "");
  return text + ")";
}

std::string value(Random& random) {
  static const char* const kWords[] = {
      "True",  "False", "None",  "float16", "float32", "float64", "int8",     "uint8",  "int32",
      "int64", "bool",  "same",  "valid",   "full",    "max",     "avg",      "sum",    "lp",
      "relu",  "tanh",  "gelu",  "NCHW",    "NHWC",    "NCW",     "reflect",  "edge",   "constant",
      "null",  "clip",  "raise", "wrap",    "lstm",    "gru",     "instance", "channel"};
  switch (below(random, 4)) {
    case 0: return tuple(random);
    case 1: return any_of(random, kWords);
    default: return number(random);
  }
}

struct Piece {
  size_t begin, end;  // of what lies between the quotes, or of a number
};

// Strings, with `numbers` also numbers.
std::vector<Piece> pieces(const std::string& text, bool numbers) {
  std::vector<Piece> found;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      const size_t end = text.find('"', at + 1);
      if (end == std::string::npos) break;
      if (!numbers) found.push_back({at + 1, end});
      at = end;
    } else if (numbers && text[at] >= '0' && text[at] <= '9') {
      size_t end = at;
      while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
      found.push_back({at, end});
      at = end;
    }
  }
  return found;
}

std::string changed(std::string text, Random& random) {
  const bool numbers = below(random, 5) == 0;  // entries of inputs and heads
  const std::vector<Piece> found = pieces(text, numbers);
  if (found.empty()) return text;
  const Piece piece = found[below(random, found.size())];
  const Piece other = found[below(random, found.size())];
  std::string put = numbers                 ? std::to_string(below(random, 9))
                    : below(random, 4) == 0 ? text.substr(other.begin, other.end - other.begin)
                                            : value(random);
  return text.replace(piece.begin, piece.end - piece.begin, put);
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  Random random(seed);
  if (below(random, 3) == 0) return LLVMFuzzerMutate(data, size, most);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (size_t times = 1 + below(random, 3); times > 0; --times) text = changed(std::move(text), random);
  const size_t bytes = std::min(text.size(), most);
  std::memcpy(data, text.data(), bytes);
  return bytes;
}
