// Percentiles, polynomials, and elements put into arrays or taken out at places that parameters give.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/load.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"
#include "launch/composed.h"
#include "ops/numpy/numpy.h"

namespace mixgrad::ops::numpy_statistics {
namespace {

enum class Between : int32_t { linear, lower, higher, midpoint, nearest };
struct PercentileParams {
  std::optional<Shape> axis;
  Between interpolation = Between::linear;
  bool keepdims = false;
  std::optional<double> q_scalar;
  static void fields(Fields<PercentileParams>& f) {
    f.add("axis", &PercentileParams::axis, "Axis or axes to search; None means all.")
        .choice("interpolation", &PercentileParams::interpolation,
                {"linear", "lower", "higher", "midpoint", "nearest"}, "What lies between two elements.")
        .add("keepdims", &PercentileParams::keepdims, "Keeps searched axes, with extent 1.")
        .add("q_scalar", &PercentileParams::q_scalar, "The one percentage, instead of an input.");
  }
};

// Marks of searched axes; None means all.
std::vector<bool> searched_axes(const PercentileParams& p, const Shape& shape, const char* who) {
  std::vector<bool> marks(static_cast<size_t>(shape.ndim()), !p.axis);
  if (p.axis) {
    for (const int64_t axis : *p.axis) {
      const size_t place = static_cast<size_t>(normalize_axis(axis, shape.ndim(), who));
      if (marks[place]) fail(Status::invalid_argument, "[", who, "] axis ", axis, " is named twice");
      marks[place] = true;
    }
  }
  return marks;
}

void percentile_shape(const PercentileParams& p, ShapeInfer& s) {
  if (!s.known(0) || (!p.q_scalar && !s.known(1))) return;
  const Shape& x = s.in(0);
  const std::vector<bool> marks = searched_axes(p, x, s.name());
  Shape out = p.q_scalar ? Shape() : s.in(1);
  if (out.ndim() > 1) s.reject("q has ", out.ndim(), " axes; expected at most one");
  int64_t count = 1;
  for (int i = 0; i < x.ndim(); ++i) {
    const bool searched = marks[static_cast<size_t>(i)];
    if (searched) count *= x[i];
    if (!searched || p.keepdims) out.push_back(searched ? 1 : x[i]);
  }
  if (count == 0) s.reject("no elements have no percentile");
  s.set_out(0, out);
}

double value_at(const PercentileParams& p, const double* sorted, int64_t n, double q) {
  const double at = q / 100 * static_cast<double>(n - 1), low = std::floor(at), high = std::ceil(at);
  const auto element = [&](double place) { return sorted[static_cast<int64_t>(place)]; };
  switch (p.interpolation) {
    case Between::lower: return element(low);
    case Between::higher: return element(high);
    case Between::midpoint: return (element(low) + element(high)) / 2;
    case Between::nearest:
      return element(at - low < 0.5 || (at - low == 0.5 && std::fmod(low, 2) == 0) ? low : high);
    default: return element(low) + (element(high) - element(low)) * (at - low);
  }
}

void percentile_kernel(const PercentileParams& p, KernelArgs& args) {
  const View &x = args.in[0], &out = args.out[0];
  const Shape& shape = x.shape();
  std::vector<double> q(1, p.q_scalar.value_or(0));
  if (!p.q_scalar) {
    q.resize(static_cast<size_t>(args.in[1].size()));
    convert(args.in[1].data, args.in[1].dtype, q.data(), DType::float64, args.in[1].size());
  }
  for (const double percentage : q) {
    if (!(percentage >= 0 && percentage <= 100))
      fail(Status::invalid_argument, "[", args.name(), "] q holds ", percentage,
           "; expected percentages from 0 to 100");
  }
  if (out.size() == 0) return;
  const std::vector<bool> marks = searched_axes(p, shape, args.name());
  const StridedDims lie = contiguous_strides(shape);
  StridedDims order;
  Shape to;
  int64_t rows = 1, n = 1;
  for (const bool searched : {false, true}) {
    for (int i = 0; i < shape.ndim(); ++i) {
      if (marks[static_cast<size_t>(i)] != searched) continue;
      order.stride[to.ndim()] = lie.stride[i];
      to.push_back(shape[i]);
      (searched ? n : rows) *= shape[i];
    }
  }
  std::vector<double> wide(static_cast<size_t>(x.size())), sorted(wide.size()),
      result(static_cast<size_t>(out.size()));
  convert(x.data, x.dtype, wide.data(), DType::float64, x.size());
  copy_strided(wide.data(), order, sorted.data(), contiguous_strides(to), to, sizeof(double));
  for (int64_t r = 0; r < rows; ++r) {
    double* row = sorted.data() + r * n;
    const bool nan = std::any_of(row, row + n, [](double v) { return v != v; });
    if (!nan) std::sort(row, row + n);
    for (size_t k = 0; k < q.size(); ++k)
      result[k * static_cast<size_t>(rows) + static_cast<size_t>(r)] =
          nan ? std::nan("") : value_at(p, row, n, q[k]);
  }
  convert(result.data(), DType::float64, out.data, out.dtype, out.size());
}

const Op& percentile =
    Define<PercentileParams>("_npi_percentile")
        .doc("Values below which given percentages of the elements lie; of integers float32.")
        .origin("MXNet _npi_percentile")
        .input("a", "Any array of numbers.")
        .input("q", "Percentages: a number or an array of one axis, which comes first in the output.")
        .num_inputs([](const PercentileParams& p) { return p.q_scalar ? 1 : 2; })
        .shape(percentile_shape)
        .dtype([](const PercentileParams&, DTypeInfer& d) {
          if (d.in(0) == DType::unknown) return;
          d.set_out(0, is_float(d.in(0)) ? d.in(0) : DType::float32);
        })
        .kernel(percentile_kernel)
        .element_cost(60)
        .grad_needs({}, {})
        .no_gradient();

// Places of insert and delete: one, a slice, or those of an input.
struct PlaceParams {
  std::optional<int64_t> start, stop, step, int_ind;
  std::optional<int32_t> axis;
  template <class P>
  static void place_fields(Fields<P>& f) {
    f.add("start", &P::start, "Begin of a slice of places.")
        .add("stop", &P::stop, "End of it.")
        .add("step", &P::step, "Step of it.")
        .add("int_ind", &P::int_ind, "One place.")
        .add("axis", &P::axis, "The axis; None means the flattened array.");
  }
  static void fields(Fields<PlaceParams>& f) { place_fields(f); }
  bool from_input() const { return !start && !stop && !step && !int_ind; }
};
struct InsertParams : PlaceParams {
  std::optional<double> val;
  static void fields(Fields<InsertParams>& f) {
    f.add("val", &InsertParams::val, "The number to put in, instead of an input.");
    place_fields(f);
  }
};

Shape along(const PlaceParams& p, const Shape& shape, int* axis, const char* who) {
  *axis = p.axis && shape.ndim() > 0 ? normalize_axis(*p.axis, shape.ndim(), who) : 0;
  return p.axis && shape.ndim() > 0 ? shape : Shape{shape.size()};
}

// Python's slice(start, stop, step) of n places, or the one place; an inserted one may lie at n.
std::vector<int64_t> places_of(const PlaceParams& p, int64_t n, bool inserts, const char* who) {
  std::vector<int64_t> places;
  if (p.int_ind) {
    const int64_t at = *p.int_ind < 0 ? *p.int_ind + n : *p.int_ind;
    if (at < 0 || at >= n + (inserts ? 1 : 0)) {
      fail(Status::index, "[", who, "] place ", *p.int_ind, " of an axis of extent ", n,
           "; expected one from ", -n, " to ", inserts ? n : n - 1);
    }
    return {at};
  }
  const int64_t step = p.step.value_or(1);
  if (step == 0) fail(Status::invalid_argument, "[", who, "] step is 0; expected another number");
  const auto bounded = [&](std::optional<int64_t> given, int64_t otherwise, int64_t low, int64_t high) {
    if (!given) return otherwise;
    return std::clamp(*given < 0 ? *given + n : *given, low, high);
  };
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  const int64_t begin = bounded(p.start, step > 0 ? 0 : n - 1, low, high);
  const int64_t end = bounded(p.stop, step > 0 ? n : -1, low, high);
  for (int64_t at = begin; step > 0 ? at < end : at > end; at += step) places.push_back(at);
  return places;
}

// How rows of an axis lie: outer blocks of n rows of `bytes`.
struct Rows {
  int64_t outer;
  size_t bytes;
};
Rows rows_of(const Shape& shape, int axis, DType dtype) {
  return {shape.size(0, axis), static_cast<size_t>(shape.size(axis + 1, shape.ndim())) * size_of(dtype)};
}

enum class From { scalar, slice, tensor };
template <From kFrom>
int64_t inserted_count(const InsertParams& p, int64_t n, const Shape* indices, const char* who) {
  if (kFrom == From::tensor) return indices->size();
  if (kFrom == From::scalar && !p.int_ind)
    fail(Status::invalid_argument, "[", who, "] no int_ind is given; expected one");
  return static_cast<int64_t>(places_of(p, n, true, who).size());
}

template <From kFrom>
void insert_shape(const InsertParams& p, ShapeInfer& s) {
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (!s.known(i)) return;
  }
  int axis = 0;
  Shape out = along(p, s.in(0), &axis, s.name());
  const Shape* indices = kFrom == From::tensor ? &s.in(s.num_inputs() - 1) : nullptr;
  int64_t count = inserted_count<kFrom>(p, out[axis], indices, s.name());
  // One place takes as many rows as the values have.
  if (kFrom == From::scalar && !p.val && s.in(1).ndim() == out.ndim()) count = s.in(1)[axis];
  if (kFrom == From::tensor && count == 1 && !p.val && s.in(1).ndim() == out.ndim()) count = s.in(1)[axis];
  out[axis] += count;
  s.set_out(0, out);
}

template <From kFrom>
void insert_kernel(const InsertParams& p, KernelArgs& args) {
  const View &x = args.in[0], &out = args.out[0];
  int axis = 0;
  const Shape shape = along(p, x.shape(), &axis, args.name());
  const int64_t n = shape[axis], count = out.shape()[axis] - n;
  std::vector<int64_t> places;
  if (kFrom == From::tensor) {
    const View& indices = args.in[args.in.size() - 1];
    places.resize(static_cast<size_t>(indices.size()));
    convert(indices.data, indices.dtype, places.data(), DType::int64, indices.size());
    for (int64_t& place : places) {
      const int64_t given = place;
      if (place < 0) place += n;
      if (place < 0 || place > n)
        fail(Status::index, "[", args.name(), "] place ", given, " of an axis of extent ", n,
             "; expected one from ", -n, " to ", n);
    }
  } else {
    places = places_of(p, n, true, args.name());
  }
  // One place takes all rows of the values, which may be none.
  places.resize(static_cast<size_t>(count), places.empty() ? 0 : places[0]);
  // Row i of the values goes before place places[i]; equal places keep the order of the values.
  std::vector<int64_t> order(places.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return places[static_cast<size_t>(a)] < places[static_cast<size_t>(b)];
  });
  const Rows rows = rows_of(shape, axis, out.dtype);
  const size_t item = size_of(out.dtype);
  // The values, of the output's dtype and spread to (outer, count, inner).
  Shape spread = shape;
  spread[axis] = count;
  std::vector<char> values(static_cast<size_t>(spread.size()) * item + 1);
  const double number = p.val.value_or(0);
  Shape given = p.val ? Shape() : args.in[1].shape();
  std::vector<char> converted(static_cast<size_t>(given.size()) * item + 1);
  if (p.val)
    convert(&number, DType::float64, converted.data(), out.dtype, 1);
  else
    convert(args.in[1].data, args.in[1].dtype, converted.data(), out.dtype, given.size());
  if (kFrom == From::scalar && !p.val && given.ndim() == shape.ndim() - 1 && given.ndim() > 0)
    given.insert(axis, 1);
  const Shape fits = broadcast(given, spread, args.name());
  if (fits != spread) {
    fail(Status::shape, "[", args.name(), "] values have shape ", given, "; expected one that broadcasts to ",
         spread);
  }
  if (spread.size() > 0)
    copy_strided(converted.data(), broadcast_strides(given, spread), values.data(),
                 contiguous_strides(spread), spread, item);
  if (out.size() == 0) return;
  const char* src = x.as<char>();
  char* dst = out.as<char>();
  for (int64_t block = 0; block < rows.outer; ++block) {
    const char* value_rows = values.data() + static_cast<size_t>(block * count) * rows.bytes;
    size_t next = 0;
    for (int64_t at = 0; at <= n; ++at) {
      for (; next < order.size() && places[static_cast<size_t>(order[next])] == at; ++next, dst += rows.bytes)
        std::memcpy(dst, value_rows + static_cast<size_t>(order[next]) * rows.bytes, rows.bytes);
      if (at == n) break;
      std::memcpy(dst, src, rows.bytes);
      src += rows.bytes;
      dst += rows.bytes;
    }
  }
}

