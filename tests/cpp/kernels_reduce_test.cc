// The loop over reduced axes against a plain loop in double, over random shapes, axes and dtypes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "base/cpu.h"
#include "base/parallel.h"
#include "check.h"
#include "kernels/loops/convert.h"
#include "kernels/reduce/reduce.h"

using namespace mixgrad;

namespace {

struct Buffer {
  Shape shape;
  DType dtype;
  std::vector<char> bytes;
  Buffer(const Shape& s, DType t)
      : shape(s), dtype(t), bytes(static_cast<size_t>(s.size()) * size_of(t) + 1) {}
  View view() { return {bytes.data(), &shape, dtype}; }
  std::vector<double> doubles() {
    std::vector<double> out(static_cast<size_t>(shape.size()));
    convert(bytes.data(), dtype, out.data(), DType::float64, shape.size());
    return out;
  }
  void set(const std::vector<double>& v) {
    convert(v.data(), DType::float64, bytes.data(), dtype, shape.size());
  }
};

double joined(Reduce kind, double a, double x) {
  switch (kind) {
    case Reduce::sum: return a + x;
    case Reduce::nansum: return std::isnan(x) ? a : a + x;
    case Reduce::prod: return a * x;
    case Reduce::nanprod: return std::isnan(x) ? a : a * x;
    case Reduce::max: return std::isnan(a) || a >= x ? a : x;
    case Reduce::min: return std::isnan(a) || a <= x ? a : x;
    case Reduce::sum_abs: return a + std::abs(x);
    case Reduce::sum_square: return a + x * x;
  }
  return 0;
}

std::vector<double> reference(Reduce kind, Buffer& src, const AxisSet& axes, const Shape& out) {
  double start = kind == Reduce::prod || kind == Reduce::nanprod ? 1 : 0;
  if (kind == Reduce::max) start = -INFINITY;
  if (kind == Reduce::min) start = INFINITY;
  std::vector<double> result(static_cast<size_t>(out.size()), start);
  const std::vector<double> x = src.doubles();
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), at = 0, scale = 1;
    for (int d = src.shape.ndim() - 1; d >= 0; --d) {
      const int64_t index = rest % src.shape[d];
      rest /= src.shape[d];
      if (axes.has[d]) continue;
      at += index * scale;
      scale *= src.shape[d];
    }
    double& r = result[static_cast<size_t>(at)];
    r = joined(kind, r, x[i]);
  }
  return result;
}

void compare(Reduce kind, const Shape& shape, const AxisSet& axes, DType dtype, std::mt19937& random) {
  Buffer src(shape, dtype);
  const bool product = kind == Reduce::prod || kind == Reduce::nanprod;
  std::vector<double> values(static_cast<size_t>(shape.size()));
  std::uniform_real_distribution<double> uniform(product ? 0.97 : -4, product ? 1.03 : 4);
  for (double& v : values) v = is_float(dtype) ? uniform(random) : product ? 1 : std::floor(uniform(random));
  if (is_float(dtype) && random() % 4 == 0 && !values.empty()) values[random() % values.size()] = NAN;
  src.set(values);
  Buffer dst(reduced_shape(shape, axes, false), dtype);
  const std::vector<double> expected = reference(kind, src, axes, dst.shape);
  reduce_axes(kind, ReduceFinish::none, src.view(), axes, dst.view());
  const std::vector<double> got = dst.doubles();
  const double scale = std::sqrt(static_cast<double>(reduced_count(shape, axes))) * 4;
  const double unit = dtype == DType::float64    ? 1e-13
                      : dtype == DType::bfloat16 ? 8e-3
                      : is_half(dtype)           ? 1e-3
                                                 : 5e-7;
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(expected[i]) && std::isnan(got[i])) continue;
    if (!is_float(dtype)) {
      Buffer wrapped(Shape{1}, dtype);
      wrapped.set({expected[i]});
      CHECK_EQ(got[i], wrapped.doubles()[0]);
    } else if (got[i] != expected[i] && !(dtype == DType::float16 && std::abs(expected[i]) > 65504)) {
      const bool close = std::abs(got[i] - expected[i]) <= unit * (std::abs(expected[i]) + scale);
      if (!close) {
        check::fail(__FILE__, __LINE__,
                    text("kind ", static_cast<int>(kind), " ", shape, " ", name_of(dtype), ": ", got[i],
                         " is not ", expected[i]));
      }
    }
  }
}

}  // namespace

