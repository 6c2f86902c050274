// Rows of an array by index along one axis: take and Embedding.
#include "kernels/loops/gather.h"
#include "op/define.h"

namespace mixgrad::ops::take {
namespace {

enum class TakeMode : int32_t { clip, raise, wrap };

struct TakeParams {
  int64_t axis = 0;
  TakeMode mode = TakeMode::clip;
  static void fields(Fields<TakeParams>& f) {
    f.add("axis", &TakeParams::axis, "The indexed axis.")
        .choice("mode", &TakeParams::mode, {"clip", "raise", "wrap"},
                "Indices outside the axis are clipped, fail, or wrap around.");
  }
};

struct EmbeddingParams {
  int64_t input_dim = 0, output_dim = 0;
  DType dtype = DType::float32;
  bool sparse_grad = false;
  static void fields(Fields<EmbeddingParams>& f) {
    f.required("input_dim", &EmbeddingParams::input_dim, "Number of rows of weight.", at_least(1))
        .required("output_dim", &EmbeddingParams::output_dim, "Extent of a row.", at_least(1))
        .add("dtype", &EmbeddingParams::dtype, "Dtype of weight where nothing else says it.")
        .add("sparse_grad", &EmbeddingParams::sparse_grad, "The gradient of weight is row_sparse.");
  }
};

struct SparseEmbeddingParams : EmbeddingParams {
  bool deterministic = false;
  static void fields(Fields<SparseEmbeddingParams>& f) {
    f.required("input_dim", &SparseEmbeddingParams::input_dim, "Number of rows of weight.", at_least(1))
        .required("output_dim", &SparseEmbeddingParams::output_dim, "Extent of a row.", at_least(1))
        .add("dtype", &SparseEmbeddingParams::dtype, "Dtype of weight where nothing else says it.")
        .add("deterministic", &SparseEmbeddingParams::deterministic,
             "Accepted and ignored: gradients always are.");
  }
};

IndexMode index_mode(TakeMode mode) {
  return mode == TakeMode::clip   ? IndexMode::clip
         : mode == TakeMode::wrap ? IndexMode::wrap
                                  : IndexMode::raise;
}

void gather_along(const View& data, const View& indices, int axis, IndexMode mode, const View& out,
                  const char* who) {
  const IndexPlan plan =
      plan_indices(data.shape(), {axis}, Span<const View>(&indices, 1), indices.shape(), mode, who);
  gather_rows(plan, data.data, out.data, size_of(data.dtype));
}

Tensor placed_along(const Tensor& grad, const Tensor& indices, int axis, const char* mode,
                    const Shape& shape) {
  return apply("_index_place", {grad, indices},
               {{"axes", TupleValue({axis})}, {"mode", mode}, {"shape", TupleValue(shape)}});
}

void infer_embedding(const EmbeddingParams& p, ShapeInfer& s) {
  s.set_in(1, {p.input_dim, p.output_dim});
  if (!s.in(0).known_rank()) return;
  Shape out = s.in(0);
  out.push_back(p.output_dim);
  s.set_out(0, out);
}

const Op& take =
    Define<TakeParams>("take")
        .alias("_npi_take")
        .doc("Slices of a at the indices along an axis: shape a[:axis] + indices.shape + a[axis+1:].")
        .origin("MXNet take")
        .input("a", "At least one axis.")
        .input("indices", "Any shape and dtype; fractions are cut off.")
        .shape([](const TakeParams& p, ShapeInfer& s) {
          if (!s.known(0) || !s.known(1)) return;
          s.set_out(0, gathered_shape(s.in(0), {normalize_axis(p.axis, s.in(0).ndim(), s.name())}, s.in(1)));
        })
        .dtype([](const TakeParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel([](const TakeParams& p, KernelArgs& args) {
          gather_along(args.in[0], args.in[1], normalize_axis(p.axis, args.in[0].shape().ndim(), args.name()),
                       index_mode(p.mode), args.out[0], args.name());
        })
        .element_cost(1)
        .grad_needs({1}, {})
        .grad([](const TakeParams& p, Grad& g) {
          static const char* const modes[] = {"clip", "raise", "wrap"};
          const int axis = normalize_axis(p.axis, g.in_shape(0).ndim(), "take");
          g.set(0, placed_along(g.out_grad(), g.in(1), axis, modes[static_cast<int>(p.mode)], g.in_shape(0)));
        });

template <class P>
void add_embedding(Define<P>& define) {
  define
      .doc(
          "The row of weight for every index: shape data.shape + (output_dim,). Indices outside are "
          "clipped.")
      .origin("MXNet Embedding")
      .input("data", "Indices of any shape and dtype; fractions are cut off.")
      .input("weight", "(input_dim, output_dim)")
      .shape([](const P& p, ShapeInfer& s) { infer_embedding(p, s); })
      .dtype([](const P& p, DTypeInfer& d) {
        if (d.in(1) == DType::unknown) d.set_in(1, d.out(0) == DType::unknown ? p.dtype : d.out(0));
        d.set_out(0, d.in(1));
      })
      .kernel([](const P&, KernelArgs& args) {
        gather_along(args.in[1], args.in[0], 0, IndexMode::clip, args.out[0], args.name());
      })
      .grad_needs({0}, {})
      .grad([](const P&, Grad& g) {
        if (g.wants(1)) g.set(1, placed_along(g.out_grad(), g.in(0), 0, "clip", g.in_shape(1)));
      })
      .done();
}

const bool kEmbeddings = [] {
  Define<EmbeddingParams> embedding("Embedding");
  embedding.alias("_sparse_Embedding").alias("_npx_embedding").makes_sparse([](const EmbeddingParams& p) {
    return p.sparse_grad;
  });
  add_embedding(embedding);
  Define<SparseEmbeddingParams> with_sparse_gradient("_contrib_SparseEmbedding");
  with_sparse_gradient.alias("SparseEmbedding")
      .module("contrib")
      .makes_sparse([](const SparseEmbeddingParams&) { return true; });
  add_embedding(with_sparse_gradient);
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::take
