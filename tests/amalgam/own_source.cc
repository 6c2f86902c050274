// A program whose own source holds the single file: exceptions of the program work, and errors of the file.
#include "mixgrad-all.cc"

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Counter {
  explicit Counter(int* at) : at_(at) {}
  ~Counter() { ++*at_; }
  int* at_;
};

[[gnu::noinline]] int thrown_through(const std::vector<int>& numbers, size_t place, int* ended) {
  const Counter counter(ended);
  return numbers.at(place) + 1;
}

bool exceptions_work() {
  int ended = 0;
  try {
    return thrown_through({1, 2}, 2, &ended) == 0;
  } catch (const std::out_of_range&) {
    return ended == 1;
  }
}

bool errors_work() {
  PredictorHandle predictor = nullptr;
  const char* keys[] = {"data"};
  const mx_uint starts[] = {0, 2}, extents[] = {1, 1};
  const int status = MXPredCreate("{", "", 0, 1, 0, 1, keys, starts, extents, &predictor);
  return status == -1 && std::strncmp(MXGetLastError(), "[", 1) == 0;
}

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    if (!exceptions_work() || !errors_work()) {
      std::printf("own_source failed in round %d: %s\n", round, MXGetLastError());
      return 1;
    }
  }
  std::puts("own_source passed");
}
