// The engine, the stream and the bounded cache of primitives of one thread.
#pragma once

#include <dnnl.hpp>

#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "base/dtype.h"

namespace mixgrad::ops::onednn {

// What a primitive depends on: which one, dtype, threads and extents, in an order that each user chooses.
struct Key {
  static constexpr int kMost = 32;
  int64_t item[kMost];
  int size = 0;
  void add(int64_t value) { item[size++] = value; }
  bool operator==(const Key& other) const;
};
struct KeyHash {
  size_t operator()(const Key& key) const;
};

// One of its primitives' operands in the layout oneDNN prefers, and how to get there.
struct Layouts {
  dnnl::memory::desc plain, blocked;
  dnnl::reorder reorder;  // between them, in the direction of the use; empty when they are equal
  bool turns() const { return static_cast<bool>(reorder); }
};

// A primitive with its operands: two inputs, an optional bias, an output.
struct Recipe {
  dnnl::primitive primitive;
  Layouts in[2], out;
  dnnl::memory::desc bias;
  int in_name[2], out_name;  // DNNL_ARG_*
  bool served = true;        // false: oneDNN has nothing good for this key
};

// Whether this thread may use oneDNN. Not one that is ending: what exit handlers compute is left to our own kernels.
bool usable();

// Of the calling thread.
const dnnl::engine& engine();
dnnl::stream& stream();

// The recipe for a key, made by `make` the first time; the oldest of many is dropped. A failure of `make` gives a
// recipe that is not served.
const Recipe& recipe_for(const Key& key, Recipe (*make)(const void* context), const void* context);

// Layouts for an input (towards blocked) or an output (back to plain).
Layouts input_layouts(const dnnl::memory::desc& plain, const dnnl::memory::desc& blocked);
Layouts output_layouts(const dnnl::memory::desc& plain, const dnnl::memory::desc& blocked);

// Turns the inputs, runs the primitive, turns the output.
void run(const Recipe& recipe, const void* first, const void* second, const void* bias, void* out);

// While it lives, oneDNN runs in as many threads as the calling thread may use.
class TeamLimit {
 public:
  TeamLimit();
  ~TeamLimit();
  TeamLimit(const TeamLimit&) = delete;
  TeamLimit& operator=(const TeamLimit&) = delete;
  int threads() const { return threads_; }

 private:
  int threads_, before_;
};

// dnnl's name of a dtype; undef where it has none.
dnnl::memory::data_type type_of(DType dtype);

}  // namespace mixgrad::ops::onednn