TEST(reduce_random_shapes) {
  std::mt19937 random(1);
  const int64_t extents[] = {1, 2, 3, 5, 7, 16, 17, 64, 70, 130};
  for (int round = 0; round < 1500; ++round) {
    Shape shape;
    const int ndim = static_cast<int>(random() % 6);
    for (int i = 0; i < ndim; ++i) {
      const int64_t extent = extents[random() % 10];
      shape.push_back(shape.size() * extent > 60000 ? 2 : extent);
    }
    if (round % 50 == 0 && ndim > 0) shape[static_cast<int>(random() % static_cast<unsigned>(ndim))] = 0;
    AxisSet axes;
    for (int i = 0; i < ndim; ++i) axes.has[i] = random() % 2;
    DType dtype = kDTypes[random() % 8];
    const Reduce kind = static_cast<Reduce>(random() % (is_float(dtype) ? 8 : 6));
    if ((kind == Reduce::max || kind == Reduce::min) && reduced_count(shape, axes) == 0) continue;
    compare(kind, shape, axes, dtype, random);
  }
}

TEST(reduce_long_axes) {
  std::mt19937 random(2);
  for (const Shape& shape : {Shape{1, 300001, 1}, Shape{3, 40000}, Shape{70000, 3}, Shape{2, 9000, 5},
                             Shape{600, 600}, Shape{400, 3, 700}, Shape{2000, 130}}) {
    for (DType dtype : {DType::float32, DType::float64, DType::float16, DType::int32}) {
      for (int mask = 1; mask < 1 << shape.ndim(); ++mask) {
        AxisSet axes;
        for (int i = 0; i < shape.ndim(); ++i) axes.has[i] = mask >> i & 1;
        compare(Reduce::sum, shape, axes, dtype, random);
        compare(Reduce::max, shape, axes, dtype, random);
      }
    }
  }
}

TEST(reduce_same_bits_for_any_team) {
  std::mt19937 random(3);
  const TeamScope team(true);
  const int before = num_threads();
  for (const Shape& shape : {Shape{1, 1 << 20}, Shape{700, 900}, Shape{30, 200, 77}, Shape{100000, 3}}) {
    Buffer src(shape, DType::float32);
    for (int64_t i = 0; i < shape.size(); ++i)
      src.view().as<float>()[i] = static_cast<float>(random() % 1000) * 0.37f;
    for (int axis = 0; axis < shape.ndim(); ++axis) {
      AxisSet axes;
      axes.has[axis] = true;
      std::vector<char> first;
      for (int threads : {1, 2, 3, 5}) {
        set_num_threads(threads);
        Buffer dst(reduced_shape(shape, axes, false), DType::float32);
        reduce_axes(Reduce::sum, ReduceFinish::mean, src.view(), axes, dst.view());
        if (threads == 1) first = dst.bytes;
        CHECK(first == dst.bytes);
      }
    }
  }
  set_num_threads(before);
}

TEST(reduce_error_stays_small) {
  Buffer src(Shape{1 << 22}, DType::float32);
  double exact = 0;
  std::mt19937 random(4);
  for (int64_t i = 0; i < src.shape.size(); ++i) {
    const float v = static_cast<float>(random()) * 2e-10f;
    src.view().as<float>()[i] = v;
    exact += static_cast<double>(v);
  }
  Buffer dst(Shape{1}, DType::float32);
  AxisSet axes;
  axes.has[0] = true;
  reduce_axes(Reduce::sum, ReduceFinish::none, src.view(), axes, dst.view());
  CHECK(std::abs(dst.doubles()[0] - exact) <= 1.2e-7 * exact);
}

TEST(reduce_axes_named_wrongly) {
  CHECK_THROWS(axis_set(Shape{0, 0}, false, 2, "sum"), invalid_argument, "[sum]");
  CHECK_THROWS(axis_set(Shape{0, -2}, false, 2, "sum"), invalid_argument, "twice");
  CHECK_THROWS(axis_set(Shape{2}, false, 2, "sum"), index, "[sum]");
  CHECK_EQ(reduced_shape(Shape{2, 3}, axis_set({}, false, 2, "sum"), false), (Shape{1}));
  CHECK_EQ(reduced_shape(Shape{}, axis_set({}, false, 0, "sum"), false), Shape());
  CHECK_EQ(reduced_shape(Shape{2, 3}, axis_set(Shape{-1}, true, 2, "sum"), true), (Shape{1, 3}));
}
