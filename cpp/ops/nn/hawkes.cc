// Log likelihoods of Hawkes processes.
#include <cmath>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "op/define.h"

namespace mixgrad::ops::hawkes {
namespace {

enum HawkesInput { kRate, kBranching, kDecay, kState, kLags, kMarks, kLength, kTime };

void hawkes_shape(const NoParams&, ShapeInfer& s) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  s.set_in(kRate, {kAny, kAny});
  s.set_in(kRate, s.in(kState));
  s.set_in(kRate, s.out(1));
  s.set_in(kLags, {s.in(kRate)[0], kAny});
  s.set_in(kLags, s.in(kMarks));
  s.set_in(kRate, {s.in(kLags)[0], kAny});
  const int64_t samples = s.in(kRate)[0], marks = s.in(kRate)[1];
  s.set_in(kState, s.in(kRate));
  s.set_in(kBranching, {marks});
  s.set_in(kDecay, {marks});
  s.set_in(kMarks, s.in(kLags));
  s.set_in(kLength, {samples});
  s.set_in(kTime, {samples});
  s.set_out(0, {samples});
  s.set_out(1, s.in(kRate));
}

void hawkes_dtype(const NoParams&, DTypeInfer& d) {
  DType dtype = d.out(0);
  for (const int i : {kRate, kBranching, kDecay, kState, kLags, kLength, kTime}) {
    if (dtype == DType::unknown) dtype = d.in(i);
  }
  if (dtype != DType::unknown) {
    if (!is_float(dtype)) d.reject("expected a float dtype");
    for (const int i : {kRate, kBranching, kDecay, kState, kLags, kLength, kTime}) d.set_in(i, dtype);
    for (int i = 0; i < 2; ++i) d.set_out(i, dtype);
  }
  if (d.in(kMarks) == DType::unknown) d.set_in(kMarks, DType::int32);
}

// Numbers of one sample: n events, each with the time since the event before and a mark out of `count`.
struct Sample {
  int64_t count, n;
  const double *rate, *branching, *decay, *lags, *marks;
  double end;
};

// What the events of one mark have left: how strong it still is, the time of the last one, and the derivative by decay.
struct Trace {
  double state = 0, last = 0, by_decay = 0;
};

// Calls event(mark, trace, time since its last event, exp(-decay * that)) for every event and then, with `final`, for
// every mark at the end of the period; both leave the trace as it was.
template <class F>
void follow(const Sample& s, Trace* traces, F event) {
  double now = 0;
  const auto visit = [&](int64_t mark, double time, bool final) {
    Trace& trace = traces[mark];
    const double since = time - trace.last, left = std::exp(-s.decay[mark] * since);
    event(mark, trace, since, left, final);
    trace.by_decay = trace.by_decay * left - trace.state * since * left;
    trace.state = trace.state * left + (final ? 0 : 1);
    trace.last = time;
  };
  for (int64_t i = 0; i < s.n; ++i) {
    now += s.lags[i];
    visit(static_cast<int64_t>(s.marks[i]), now, false);
  }
  for (int64_t mark = 0; mark < s.count; ++mark) visit(mark, s.end, true);
}

void check_sample(const Sample& s, double length, int64_t longest, int64_t which) {
  if (!(length >= 0 && length <= static_cast<double>(longest))) {
    fail(Status::invalid_argument, "[_contrib_hawkesll] valid_length is ", length, " for sample ", which,
         "; expected 0 to ", longest);
  }
  for (int64_t i = 0; i < s.n; ++i) {
    if (!(s.marks[i] >= 0 && s.marks[i] < static_cast<double>(s.count))) {
      fail(Status::index, "[_contrib_hawkesll] mark ", s.marks[i], " at (", which, ", ", i,
           "); expected 0 to ", s.count - 1);
    }
  }
}

// Runs body(sample, number of the sample) on all of them.
template <class F>
void each_sample(Span<const View> in, F body) {
  const int64_t samples = in[kRate].shape()[0], count = in[kRate].shape()[1], longest = in[kLags].shape()[1];
  parallel_for(samples, loop_grain(512, {longest + count}), [&](int64_t begin, int64_t end) {
    Elements<double> rate(in[kRate], count), branching(in[kBranching], count), decay(in[kDecay], count);
    Elements<double> lags(in[kLags], longest), marks(in[kMarks], longest), length(in[kLength], 1),
        time(in[kTime], 1);
    const double *alpha = branching.read(0, count), *beta = decay.read(0, count);
    for (int64_t i = begin; i < end; ++i) {
      const double valid = *length.read(i, 1);
      Sample s{count,
               0,
               rate.read(i * count, count),
               alpha,
               beta,
               lags.read(i * longest, longest),
               marks.read(i * longest, longest),
               *time.read(i, 1)};
      if (valid >= 0 && valid <= static_cast<double>(longest)) s.n = static_cast<int64_t>(valid);
      check_sample(s, valid, longest, i);
      body(s, i);
    }
  });
}

void start_traces(const View& state, int64_t sample, int64_t count, ScratchArray<Trace>& traces) {
  ScratchArray<double> numbers(static_cast<size_t>(count));
  convert(state.as<char>() + static_cast<size_t>(sample * count) * size_of(state.dtype), state.dtype,
          numbers.data(), DType::float64, count);
  for (size_t k = 0; k < numbers.size(); ++k) traces[k] = {numbers[k], 0, 0};
}

void hawkes_kernel(const NoParams&, KernelArgs& args) {
  each_sample(args.in, [&](const Sample& s, int64_t i) {
    ScratchArray<Trace> traces(static_cast<size_t>(s.count));
    start_traces(args.in[kState], i, s.count, traces);
    double sum = 0;
    follow(s, traces.data(), [&](int64_t k, const Trace& trace, double since, double left, bool final) {
      if (!final) sum += std::log(s.rate[k] + s.branching[k] * s.decay[k] * trace.state * left);
      sum -= s.rate[k] * since + s.branching[k] * trace.state * (1 - left);
    });
    Elements<double> results(args.out[0], 1), states(args.out[1], s.count);
    *results.write(i) = sum;
    results.store(i, 1);
    double* last = states.write(i * s.count);
    for (int64_t k = 0; k < s.count; ++k) last[k] = traces[static_cast<size_t>(k)].state;
    states.store(i * s.count, s.count);
  });
}

// Sums over samples are made in their order, whatever the threads.
void hawkes_backward(const NoParams&, BackwardArgs& args) {
  const int64_t samples = args.in[kRate].shape()[0], count = args.in[kRate].shape()[1];
  ScratchArray<double> slopes(static_cast<size_t>(3 * samples * count), 0.0);
  each_sample(args.in, [&](const Sample& s, int64_t i) {
    ScratchArray<Trace> traces(static_cast<size_t>(count));
    start_traces(args.in[kState], i, count, traces);
    Elements<double> heads(args.out_grad[0], 1);
    const double head = *heads.read(i, 1);
    double *rate = slopes.data() + 3 * i * count, *branching = rate + count, *decay = branching + count;
    follow(s, traces.data(), [&](int64_t k, const Trace& trace, double since, double left, bool final) {
      const double strength = trace.state * left;
      const double slope = trace.by_decay * left - since * strength;  // of the strength, by decay
      const double intensity = s.rate[k] + s.branching[k] * s.decay[k] * strength;
      const double part = final ? 0 : head / intensity;
      rate[k] += part - head * since;
      branching[k] += part * s.decay[k] * strength - head * (trace.state - strength);
      decay[k] += s.branching[k] * (part * (strength + s.decay[k] * slope) - head * (trace.by_decay - slope));
    });
  });
  const auto store = [](const double* values, const View& view) {
    convert(values, DType::float64, view.data, view.dtype, view.size());
  };
  ScratchArray<double> sums(static_cast<size_t>(count)), rates(static_cast<size_t>(samples * count));
  for (int which = 1; which < 3; ++which) {
    if (!args.wants(which)) continue;
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t at = 0; at < samples * count; ++at)
      sums[static_cast<size_t>(at % count)] +=
          slopes[static_cast<size_t>((3 * (at / count) + which) * count + at % count)];
    store(sums.data(), args.in_grad[static_cast<size_t>(which)]);
  }
  if (args.wants(0)) {
    for (int64_t at = 0; at < samples * count; ++at)
      rates[static_cast<size_t>(at)] = slopes[static_cast<size_t>(3 * (at / count) * count + at % count)];
    store(rates.data(), args.in_grad[0]);
  }
  for (size_t i = kState; i <= kTime; ++i) {
    const View& view = args.in_grad[i];
    if (view.data && view.bytes() > 0) std::memset(view.data, 0, view.bytes());
  }
}

