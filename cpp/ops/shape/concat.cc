// Joining arrays along an axis that exists (Concat) or a new one (stack).
#include <vector>

#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::concat {
namespace {

constexpr double kMostArrays = 1 << 20;

struct ConcatParams {
  int64_t num_args = 0;
  int64_t dim = 1;
  static void fields(Fields<ConcatParams>& f) {
    f.add("num_args", &ConcatParams::num_args, "Number of inputs; 0 takes as many as are given.",
          between(0, kMostArrays))
        .add("dim", &ConcatParams::dim, "The axis along which they follow one another.");
  }
};

struct StackParams {
  int64_t axis = 0;
  int64_t num_args = 0;
  static void fields(Fields<StackParams>& f) {
    f.add("axis", &StackParams::axis, "Where the new axis comes to lie in the output.")
        .add("num_args", &StackParams::num_args, "Number of inputs; 0 takes as many as are given.",
             between(0, kMostArrays));
  }
};

template <class P>
int joined_inputs(const P& p) {
  return p.num_args > 0 ? static_cast<int>(p.num_args) : -1;
}

void infer_concat(const ConcatParams& p, ShapeInfer& s) {
  // Inputs agree on all axes but one; what one of them or the output knows, the others learn.
  const int n = s.num_inputs();
  Shape common = Shape::unknown();
  const auto learn = [&](const Shape& shape) {
    if (!shape.known_rank()) return;
    const int axis = normalize_axis(p.dim, shape.ndim(), s.name());
    if (!common.known_rank()) common = Shape::filled(shape.ndim(), Shape::kUnknownDim);
    bool fits = common.ndim() == shape.ndim();
    for (int a = 0; fits && a < shape.ndim(); ++a) {
      if (a == axis || shape[a] < 0) continue;
      fits = common[a] < 0 || common[a] == shape[a];
      common[a] = shape[a];
    }
    if (!fits) s.reject("inputs may differ only along dim ", p.dim);
  };
  for (int i = 0; i < n; ++i) learn(s.in(i));
  learn(s.out(0));
  if (!common.known_rank()) return;
  const int axis = normalize_axis(p.dim, common.ndim(), s.name());
  int64_t total = 0;
  int unknown = 0, missing = -1;
  for (int i = 0; i < n; ++i) {
    s.set_in(i, common);
    const int64_t extent = s.in(i)[axis];
    if (extent < 0) {
      ++unknown;
      missing = i;
    } else {
      total += extent;
    }
  }
  if (unknown == 0) common[axis] = total;
  s.set_out(0, common);
  const int64_t whole = s.out(0)[axis];
  if (unknown == 1 && whole >= total) {
    common[axis] = whole - total;
    s.set_in(missing, common);
  }
}

void infer_stack(const StackParams& p, ShapeInfer& s) {
  if (s.out(0).known_rank() && s.out(0).ndim() > 0) {
    Shape part = s.out(0);
    part.erase(normalize_axis(p.axis, part.ndim(), s.name()));
    s.set_in(0, part);
  }
  for (int i = 1; i < s.num_inputs(); ++i) s.set_in(0, s.in(i));
  for (int i = 1; i < s.num_inputs(); ++i) s.set_in(i, s.in(0));
  if (!s.in(0).known_rank()) return;
  Shape out = s.in(0);
  out.insert(normalize_axis(p.axis, out.ndim() + 1, s.name()), s.num_inputs());
  s.set_out(0, out);
}

void concat_kernel(const ConcatParams& p, KernelArgs& args) {
  const View& out = args.out[0];
  const int axis = normalize_axis(p.dim, out.shape().ndim(), args.name());
  int64_t begin = 0;
  for (const View& in : args.in) {
    const int64_t extent = in.shape()[axis];
    write_region(in.data, contiguous_strides(in.shape()), out, axis_region(out.shape(), axis, begin, extent));
    begin += extent;
  }
}

void stack_kernel(const StackParams& p, KernelArgs& args) {
  const View& out = args.out[0];
  const int axis = normalize_axis(p.axis, out.shape().ndim(), args.name());
  int64_t begin = 0;
  for (const View& in : args.in) {
    Shape with_axis = in.shape();
    with_axis.insert(axis, 1);
    write_region(in.data, contiguous_strides(with_axis), out, axis_region(out.shape(), axis, begin++, 1));
  }
}

double joined_cost(Span<const Shape> in) {
  double elements = 0;
  for (const Shape& shape : in) elements += static_cast<double>(shape.size());
  return elements * 0.4;
}

// Of both operators that join along an axis; the gradients are the parts.
void concat_grad(const ConcatParams& p, Grad& g) {
  const int axis = normalize_axis(p.dim, g.out_shape().ndim(), "Concat");
  const Tensor grad = g.out_grad();
  int64_t begin = 0;
  for (int i = 0; i < g.num_inputs(); ++i) {
    const int64_t end = begin + g.in_shape(i)[axis];
    if (g.wants(i)) g.set(i, apply("slice_axis", {grad}, {{"axis", axis}, {"begin", begin}, {"end", end}}));
    begin = end;
  }
}

// Parameters of both directions of a layer are not known before the data is: they have equal parts of what is left.
void infer_rnn_params(const ConcatParams& p, ShapeInfer& s) {
  infer_concat(p, s);
  if (!s.out(0).known_rank()) return;
  const int axis = normalize_axis(p.dim, s.out(0).ndim(), s.name());
  int64_t left = s.out(0)[axis];
  std::vector<int> unknown;
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (s.in(i)[axis] < 0)
      unknown.push_back(i);
    else
      left -= s.in(i)[axis];
  }
  const auto parts = static_cast<int64_t>(unknown.size());
  if (parts == 0 || left < 0 || left % parts != 0) return;
  Shape part = s.out(0);
  part[axis] = left / parts;
  for (const int i : unknown) s.set_in(i, part);
}

