// Selection between two arrays by a condition.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"
#include "op/define.h"

namespace mixgrad::ops::where {
namespace {

constexpr int64_t kWhereTile = 512;
constexpr int64_t kWhereGrain = 32768;

using SelectFn = void (*)(const uint8_t* condition, const void* x, const void* y, void* out, int64_t n);

template <class T>
MIXGRAD_INLINE void select_body(const uint8_t* condition, const void* x, const void* y, void* out,
                                int64_t n) {
  const T* a = static_cast<const T*>(x);
  const T* b = static_cast<const T*>(y);
  T* o = static_cast<T*>(out);
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    const T taken = a[i], other = b[i];
    o[i] = condition[i] ? taken : other;
  }
}

template <class T>
MIXGRAD_TARGET_BASELINE void select_baseline(const uint8_t* condition, const void* x, const void* y,
                                             void* out, int64_t n) {
  select_body<T>(condition, x, y, out, n);
}
#if MIXGRAD_X86
template <class T>
MIXGRAD_TARGET_AVX2 void select_avx2(const uint8_t* condition, const void* x, const void* y, void* out,
                                     int64_t n) {
  select_body<T>(condition, x, y, out, n);
}
template <class T>
MIXGRAD_TARGET_AVX512 void select_avx512(const uint8_t* condition, const void* x, const void* y, void* out,
                                         int64_t n) {
  select_body<T>(condition, x, y, out, n);
}
#endif

template <class T>
SelectFn pick_select() {
#if MIXGRAD_X86
  if (loop_isa<T>() == Isa::avx512) return &select_avx512<T>;
  if (loop_isa<T>() == Isa::avx2) return &select_avx2<T>;
#endif
  return &select_baseline<T>;
}

SelectFn select_of(size_t item) {
  static const SelectFn fns[] = {pick_select<uint8_t>(), pick_select<uint16_t>(), pick_select<uint32_t>(),
                                 pick_select<uint64_t>()};
  return fns[item == 1 ? 0 : item == 2 ? 1 : item == 4 ? 2 : 3];
}

// The condition's shape as it broadcasts to `target`: one number per row when it has one axis.
Shape condition_shape(const Shape& condition, const Shape& target) {
  Shape shape = condition;
  if (condition.ndim() == 1 && target.ndim() > 1 && condition[0] == target[0]) {
    while (shape.ndim() < target.ndim()) shape.push_back(1);
  }
  return shape;
}

struct WhereOperand {
  const char* data;
  DType dtype;
  StridedDims dims;
};

// n elements of an operand from `offset` on, as `dtype`: in place where possible, otherwise in `tile`.
const char* fetch(const WhereOperand& operand, int64_t offset, int64_t step, DType dtype, int64_t n,
                  char* tile) {
  const char* at = operand.data + static_cast<size_t>(offset) * size_of(operand.dtype);
  if (step == 1 && operand.dtype == dtype) return at;
  if (step == 1) {
    convert(at, operand.dtype, tile, dtype, n);
    return tile;
  }
  uint64_t item = 0;
  convert(at, operand.dtype, &item, dtype, 1);
  fill_items(tile, &item, size_of(dtype), n);
  return tile;
}

void run_where(const View& condition, const View& x, const View& y, const View& out) {
  const Shape& shape = out.shape();
  if (shape.size() == 0) return;
  const View* views[] = {&condition, &x, &y};
  WhereOperand operands[3];
  StridedDims dims[3];
  for (int i = 0; i < 3; ++i) {
    const Shape from = i == 0 ? condition_shape(condition.shape(), shape) : views[i]->shape();
    dims[i] = broadcast_strides(from, shape);
  }
  int64_t extents[kMaxDims];
  const int ndim = collapse_dims(shape, dims, 3, extents);
  for (int i = 0; i < 3; ++i) operands[i] = {views[i]->as<char>(), views[i]->dtype, dims[i]};
  const SelectFn select = select_of(size_of(out.dtype));
  const int last = ndim - 1;

  parallel_for(shape.size(), kWhereGrain, [&](int64_t begin, int64_t end) {
    alignas(64) char tiles[3][kWhereTile * 8];
    for (int64_t at = begin; at < end;) {
      int64_t offset[3] = {}, rest = at;
      for (int d = last; d >= 0; --d) {
        for (int i = 0; i < 3; ++i) offset[i] += rest % extents[d] * operands[i].dims.stride[d];
        rest /= extents[d];
      }
      const int64_t n = std::min({kWhereTile, end - at, extents[last] - at % extents[last]});
      const char* in[3];
      for (int i = 0; i < 3; ++i) {
        const DType wanted = i == 0 ? DType::boolean : out.dtype;
        in[i] = fetch(operands[i], offset[i], operands[i].dims.stride[last], wanted, n, tiles[i]);
      }
      select(reinterpret_cast<const uint8_t*>(in[0]), in[1], in[2],
             out.as<char>() + static_cast<size_t>(at) * size_of(out.dtype), n);
      at += n;
    }
  });
}

// Extents not known of one input are those of the other: graphs begin with zeros of any shape, and an input
// that nothing is known of has the other's shape.
void open_like(ShapeInfer& s, int open, int given) {
  Shape shape = s.in(open);
  if (!shape.known_rank()) return s.set_in(open, s.in(given));
  if (shape.ndim() != s.in(given).ndim()) return;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] < 0) shape[i] = s.in(given)[i];
  }
  s.set_in(open, shape);
}

