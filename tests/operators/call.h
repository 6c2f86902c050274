// Random calls of operators: what is called, and where it comes from.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "array/sparse.h"
#include "op/op.h"

namespace operators {

// Numbers that follow from a seed on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  // 0 to n - 1.
  int64_t below(int64_t n) { return static_cast<int64_t>(next() % static_cast<uint64_t>(n)); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(double p) { return unit() < p; }
  template <class T>
  T one_of(std::initializer_list<T> items) {
    return *(items.begin() + below(static_cast<int64_t>(items.size())));
  }
  template <class List>
  auto& item_of(List& items) {
    return items[static_cast<size_t>(below(static_cast<int64_t>(items.size())))];
  }

 private:
  uint64_t state_;
};

struct Input {
  mixgrad::DType dtype = mixgrad::DType::float32;
  mixgrad::Shape shape;
  bool whole = false;  // whole numbers from low to high, both included
  double low = -1, high = 1;
  mixgrad::Storage storage = mixgrad::Storage::dense;
};

struct Call {
  const mixgrad::Op* op = nullptr;
  std::vector<std::pair<std::string, std::string>> params;  // in the form of files
  std::vector<Input> inputs;
  bool training = false;
  bool gradient = false, second_order = false;
  double special = 0;  // share of elements that are NaN, infinite or far out
  uint64_t seed = 0;

  std::string str() const;
};

// Calls from the tables of tests/python/cases, as operator_cases.py writes them; those of an operator together.
std::vector<Call> read_calls(const char* path);

// The call of that number: mostly one of `known` with other extents (0 and 1 above all), dtypes, parameters and values,
// else one from the operator's description alone.
Call make_call(const std::vector<Call>& known, uint64_t seed, uint64_t number);

}  // namespace operators
