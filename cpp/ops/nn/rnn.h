// What the parts of the recurrent layers share: parameters, where weights lie, and what forward keeps for backward.
#pragma once

#include <optional>
#include <vector>

#include "kernels/random/random.h"
#include "op/define.h"

namespace mixgrad::ops::rnn {

enum class Mode { rnn_relu, rnn_tanh, lstm, gru };

struct RnnParams {
  int64_t state_size = 0, num_layers = 0;
  bool bidirectional = false;
  Mode mode = Mode::lstm;
  float p = 0;
  bool state_outputs = false;
  std::optional<int64_t> projection_size;
  std::optional<double> lstm_state_clip_min, lstm_state_clip_max;
  bool lstm_state_clip_nan = false, use_sequence_length = false;
  static void fields(Fields<RnnParams>& f);
  bool lstm() const { return mode == Mode::lstm; }
  int64_t gates() const { return mode == Mode::lstm ? 4 : mode == Mode::gru ? 3 : 1; }
  int64_t directions() const { return bidirectional ? 2 : 1; }
  int64_t out_size() const { return projection_size.value_or(state_size); }
};

// Extents of one call, and offsets in elements. A chain is one direction of one layer.
struct Plan {
  Plan(const RnnParams& params, const Shape& data, bool training);
  const RnnParams& p;
  int64_t steps, batch, inputs;            // T, N, I
  int64_t hidden, out, gates, directions;  // H, P, G * H, D
  bool projects, drops;
  bool joins;  // whether the input of an upper layer is stored apart from the states of the lower one

  int64_t rows() const { return steps * batch; }
  int64_t width(int64_t layer) const { return layer == 0 ? inputs : directions * out; }
  int64_t chain(int64_t layer, int64_t direction) const { return layer * directions + direction; }

  // Places in the array of parameters: all weights chain by chain, then all biases.
  struct Weights {
    int64_t input, state, projection, input_bias, state_bias;
  };
  Weights weights(int64_t layer, int64_t direction) const;
  int64_t num_parameters() const;

  // Places in what forward keeps. Of each chain: activated gates (T N, G H), states (T N, P); LSTM: cells (T N, H)
  // and, when it projects, the unprojected states; GRU: the new gate's share of the state (T N, H).
  struct Kept {
    int64_t gates, states, cells, wide;
  };
  Kept kept(int64_t chain) const;
  int64_t joined(int64_t layer) const;  // input of `layer` (T N, D P), of layers above the first
  int64_t mask(int64_t layer) const;    // what dropout multiplied that by
  int64_t num_kept() const;

 private:
  int64_t kept_by_chain() const;
};

// Sequence lengths clipped to [0, steps]; empty when all are whole.
std::vector<int64_t> lengths_of(const RnnParams& p, const View* lengths, int64_t steps, int64_t batch);

}  // namespace mixgrad::ops::rnn
