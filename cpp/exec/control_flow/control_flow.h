// What the operators with subgraphs have in common: random numbers, shapes by place, memory of kernels.
#pragma once

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "exec/control_flow/subprogram.h"
#include "op/define.h"
#include "storage/block.h"

namespace mixgrad::control_flow {

// The hidden last output of all of them: the random numbers of a call and how many steps it took, which the gradient needs
// to do the same again.
struct Trail {
  int64_t seed = 0, stream = 0, steps = 0;
};
inline constexpr int kTrailItems = 3;
void write_trail(const KernelArgs& args, int64_t steps);
Trail read_trail(const BackwardArgs& args);

// Numbers of inputs. As whole numbers, each below `count`; else Status::invalid_argument naming the parameter.
std::vector<size_t> places_of(const char* op, const char* field, const Reals& places, size_t count);

// What a subgraph that reads these of the views is planned for.
SubprogramKey key_of(Span<const View> inputs, const std::vector<size_t>& places, bool training);
// Whether the one number there is not 0.
bool is_true(const char* data, DType dtype, size_t bytes, const char* op);

// Device memory for the length of a kernel; piece(i) is the i-th of equal size.
class Pieces {
 public:
  Pieces(size_t count, size_t bytes)
      : bytes_((bytes + 63) / 64 * 64), memory_(Device(), std::max<size_t>(count * bytes_, 1)) {}
  char* piece(size_t i) const { return static_cast<char*>(memory_.data()) + i * bytes_; }
  char* data() const { return piece(0); }

 private:
  size_t bytes_;
  storage::Buffer memory_;
};

inline char* bytes_of(const View& view) { return static_cast<char*>(view.data); }
inline void clear(const View& view) {
  if (view.data && view.bytes() > 0) std::memset(view.data, 0, view.bytes());
}
// sum += more, of equal shape.
void add_to(const View& sum, const char* more);

}  // namespace mixgrad::control_flow
