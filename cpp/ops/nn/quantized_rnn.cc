// LSTM layers over sequences of 8-bit arrays.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "kernels/scratch.h"
#include "ops/nn/rnn.h"

namespace mixgrad::ops::quantized_rnn {
namespace {

using rnn::Plan;
using rnn::RnnParams;

constexpr float kMostWeight = 127;
constexpr int64_t kGrain = 16384;
constexpr int64_t kMostTerms = 1 << 16;  // of 255 * 128 each, added in 32 bits

void check_params(const RnnParams& p, ShapeInfer& s) {
  if (!p.lstm()) s.reject("expected the mode lstm");
  if (p.projection_size || p.lstm_state_clip_min || p.lstm_state_clip_max || p.use_sequence_length)
    s.reject("expected no projection_size, no bounds of cells and no sequence_length");
}

void shape(const RnnParams& p, ShapeInfer& s) {
  check_params(p, s);
  const int64_t any = Shape::kUnknownDim, chains = p.num_layers * p.directions();
  if (s.in(0).known_rank() && s.in(0).ndim() != 3) s.reject("data must be (steps, batch, inputs)");
  s.set_in(0, {any, any, any});
  s.set_in(2, {chains, s.in(0)[1], p.state_size});
  s.set_in(0, {any, s.in(2)[1], any});
  const int64_t batch = s.in(0)[1], inputs = s.in(0)[2];
  s.set_in(3, {chains, batch, p.state_size});
  s.set_in(4, {1});
  s.set_in(5, {1});
  s.set_out(0, {s.in(0)[0], batch, p.directions() * p.state_size});
  s.set_out(1, {chains, batch, p.state_size});
  s.set_out(2, {chains, batch, p.state_size});
  if (std::max(inputs, p.directions() * p.state_size) + p.state_size > kMostTerms)
    s.reject("expected at most ", kMostTerms, " inputs and units of a gate, whose products are added");
  if (inputs >= 0) s.set_in(1, {Plan(p, {0, 0, inputs}, false).num_parameters()});
}

void dtype(const RnnParams&, DTypeInfer& d) {
  d.set_in(0, DType::uint8);
  for (int i = 1; i < d.num_inputs(); ++i) d.set_in(i, DType::float32);
  for (int i = 0; i < d.num_outputs(); ++i) d.set_out(i, DType::float32);
}

int32_t product(const uint8_t* x, const int8_t* w, int64_t n) {
  int32_t sum = 0;
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) sum += int32_t{x[i]} * int32_t{w[i]};
  return sum;
}

// To the nearest number of T, ties to even; what T cannot hold saturates, and NaN becomes the lowest.
template <class T>
T rounded(float x) {
  constexpr float kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  return static_cast<T>(std::nearbyint(x > kLow ? std::min(x, kHigh) : kLow));
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

class Lstm {
 public:
  Lstm(const RnnParams& p, KernelArgs& args)
      : plan_(p, args.in[0].shape(), false),
        parameters_(args.in[1].as<float>()),
        scale_(args.in[4].as<float>()[0]),
        shift_(args.in[5].as<float>()[0]),
        out_(args.out[0].as<float>()),
        magnitude_(static_cast<size_t>(plan_.gates)),
        unit_(static_cast<size_t>(plan_.gates)),
        offset_(static_cast<size_t>(plan_.gates)),
        sums_(static_cast<size_t>(plan_.batch * plan_.gates)),
        state_(static_cast<size_t>(plan_.batch * plan_.hidden)) {}

  void run(KernelArgs& args) {
    if (plan_.batch == 0) return;  // there may be any number of steps
    const int64_t width = plan_.directions * plan_.hidden, chain_size = plan_.batch * plan_.hidden;
    ScratchArray<uint8_t> below(static_cast<size_t>(plan_.rows() * width)),
        above(static_cast<size_t>(plan_.rows() * width));
    const uint8_t* x = args.in[0].as<uint8_t>();
    for (int64_t layer = 0; layer < plan_.p.num_layers; ++layer) {
      if (layer == 0 || !one_scale()) find_magnitudes(layer);
      for (int64_t d = 0; d < plan_.directions; ++d) {
        const int64_t at = plan_.chain(layer, d) * chain_size;
        round_weights(layer, d);
        float *state = args.out[1].as<float>() + at, *cell = args.out[2].as<float>() + at;
        const float *first = args.in[2].as<float>() + at, *first_cell = args.in[3].as<float>() + at;
        std::copy(first, first + chain_size, state);
        std::copy(first_cell, first_cell + chain_size, cell);
        for (int64_t t = 0; t < plan_.steps; ++t) {
          const int64_t row = (d == 0 ? t : plan_.steps - 1 - t) * plan_.batch;
          step(x + row * plan_.width(layer), plan_.width(layer), state, cell,
               above.data() + row * width + d * plan_.hidden);
        }
      }
      std::swap(below, above);
      x = below.data();
    }
    parallel_for(plan_.rows() * width, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) out_[i] = (static_cast<float>(x[i]) - shift_) / scale_;
    });
  }

 private:
  // MXNet runs layers of equal extents as one, in which the weights of all have the scale of the first.
  bool one_scale() const { return plan_.directions == 1 && plan_.inputs == plan_.hidden; }

