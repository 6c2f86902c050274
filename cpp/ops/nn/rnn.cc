// Recurrent layers over whole sequences: plain, LSTM and GRU.
#include "ops/nn/rnn.h"

#include <algorithm>

#include "kernels/backend/nn_backend.h"
#include "kernels/loops/convert.h"
#include "ops/nn/rnn_backward.h"
#include "ops/nn/rnn_forward.h"

namespace mixgrad::ops::rnn {

void RnnParams::fields(Fields<RnnParams>& f) {
  constexpr double kMost = 1 << 24;
  f.required("state_size", &RnnParams::state_size, "Units of a layer and direction.", between(1, kMost))
      .required("num_layers", &RnnParams::num_layers, "Layers on top of one another.", between(1, 1 << 16))
      .add("bidirectional", &RnnParams::bidirectional,
           "Also run every layer from the last step to the first.")
      .choice("mode", &RnnParams::mode, {"rnn_relu", "rnn_tanh", "lstm", "gru"}, "Kind of cell.", true)
      .add("p", &RnnParams::p,
           "While training, part of the inputs of the layers above the first that become 0.", between(0, 1))
      .add("state_outputs", &RnnParams::state_outputs, "Also give the states after the last step.")
      .add("projection_size", &RnnParams::projection_size,
           "Of the LSTM: extent to which a matrix takes the state after every step.", between(1, kMost))
      .add("lstm_state_clip_min", &RnnParams::lstm_state_clip_min,
           "Lower bound of the LSTM's cells; given together with the upper one.")
      .add("lstm_state_clip_max", &RnnParams::lstm_state_clip_max, "Upper bound of the LSTM's cells.")
      .add("lstm_state_clip_nan", &RnnParams::lstm_state_clip_nan, "With bounds: take NaN to the lower one.")
      .add("use_sequence_length", &RnnParams::use_sequence_length, "Whether sequence_length is given.");
}

Plan::Plan(const RnnParams& params, const Shape& data, bool training)
    : p(params),
      steps(data[0]),
      batch(data[1]),
      inputs(data[2]),
      hidden(p.state_size),
      out(p.out_size()),
      gates(p.gates() * p.state_size),
      directions(p.directions()),
      projects(p.projection_size.has_value()),
      drops(training && p.p > 0) {
  joins = directions > 1 || p.p > 0 || p.use_sequence_length;
}

Plan::Weights Plan::weights(int64_t layer, int64_t direction) const {
  Weights w{};
  int64_t at = 0;
  for (int64_t c = 0; c <= chain(layer, direction); ++c) {
    w.input = at;
    w.state = w.input + gates * width(c / directions);
    w.projection = w.state + gates * out;
    at = w.projection + (projects ? out * hidden : 0);
  }
  for (int64_t c = chain(layer, direction) + 1; c < p.num_layers * directions; ++c)
    at += gates * (width(c / directions) + out) + (projects ? out * hidden : 0);
  w.input_bias = at + chain(layer, direction) * 2 * gates;
  w.state_bias = w.input_bias + gates;
  return w;
}

int64_t Plan::num_parameters() const { return weights(p.num_layers - 1, directions - 1).state_bias + gates; }

int64_t Plan::kept_by_chain() const {
  return rows() * (gates + out + (p.lstm() || p.mode == Mode::gru ? hidden : 0) + (projects ? hidden : 0));
}

Plan::Kept Plan::kept(int64_t chain) const {
  Kept k{};
  k.gates = chain * kept_by_chain();
  k.states = k.gates + rows() * gates;
  k.cells = k.states + rows() * out;
  k.wide = k.cells + rows() * hidden;
  return k;
}

int64_t Plan::joined(int64_t layer) const {
  return p.num_layers * directions * kept_by_chain() + (layer - 1) * rows() * directions * out;
}

int64_t Plan::mask(int64_t layer) const { return joined(p.num_layers + layer - 1); }

int64_t Plan::num_kept() const {
  if (!joins) return p.num_layers * directions * kept_by_chain();
  return p.p > 0 ? mask(p.num_layers) : joined(p.num_layers);
}

std::vector<int64_t> lengths_of(const RnnParams& p, const View* lengths, int64_t steps, int64_t batch) {
  if (!p.use_sequence_length) return {};
  std::vector<int64_t> values(static_cast<size_t>(batch));
  convert(lengths->data, lengths->dtype, values.data(), DType::int64, batch);
  for (int64_t& value : values) value = std::clamp<int64_t>(value, 0, steps);
  return values;
}

namespace {

constexpr int64_t kAny = Shape::kUnknownDim;
constexpr int kReserve = 3;  // the output that keeps what backward needs

void check_params(const RnnParams& p, ShapeInfer& s) {
  if (p.projection_size && !p.lstm()) s.reject("projection_size is only for lstm");
  if (p.lstm_state_clip_min.has_value() != p.lstm_state_clip_max.has_value())
    s.reject("expected both or none of lstm_state_clip_min and lstm_state_clip_max");
  if (p.lstm_state_clip_min && !(*p.lstm_state_clip_min <= *p.lstm_state_clip_max)) {
    s.reject("lstm_state_clip_min is ", *p.lstm_state_clip_min, "; expected at most lstm_state_clip_max, ",
             *p.lstm_state_clip_max);
  }
}

void rnn_shape(const RnnParams& p, ShapeInfer& s) {
  check_params(p, s);
  if (s.in(0).known_rank() && s.in(0).ndim() != 3) s.reject("data must be (steps, batch, inputs)");
  s.set_in(0, {kAny, kAny, kAny});
  s.set_out(0, {s.in(0)[0], s.in(0)[1], p.directions() * p.out_size()});
  s.set_in(0, {s.out(0)[0], s.out(0)[1], kAny});
  const int64_t chains = p.num_layers * p.directions();
  s.set_in(2, {chains, s.in(0)[1], p.out_size()});
  s.set_in(0, {kAny, s.in(2)[1], kAny});
  const int64_t batch = s.in(0)[1];
  s.set_out(0, {kAny, batch, kAny});
  s.set_out(1, {chains, batch, p.out_size()});
  if (p.lstm()) s.set_in(3, {chains, batch, p.state_size});
  s.set_out(2, p.lstm() ? Shape{chains, batch, p.state_size} : Shape{0});
  if (p.use_sequence_length) s.set_in(p.lstm() ? 4 : 3, {batch});
  const Shape& data = s.in(0);
  const double most =
      4.0 * static_cast<double>(p.state_size) *
      (static_cast<double>(std::max<int64_t>(data[2], 0)) + 4.0 * static_cast<double>(p.state_size));
  const double rows = std::max(1.0, static_cast<double>(data[0])) * std::max(1.0, static_cast<double>(batch));
  if (std::max(most, 16.0 * rows * static_cast<double>(p.state_size)) * static_cast<double>(chains) > 0x1p58)
    s.reject("expected extents whose weights and states can be counted");
  if (data[2] >= 0) s.set_in(1, {Plan(p, {0, 0, data[2]}, false).num_parameters()});
  if (s.known(0)) s.set_out(kReserve, {Plan(p, data, false).num_kept()});
}

void rnn_dtype(const RnnParams& p, DTypeInfer& d) {
  const int same = p.lstm() ? 4 : 3;
  for (int i = 1; i < same; ++i) d.set_in(0, d.in(i));
  d.set_in(0, d.out(0));
  const DType dtype = d.in(0);
  if (dtype != DType::unknown && !is_float(dtype)) d.reject("expected a float dtype");
  for (int i = 1; i < same; ++i) d.set_in(i, dtype);
  for (int i = 0; i < kReserve; ++i) d.set_out(i, dtype);
  if (p.use_sequence_length && d.in(same) == DType::unknown) d.set_in(same, dtype);
  if (dtype != DType::unknown) d.set_out(kReserve, dtype == DType::float64 ? dtype : DType::float32);
}

double rnn_cost(const RnnParams& p, Span<const Shape> in) {
  const Plan plan(p, in[0], false);
  const double weights = static_cast<double>(in[1].size()), rows = static_cast<double>(plan.rows());
  const double units = static_cast<double>(plan.gates * p.num_layers * plan.directions);
  return 1000 + nn_backend::products_cost(weights * rows) + 3 * rows * units;
}

const Op& op =
    Define<RnnParams>("RNN")
        .alias("_npx_rnn")
        .doc(
            "Layers of recurrent cells over whole sequences, in one or both directions: (steps, batch, "
            "directions * "
            "units), and with state_outputs the states (and cells) after the last step. The input's products "
            "of all "
            "steps are one matrix product.")
        .origin("MXNet RNN; Hochreiter and Schmidhuber 1997; Cho and others 2014")
        .input("data", "(steps, batch, inputs), float.")
        .input("parameters",
               "All weights, then all biases. Of every layer and direction: input weights (gates * units, "
               "inputs), "
               "state weights (gates * units, units), projection (size, units); then input and state biases. "
               "Gates "
               "are in, forget, new, out of the LSTM, and reset, update, new of the GRU.")
        .input("state", "(layers * directions, batch, units): the states before the first step.")
        .input("state_cell",
               "Of the LSTM: (layers * directions, batch, units), the cells before the first step.")
        .input("sequence_length",
               "(batch,): steps that count. Later ones give 0 and leave the states. Receives no gradient.")
        .outputs({"output", "state_output", "statecell_output", "reserve"})
        .num_inputs([](const RnnParams& p) {
          return 3 + static_cast<int>(p.lstm()) + static_cast<int>(p.use_sequence_length);
        })
        .num_visible([](const RnnParams& p) { return !p.state_outputs ? 1
                                                     : p.lstm()       ? 3
                                                                      : 2; })
        .shape(rnn_shape)
        .dtype(rnn_dtype)
        .kernel(rnn_forward::run)
        .cost(rnn_cost)
        .grad_needs({0, 1, 2, 3, 4}, {kReserve})
        .backward_reads({0, 1, 2})
        .backward(rnn_backward::run)
        .random()
        .depends_on_mode();

}  // namespace
}  // namespace mixgrad::ops::rnn
