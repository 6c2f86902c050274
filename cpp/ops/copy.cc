// Copies, with and without a change of dtype.
#include "base/parallel.h"
#include "op/convert.h"
#include "op/define.h"

namespace mixgrad::ops::copy {
namespace {

struct CastParams {
  DType dtype = DType::float32;
  static void fields(Fields<CastParams>& f) {
    f.required("dtype", &CastParams::dtype, "Element type of the output.");
  }
};

constexpr int64_t kCopyGrain = 65536;

void convert_view(const View& src, const View& dst) {
  const size_t from = size_of(src.dtype), to = size_of(dst.dtype);
  parallel_for(src.size(), kCopyGrain, [&](int64_t begin, int64_t end) {
    convert(src.as<char>() + static_cast<size_t>(begin) * from, src.dtype,
            dst.as<char>() + static_cast<size_t>(begin) * to, dst.dtype, end - begin);
  });
}

void pass_gradient(Grad& g) { g.set(0, cast_to(g.out_grad(), g.in_dtype(0))); }

const Op& identity =
    Define<>("_copy")
        .alias("identity")
        .doc("A copy of the input.")
        .origin("MXNet identity")
        .input("data", "Any array.")
        .kernel([](const NoParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .inplace()
        .grad_needs({}, {})
        .grad([](const NoParams&, Grad& g) { pass_gradient(g); });

const Op& copyto =
    Define<>("_copyto")
        .doc("Writes the input into another array, across devices and dtypes.")
        .origin("MXNet _copyto")
        .input("data", "Any array.")
        .dtype([](const NoParams&, DTypeInfer& d) {
          if (d.out(0) == DType::unknown) d.set_out(0, d.in(0));
        })
        .kernel([](const NoParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .grad_needs({}, {})
        .grad([](const NoParams&, Grad& g) { pass_gradient(g); });

const Op& cast =
    Define<CastParams>("Cast")
        .alias("cast")
        .doc(
            "Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true.")
        .origin("MXNet Cast")
        .input("data", "Any array.")
        .dtype([](const CastParams& p, DTypeInfer& d) { d.set_out(0, p.dtype); })
        .kernel([](const CastParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .grad_needs({}, {})
        .grad([](const CastParams&, Grad& g) { pass_gradient(g); });

}  // namespace
}  // namespace mixgrad::ops::copy
