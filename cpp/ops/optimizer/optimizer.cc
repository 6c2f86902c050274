#include "ops/optimizer/optimizer.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/loops/convert.h"

namespace mixgrad::ops::optimizer {
namespace {

constexpr int64_t kUpdateGrain = 16384;
constexpr int64_t kUpdateTile = 1024;  // six rows of doubles stay in the nearest cache
constexpr int kUpdateRows = 3 + kMaxStates;

char* update_place(const View& view, int64_t i) {
  return view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype);
}

// One range of elements, tile by tile where something has to be converted.
void update_range(UpdateFn fn, const void* formula, DType compute, const Update& update, int64_t begin,
                  int64_t end) {
  const View* views[kUpdateRows] = {&update.weight, &update.grad, &update.out};
  const int rows = 3 + update.num_states;
  for (int i = 0; i < update.num_states; ++i) views[3 + i] = &update.states[i];
  bool native = update.copy.data == nullptr;
  for (int i = 0; i < rows; ++i) native &= views[i]->dtype == compute;
  const int64_t tile = native ? end - begin : kUpdateTile;
  alignas(64) double buffers[kUpdateRows][kUpdateTile];
  for (int64_t at = begin; at < end; at += tile) {
    const int64_t n = std::min(tile, end - at);
    void* row[kUpdateRows] = {};
    for (int i = 0; i < rows; ++i) {
      if (views[i]->dtype == compute) {
        row[i] = update_place(*views[i], at);
        continue;
      }
      row[i] = buffers[i];
      if (i != 2) convert(update_place(*views[i], at), views[i]->dtype, buffers[i], compute, n);
    }
    fn(row, n, formula);
    for (int i = 2; i < rows; ++i) {
      if (views[i]->dtype != compute)
        convert(row[i], compute, update_place(*views[i], at), views[i]->dtype, n);
    }
    if (update.copy.data) convert(row[2], compute, update_place(update.copy, at), update.copy.dtype, n);
  }
}

void need_float(const DTypeInfer& d, DType dtype) {
  if (dtype != DType::unknown && !is_float(dtype)) d.reject("expected weights of a float dtype");
}

}  // namespace

void run_update(UpdateFn fn, const void* formula, DType compute, const Update& update) {
  parallel_for(update.weight.size(), kUpdateGrain,
               [&](int64_t begin, int64_t end) { update_range(fn, formula, compute, update, begin, end); });
}

void run_updates(Span<const UpdateJob> jobs) {
  constexpr int64_t kPieces = 64, kLine = 16;  // pieces of every array; they begin at whole vectors
  int64_t total = 0;
  for (const UpdateJob& job : jobs) total += job.update.weight.size();
  const int64_t grain = loop_grain(kPieces * kUpdateGrain, {total});
  const auto update_pieces = [&](int64_t begin, int64_t end) {
    for (const UpdateJob& job : jobs) {
      const int64_t size = job.update.weight.size();
      const auto place = [&](int64_t piece) {
        return piece == kPieces ? size : std::min(size, size * piece / kPieces / kLine * kLine);
      };
      if (place(begin) < place(end))
        update_range(job.fn, job.formula, job.compute, job.update, place(begin), place(end));
    }
  };
  // Every thread goes backwards through its share: gradients that were made last are still in its cache.
  const int64_t share = std::max<int64_t>(1, kPieces / num_threads());
  parallel_for(kPieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end;) {
      const int64_t first = at / share * share, last = std::min(first + share, kPieces);
      const int64_t to = std::min(end, last);
      update_pieces(first + last - to, first + last - at);
      at = to;
    }
  });
}

void infer_update_dtype(DTypeInfer& d) {
  infer_same_dtype(d);
  need_float(d, d.in(0));
}

void infer_mixed_dtype(DTypeInfer& d) {
  d.set_in(0, d.in(1));
  d.set_in(0, d.out(0));
  d.set_in(1, d.in(0));
  d.set_out(0, d.in(0));
  for (int i = 2; i < d.num_inputs(); ++i) d.set_in(i, DType::float32);
  need_float(d, d.in(0));
}

}  // namespace mixgrad::ops::optimizer
