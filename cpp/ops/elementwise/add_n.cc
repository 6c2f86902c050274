// The sum of any number of arrays.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "launch/pointwise.h"
#include "op/define.h"

namespace mixgrad::ops::add_n {
namespace {

struct AddNParams {
  int32_t num_args = 0;
  static void fields(Fields<AddNParams>& f) {
    f.add("num_args", &AddNParams::num_args, "Number of arrays; 0 takes as many as are given.", at_least(0));
  }
};

constexpr int64_t kSumTile = 2048;
constexpr int64_t kSumGrain = 32768;

// Sums tile by tile, so that the running sum stays in the cache. It runs in the compute type: half types are rounded
// once, at the end.
void run_sum(const KernelArgs& args) {
  static const Op& add = find_op("broadcast_add");
  const View& out = args.out[0];
  const ComputeType type = compute_type_of(add.pointwise, out.dtype);
  const DType compute = dtype_of(type);
  const TileFn fn = add.pointwise.tile[type];
  const size_t item = size_of(out.dtype);
  const bool direct = compute == out.dtype;
  const NoParams none;
  parallel_for(out.size(), kSumGrain, [&](int64_t begin, int64_t end) {
    alignas(64) char sum[kSumTile * 8];
    alignas(64) char term[kSumTile * 8];
    for (int64_t at = begin; at < end; at += kSumTile) {
      const int64_t n = std::min(kSumTile, end - at);
      const size_t offset = static_cast<size_t>(at) * item;
      convert(args.in[0].as<char>() + offset, out.dtype, sum, compute, n);
      for (size_t i = 1; i < args.in.size(); ++i) {
        const void* operands[3] = {sum, args.in[i].as<char>() + offset};
        if (!direct) {
          convert(operands[1], out.dtype, term, compute, n);
          operands[1] = term;
        }
        fn(operands, sum, n, &none);
      }
      convert(sum, compute, out.as<char>() + offset, out.dtype, n);
    }
  });
}

const Op& add_n = Define<AddNParams>("add_n")
                      .alias("ElementWiseSum")
                      .doc("Sum of any number of arrays of one shape and dtype.")
                      .origin("MXNet add_n")
                      .variadic("args", "The arrays.", "num_args")
                      .num_inputs([](const AddNParams& p) { return p.num_args > 0 ? p.num_args : -1; })
                      .shape([](const AddNParams&, ShapeInfer& s) {
                        if (s.num_inputs() == 0) s.reject("needs at least one array");
                        infer_like(s, 0);
                      })
                      .kernel([](const AddNParams&, KernelArgs& args) { run_sum(args); })
                      .cost([](const AddNParams&, Span<const Shape> in) {
                        return 0.15 * static_cast<double>(in.size()) * static_cast<double>(in[0].size());
                      })
                      .inplace()
                      .by_element()
                      .grad_needs({}, {})
                      .grad([](const AddNParams&, Grad& g) {
                        for (int i = 0; i < g.num_inputs(); ++i) {
                          if (g.wants(i)) g.set(i, g.out_grad());
                        }
                      });

}  // namespace
}  // namespace mixgrad::ops::add_n
