// Permutations of axes and of places: transpose, SwapAxis, reverse, depth_to_space, space_to_depth.
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::transpose {
namespace {

struct TransposeParams {
  Shape axes;
  static void fields(Fields<TransposeParams>& f) {
    f.add("axes", &TransposeParams::axes,
          "Axis i of the output is axis axes[i] of the input; () reverses all.");
  }
};

struct SwapAxisParams {
  int64_t dim1 = 0, dim2 = 0;
  static void fields(Fields<SwapAxisParams>& f) {
    f.add("dim1", &SwapAxisParams::dim1, "One axis.").add("dim2", &SwapAxisParams::dim2, "The other axis.");
  }
};

struct ReverseParams {
  Shape axis;
  static void fields(Fields<ReverseParams>& f) {
    f.required("axis", &ReverseParams::axis, "Axes to reverse.");
  }
};

struct BlockParams {
  int64_t block_size = 1;
  static void fields(Fields<BlockParams>& f) {
    f.required("block_size", &BlockParams::block_size, "Side b of the square blocks.", between(1, 32768));
  }
};

// The full list of axes, or a failure when they are no permutation.
Shape transpose_axes_of(const TransposeParams& p, int ndim, const char* who) {
  Shape axes;
  if (p.axes.ndim() == 0) {
    for (int i = ndim - 1; i >= 0; --i) axes.push_back(i);
    return axes;
  }
  bool seen[kMaxDims] = {};
  for (int64_t a : p.axes) {
    const int axis = normalize_axis(a, ndim, who);
    if (seen[axis])
      fail(Status::invalid_argument, "[", who, "] axes ", p.axes, " name axis ", axis, " twice");
    seen[axis] = true;
    axes.push_back(axis);
  }
  if (axes.ndim() != ndim) {
    fail(Status::invalid_argument, "[", who, "] axes ", p.axes, " for an array of ", ndim,
         " axes; expected each once");
  }
  return axes;
}

Shape swap_axes_of(const SwapAxisParams& p, int ndim, const char* who) {
  Shape axes;
  for (int i = 0; i < ndim; ++i) axes.push_back(i);
  const int a = normalize_axis(p.dim1, ndim, who), b = normalize_axis(p.dim2, ndim, who);
  axes[a] = b;
  axes[b] = a;
  return axes;
}

Shape permuted(const Shape& shape, const Shape& axes) {
  Shape out;
  for (int64_t a : axes) out.push_back(shape[static_cast<int>(a)]);
  return out;
}

Shape inverse_axes(const Shape& axes) {
  Shape inverse = axes;
  for (int i = 0; i < axes.ndim(); ++i) inverse[static_cast<int>(axes[i])] = i;
  return inverse;
}

void permute(const View& in, const Shape& in_shape, const Shape& axes, const View& out) {
  const StridedDims from = contiguous_strides(in_shape);
  const Shape shape = permuted(in_shape, axes);
  StridedDims strides;
  for (int i = 0; i < axes.ndim(); ++i) strides.stride[i] = from.stride[axes[i]];
  copy_strided(in.data, strides, out.data, contiguous_strides(shape), shape, size_of(in.dtype));
}

void infer_permuted(ShapeInfer& s, const Shape& axes, bool forward) {
  if (forward) s.set_out(0, permuted(s.in(0), axes));
  if (s.in(0).known()) return;  // the output tells nothing more
  if (s.out(0).known_rank()) s.set_in(0, permuted(s.out(0), inverse_axes(axes)));
}

void infer_transpose(const TransposeParams& p, ShapeInfer& s) {
  const bool forward = s.in(0).known_rank();
  if (!forward && !s.out(0).known_rank()) return;
  infer_permuted(s, transpose_axes_of(p, (forward ? s.in(0) : s.out(0)).ndim(), s.name()), forward);
}

void infer_swap(const SwapAxisParams& p, ShapeInfer& s) {
  const bool forward = s.in(0).known_rank();
  if (!forward && !s.out(0).known_rank()) return;
  infer_permuted(s, swap_axes_of(p, (forward ? s.in(0) : s.out(0)).ndim(), s.name()), forward);
}

void reverse_kernel(const ReverseParams& p, KernelArgs& args) {
  const Shape& shape = args.in[0].shape();
  Shape begin = Shape::filled(shape.ndim(), 0), step = Shape::filled(shape.ndim(), 1);
  for (int64_t a : p.axis) {
    const int axis = normalize_axis(a, shape.ndim(), args.name());
    step[axis] = -step[axis];  // an axis named twice is turned twice
    begin[axis] = step[axis] < 0 ? shape[axis] - 1 : 0;
  }
  read_region(args.in[0], region_of(shape, begin, step, shape, args.name()), args.out[0].data);
}

bool has_pixels(const Shape& image) { return image[1] > 0 && image[2] > 0 && image[3] > 0; }

void infer_depth_to_space(const BlockParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& in = s.in(0);
  const int64_t b = p.block_size;
  if (in.ndim() != 4 || in[1] % (b * b) != 0 || !has_pixels(in)) {
    s.reject("expected (N, C, H, W) with pixels, and C a multiple of block_size squared, ", b * b);
  }
  s.set_out(0, {in[0], in[1] / (b * b), in[2] * b, in[3] * b});
}

void infer_space_to_depth(const BlockParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& in = s.in(0);
  const int64_t b = p.block_size;
  if (in.ndim() != 4 || in[2] % b != 0 || in[3] % b != 0 || !has_pixels(in)) {
    s.reject("expected (N, C, H, W) with pixels, and H and W multiples of block_size ", b);
  }
  s.set_out(0, {in[0], in[1] * b * b, in[2] / b, in[3] / b});
}

const Op& transpose_op =
    Define<TransposeParams>("transpose")
        .doc("Permutes the axes.")
        .origin("MXNet transpose")
        .input("data", "Any array.")
        .shape(infer_transpose)
        .kernel([](const TransposeParams& p, KernelArgs& args) {
          const Shape& shape = args.in[0].shape();
          permute(args.in[0], shape, transpose_axes_of(p, shape.ndim(), args.name()), args.out[0]);
        })
        .grad_needs({}, {})
        .grad([](const TransposeParams& p, Grad& g) {
          g.set(0, transpose_axes(g.out_grad(),
                                  inverse_axes(transpose_axes_of(p, g.in_shape(0).ndim(), "transpose"))));
        });

const Op& swap_op = Define<SwapAxisParams>("SwapAxis")
                        .alias("_npi_swapaxes")
                        .alias("swapaxes")
                        .doc("Exchanges two axes.")
                        .origin("MXNet SwapAxis")
                        .input("data", "Any array.")
                        .shape(infer_swap)
                        .kernel([](const SwapAxisParams& p, KernelArgs& args) {
                          const Shape& shape = args.in[0].shape();
                          permute(args.in[0], shape, swap_axes_of(p, shape.ndim(), args.name()), args.out[0]);
                        })
                        .grad_needs({}, {})
                        .grad([](const SwapAxisParams& p, Grad& g) {
                          g.set(0, apply("SwapAxis", {g.out_grad()}, {{"dim1", p.dim1}, {"dim2", p.dim2}}));
                        });

const Op& reverse_op = Define<ReverseParams>("reverse")
                           .alias("flip")
                           .alias("_npi_flip")
                           .doc("Reverses the order of elements along axes.")
                           .origin("MXNet reverse")
                           .input("data", "Any array.")
                           .shape([](const ReverseParams& p, ShapeInfer& s) {
                             infer_like(s, 0);
                             if (!s.in(0).known_rank()) return;
                             for (int64_t a : p.axis) normalize_axis(a, s.in(0).ndim(), s.name());
                           })
                           .kernel(reverse_kernel)
                           .grad_needs({}, {})
                           .grad([](const ReverseParams& p, Grad& g) {
                             g.set(0, apply("reverse", {g.out_grad()}, {{"axis", TupleValue(p.axis)}}));
                           });

const Op& depth_to_space_op =
    Define<BlockParams>("depth_to_space")
        .doc(
            "Spreads channels over space: (N, b*b*C, H, W) becomes (N, C, H*b, W*b), where channel (i*b + "
            "j)*C + c fills "
            "row i and column j of each block.")
        .origin("MXNet depth_to_space")
        .input("data", "(N, b*b*C, H, W)")
        .shape(infer_depth_to_space)
        .kernel([](const BlockParams& p, KernelArgs& args) {
          const Shape& s = args.in[0].shape();
          const int64_t b = p.block_size;
          permute(args.in[0], {s[0], b, b, s[1] / (b * b), s[2], s[3]}, {0, 3, 4, 1, 5, 2}, args.out[0]);
        })
        .grad_needs({}, {})
        .grad([](const BlockParams& p, Grad& g) {
          g.set(0, apply("space_to_depth", {g.out_grad()}, {{"block_size", p.block_size}}));
        });

const Op& space_to_depth_op =
    Define<BlockParams>("space_to_depth")
        .doc("Stacks blocks of space as channels; the inverse of depth_to_space.")
        .origin("MXNet space_to_depth")
        .input("data", "(N, C, H*b, W*b)")
        .shape(infer_space_to_depth)
        .kernel([](const BlockParams& p, KernelArgs& args) {
          const Shape& s = args.in[0].shape();
          const int64_t b = p.block_size;
          permute(args.in[0], {s[0], s[1], s[2] / b, b, s[3] / b, b}, {0, 3, 5, 1, 2, 4}, args.out[0]);
        })
        .grad_needs({}, {})
        .grad([](const BlockParams& p, Grad& g) {
          g.set(0, apply("depth_to_space", {g.out_grad()}, {{"block_size", p.block_size}}));
        });

}  // namespace
}  // namespace mixgrad::ops::transpose