const Op& op = Define<>("_contrib_hawkesll")
                   .module("contrib")
                   .doc(
                       "The log likelihood of each sample's events under Hawkes processes, one per mark, "
                       "whose intensity is lda + alpha "
                       "* beta * the sum of exp(-beta * time since) over earlier events of the mark; and the "
                       "sums of exp(-beta * time "
                       "since) at the end. Gradients reach lda, alpha and beta, from the likelihood.")
                   .origin("MXNet _contrib_hawkesll; Hawkes 1971")
                   .input("lda", "(samples, marks): background intensities.")
                   .input("alpha", "(marks,): branching ratios.")
                   .input("beta", "(marks,): decays.")
                   .input("state", "(samples, marks): sums at time 0. Receives no gradient.")
                   .input("lags", "(samples, events): time since the event before. Receives no gradient.")
                   .input("marks", "(samples, events): marks of events, whole numbers.")
                   .input("valid_length", "(samples,): events that count. Receives no gradient.")
                   .input("max_time", "(samples,): end of the observation. Receives no gradient.")
                   .outputs({"output", "states"})
                   .shape(hawkes_shape)
                   .dtype(hawkes_dtype)
                   .kernel(hawkes_kernel)
                   .cost([](const NoParams&, Span<const Shape> in) {
                     return 500 + 60 * static_cast<double>(in[kLags].size() + in[kRate].size());
                   })
                   .backward(hawkes_backward)
                   .backward_reads({0});

}  // namespace
}  // namespace mixgrad::ops::hawkes
