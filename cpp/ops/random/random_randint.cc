// Whole numbers spread evenly over an interval.
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/random/random_fill.h"
#include "op/define.h"

namespace mixgrad::ops::random_randint {
namespace {

struct RandintParams {
  int64_t low = 0, high = 0;
  std::optional<Shape> shape;
  std::string ctx;
  std::optional<DType> dtype;
  static void fields(Fields<RandintParams>& f) {
    f.required("low", &RandintParams::low, "Least number.")
        .required("high", &RandintParams::high, "The number after the greatest.")
        .add("shape", &RandintParams::shape, "Extents of the output; by default those of the given output.",
             at_least(0))
        .add("ctx", &RandintParams::ctx,
             "Device such as 'cpu(0)'; only stored in files, calls use the current device.")
        .add("dtype", &RandintParams::dtype,
             "int32 or int64; by default that of the given output, else int32.");
  }
};

constexpr int64_t kRandintTile = 1024;

// One word per number: the high half of word * width. The few words that would make some numbers likelier than others
// are drawn again from the element's own counter.
template <class T>
void fill_narrow(const RandomKey& key, int64_t low, uint32_t width, const View& out) {
  const int64_t size = out.size(), tiles = (size + kRandintTile - 1) / kRandintTile;
  const uint32_t uneven = (0u - width) % width;
  parallel_for(tiles, 8, [&](int64_t first, int64_t last) {
    alignas(64) uint32_t words[kRandintTile];
    for (int64_t t = first; t < last; ++t) {
      const int64_t begin = t * kRandintTile, n = std::min(kRandintTile, size - begin);
      random_words(key, begin, kRandintTile, words);
      T* x = out.as<T>() + begin;
      uint32_t again = 0;
      for (int64_t i = 0; i < n; ++i) {
        const uint64_t product = uint64_t{words[i]} * width;
        again |= static_cast<uint32_t>(static_cast<uint32_t>(product) < uneven);
        x[i] = static_cast<T>(static_cast<uint64_t>(low) + (product >> 32));
      }
      if (again == 0) continue;
      for (int64_t i = 0; i < n; ++i) {
        if (static_cast<uint32_t>(words[i] * width) >= uneven) continue;
        x[i] = static_cast<T>(static_cast<uint64_t>(low) + ElementRandom(key, begin + i).below(width));
      }
    }
  });
}

template <class T>
void fill_wide(const RandomKey& key, int64_t low, uint64_t width, const View& out) {
  parallel_for(out.size(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      out.as<T>()[i] = static_cast<T>(static_cast<uint64_t>(low) + ElementRandom(key, i).below(width));
    }
  });
}

template <class T>
void fill_randint(const RandintParams& p, KernelArgs& args) {
  const uint64_t width = static_cast<uint64_t>(p.high) - static_cast<uint64_t>(p.low);
  if (width <= 0xffffffff) {
    fill_narrow<T>(args.random_key(), p.low, static_cast<uint32_t>(width), args.out[0]);
  } else {
    fill_wide<T>(args.random_key(), p.low, width, args.out[0]);
  }
}

const Op& randint =
    Define<RandintParams>("_random_randint")
        .alias("_npi_random_randint")
        .alias("random_randint")
        .doc("Whole numbers spread evenly over [low, high).")
        .origin("MXNet _random_randint")
        .module("random")
        .shape([](const RandintParams& p, ShapeInfer& s) {
          if (p.shape) s.set_out(0, s.given(*p.shape));
        })
        .dtype([](const RandintParams& p, DTypeInfer& d) {
          if (p.dtype || d.out(0) == DType::unknown) d.set_out(0, p.dtype.value_or(DType::int32));
          if (d.out(0) != DType::int32 && d.out(0) != DType::int64) {
            d.reject("output of dtype ", name_of(d.out(0)), "; expected int32 or int64");
          }
          using Limits = std::numeric_limits<int32_t>;
          if (d.out(0) == DType::int32 && (p.low < Limits::min() || p.high > int64_t{Limits::max()} + 1)) {
            d.reject("low = ", p.low, ", high = ", p.high, " do not fit int32; expected dtype int64");
          }
        })
        .kernel([](const RandintParams& p, KernelArgs& args) {
          if (p.low >= p.high) {
            fail(Status::invalid_argument, "[", args.name(), "] low must be below high; got low = ", p.low,
                 ", high = ", p.high);
          }
          if (args.out[0].dtype == DType::int32) {
            fill_randint<int32_t>(p, args);
          } else {
            fill_randint<int64_t>(p, args);
          }
        })
        .element_cost(1)
        .random()
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::random_randint
