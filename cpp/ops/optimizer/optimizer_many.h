// Updates of many weights in one call, under any rule: small weights then cost no call and no loop of their own.
#pragma once

#include "kernels/loops/convert.h"
#include "ops/optimizer/optimizer.h"

namespace mixgrad::ops::optimizer {

struct ManyParams {
  Reals lrs, wds;
  double rescale_grad = 1, clip_gradient = -1;
  int32_t num_weights = 1;
};

inline constexpr const char* kManyDoc =
    "For each weight in turn its weight, gradient and, as far as the operator has them, the states and then "
    "weight32; these are changed in place.";
inline constexpr const char* kManyLrsDoc = "Learning rate of each weight.";
inline constexpr const char* kManyWdsDoc = "Weight decay of each weight.";
inline constexpr const char* kManyCountDoc = "Number of weights.";

// A rule has
//   static constexpr int kStates;                      states per weight
//   template <class T> using Formula;                  see optimizer.h
//   static auto one_of(const P& params);               what a Formula is made from, but for lr and wd
// kMixed: float32 weights follow the states of 16-bit ones; kLoaded: rates and decays are two arrays at the end.
template <class Rule, bool kMixed, bool kLoaded>
struct Many {
  static constexpr int kGroup = 2 + Rule::kStates + kMixed;
  static constexpr uint32_t kStateBits = ((uint32_t{1} << kGroup) - 1) & ~uint32_t{3};

  static void shape(int count, ShapeInfer& s) {
    for (int w = 0; w < count; ++w) {
      const int first = w * kGroup;
      for (int m = 1; m < kGroup; ++m) s.set_in(first, s.in(first + m));
      s.set_in(first, s.out(w));
      for (int m = 1; m < kGroup; ++m) s.set_in(first + m, s.in(first));
      s.set_out(w, s.in(first));
    }
    for (int i = count * kGroup; i < s.num_inputs(); ++i) s.set_in(i, Shape{count});
  }

  static void dtype(int count, DTypeInfer& d) {
    for (int w = 0; w < count; ++w) {
      const int first = w * kGroup;
      d.set_in(first, d.in(first + 1));
      d.set_in(first, d.out(w));
      d.set_in(first + 1, d.in(first));
      d.set_out(w, d.in(first));
      for (int m = 2; m < kGroup; ++m) d.set_in(first + m, kMixed ? DType::float32 : d.in(first));
      if (d.in(first) != DType::unknown && !is_float(d.in(first)))
        d.reject("expected weights of a float dtype");
    }
    for (int i = count * kGroup; i < d.num_inputs(); ++i) d.set_in(i, DType::float32);
  }

  static double number(const View& view, int64_t i) {
    double value = 0;
    convert(view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype), view.dtype, &value,
            DType::float64, 1);
    return value;
  }

  template <class P>
  static void kernel(const P& p, KernelArgs& args) {
    UpdateList<Rule::template Formula> updates(static_cast<size_t>(p.num_weights));
    auto one = Rule::one_of(p);
    for (int w = 0; w < p.num_weights; ++w) {
      const Span<const View> in = args.in.subspan(static_cast<size_t>(w * kGroup), kGroup);
      if constexpr (kLoaded) {
        one.lr = number(args.in[args.in.size() - 2], w);
        one.wd = number(args.in[args.in.size() - 1], w);
      } else {
        one.lr = p.lrs[static_cast<size_t>(w)];
        one.wd = p.wds[static_cast<size_t>(w)];
      }
      Update update;
      update.weight = kMixed ? in[kGroup - 1] : in[0];
      update.grad = in[1];
      update.out = kMixed ? in[kGroup - 1] : args.out[static_cast<size_t>(w)];
      if (kMixed) update.copy = args.out[static_cast<size_t>(w)];
      update.num_states = Rule::kStates;
      for (size_t s = 0; s < Rule::kStates; ++s) update.states[s] = in[2 + s];
      updates.add(one, update);
    }
    updates.run();
  }

  template <class P>
  static void describe(Define<P>& define, const char* origin) {
    define.origin(origin)
        .element_cost(0.1)
        .variadic("data", kManyDoc, nullptr)
        .group_states(kGroup, kStateBits)
        .num_inputs([](const P& p) { return p.num_weights * kGroup + (kLoaded ? 2 : 0); })
        .num_outputs([](const P& p) { return static_cast<int>(p.num_weights); })
        .shape([](const P& p, ShapeInfer& s) {
          if constexpr (!kLoaded) {
            const auto wanted = static_cast<size_t>(p.num_weights);
            if (p.lrs.size() != wanted || p.wds.size() != wanted) {
              s.reject("got ", p.lrs.size(), " lrs and ", p.wds.size(),
                       " wds; expected num_weights = ", wanted, " of each");
            }
          }
          shape(p.num_weights, s);
        })
        .dtype([](const P& p, DTypeInfer& d) { dtype(p.num_weights, d); })
        .kernel([](const P& p, KernelArgs& args) { kernel(p, args); });
  }
};

}  // namespace mixgrad::ops::optimizer