  // The largest weight of each gate's units; directions share it.
  void find_magnitudes(int64_t layer) {
    std::fill(magnitude_.begin(), magnitude_.end(), 0.0f);
    for (int64_t d = 0; d < plan_.directions; ++d) {
      const Plan::Weights at = plan_.weights(layer, d);
      raise_magnitudes(parameters_ + at.input, plan_.width(layer));
      raise_magnitudes(parameters_ + at.state, plan_.hidden);
    }
  }
  void raise_magnitudes(const float* weights, int64_t width) {
    for (int64_t g = 0; g < plan_.gates; ++g)
      for (int64_t i = 0; i < width; ++i)
        magnitude_[g] = std::max(magnitude_[g], std::fabs(weights[g * width + i]));
  }

  // Weights in 8 bits, the value of one step of the products, and what is added: biases less the shift's share.
  void round_weights(int64_t layer, int64_t d) {
    const Plan::Weights at = plan_.weights(layer, d);
    const int64_t width = plan_.width(layer);
    by_input_ = ScratchArray<int8_t>(static_cast<size_t>(plan_.gates * width));
    by_state_ = ScratchArray<int8_t>(static_cast<size_t>(plan_.gates * plan_.hidden));
    for (int64_t g = 0; g < plan_.gates; ++g) {
      const float scale = magnitude_[g] > 0 ? kMostWeight / magnitude_[g] : 0;
      int64_t sum = round_row(parameters_ + at.input + g * width, scale, by_input_.data() + g * width, width);
      sum += round_row(parameters_ + at.state + g * plan_.hidden, scale, by_state_.data() + g * plan_.hidden,
                       plan_.hidden);
      unit_[g] = scale > 0 ? 1 / (scale_ * scale) : 0;
      offset_[g] = parameters_[at.input_bias + g] + parameters_[at.state_bias + g] -
                   shift_ * static_cast<float>(sum) * unit_[g];
    }
  }
  static int64_t round_row(const float* from, float scale, int8_t* to, int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += to[i] = rounded<int8_t>(from[i] * scale);
    return sum;
  }

  // x: (N, width). state and cell: (N, H), replaced. to: rows of the layer's output in 8 bits.
  void step(const uint8_t* x, int64_t width, float* state, float* cell, uint8_t* to) {
    const int64_t n = plan_.batch, hidden = plan_.hidden, gates = plan_.gates;
    for (int64_t i = 0; i < n * hidden; ++i) state_[i] = rounded<uint8_t>(state[i] * scale_ + shift_);
    parallel_for(n * gates, loop_grain(kGrain, {width + hidden}), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = i / gates, g = i % gates;
        const int32_t sum = product(x + row * width, by_input_.data() + g * width, width) +
                            product(state_.data() + row * hidden, by_state_.data() + g * hidden, hidden);
        sums_[i] = static_cast<float>(sum) * unit_[g] + offset_[g];
      }
    });
    for (int64_t row = 0; row < n; ++row) {
      const float* gate = sums_.data() + row * gates;
      uint8_t* out = to + row * plan_.directions * hidden;
      for (int64_t u = 0; u < hidden; ++u) {
        float& c = cell[row * hidden + u];
        c = sigmoid(gate[hidden + u]) * c + sigmoid(gate[u]) * std::tanh(gate[2 * hidden + u]);
        out[u] = rounded<uint8_t>(sigmoid(gate[3 * hidden + u]) * std::tanh(c) * scale_ + shift_);
        state[row * hidden + u] = (static_cast<float>(out[u]) - shift_) / scale_;
      }
    }
  }

  Plan plan_;
  const float* parameters_;
  float scale_, shift_;
  float* out_;
  ScratchArray<float> magnitude_, unit_, offset_, sums_;
  ScratchArray<uint8_t> state_;
  ScratchArray<int8_t> by_input_, by_state_;
};

void kernel(const RnnParams& p, KernelArgs& args) {
  const float scale = args.in[4].as<float>()[0];
  if (!(scale > 0) || !std::isfinite(scale)) {
    fail(Status::invalid_argument, "[_contrib_quantized_rnn] data_scale is ", static_cast<double>(scale),
         "; expected a number above 0");
  }
  Lstm(p, args).run(args);
}

const Op& quantized_rnn_op =
    Define<RnnParams>("_contrib_quantized_rnn")
        .doc(
            "LSTM layers over whole sequences in 8 bits, for predictions: data, states and outputs of all "
            "steps "
            "as uint8 (value * data_scale + data_shift, rounded), weights as int8 with a scale per unit and "
            "gate, "
            "gates and cells in float32. Outputs are floats again. p has no meaning.")
        .origin("MXNet _contrib_quantized_rnn")
        .input("data", "(steps, batch, inputs), uint8, as _contrib_quantize_asym gives it.")
        .input("parameters", "As those of RNN with the mode lstm, float32.")
        .input("state", "(layers * directions, batch, units): the states before the first step.")
        .input("state_cell", "(layers * directions, batch, units): the cells before the first step.")
        .input("data_scale", "(1,): what data was multiplied by.")
        .input("data_shift", "(1,): what was added.")
        .outputs({"output", "state_output", "statecell_output"})
        .num_visible([](const RnnParams& p) { return p.state_outputs ? 3 : 1; })
        .shape(shape)
        .dtype(dtype)
        .kernel(kernel)
        .cost([](const RnnParams&, Span<const Shape> in) {
          return 1000 + 0.1 * static_cast<double>(in[1].size()) * static_cast<double>(in[0][0] * in[0][1]);
        })
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_rnn
