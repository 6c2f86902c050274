// Copies, with and without a change of dtype.
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "op/define.h"

namespace mixgrad::ops::copy {
namespace {

struct CastParams {
  DType dtype = DType::float32;
  static void fields(Fields<CastParams>& f) {
    f.required("dtype", &CastParams::dtype, "Element type of the output.");
  }
};

// Elements worth a thread; fewer while threads look for work.
constexpr int64_t kCopyGrain = 65536, kCopyGrainAwake = 16384;

void convert_view(const View& src, const View& dst) {
  if (src.data == dst.data && src.dtype == dst.dtype) return;
  const size_t from = size_of(src.dtype), to = size_of(dst.dtype);
  parallel_for(src.size(), team_awake() ? kCopyGrainAwake : kCopyGrain, [&](int64_t begin, int64_t end) {
    convert(src.as<char>() + static_cast<size_t>(begin) * from, src.dtype,
            dst.as<char>() + static_cast<size_t>(begin) * to, dst.dtype, end - begin);
  });
}

void pass_gradient(Grad& g) { g.set(0, cast_to(g.out_grad(), g.in_dtype(0))); }

const Op& identity =
    Define<>("_copy")
        .alias("identity")
        .numpy("_np_copy", NumpyDTypes::any, {"a"})
        .doc("A copy of the input.")
        .origin("MXNet identity")
        .input("data", "Any array.")
        .kernel([](const NoParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .same_elements()
        .grad_needs({}, {})
        .grad([](const NoParams&, Grad& g) { pass_gradient(g); });

const Op& copyto =
    Define<>("_copyto")
        .alias("_npi_copyto")
        .alias("_CrossDeviceCopy")
        .doc("Writes the input into another array, across devices and dtypes.")
        .origin("MXNet _copyto")
        .input("data", "Any array.")
        .dtype([](const NoParams&, DTypeInfer& d) {
          if (d.out(0) == DType::unknown) d.set_out(0, d.in(0));
        })
        .across_devices()
        .kernel([](const NoParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .grad_needs({}, {})
        .grad([](const NoParams&, Grad& g) { pass_gradient(g); });

const Op& cast =
    Define<CastParams>("Cast")
        .alias("_npi_cast")
        .alias("_npx_cast")
        .alias("cast")
        .doc(
            "Changes the element type. Floats are truncated toward zero to integers; anything but 0 is true.")
        .origin("MXNet Cast")
        .input("data", "Any array.")
        .dtype([](const CastParams& p, DTypeInfer& d) { d.set_out(0, p.dtype); })
        .kernel([](const CastParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .by_element()
        .grad_needs({}, {})
        .grad([](const CastParams&, Grad& g) { pass_gradient(g); });

const Op& block_grad =
    Define<>("BlockGrad")
        .alias("stop_gradient")
        .doc("A copy through which no gradient flows.")
        .origin("MXNet BlockGrad")
        .input("data", "Any array.")
        .kernel([](const NoParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .same_elements()
        .grad_needs({}, {})
        .no_gradient();

const Op& like_rhs =
    Define<>("_identity_with_attr_like_rhs")
        .doc("A copy of lhs, which is known to have the shape and dtype of rhs.")
        .origin("MXNet _identity_with_attr_like_rhs")
        .input("lhs", "Any array.")
        .input("rhs", "Only its shape and dtype count.")
        .kernel([](const NoParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .same_elements()
        .grad_needs({1}, {})
        .grad([](const NoParams&, Grad& g) {
          if (g.wants(0)) g.set(0, g.out_grad());
          if (g.wants(1)) g.set(1, zeros_like(g.in(1)));
        });

// Whether mixed precision may change the type: float64 was asked for by name, and stays.
bool is_mixed(DType dtype) { return is_float(dtype) && dtype != DType::float64; }

const Op& amp_cast =
    Define<CastParams>("amp_cast")
        .doc("Changes the element type of floats; arrays of float64 and of integers are copied.")
        .origin("MXNet amp_cast")
        .input("data", "Any array.")
        .dtype([](const CastParams& p, DTypeInfer& d) {
          if (d.in(0) == DType::unknown) return;
          d.set_out(0, is_mixed(d.in(0)) && is_float(p.dtype) ? p.dtype : d.in(0));
        })
        .kernel([](const CastParams&, KernelArgs& args) { convert_view(args.in[0], args.out[0]); })
        .by_element()
        .grad_needs({}, {})
        .grad([](const CastParams&, Grad& g) { pass_gradient(g); });

struct MulticastParams {
  int32_t num_outputs = 0;
  bool cast_narrow = false;
  static void fields(Fields<MulticastParams>& f) {
    f.required("num_outputs", &MulticastParams::num_outputs, "Number of arrays.", at_least(1))
        .add("cast_narrow", &MulticastParams::cast_narrow,
             "Take the narrowest float type instead of the widest.");
  }
};

const Op& amp_multicast =
    Define<MulticastParams>("amp_multicast")
        .doc(
            "Brings floats of several types to the widest type among them; arrays of float64 and of integers "
            "are copied.")
        .origin("MXNet amp_multicast")
        .variadic("data", "Arrays of any shapes.", "num_outputs")
        .num_inputs([](const MulticastParams& p) { return p.num_outputs; })
        .num_outputs([](const MulticastParams& p) { return p.num_outputs; })
        .shape([](const MulticastParams&, ShapeInfer& s) {
          for (int i = 0; i < s.num_inputs(); ++i) {
            s.set_out(i, s.in(i));
            s.set_in(i, s.out(i));
          }
        })
        .dtype([](const MulticastParams& p, DTypeInfer& d) {
          DType chosen = DType::unknown;
          for (int i = 0; i < d.num_inputs(); ++i) {
            const DType here = d.in(i);
            if (here == DType::unknown) return;
            if (!is_mixed(here)) continue;
            const bool better =
                p.cast_narrow ? size_of(here) < size_of(chosen) : size_of(here) > size_of(chosen);
            if (chosen == DType::unknown || better) chosen = here;
          }
          for (int i = 0; i < d.num_inputs(); ++i) d.set_out(i, is_mixed(d.in(i)) ? chosen : d.in(i));
        })
        .kernel([](const MulticastParams&, KernelArgs& args) {
          for (size_t i = 0; i < args.in.size(); ++i) convert_view(args.in[i], args.out[i]);
        })
        .grad_needs({}, {})
        .grad([](const MulticastParams&, Grad& g) {
          for (int i = 0; i < g.num_inputs(); ++i) {
            if (g.wants(i)) g.set(i, cast_to(g.out_grad(i), g.in_dtype(i)));
          }
        });

}  // namespace
}  // namespace mixgrad::ops::copy