Define<ConcatParams>& concat_like(Define<ConcatParams>& define) {
  return define.variadic("data", "Arrays of one dtype.", "num_args")
      .num_inputs(joined_inputs<ConcatParams>)
      .shape(infer_concat)
      .kernel(concat_kernel)
      .cost([](const ConcatParams&, Span<const Shape> in) { return joined_cost(in); })
      .grad_needs({}, {})
      .grad(concat_grad);
}

const Op& concat = concat_like(Define<ConcatParams>("Concat")
                                   .alias("concat")
                                   .doc("Joins arrays along an axis; their other extents agree.")
                                   .origin("MXNet Concat"));

const Op& rnn_param_concat =
    concat_like(
        Define<ConcatParams>("_rnn_param_concat")
            .alias("_npi_rnn_param_concat")
            .doc("Joins the weights and biases of a recurrent layer into the parameters of RNN. In "
                 "graphs, RNN and the parts that are known tell the extents of those that are not: the "
                 "number of features.")
            .origin("MXNet _rnn_param_concat"))
        .shape(infer_rnn_params);

const Op& stack =
    Define<StackParams>("stack")
        .alias("_npi_stack")
        .doc("Joins arrays of one shape along a new axis.")
        .origin("MXNet stack")
        .variadic("data", "Arrays of one shape and dtype.", "num_args")
        .num_inputs(joined_inputs<StackParams>)
        .shape(infer_stack)
        .kernel(stack_kernel)
        .cost([](const StackParams&, Span<const Shape> in) { return joined_cost(in); })
        .grad_needs({}, {})
        .grad([](const StackParams& p, Grad& g) {
          const int axis = normalize_axis(p.axis, g.out_shape().ndim(), "stack");
          const Tensor grad = g.out_grad();
          for (int i = 0; i < g.num_inputs(); ++i) {
            if (!g.wants(i)) continue;
            const Tensor part = apply("slice_axis", {grad}, {{"axis", axis}, {"begin", i}, {"end", i + 1}});
            g.set(i, reshape_to(part, g.in_shape(i)));
          }
        });

}  // namespace
}  // namespace mixgrad::ops::concat
