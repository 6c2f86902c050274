// sort, argsort and topk: one stable order of rows, shown as values, places or a mask.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/region.h"
#include "kernels/loops/sort.h"
#include "op/define.h"

namespace mixgrad::ops::sort {
namespace {

enum class TopkResult : int32_t { value, indices, mask, both };

struct SortParams {
  std::optional<int64_t> axis = -1;
  bool is_ascend = true;
  static void fields(Fields<SortParams>& f) {
    f.add("axis", &SortParams::axis, "The sorted axis; None sorts the flattened array.")
        .add("is_ascend", &SortParams::is_ascend, "Smallest first.");
  }
};

struct ArgsortParams {
  std::optional<int64_t> axis = -1;
  bool is_ascend = true;
  DType dtype = DType::float32;
  static void fields(Fields<ArgsortParams>& f) {
    f.add("axis", &ArgsortParams::axis, "The sorted axis; None sorts the flattened array.")
        .add("is_ascend", &ArgsortParams::is_ascend, "Smallest first.")
        .add("dtype", &ArgsortParams::dtype, "Element type of the indices.");
  }
};

struct TopkParams {
  std::optional<int64_t> axis = -1;
  int64_t k = 1;
  TopkResult ret_typ = TopkResult::indices;
  bool is_ascend = false;
  DType dtype = DType::float32;
  static void fields(Fields<TopkParams>& f) {
    f.add("axis", &TopkParams::axis, "The axis; None takes the flattened array.")
        .add("k", &TopkParams::k, "How many elements; below 1 all.")
        .choice("ret_typ", &TopkParams::ret_typ, {"value", "indices", "mask", "both"},
                "The elements, their indices, 1 where an element is among them, or elements and indices.")
        .add("is_ascend", &TopkParams::is_ascend, "The smallest instead of the largest.")
        .add("dtype", &TopkParams::dtype, "Element type of the indices.");
  }
};

// The array as (outer, length, inner) around the sorted axis.
struct SortAxis {
  int64_t outer = 1, length = 1, inner = 1;
};

SortAxis axis_of(std::optional<int64_t> axis, const Shape& shape, const char* who) {
  if (!axis || shape.ndim() == 0) return {1, shape.size(), 1};
  const int a = normalize_axis(*axis, shape.ndim(), who);
  return {shape.size(0, a), shape[a], shape.size(a + 1, shape.ndim())};
}

int64_t kept_of(const TopkParams& p, int64_t length) { return p.k < 1 ? length : p.k; }

// Copies between (outer, n, inner) and (outer, inner, n).
void swap_inner(const void* src, void* dst, int64_t outer, int64_t n, int64_t inner, size_t item) {
  const Shape to{outer, inner, n};
  StridedDims strides;
  strides.stride[0] = n * inner;
  strides.stride[1] = 1;
  strides.stride[2] = inner;
  copy_strided(src, strides, dst, contiguous_strides(to), to, item);
}

// Sorts along an axis; either result may be absent.
void sort_along(const View& in, const SortAxis& axis, int64_t keep, bool ascending, const View* values,
                const View* places) {
  if (in.size() == 0 || keep == 0) return;
  const size_t item = size_of(in.dtype);
  const SortRows rows{axis.outer * axis.inner, axis.length, keep, ascending};
  const bool transposed = axis.inner > 1;
  const void* data = in.data;
  std::unique_ptr<char[]> moved, sorted;
  if (transposed) {
    moved.reset(new char[in.bytes()]);
    swap_inner(in.data, moved.get(), axis.outer, axis.length, axis.inner, item);
    data = moved.get();
  }
  const int64_t count = rows.rows * keep;
  std::unique_ptr<int32_t[]> own_indices;
  int32_t* indices = places && places->dtype == DType::int32 && !transposed ? places->as<int32_t>() : nullptr;
  if (!indices) {
    own_indices.reset(new int32_t[static_cast<size_t>(count)]);
    indices = own_indices.get();
  }
  argsort_rows(rows, data, in.dtype, indices);
  if (values) {
    if (transposed) sorted.reset(new char[static_cast<size_t>(count) * item]);
    take_sorted(rows, data, in.dtype, indices, transposed ? sorted.get() : values->data);
    if (transposed) swap_inner(sorted.get(), values->data, axis.outer, axis.inner, keep, item);
  }
  if (!places || indices == places->data) return;
  std::unique_ptr<int32_t[]> turned_indices;
  if (transposed) {
    turned_indices.reset(new int32_t[static_cast<size_t>(count)]);
    swap_inner(indices, turned_indices.get(), axis.outer, axis.inner, keep, sizeof(int32_t));
    indices = turned_indices.get();
  }
  parallel_for(count, 65536, [&](int64_t begin, int64_t end) {
    convert(indices + begin, DType::int32,
            places->as<char>() + static_cast<size_t>(begin) * size_of(places->dtype), places->dtype,
            end - begin);
  });
}

void mask_along(const View& in, const SortAxis& axis, int64_t keep, bool ascending, const View& mask) {
  fill_elements(mask, 0);
  if (in.size() == 0 || keep == 0) return;
  const Shape shape{axis.outer, keep, axis.inner};
  std::unique_ptr<int32_t[]> indices(new int32_t[static_cast<size_t>(shape.size())]);
  View places;
  places.data = indices.get();
  places.shape_ref = &shape;
  places.dtype = DType::int32;
  sort_along(in, axis, keep, ascending, nullptr, &places);
  const double one_value = 1;
  uint64_t one = 0;
  const size_t item = size_of(mask.dtype);
  convert(&one_value, DType::float64, &one, mask.dtype, 1);
  for (int64_t at = 0; at < shape.size(); ++at) {
    const int64_t o = at / axis.inner / keep, i = at % axis.inner;
    const int64_t offset = (o * axis.length + indices[static_cast<size_t>(at)]) * axis.inner + i;
    std::memcpy(mask.as<char>() + static_cast<size_t>(offset) * item, &one, item);
  }
}

// Indices must fit the dtype that shows them.
void check_index_dtype(DType dtype, int64_t length, ShapeInfer& s) {
  int64_t most = INT32_MAX;
  if (dtype == DType::uint8) most = 256;
  if (dtype == DType::int8) most = 128;
  if (dtype == DType::float16) most = 2048;
  if (dtype == DType::bfloat16) most = 256;
  if (dtype == DType::float32) most = 1 << 24;
  if (dtype == DType::boolean) most = 2;
  if (length > most) s.reject(length, " places do not fit into ", name_of(dtype), "; ask for dtype int64");
}

Shape sorted_shape(std::optional<int64_t> axis, const Shape& in, int64_t keep) {
  if (in.ndim() == 0) return in;
  if (!axis) return {keep};
  Shape out = in;
  out[static_cast<int>(*axis < 0 ? *axis + in.ndim() : *axis)] = keep;
  return out;
}

void infer_sort(const SortParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const int64_t length = axis_of(p.axis, s.in(0), s.name()).length;
  check_index_dtype(DType::int32, length, s);
  s.set_out(0, sorted_shape(p.axis, s.in(0), length));
  s.set_out(1, s.out(0));
}

void infer_topk(const TopkParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const int64_t length = axis_of(p.axis, s.in(0), s.name()).length;
  const int64_t keep = kept_of(p, length);
  if (keep > length) s.reject("k = ", p.k, " of an axis of extent ", length);
  check_index_dtype(
      p.ret_typ == TopkResult::indices || p.ret_typ == TopkResult::both ? p.dtype : DType::int32, length, s);
  if (p.ret_typ == TopkResult::mask) return s.set_out(0, s.in(0));
  for (int i = 0; i < s.num_outputs(); ++i) s.set_out(i, sorted_shape(p.axis, s.in(0), keep));
}

void infer_topk_dtype(const TopkParams& p, DTypeInfer& d) {
  d.set_out(0, p.ret_typ == TopkResult::indices ? p.dtype : d.in(0));
  if (p.ret_typ == TopkResult::both) d.set_out(1, p.dtype);
  if (p.ret_typ == TopkResult::value) d.set_out(1, DType::int32);
}

void topk_kernel(const TopkParams& p, KernelArgs& args) {
  const View& in = args.in[0];
  const SortAxis axis = axis_of(p.axis, in.shape(), args.name());
  const int64_t keep = kept_of(p, axis.length);
  if (p.ret_typ == TopkResult::mask) return mask_along(in, axis, keep, p.is_ascend, args.out[0]);
  const bool values = p.ret_typ != TopkResult::indices;
  sort_along(in, axis, keep, p.is_ascend, values ? &args.out[0] : nullptr, &args.out[values ? 1 : 0]);
}

double sort_cost(std::optional<int64_t> axis, const Shape& shape) {
  const double n = static_cast<double>(std::max<int64_t>(1, axis_of(axis, shape, "sort").length));
  return static_cast<double>(shape.size()) * (2 + 2 * std::log2(n + 1));
}

// The values' gradient goes back to the places they came from.
void place_back(std::optional<int64_t> axis, Grad& g) {
  const Value along = axis && g.in_shape(0).ndim() > 0 ? Value(*axis) : Value();
  g.set(0, apply("_place_along_axis", {g.out_grad(), g.out(1)},
                 {{"axis", along}, {"shape", TupleValue(g.in_shape(0))}}));
}

const Op& sort_op =
    Define<SortParams>("sort")
        .alias("_npi_sort")
        .doc("Sorted along an axis. Equal elements keep their order; NaN counts as larger than all.")
        .origin("MXNet sort")
        .input("data", "Any array.")
        .outputs({"values", "indices"})
        .num_visible([](const SortParams&) { return 1; })
        .shape(infer_sort)
        .dtype([](const SortParams&, DTypeInfer& d) {
          infer_first_dtype(d);
          d.set_out(1, DType::int32);
        })
        .kernel([](const SortParams& p, KernelArgs& args) {
          const SortAxis axis = axis_of(p.axis, args.in[0].shape(), args.name());
          sort_along(args.in[0], axis, axis.length, p.is_ascend, &args.out[0], &args.out[1]);
        })
        .cost([](const SortParams& p, Span<const Shape> in) { return sort_cost(p.axis, in[0]); })
        .grad_needs({}, {1})
        .grad([](const SortParams& p, Grad& g) { place_back(p.axis, g); });

const Op& argsort_op =
    Define<ArgsortParams>("argsort")
        .alias("_npi_argsort")
        .doc(
            "Indices that sort along an axis. Equal elements keep their order; NaN counts as larger than "
            "all.")
        .origin("MXNet argsort")
        .input("data", "Any array.")
        .shape([](const ArgsortParams& p, ShapeInfer& s) {
          if (!s.known(0)) return;
          const int64_t length = axis_of(p.axis, s.in(0), s.name()).length;
          check_index_dtype(p.dtype, length, s);
          s.set_out(0, sorted_shape(p.axis, s.in(0), length));
        })
        .dtype([](const ArgsortParams& p, DTypeInfer& d) { d.set_out(0, p.dtype); })
        .kernel([](const ArgsortParams& p, KernelArgs& args) {
          const SortAxis axis = axis_of(p.axis, args.in[0].shape(), args.name());
          sort_along(args.in[0], axis, axis.length, p.is_ascend, nullptr, &args.out[0]);
        })
        .cost([](const ArgsortParams& p, Span<const Shape> in) { return sort_cost(p.axis, in[0]); })
        .grad_needs({}, {})
        .no_gradient();

const Op& topk_op =
    Define<TopkParams>("topk")
        .alias("_npx_topk")
        .doc(
            "The k largest (or smallest) elements along an axis, in order, as values, indices or a mask. Of "
            "equal elements "
            "the first ones are taken.")
        .origin("MXNet topk")
        .input("data", "Any array.")
        .outputs({"output0", "output1"})
        .num_outputs([](const TopkParams& p) {
          return p.ret_typ == TopkResult::both || p.ret_typ == TopkResult::value ? 2 : 1;
        })
        .num_visible([](const TopkParams& p) { return p.ret_typ == TopkResult::both ? 2 : 1; })
        .shape(infer_topk)
        .dtype(infer_topk_dtype)
        .kernel(topk_kernel)
        .cost([](const TopkParams& p, Span<const Shape> in) {
          return p.k < 1 ? sort_cost(p.axis, in[0]) : static_cast<double>(in[0].size()) * 3;
        })
        .grad_needs({}, {1})
        .grad([](const TopkParams& p, Grad& g) {
          if (p.ret_typ == TopkResult::value || p.ret_typ == TopkResult::both) place_back(p.axis, g);
        });

}  // namespace
}  // namespace mixgrad::ops::sort