template <From kFrom>
void add_insert(const char* name, Text doc) {
  Define<InsertParams> define(name);
  define.doc(doc)
      .origin("MXNet np_insert_op")
      .input("arr", "Any array.")
      .input("values", "Broadcasts to the places.");
  if (kFrom == From::tensor) define.input("obj", "Places, integers; without values the second input.");
  define
      .num_inputs([](const InsertParams& p) { return 1 + (p.val ? 0 : 1) + (kFrom == From::tensor ? 1 : 0); })
      .shape(insert_shape<kFrom>)
      .dtype([](const InsertParams&, DTypeInfer& d) { d.set_out(0, d.in(0)); })
      .kernel(insert_kernel<kFrom>)
      .element_cost(2)
      .grad_needs({}, {})
      .no_gradient()
      .done();
}

void delete_shape(const PlaceParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  if (p.from_input())
    s.reject("no int_ind and no slice are given; places of an array make the shape depend on its elements");
  int axis = 0;
  Shape out = along(p, s.in(0), &axis, s.name());
  out[axis] -= static_cast<int64_t>(places_of(p, out[axis], false, s.name()).size());
  s.set_out(0, out);
}
void delete_kernel(const PlaceParams& p, KernelArgs& args) {
  const View& x = args.in[0];
  int axis = 0;
  const Shape shape = along(p, x.shape(), &axis, args.name());
  const int64_t n = shape[axis];
  std::vector<bool> gone(static_cast<size_t>(n), false);
  for (const int64_t place : places_of(p, n, false, args.name())) gone[static_cast<size_t>(place)] = true;
  const Rows rows = rows_of(shape, axis, x.dtype);
  const char* src = x.as<char>();
  char* dst = args.out[0].as<char>();
  for (int64_t row = 0; row < rows.outer * n; ++row, src += rows.bytes) {
    if (gone[static_cast<size_t>(row % n)]) continue;
    std::memcpy(dst, src, rows.bytes);
    dst += rows.bytes;
  }
}

