// Operators about how arrays are stored, as they are for dense arrays; exec/sparse has what they do with others.
#include <cstring>

#include "kernels/loops/gather.h"
#include "op/define.h"

namespace mixgrad::ops::storage {
namespace {

enum class Stype { dense, row_sparse, csr };

struct CastStorageParams {
  Stype stype = Stype::dense;
  static void fields(Fields<CastStorageParams>& f) {
    f.choice("stype", &CastStorageParams::stype, {"default", "row_sparse", "csr"},
             "Storage type of the result.", true);
  }
};

const Op& cast_storage =
    Define<CastStorageParams>("cast_storage")
        .alias("_sparse_cast_storage")
        .doc("The same elements in another storage type: a part of them stored (row_sparse, csr) or all.")
        .origin("MXNet cast_storage")
        .input("data", "At least one axis; two for csr.")
        .kernel([](const CastStorageParams&, KernelArgs& args) {
          const View &data = args.in[0], &out = args.out[0];
          if (data.data != out.data) std::memcpy(out.data, data.data, data.bytes());
        })
        .same_elements()
        .makes_sparse([](const CastStorageParams& p) { return p.stype != Stype::dense; })
        .grad_needs({}, {})
        .grad([](const CastStorageParams&, Grad& g) { g.set(0, g.out_grad()); });

const Op& retain = Define<>("_sparse_retain")
                       .doc("The named rows of an array; all others are zero.")
                       .origin("MXNet sparse_retain")
                       .input("data", "At least one axis.")
                       .input("indices", "Numbers of rows; repeated ones count once.")
                       .shape([](const NoParams&, ShapeInfer& s) {
                         s.set_out(0, s.in(0));
                         if (s.known(0) && s.in(0).ndim() < 1)
                           fail(Status::shape, "[", s.name(), "] data has no axes; expected rows");
                       })
                       .dtype([](const NoParams&, DTypeInfer& d) { d.set_out(0, d.in(0)); })
                       .kernel([](const NoParams&, KernelArgs& args) {
                         const View &data = args.in[0], &out = args.out[0];
                         if (out.bytes() > 0) std::memset(out.data, 0, out.bytes());
                         const int64_t row = data.shape().size(1, data.shape().ndim());
                         const IndexPlan plan =
                             plan_indices(data.shape(), {0}, args.in.subspan(1, 1), args.in[1].shape(),
                                          IndexMode::raise, args.name());
                         const size_t bytes = static_cast<size_t>(row) * size_of(data.dtype);
                         for (const int64_t at : plan.offsets) {
                           const size_t place = static_cast<size_t>(at) * size_of(data.dtype);
                           if (bytes > 0) std::memcpy(out.as<char>() + place, data.as<char>() + place, bytes);
                         }
                       })
                       .grad_needs({1}, {})
                       .grad([](const NoParams&, Grad& g) {
                         if (g.wants(0)) g.set(0, apply("_sparse_retain", {g.out_grad(), g.in(1)}));
                       });

}  // namespace
}  // namespace mixgrad::ops::storage