// The condition decides whether it selects elements or rows, so nothing follows before it is known.
void where_shape(const NoParams&, ShapeInfer& s) {
  if (!s.known(0)) return;
  if (s.known(1) != s.known(2)) open_like(s, s.known(1) ? 2 : 1, s.known(1) ? 1 : 2);
  if (!s.known(1) || !s.known(2)) return;
  const Shape values = broadcast(s.in(1), s.in(2), s.name());
  const Shape& condition = s.in(0);
  if (condition.ndim() == 1 && values.ndim() > 1 && condition[0] > 1 && condition[0] != values[0])
    s.reject("a condition with one axis selects rows; expected ", values[0], " elements");
  s.set_out(0, broadcast(condition_shape(condition, values), values, s.name()));
}

const Op& where = Define<>("where")
                      .doc(
                          "Elements of x where condition is not 0, of y elsewhere. Shapes broadcast as in "
                          "NumPy; a condition with one "
                          "axis, as long as the first axis of x and y, selects rows.")
                      .origin("MXNet where")
                      .input("condition", "Any dtype.")
                      .input("x", "Taken where the condition is not 0.")
                      .input("y", "Taken where it is 0; of the dtype of x.")
                      .shape(where_shape)
                      .dtype([](const NoParams&, DTypeInfer& d) {
                        const DType seen = d.in(1) != DType::unknown   ? d.in(1)
                                           : d.in(2) != DType::unknown ? d.in(2)
                                                                       : d.out(0);
                        d.set_in(1, seen);
                        d.set_in(2, seen);
                        d.set_out(0, seen);
                      })
                      .kernel([](const NoParams&, KernelArgs& args) {
                        run_where(args.in[0], args.in[1], args.in[2], args.out[0]);
                      })
                      .element_cost(0.3)
                      .grad_needs({0}, {})
                      .grad([](const NoParams&, Grad& g) {
                        const Tensor none = zeros_like(g.out_grad());
                        if (g.wants(0)) g.set(0, zeros_like(g.in(0)));
                        if (g.wants(1)) g.set(1, sum_to(select(g.in(0), g.out_grad(), none), g.in_shape(1)));
                        if (g.wants(2)) g.set(2, sum_to(select(g.in(0), none, g.out_grad()), g.in_shape(2)));
                      });

}  // namespace
}  // namespace mixgrad::ops::where