const Op& delete_op = Define<PlaceParams>("_npi_delete")
                          .doc("An array without one place or a slice of places along an axis.")
                          .origin("MXNet _npi_delete")
                          .input("arr", "Any array.")
                          .input("obj", "Refused: places of an array make the shape depend on its elements.")
                          .num_inputs([](const PlaceParams& p) { return p.from_input() ? 2 : 1; })
                          .shape(delete_shape)
                          .kernel(delete_kernel)
                          .element_cost(2)
                          .grad_needs({}, {})
                          .no_gradient();

const bool kRegistered = at_load([] {
  add_insert<From::scalar>("_npi_insert_scalar", "An array with values before one place.");
  add_insert<From::slice>("_npi_insert_slice", "An array with values before a slice of places.");
  add_insert<From::tensor>("_npi_insert_tensor",
                           "An array with values before places that another array holds.");

  Define<> polyval("_npi_polyval");
  polyval.doc("A polynomial at given places; the first coefficient is that of the highest power.")
      .origin("MXNet _npi_polyval; Horner's rule")
      .input("p", "Coefficients, one axis.")
      .input("x", "Any array of that dtype.");
  composed(polyval, [](const NoParams&, Composition& c) {
    if (c.shape(0).ndim() != 1) c.reject("expected coefficients along one axis");
    Tensor y = zeros_like(c.in(1));
    for (int64_t i = 0; i < c.shape(0)[0]; ++i) y = y * c.in(1) + numpy::slice_of(c.in(0), 0, i, i + 1);
    c.set(0, reshape_to(y, c.shape(1)));
  }).done();
});

}  // namespace
}  // namespace mixgrad::ops::numpy_statistics
