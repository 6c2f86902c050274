// Classes drawn without repetition, common ones more often.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/parallel.h"
#include "op/define.h"

namespace mixgrad::ops::random_unique_zipfian {
namespace {

struct UniqueParams {
  int32_t range_max = 1;
  Shape shape;
  static void fields(Fields<UniqueParams>& f) {
    f.required("range_max", &UniqueParams::range_max, "Number of classes.", at_least(1))
        .add("shape", &UniqueParams::shape, "(batch, classes drawn for each).", at_least(0));
  }
};

void unique_shape(const UniqueParams& p, ShapeInfer& s) {
  if (p.shape.ndim() != 2) s.reject("shape is ", p.shape, "; expected (batch, number of classes)");
  if (p.shape[1] > p.range_max) {
    s.reject("cannot draw ", p.shape[1], " different classes of ", p.range_max,
             "; expected at most range_max");
  }
  s.set_out(0, p.shape);
  s.set_out(1, {p.shape[0]});
}

// The rows' numbers come from (seed, stream, row), in the order in which they were drawn first.
void unique_kernel(const UniqueParams& p, KernelArgs& args) {
  const int64_t count = p.shape[1];
  const double whole = std::log(static_cast<double>(p.range_max) + 1);
  parallel_for(p.shape[0], 1, [&](int64_t begin, int64_t end) {
    std::unordered_set<int64_t> seen;
    for (int64_t row = begin; row < end; ++row) {
      ElementRandom random(args.random_key(), row);
      seen.clear();
      int64_t *classes = args.out[0].as<int64_t>() + row * count, drawn = 0, tries = 0;
      while (drawn < count) {
        const auto one = static_cast<int64_t>(std::exp(random.uniform() * whole)) - 1;
        const int64_t number = std::clamp<int64_t>(one, 0, p.range_max - 1);
        ++tries;
        if (seen.insert(number).second) classes[drawn++] = number;
      }
      args.out[1].as<int64_t>()[row] = tries;
    }
  });
}

const Op& op = Define<UniqueParams>("_sample_unique_zipfian")
                   .doc(
                       "Different classes per row, drawn with probability log((c + 2) / (c + 1)) / "
                       "log(range_max + 1), and "
                       "how many draws each row took.")
                   .origin("MXNet _sample_unique_zipfian")
                   .outputs({"classes", "tries"})
                   .shape(unique_shape)
                   .dtype([](const UniqueParams&, DTypeInfer& d) {
                     for (int i = 0; i < 2; ++i) d.set_out(i, DType::int64);
                   })
                   .kernel(unique_kernel)
                   .element_cost(200)
                   .random()
                   .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::random_unique_zipfian
