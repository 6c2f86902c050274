// Indexing with arrays: Python's x[i, j] and x[i, j] = v come here when the indices are arrays of integers.
#include <algorithm>
#include <vector>

#include "kernels/loops/gather.h"
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::index {
namespace {

struct IndexParams {
  int64_t num_args = 0;
  Shape axes;
  IndexMode mode = IndexMode::python;
  template <class P>
  static void index_fields(Fields<P>& f) {
    f.add("num_args", static_cast<int64_t P::*>(&P::num_args),
          "Number of inputs; 0 takes as many as are given.", between(0, kMaxDims + 2))
        .required("axes", static_cast<Shape P::*>(&P::axes),
                  "The indexed axes, ascending; one array of indices each.")
        .choice("mode", static_cast<IndexMode P::*>(&P::mode), {"python", "clip", "wrap", "raise"},
                "Indices outside the axis: negatives count from the end and others fail, are clipped, wrap "
                "around, or "
                "all fail.");
  }
  static void fields(Fields<IndexParams>& f) { index_fields(f); }
};

struct PlaceParams : IndexParams {
  Shape shape;
  static void fields(Fields<PlaceParams>& f) {
    index_fields(f);
    f.required("shape", &PlaceParams::shape, "Extents of the output.");
  }
};

template <class P>
int index_inputs_of(const P& p) {
  return p.num_args > 0 ? static_cast<int>(p.num_args) : -1;
}

// The shape of the selected elements; inputs from `first` on are the indices. False while shapes are unknown.
bool selected_shape(const IndexParams& p, ShapeInfer& s, const Shape& whole, int first, Shape* out) {
  const int given = s.num_inputs() - first;
  if (given != p.axes.ndim()) s.reject(given, " arrays of indices for axes ", p.axes);
  bool known = whole.known();
  for (int i = first; i < s.num_inputs(); ++i) known = known && s.known(i);
  if (!known) return false;
  Shape index_shape;
  for (int k = 0; k < given; ++k) {
    const bool ascends = k == 0 || p.axes[k] > p.axes[k - 1];
    if (!ascends || p.axes[k] < 0 || p.axes[k] >= whole.ndim()) {
      s.reject("axes ", p.axes, " must ascend within ", whole.ndim(), " axes");
    }
    index_shape = broadcast(index_shape, s.in(first + k), s.name());
  }
  *out = gathered_shape(whole, p.axes, index_shape);
  return true;
}

Shape broadcast_index_shape(Span<const View> indices, const char* who) {
  Shape shape;
  for (const View& index : indices) shape = broadcast(shape, index.shape(), who);
  return shape;
}

IndexPlan plan_of(const IndexParams& p, const Shape& whole, Span<const View> indices, const char* who) {
  return plan_indices(whole, p.axes, indices, broadcast_index_shape(indices, who), p.mode, who);
}

void first_dtype(DTypeInfer& d) { d.set_out(0, d.in(0)); }
void two_dtypes(DTypeInfer& d) {
  d.set_in(1, d.in(0));
  d.set_in(0, d.in(1));
  d.set_out(0, d.in(0));
}

void infer_write(const IndexParams& p, ShapeInfer& s) {
  s.set_out(0, s.in(0));
  Shape selected;
  if (s.num_inputs() < 2) s.reject("expected lhs, rhs and the indices");
  if (!selected_shape(p, s, s.in(0), 2, &selected) || !s.known(1)) return;
  const Shape& rhs = s.in(1);
  const int lead = selected.ndim() - rhs.ndim();
  bool fits = lead >= 0;
  for (int i = 0; fits && i < rhs.ndim(); ++i) fits = rhs[i] == selected[i + lead] || rhs[i] == 1;
  if (!fits) s.reject("rhs does not broadcast to the selected elements, ", selected);
}

// rhs broadcast to the selected elements; copied when it is smaller, or shares memory with what is written.
class RightHandSide {
 public:
  RightHandSide(const View& rhs, const View& out, const Shape& selected) : data_(rhs.data) {
    const char *a = rhs.as<char>(), *b = out.as<char>();
    const bool overlaps = a < b + out.bytes() && b < a + rhs.bytes();
    if (rhs.size() == selected.size() && !overlaps) return;
    const size_t item = size_of(rhs.dtype);
    copy_.resize(static_cast<size_t>(selected.size()) * item);
    copy_strided(rhs.data, broadcast_strides(rhs.shape(), selected), copy_.data(),
                 contiguous_strides(selected), selected, item);
    data_ = copy_.data();
  }
  const void* data() const { return data_; }

 private:
  const void* data_;
  std::vector<char> copy_;
};

template <bool kAdd>
void write_kernel(const IndexParams& p, KernelArgs& args) {
  const View &lhs = args.in[0], &out = args.out[0];
  const Span<const View> indices = args.in.subspan(2, args.in.size() - 2);
  const Shape index_shape = broadcast_index_shape(indices, args.name());
  const IndexPlan plan = plan_indices(lhs.shape(), p.axes, indices, index_shape, p.mode, args.name());
  const RightHandSide rhs(args.in[1], out, gathered_shape(lhs.shape(), p.axes, index_shape));
  copy_elements(lhs, out);
  if (kAdd) {
    scatter_add_rows(plan, rhs.data(), out);
  } else {
    scatter_rows(plan, rhs.data(), out.data, out.size(), size_of(out.dtype));
  }
}

// Applies an index operator to `first` and the indices, which are the gradient's inputs from `from` on.
Tensor with_indices(const char* op, std::vector<Tensor> inputs, const IndexParams& p, Grad& g, int from,
                    const Shape* shape = nullptr) {
  static const char* const modes[] = {"python", "clip", "wrap", "raise"};
  for (int i = from; i < g.num_inputs(); ++i) inputs.push_back(g.in(i));
  const TupleValue axes(p.axes), extents(shape ? *shape : Shape());
  const NamedValue values[] = {{"num_args", static_cast<int64_t>(inputs.size())},
                               {"axes", axes},
                               {"mode", modes[static_cast<int>(p.mode)]},
                               {"shape", extents}};
  return apply(op, inputs, Span<const NamedValue>(values, shape ? 4 : 3));
}

double moved_cost(Span<const Shape> in) {
  double elements = 0;
  for (const Shape& shape : in) elements += static_cast<double>(shape.size());
  return elements * 1.5;
}

const Op& gather =
    Define<IndexParams>("_index_gather")
        .doc(
            "data[..., indices, ...] with NumPy's rules: arrays of indices broadcast together and their axes "
            "take the place "
            "of the indexed axes, or come first when those are not adjacent.")
        .variadic("data", "The array, then one array of integers per entry of axes.", "num_args")
        .num_inputs(index_inputs_of<IndexParams>)
        .shape([](const IndexParams& p, ShapeInfer& s) {
          Shape selected;
          if (selected_shape(p, s, s.in(0), 1, &selected)) s.set_out(0, selected);
        })
        .dtype([](const IndexParams&, DTypeInfer& d) { first_dtype(d); })
        .kernel([](const IndexParams& p, KernelArgs& args) {
          const View& data = args.in[0];
          gather_rows(plan_of(p, data.shape(), args.in.subspan(1, args.in.size() - 1), args.name()),
                      data.data, args.out[0].data, size_of(data.dtype));
        })
        .element_cost(1.5)
        .grad_needs({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, {})
        .grad([](const IndexParams& p, Grad& g) {
          g.set(0, with_indices("_index_place", {g.out_grad()}, p, g, 1, &g.in_shape(0)));
        });

const Op& place =
    Define<PlaceParams>("_index_place")
        .doc(
            "Zeros of the given shape, to which data is added at the indexed places: the gradient of "
            "_index_gather.")
        .variadic("data", "The selected elements, then one array of integers per entry of axes.", "num_args")
        .num_inputs(index_inputs_of<PlaceParams>)
        .shape([](const PlaceParams& p, ShapeInfer& s) {
          Shape selected;
          if (selected_shape(p, s, p.shape, 1, &selected)) s.set_in(0, selected);
          s.set_out(0, p.shape);
        })
        .dtype([](const PlaceParams&, DTypeInfer& d) { first_dtype(d); })
        .kernel([](const PlaceParams& p, KernelArgs& args) {
          const View& out = args.out[0];
          const IndexPlan plan = plan_of(p, p.shape, args.in.subspan(1, args.in.size() - 1), args.name());
          fill_elements(out, 0);
          scatter_add_rows(plan, args.in[0].data, out);
        })
        .cost([](const PlaceParams& p, Span<const Shape> in) {
          return moved_cost(in) + 0.2 * static_cast<double>(p.shape.size());
        })
        .grad_needs({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, {})
        .grad([](const PlaceParams& p, Grad& g) {
          g.set(0, with_indices("_index_gather", {g.out_grad()}, p, g, 1));
        });

const Op& put =
    Define<IndexParams>("_index_put")
        .overwrites_first()
        .doc(
            "lhs with lhs[..., indices, ...] = rhs; where indices repeat, the last value stays. When the "
            "output is lhs "
            "itself, only the indexed places are written. The gradient counts every repeated value of rhs.")
        .variadic(
            "data",
            "lhs, rhs (broadcasts to the selected elements), then one array of integers per entry of axes.",
            "num_args")
        .num_inputs(index_inputs_of<IndexParams>)
        .shape(infer_write)
        .dtype([](const IndexParams&, DTypeInfer& d) { two_dtypes(d); })
        .kernel(write_kernel<false>)
        .cost(
            [](const IndexParams&, Span<const Shape> in) { return moved_cost(in.subspan(1, in.size() - 1)); })
        .grad_needs({2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, {})
        .grad([](const IndexParams& p, Grad& g) {
          const Tensor grad = g.out_grad();
          const Tensor taken = with_indices("_index_gather", {grad}, p, g, 2);
          if (g.wants(1)) g.set(1, sum_to(taken, g.in_shape(1)));
          if (g.wants(0)) g.set(0, with_indices("_index_put", {grad, zeros_like(taken)}, p, g, 2));
        });

const Op& add =
    Define<IndexParams>("_index_add")
        .overwrites_first()
        .doc(
            "lhs with rhs added to lhs[..., indices, ...]; where indices repeat, all values are added, in "
            "order. When the "
            "output is lhs itself, only the indexed places are written.")
        .variadic(
            "data",
            "lhs, rhs (broadcasts to the selected elements), then one array of integers per entry of axes.",
            "num_args")
        .num_inputs(index_inputs_of<IndexParams>)
        .shape(infer_write)
        .dtype([](const IndexParams&, DTypeInfer& d) { two_dtypes(d); })
        .kernel(write_kernel<true>)
        .cost(
            [](const IndexParams&, Span<const Shape> in) { return moved_cost(in.subspan(1, in.size() - 1)); })
        .grad_needs({2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, {})
        .grad([](const IndexParams& p, Grad& g) {
          const Tensor grad = g.out_grad();
          if (g.wants(0)) g.set(0, grad);
          if (g.wants(1)) g.set(1, sum_to(with_indices("_index_gather", {grad}, p, g, 2), g.in_shape(1)));
        });

}  // namespace
}  // namespace mixgrad::ops::index
