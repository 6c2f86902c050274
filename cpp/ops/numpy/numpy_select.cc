// Choices between elements, places that masks and indices name, rounding, and checks, in NumPy's namespace.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/load.h"
#include "kernels/loops/convert.h"
#include "kernels/math/math.h"
#include "launch/composed.h"
#include "ops/numpy/numpy.h"

namespace mixgrad::ops::numpy_select {
namespace {

struct OneParams {
  double scalar = 0;
  static void fields(Fields<OneParams>& f) { f.add("scalar", &OneParams::scalar, "The number."); }
};
struct TwoParams {
  double x = 0, y = 0;
  static void fields(Fields<TwoParams>& f) {
    f.add("x", &TwoParams::x, "Where the condition holds.").add("y", &TwoParams::y, "Elsewhere.");
  }
};
struct NanParams {
  bool copy = true;
  double nan = 0;
  std::optional<double> posinf, neginf;
  static void fields(Fields<NanParams>& f) {
    f.add("copy", &NanParams::copy, "Not used: where the result goes says out.")
        .add("nan", &NanParams::nan, "In place of NaN.")
        .add("posinf", &NanParams::posinf, "In place of infinity; None is the largest number of the dtype.")
        .add("neginf", &NanParams::neginf,
             "In place of its negative; None is the smallest number of the dtype.");
  }
};
struct AroundParams {
  int32_t decimals = 0;
  static void fields(Fields<AroundParams>& f) {
    f.add("decimals", &AroundParams::decimals, "Digits behind the point; below 0 tens, hundreds, ...",
          between(-300, 300));
  }
};
struct MaskParams {
  int32_t start_axis = 0;
  static void fields(Fields<MaskParams>& f) {
    f.add("start_axis", &MaskParams::start_axis, "The axis of data that the mask's first one belongs to.",
          at_least(0));
  }
};
struct MaskNumberParams {
  float value = 0;
  int32_t start_axis = 0;
  static void fields(Fields<MaskNumberParams>& f) {
    f.add("value", &MaskNumberParams::value, "The number.")
        .add("start_axis", &MaskNumberParams::start_axis,
             "The axis of data that the mask's first one belongs to.", at_least(0));
  }
};
struct MessageParams {
  std::string msg = "Constraint violated.";
  static void fields(Fields<MessageParams>& f) { f.add("msg", &MessageParams::msg, "What the error says."); }
};
struct SplitParams {
  Shape indices;
  int32_t axis = 1;
  bool squeeze_axis = false;
  int32_t sections = 0;
  static void fields(Fields<SplitParams>& f) {
    f.required("indices", &SplitParams::indices, "Where the parts begin, the first at 0.")
        .add("axis", &SplitParams::axis, "Not used: the second axis, or the only one.")
        .add("squeeze_axis", &SplitParams::squeeze_axis, "Drops the axis of parts of extent 1.")
        .add("sections", &SplitParams::sections, "Number of equal parts, instead of indices.", at_least(0));
  }
};

Tensor chosen(const Tensor& condition, const Tensor& x, const Tensor& y, const char* who) {
  const Shape shape = broadcast(broadcast(condition->shape(), x->shape(), who), y->shape(), who);
  return select(broadcast_to(condition, shape), broadcast_to(x, shape), broadcast_to(y, shape));
}

double largest_of(DType t) {
  if (t == DType::float16) return 65504;
  if (t == DType::bfloat16) return 3.3895313892515355e38;
  return t == DType::float64 ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()};
}

// A mask over axes [start, start + mask axes) of data, as (outer, places, inner).
struct MaskPlan {
  int64_t outer, places, inner;
};
MaskPlan plan_of(const Shape& data, const Shape& mask, int start) {
  return {data.size(0, start), mask.size(), data.size(start + mask.ndim(), data.ndim())};
}
void check_mask(int start, ShapeInfer& s) {
  s.set_out(0, s.in(0));
  if (!s.known(0) || !s.known(1)) return;
  const Shape &data = s.in(0), &mask = s.in(1);
  bool fits = start <= data.ndim() - mask.ndim();
  for (int i = 0; fits && i < mask.ndim(); ++i) fits = mask[i] == data[start + i];
  if (!fits) s.reject("the mask does not fit data from axis ", start, " on");
}

// Copies data to out and gives the marks of the mask.
std::vector<uint8_t> begin_assignment(KernelArgs& args) {
  const View &data = args.in[0], &mask = args.in[1], &out = args.out[0];
  if (out.data != data.data) std::memcpy(out.data, data.data, data.bytes());
  std::vector<uint8_t> marks(static_cast<size_t>(mask.size()));
  convert(mask.data, mask.dtype, marks.data(), DType::boolean, mask.size());
  return marks;
}

void assign_number(const MaskNumberParams& p, KernelArgs& args) {
  const std::vector<uint8_t> marks = begin_assignment(args);
  const View& out = args.out[0];
  const MaskPlan plan = plan_of(out.shape(), args.in[1].shape(), p.start_axis);
  const size_t item = size_of(out.dtype);
  const double value = p.value;
  char number[8];
  convert(&value, DType::float64, number, out.dtype, 1);
  for (int64_t row = 0; row < plan.outer * plan.places; ++row) {
    if (!marks[static_cast<size_t>(row % plan.places)]) continue;
    char* at = out.as<char>() + static_cast<size_t>(row * plan.inner) * item;
    for (int64_t i = 0; i < plan.inner; ++i) std::memcpy(at + static_cast<size_t>(i) * item, number, item);
  }
}

void assign_array(const MaskParams& p, KernelArgs& args) {
  const std::vector<uint8_t> marks = begin_assignment(args);
  const View &value = args.in[2], &out = args.out[0];
  const MaskPlan plan = plan_of(out.shape(), args.in[1].shape(), p.start_axis);
  const int64_t marked = std::count(marks.begin(), marks.end(), uint8_t{1});
  // value broadcasts to (outer axes, marked places, inner axes).
  Shape selected(out.shape().data(), p.start_axis);
  selected.push_back(marked);
  for (int i = p.start_axis + args.in[1].shape().ndim(); i < out.shape().ndim(); ++i)
    selected.push_back(out.shape()[i]);
  const Shape& given = value.shape();
  const int lead = selected.ndim() - given.ndim();
  bool fits = lead >= 0;
  for (int i = 0; fits && i < given.ndim(); ++i) fits = given[i] == 1 || given[i] == selected[lead + i];
  if (!fits) {
    fail(Status::shape, "[", args.name(), "] value has shape ", given,
         "; expected one that broadcasts to the ", marked, " places that the mask marks, ", selected);
  }
  if (selected.size() == 0) return;
  std::vector<int64_t> strides(static_cast<size_t>(selected.ndim()), 0);
  int64_t stride = 1;
  for (int i = given.ndim() - 1; i >= 0; --i) {
    strides[static_cast<size_t>(lead + i)] = given[i] == 1 ? 0 : stride;
    stride *= given[i];
  }
  const size_t item = size_of(out.dtype);
  int64_t place = 0;
  for (int64_t row = 0; row < plan.outer * plan.places; ++row) {
    if (!marks[static_cast<size_t>(row % plan.places)]) continue;
    for (int64_t i = 0; i < plan.inner; ++i, ++place) {
      int64_t rest = place, from = 0;
      for (int d = selected.ndim() - 1; d >= 0; --d) {
        from += rest % selected[d] * strides[static_cast<size_t>(d)];
        rest /= selected[d];
      }
      std::memcpy(out.as<char>() + static_cast<size_t>(row * plan.inner + i) * item,
                  value.as<char>() + static_cast<size_t>(from) * item, item);
    }
  }
}

const bool kRegistered = at_load([] {
  Define<> where("_npi_where");
  where.doc("x where the condition is not 0, elsewhere y.")
      .origin("MXNet _npi_where")
      .input("condition", "Any array; shapes broadcast.")
      .input("x", "Any array.")
      .input("y", "Any array of that dtype.");
  composed(where,
           [](const NoParams&, Composition& c) { c.set(0, chosen(c.in(0), c.in(1), c.in(2), c.name())); })
      .dtype([](const NoParams&, DTypeInfer& d) {
        d.set_in(2, d.in(1));
        d.set_in(1, d.in(2));
        d.set_out(0, d.in(1));
      })
      .done();
  const auto like_second = [](const OneParams&, DTypeInfer& d) { d.set_out(0, d.in(1)); };
  Define<OneParams> left("_npi_where_lscalar");
  left.doc("A number where the condition is not 0, elsewhere x.")
      .origin("MXNet _npi_where_lscalar")
      .input("condition", "Any array; shapes broadcast.")
      .input("x", "Any array.");
  composed(left,
           [](const OneParams& p, Composition& c) {
             c.set(0, chosen(c.in(0), numpy::number_of(p.scalar, c.in(1)->dtype()), c.in(1), c.name()));
           })
      .dtype(like_second)
      .done();
  Define<OneParams> right("_npi_where_rscalar");
  right.doc("y where the condition is not 0, elsewhere a number.")
      .origin("MXNet _npi_where_rscalar")
      .input("condition", "Any array; shapes broadcast.")
      .input("y", "Any array.");
  composed(right,
           [](const OneParams& p, Composition& c) {
             c.set(0, chosen(c.in(0), c.in(1), numpy::number_of(p.scalar, c.in(1)->dtype()), c.name()));
           })
      .dtype(like_second)
      .done();
  Define<TwoParams> numbers("_npi_where_scalar2");
  numbers.doc("One number where the condition is not 0, another elsewhere; float32.")
      .origin("MXNet _npi_where_scalar2")
      .input("condition", "Any array.");
  composed(numbers, [](const TwoParams& p, Composition& c) {
    c.set(0, chosen(c.in(0), numpy::number_of(p.x, DType::float32), numpy::number_of(p.y, DType::float32),
                    c.name()));
  }).dtype([](const TwoParams&, DTypeInfer& d) {
      d.set_out(0, DType::float32);
    }).done();

  Define<NanParams> nan("_npi_nan_to_num");
  nan.doc("Numbers in place of NaN and infinities.")
      .origin("MXNet _npi_nan_to_num")
      .input("data", "Any array.");
  composed(nan, [](const NanParams& p, Composition& c) {
    const Tensor x = c.in(0);
    const DType t = x->dtype();
    if (!is_float(t)) return c.set(0, x);
    Tensor y = chosen(apply("_npi_isnan", {x}), numpy::number_of(p.nan, t), x, c.name());
    y = chosen(apply("_npi_isposinf", {x}), numpy::number_of(p.posinf.value_or(largest_of(t)), t), y,
               c.name());
    c.set(0, chosen(apply("_npi_isneginf", {x}), numpy::number_of(p.neginf.value_or(-largest_of(t)), t), y,
                    c.name()));
  }).done();

  Define<SplitParams> split("_npi_hsplit");
  split.doc("Cuts an array along its second axis, or its only one.")
      .origin("MXNet _npi_hsplit")
      .input("data", "At least one axis.")
      .num_outputs([](const SplitParams& p) { return p.sections > 0 ? int{p.sections} : p.indices.ndim(); });
  composed(split,
           [](const SplitParams& p, Composition& c) {
             if (c.shape(0).ndim() == 0) c.reject("expected at least one axis");
             const Tensor in[] = {c.in(0)};
             const TupleValue indices(p.indices);
             const NamedValue values[] = {{"indices", indices},
                                          {"axis", c.shape(0).ndim() > 1 ? 1 : 0},
                                          {"squeeze_axis", Value(p.squeeze_axis)},
                                          {"sections", p.sections}};
             const std::vector<Tensor> parts = apply_all("_split_v2", in, values);
             for (size_t i = 0; i < parts.size(); ++i) c.set(static_cast<int>(i), parts[i]);
           })
      .dtype([](const SplitParams&, DTypeInfer& d) {
        for (int i = 0; i < d.num_outputs(); ++i) d.set_out(i, d.in(0));
      })
      .done();
});

const Op& around =
    Define<AroundParams>("_npi_around")
        .doc("Rounded to so many decimals, halves to the even neighbour.")
        .origin("MXNet _npi_around")
        .input("x", "Any array of numbers.")
        .dtype([](const AroundParams&, DTypeInfer& d) { infer_numpy_dtypes(NumpyDTypes::same, d); })
        .pointwise_int(MG_SCALAR(math::around(x, p.decimals)))
        .element_cost(4)
        .grad_needs({}, {})
        .no_gradient();

const Op& assign_scalar =
    Define<MaskNumberParams>("_npi_boolean_mask_assign_scalar")
        .overwrites_first()
        .doc("data with one number where a mask holds.")
        .origin("MXNet _npi_boolean_mask_assign_scalar")
        .input("data", "Any array.")
        .input("mask", "Of the extents of some neighbouring axes of data.")
        .shape([](const MaskNumberParams& p, ShapeInfer& s) { check_mask(p.start_axis, s); })
        .dtype([](const MaskNumberParams&, DTypeInfer& d) { d.set_out(0, d.in(0)); })
        .kernel(assign_number)
        .grad_needs({}, {})
        .no_gradient();

const Op& assign_tensor =
    Define<MaskParams>("_npi_boolean_mask_assign_tensor")
        .overwrites_first()
        .doc("data with the elements of an array, one after another, where a mask holds.")
        .origin("MXNet _npi_boolean_mask_assign_tensor")
        .input("data", "Any array.")
        .input("mask", "Of the extents of some neighbouring axes of data.")
        .input("value", "Broadcasts to the places that the mask marks; of the dtype of data.")
        .shape([](const MaskParams& p, ShapeInfer& s) { check_mask(p.start_axis, s); })
        .dtype([](const MaskParams&, DTypeInfer& d) {
          d.set_in(2, d.in(0));
          d.set_out(0, d.in(0));
        })
        .kernel(assign_array)
        .grad_needs({}, {})
        .no_gradient();

void truth_shape(ShapeInfer& s) { s.set_out(0, Shape()); }

const Op& share_memory = Define<>("_npi_share_memory")
                             .doc("Whether two arrays have memory in common.")
                             .origin("MXNet _npi_share_memory")
                             .input("a", "Any array.")
                             .input("b", "Any array.")
                             .shape([](const NoParams&, ShapeInfer& s) { truth_shape(s); })
                             .dtype([](const NoParams&, DTypeInfer& d) { d.set_out(0, DType::boolean); })
                             .kernel([](const NoParams&, KernelArgs& args) {
                               const View &a = args.in[0], &b = args.in[1];
                               const char *x = a.as<char>(), *y = b.as<char>();
                               const bool some = a.size() > 0 && b.size() > 0;
                               *args.out[0].as<uint8_t>() =
                                   some && x < y + b.bytes() && y < x + a.bytes() ? 1 : 0;
                             })
                             .grad_needs({}, {})
                             .no_gradient();

const Op& constraint_check =
    Define<MessageParams>("_npx_constraint_check")
        .doc("True; an error unless all elements hold.")
        .origin("MXNet _npx_constraint_check")
        .input("input", "bool.")
        .shape([](const MessageParams&, ShapeInfer& s) { truth_shape(s); })
        .dtype([](const MessageParams&, DTypeInfer& d) {
          d.set_in(0, DType::boolean);
          d.set_out(0, DType::boolean);
        })
        .kernel([](const MessageParams& p, KernelArgs& args) {
          const View& x = args.in[0];
          for (int64_t i = 0; i < x.size(); ++i) {
            if (!x.as<uint8_t>()[i])
              fail(Status::invalid_argument, "[", args.name(), "] ", p.msg, " (element ", i, ")");
          }
          *args.out[0].as<uint8_t>() = 1;
        })
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::numpy_select
