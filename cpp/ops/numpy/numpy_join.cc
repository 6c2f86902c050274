// Arrays put together, taken apart and lengthened: concatenate and its kin, splits, differences, margins.
#include <algorithm>
#include <cstdlib>

#include "base/load.h"
#include "launch/composed.h"
#include "ops/numpy/numpy.h"

namespace mixgrad::ops::numpy_join {
namespace {

using numpy::arange_of;
using numpy::joined;
using numpy::slice_of;
using numpy::taken;

struct ConcatenateParams {
  int32_t num_args = 0;
  std::optional<int32_t> axis = 0;
  static void fields(Fields<ConcatenateParams>& f) {
    f.required("num_args", &ConcatenateParams::num_args, "Number of inputs.", at_least(1))
        .add("axis", &ConcatenateParams::axis, "Along which axis; None joins the flattened arrays.");
  }
};
struct PileParams {
  int32_t num_args = 0, dim = 1;
  static void fields(Fields<PileParams>& f) {
    f.required("num_args", &PileParams::num_args, "Number of inputs.", at_least(1))
        .add("dim", &PileParams::dim, "Not used.");
  }
};
struct DiffParams {
  int32_t n = 1, axis = -1;
  static void fields(Fields<DiffParams>& f) {
    f.add("n", &DiffParams::n, "How often.", between(0, 65536))
        .add("axis", &DiffParams::axis, "Along which axis.");
  }
};
struct FlatDiffParams {
  bool to_begin_arr_given = false, to_end_arr_given = false;
  std::optional<double> to_begin_scalar, to_end_scalar;
  static void fields(Fields<FlatDiffParams>& f) {
    f.add("to_begin_arr_given", &FlatDiffParams::to_begin_arr_given, "An input holds what comes before.")
        .add("to_end_arr_given", &FlatDiffParams::to_end_arr_given, "An input holds what comes behind.")
        .add("to_begin_scalar", &FlatDiffParams::to_begin_scalar, "A number that comes before.")
        .add("to_end_scalar", &FlatDiffParams::to_end_scalar, "A number that comes behind.");
  }
};

enum class Margin : int32_t { constant, edge, reflect, symmetric, maximum, minimum };
struct MarginParams {
  std::string pad_width;
  Margin mode = Margin::constant;
  double constant_value = 0;
  std::string reflect_type = "even";
  static void fields(Fields<MarginParams>& f) {
    f.required("pad_width", &MarginParams::pad_width,
               "((before, after), ...), a pair for each axis, as text; one pair serves all axes.")
        .choice(
            "mode", &MarginParams::mode, {"constant", "edge", "reflect", "symmetric", "maximum", "minimum"},
            "What the margin holds: one value, the nearest element, a mirror image without or with the edge, "
            "or the extreme along the axis.")
        .add("constant_value", &MarginParams::constant_value, "The value of mode 'constant'.")
        .add("reflect_type", &MarginParams::reflect_type, "'even'.");
  }
};

std::vector<Tensor> inputs_of(const Composition& c) {
  std::vector<Tensor> all;
  for (int i = 0; i < c.num_inputs(); ++i) all.push_back(c.in(i));
  return all;
}
Tensor flat(const Tensor& x) { return reshape_to(x, {x->shape().size()}); }

// Arrays along `axis`, of one shape but for it.
Tensor joined_checked(const std::vector<Tensor>& parts, int axis, const Composition& c) {
  const Shape& first = parts[0]->shape();
  for (const Tensor& part : parts) {
    bool same = part->shape().ndim() == first.ndim();
    for (int i = 0; same && i < first.ndim(); ++i) same = i == axis || part->shape()[i] == first[i];
    if (!same) c.reject("expected one shape but for axis ", axis);
  }
  return joined(parts, axis);
}

// One dimension less than `n` gets axes in front; a 1-d array of dstack gets one behind, too.
enum class Pile { vertical, horizontal, deep, columns };
Tensor piled(Pile how, const Composition& c) {
  std::vector<Tensor> parts;
  for (const Tensor& x : inputs_of(c)) {
    const Shape& s = x->shape();
    Shape to = s;
    if (how == Pile::vertical) {
      while (to.ndim() < 2) to.insert(0, 1);
    } else if (how == Pile::horizontal) {
      if (to.ndim() == 0) to.push_back(1);
    } else if (how == Pile::deep) {
      while (to.ndim() < 2) to.insert(0, 1);
      if (to.ndim() < 3) to.push_back(1);
    } else {
      while (to.ndim() < 2) to.push_back(1);
    }
    parts.push_back(reshape_to(x, to));
  }
  const int axis = how == Pile::vertical                                      ? 0
                   : how == Pile::deep                                        ? 2
                   : how == Pile::horizontal && parts[0]->shape().ndim() == 1 ? 0
                                                                              : 1;
  return joined_checked(parts, axis, c);
}

template <Pile kHow, class P = PileParams>
void add_pile(const char* name, Text doc) {
  Define<P> define(name);
  define.doc(doc)
      .origin("MXNet np_matrix_op")
      .variadic("data", "Any arrays.", "num_args")
      .num_inputs([](const P& p) { return int{p.num_args}; });
  composed(define, [](const P&, Composition& c) { c.set(0, piled(kHow, c)); }).done();
}

struct VerticalParams {
  int32_t num_args = 0;
  static void fields(Fields<VerticalParams>& f) {
    f.required("num_args", &VerticalParams::num_args, "Number of inputs.", at_least(1));
  }
};

Tensor differences(Tensor x, int axis, int times) {
  for (int i = 0; i < times && x->shape()[axis] > 0; ++i) {
    const int64_t n = x->shape()[axis];
    x = slice_of(x, axis, std::min<int64_t>(1, n), n) - slice_of(x, axis, 0, n - 1);
  }
  return x;
}

// The pairs of ((1, 0), (2, 3)).
Shape margins_of(const MarginParams& p, int ndim, const Composition& c) {
  Shape flat_list;
  for (const char* at = p.pad_width.c_str(); *at;) {
    const bool digit = (*at >= '0' && *at <= '9') || *at == '-';
    if (!digit) {
      ++at;
      continue;
    }
    char* end = nullptr;
    const int64_t margin = std::strtoll(at, &end, 10);
    if (end == at || margin < 0 || margin > (int64_t{1} << 40) || flat_list.ndim() == kMaxDims)
      c.reject("pad_width is ", p.pad_width, "; expected pairs of numbers from 0 on");
    flat_list.push_back(margin);
    at = end;
  }
  if (flat_list.ndim() == 2 && ndim > 1 && ndim <= kMaxDims / 2) {
    for (int i = 1; i < ndim; ++i) {
      flat_list.push_back(flat_list[0]);
      flat_list.push_back(flat_list[1]);
    }
  }
  if (flat_list.ndim() != 2 * ndim) c.reject("pad_width is ", p.pad_width, "; expected a pair for each axis");
  return flat_list;
}

// Which places of an axis of n elements stand in it and its margins.
Tensor mirrored_places(Margin mode, int64_t n, int64_t before, int64_t after) {
  const Tensor place = arange_of(n + before + after) - static_cast<double>(before);
  if (mode == Margin::edge)
    return apply("clip", {place}, {{"a_min", 0.0}, {"a_max", static_cast<double>(n - 1)}});
  if (n == 1) return place * 0.0;
  const double period = static_cast<double>(mode == Margin::reflect ? 2 * (n - 1) : 2 * n);
  const double last = mode == Margin::reflect ? period : period - 1;
  const Tensor phase = apply("_mod_scalar", {place}, {{"scalar", period}});
  return apply("broadcast_minimum", {phase, last - phase});
}

Tensor with_margins(const MarginParams& p, const Composition& c) {
  Tensor x = c.in(0);
  const int ndim = x->shape().ndim();
  const Shape margins = margins_of(p, ndim, c);
  if (p.reflect_type != "even") c.reject("reflect_type is ", p.reflect_type, "; expected even");
  for (int axis = 0; axis < ndim; ++axis) {
    const int64_t before = margins[2 * axis], after = margins[2 * axis + 1], n = x->shape()[axis];
    if (before + after == 0) continue;
    if (p.mode != Margin::constant && n == 0)
      c.reject("axis ", axis, " has no elements; its margin needs mode constant");
    if (p.mode == Margin::edge || p.mode == Margin::reflect || p.mode == Margin::symmetric) {
      x = taken(x, mirrored_places(p.mode, n, before, after), axis);
      continue;
    }
    std::vector<Tensor> parts;
    for (const int64_t width : {before, int64_t{-1}, after}) {
      if (width == 0) continue;
      if (width < 0) {
        parts.push_back(x);
        continue;
      }
      Shape shape = x->shape();
      shape[axis] = width;
      const Tensor value = p.mode == Margin::constant
                               ? numpy::number_of(p.constant_value, x->dtype())
                               : apply(p.mode == Margin::maximum ? "_np_max" : "_np_min", {x},
                                       {{"axis", TupleValue(Shape{axis})}, {"keepdims", Value(true)}});
      parts.push_back(broadcast_to(value, shape));
    }
    x = joined(parts, axis);
  }
  return x;
}

const bool kRegistered = at_load([] {
  Define<ConcatenateParams> concatenate("_npi_concatenate");
  concatenate.doc("Arrays one after another along an axis.")
      .origin("MXNet _npi_concatenate")
      .variadic("data", "Arrays of one shape but for the axis.", "num_args")
      .num_inputs([](const ConcatenateParams& p) { return int{p.num_args}; });
  composed(concatenate, [](const ConcatenateParams& p, Composition& c) {
    std::vector<Tensor> parts = inputs_of(c);
    if (!p.axis) {
      for (Tensor& part : parts) part = flat(part);
    }
    c.set(0,
          joined_checked(parts, p.axis ? normalize_axis(*p.axis, parts[0]->shape().ndim(), c.name()) : 0, c));
  }).done();
  add_pile<Pile::vertical, VerticalParams>("_npi_vstack",
                                           "Arrays below one another; rows are arrays of one axis.");
  add_pile<Pile::horizontal>("_npi_hstack",
                             "Arrays beside one another, along the second axis or the only one.");
  add_pile<Pile::deep>("_npi_dstack", "Arrays behind one another, along the third axis.");
  add_pile<Pile::columns, VerticalParams>("_npi_column_stack",
                                          "Columns beside one another; arrays of one axis are columns.");

  Define<DiffParams> diff("_npi_diff");
  diff.doc("Differences of neighbours along an axis, taken n times.")
      .origin("MXNet _npi_diff")
      .input("a", "Any array.");
  composed(diff, [](const DiffParams& p, Composition& c) {
    if (c.shape(0).ndim() == 0) c.reject("expected at least one axis");
    c.set(0, differences(c.in(0), normalize_axis(p.axis, c.shape(0).ndim(), c.name()), p.n));
  }).done();
  Define<FlatDiffParams> ediff("_npi_ediff1d");
  ediff.doc("Differences of neighbours in the flattened array, with what comes before and behind.")
      .origin("MXNet _npi_ediff1d")
      .input("input1", "Any array.")
      .input("input2", "What comes before, or behind where nothing is given to come before.")
      .input("input3", "What comes behind.")
      .num_inputs(
          [](const FlatDiffParams& p) { return 1 + int{p.to_begin_arr_given} + int{p.to_end_arr_given}; });
  composed(ediff, [](const FlatDiffParams& p, Composition& c) {
    std::vector<Tensor> parts;
    const auto number = [&](double value) {
      return reshape_to(numpy::number_of(value, c.in(0)->dtype()), Shape{1});
    };
    int next = 1;
    if (p.to_begin_arr_given) parts.push_back(flat(c.in(next++)));
    if (p.to_begin_scalar) parts.push_back(number(*p.to_begin_scalar));
    const Tensor x = flat(c.in(0));
    parts.push_back(differences(x, 0, 1));
    if (p.to_end_arr_given) parts.push_back(flat(c.in(next++)));
    if (p.to_end_scalar) parts.push_back(number(*p.to_end_scalar));
    c.set(0, joined(parts, 0));
  }).done();

  Define<MarginParams> pad("_npi_pad");
  pad.doc("Margins around an array.").origin("MXNet _npi_pad").input("data", "Any array.");
  composed(pad, [](const MarginParams& p, Composition& c) { c.set(0, with_margins(p, c)); }).done();
});

}  // namespace
}  // namespace mixgrad::ops::numpy_join
