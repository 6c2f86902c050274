// Rows of an 8-bit table.
#include <cstring>

#include "kernels/elements.h"
#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantized_embedding {
namespace {

using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::write_range;

struct EmbeddingParams {
  int64_t input_dim = 0, output_dim = 0;
  DType dtype = DType::float32;
  bool sparse_grad = false;
  static void fields(Fields<EmbeddingParams>& f) {
    f.required("input_dim", &EmbeddingParams::input_dim, "Rows of the table.", at_least(1))
        .required("output_dim", &EmbeddingParams::output_dim, "Extent of a row.", at_least(1))
        .add("dtype", &EmbeddingParams::dtype, "Accepted and ignored: rows are int8.")
        .add("sparse_grad", &EmbeddingParams::sparse_grad, "Accepted and ignored: there is no gradient.");
  }
};

void embedding_kernel(const EmbeddingParams& p, KernelArgs& args) {
  const View& index = args.in[0];
  const auto row_bytes = static_cast<size_t>(p.output_dim);
  Elements<double> indices(index, index.size());
  const double* at = indices.read(0, index.size());
  const auto* table = args.in[1].as<char>();
  auto* to = args.out[0].as<char>();
  for (int64_t i = 0; i < index.size(); ++i) {
    // Rows outside are the first or the last, as in Embedding; NaN is the first.
    const double last = static_cast<double>(p.input_dim - 1);
    const auto row = static_cast<size_t>(at[i] > 0 ? std::min(at[i], last) : 0.0);
    std::memcpy(to + static_cast<size_t>(i) * row_bytes, table + row * row_bytes, row_bytes);
  }
  write_range(args, 1, read_range(args.in[2], args.in[3]));
}

const Op& quantized_embedding_op =
    Define<EmbeddingParams>("_contrib_quantized_embedding")
        .doc("Rows of an int8 table, whose range stays. An index outside gives the nearest row.")
        .origin("MXNet _contrib_quantized_embedding")
        .input("data", "Indices of any shape and dtype.")
        .input("weight", "int8 (input_dim, output_dim).")
        .input("min_weight", "(1,): smallest value of weight.")
        .input("max_weight", "(1,): largest value of weight.")
        .outputs({"output", "min_output", "max_output"})
        .shape([](const EmbeddingParams& p, ShapeInfer& s) {
          s.set_in(1, {p.input_dim, p.output_dim});
          ranges_shape(s, 2);
          if (!s.in(0).known_rank()) return;
          Shape out = s.in(0);
          out.push_back(p.output_dim);
          s.set_out(0, out);
        })
        .dtype([](const EmbeddingParams&, DTypeInfer& d) {
          d.set_in(1, DType::int8);
          d.set_out(0, DType::int8);
          ranges_dtype(d, 2);
        })
        .kernel(embedding_kernel)
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_embedding
