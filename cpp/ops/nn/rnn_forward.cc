#include "ops/nn/rnn_forward.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/backend/nn_backend.h"
#include "kernels/elements.h"
#include "kernels/random/random_fill.h"
#include "kernels/recurrent/rnn_cell.h"
#include "kernels/scratch.h"

namespace mixgrad::ops::rnn_forward {
namespace {

using rnn::lengths_of;
using rnn::Mode;
using rnn::Plan;
using rnn::RnnParams;
using rnn_cell::cell_forward_loops;
using rnn_cell::CellClip;
using rnn_cell::CellForwardFn;

constexpr int64_t kCellGrain = 4096;

template <class C>
class Forward {
 public:
  Forward(const RnnParams& p, KernelArgs& args)
      : p_(p),
        plan_(p, args.in[0].shape(), args.training),
        key_(args.random_key()),
        kept_(args.out[3].as<C>()),
        lengths_(lengths_of(p, &args.in[args.in.size() - 1], plan_.steps, plan_.batch)),
        loops_(cell_forward_loops<C>()) {
    if (p.lstm_state_clip_min) {
      clip_ = {true, p.lstm_state_clip_nan, static_cast<C>(*p.lstm_state_clip_min),
               static_cast<C>(*p.lstm_state_clip_max)};
    }
  }

  void run(KernelArgs& args) {
    const Plan& s = plan_;
    Elements<C> data(args.in[0], args.in[0].size()), parameters(args.in[1], args.in[1].size());
    Elements<C> states(args.in[2], args.in[2].size());
    const View& cell_view = args.in[p_.lstm() ? 3 : 2];
    Elements<C> cells(cell_view, cell_view.size());
    weights_ = parameters.read(0, args.in[1].size());
    const C* state = states.read(0, args.in[2].size());
    const C* cell = cells.read(0, cell_view.size());
    const C* x = data.read(0, args.in[0].size());
    for (int64_t l = 0; l < p_.num_layers; ++l) {
      if (l > 0) x = layer_input(l);
      for (int64_t d = 0; d < s.directions; ++d) {
        const int64_t c = s.chain(l, d);
        run_chain(l, d, x, state + c * s.batch * s.out, cell + c * s.batch * s.hidden);
      }
    }
    Elements<C> out(args.out[0], args.out[0].size());
    join(p_.num_layers - 1, out.write(0));
    out.store(0, args.out[0].size());
    store_last(args.out[1], state, s.out, false);
    if (p_.lstm()) store_last(args.out[2], cell, s.hidden, true);
  }

 private:
  // The states of both directions side by side (T N, D P), 0 behind the ends of sequences.
  void join(int64_t layer, C* to) const {
    const Plan& s = plan_;
    for (int64_t d = 0; d < s.directions; ++d) {
      const C* from = kept_ + s.kept(s.chain(layer, d)).states;
      for (int64_t r = 0; r < s.rows(); ++r) {
        C* row = to + (r * s.directions + d) * s.out;
        if (behind(r / s.batch, r % s.batch))
          std::fill(row, row + s.out, C(0));
        else
          std::copy(from + r * s.out, from + (r + 1) * s.out, row);
      }
    }
  }

  const C* layer_input(int64_t layer) {
    const Plan& s = plan_;
    if (!s.joins) return kept_ + s.kept(s.chain(layer - 1, 0)).states;
    C* joined = kept_ + s.joined(layer);
    join(layer - 1, joined);
    if (p_.p > 0) drop(layer, joined);
    return joined;
  }

  void drop(int64_t layer, C* x) {
    constexpr int64_t kTile = 1024;
    C* mask = kept_ + plan_.mask(layer);
    const int64_t size = plan_.rows() * plan_.width(layer), tiles = (size + kTile - 1) / kTile;
    if (!plan_.drops) return std::fill(mask, mask + size, C(1));
    const auto keep = static_cast<uint64_t>(std::llround((1 - static_cast<double>(p_.p)) * 0x1p32));
    const C scale = p_.p < 1 ? C(1) / (1 - static_cast<C>(p_.p)) : C(0);
    parallel_for(tiles, 8, [&](int64_t begin, int64_t end) {
      uint32_t words[kTile];
      for (int64_t t = begin; t < end; ++t) {
        random_words(key_, (layer * tiles + t) * kTile, kTile, words);
        for (int64_t i = t * kTile; i < std::min(size, (t + 1) * kTile); ++i) {
          mask[i] = words[i - t * kTile] < keep ? scale : C(0);
          x[i] *= mask[i];
        }
      }
    });
  }

  bool behind(int64_t step, int64_t sequence) const {
    return !lengths_.empty() && step >= lengths_[static_cast<size_t>(sequence)];
  }

  void run_chain(int64_t layer, int64_t direction, const C* x, const C* state, const C* cell) {
    const Plan& s = plan_;
    if (s.batch == 0) return;  // there may be any number of steps
    const Plan::Weights w = s.weights(layer, direction);
    const Plan::Kept k = s.kept(s.chain(layer, direction));
    const bool gru = p_.mode == Mode::gru;
    const int64_t shared = gru ? 2 * s.hidden : s.gates, width = s.width(layer);
    // Biases of the input; where nothing stands between, those of the state are added.
    const Scratch workspace = Scratch::of<C>(s.gates * 2 + s.batch * s.gates);
    C *bias = workspace.template as<C>(), *state_bias = bias + s.gates, *by_state = state_bias + s.gates;
    for (int64_t i = 0; i < s.gates; ++i) {
      bias[i] = weights_[w.input_bias + i] + (i < shared ? weights_[w.state_bias + i] : C(0));
      state_bias[i] = i < shared ? C(0) : weights_[w.state_bias + i];
    }
    Gemm all;
    all.m = s.rows(), all.n = s.gates, all.k = width;
    all.a = x, all.lda = width;
    all.b = weights_ + w.input, all.ldb = width, all.transpose_b = true;
    all.c = kept_ + k.gates, all.ldc = s.gates;
    all.bias = bias;
    nn_backend::matrix_product(dtype_of<C>(), all);
    for (int64_t i = 0; i < s.steps; ++i) {
      const int64_t t = direction ? s.steps - 1 - i : i, from = (direction ? t + 1 : t - 1) * s.batch;
      const C* before = i == 0 ? state : kept_ + k.states + from * s.out;
      const C* cell_before = i == 0 ? cell : kept_ + k.cells + from * s.hidden;
      Gemm step;
      step.m = s.batch, step.n = s.gates, step.k = s.out;
      step.a = before, step.lda = s.out;
      step.b = weights_ + w.state, step.ldb = s.out, step.transpose_b = true;
      step.c = by_state, step.ldc = s.gates;
      if (gru) step.bias = state_bias;
      nn_backend::matrix_product(dtype_of<C>(), step);
      run_cells(k, t, gru ? before : cell_before, by_state);
      if (s.projects) {
        Gemm narrow;
        narrow.m = s.batch, narrow.n = s.out, narrow.k = s.hidden;
        narrow.a = kept_ + k.wide + t * s.batch * s.hidden, narrow.lda = s.hidden;
        narrow.b = weights_ + w.projection, narrow.ldb = s.hidden, narrow.transpose_b = true;
        narrow.c = kept_ + k.states + t * s.batch * s.out, narrow.ldc = s.out;
        nn_backend::matrix_product(dtype_of<C>(), narrow);
      }
      for (int64_t n = 0; n < s.batch && !lengths_.empty(); ++n) {
        if (!behind(t, n)) continue;
        std::copy_n(before + n * s.out, s.out, kept_ + k.states + (t * s.batch + n) * s.out);
        if (p_.lstm())
          std::copy_n(cell_before + n * s.hidden, s.hidden, kept_ + k.cells + (t * s.batch + n) * s.hidden);
      }
    }
  }

  void run_cells(const Plan::Kept& k, int64_t t, const C* before, C* by_state) const {
    const Plan& s = plan_;
    const auto run = loops_[static_cast<int>(p_.mode)];
    parallel_for(s.batch, loop_grain(kCellGrain, {s.gates}), [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const int64_t row = t * s.batch + n;
        C* cell = kept_ + k.cells + row * s.hidden;
        C* state = s.projects ? kept_ + k.wide + row * s.hidden : kept_ + k.states + row * s.out;
        run({kept_ + k.gates + row * s.gates, by_state + n * s.gates, cell, before + n * s.hidden, cell,
             state},
            s.hidden, clip_);
      }
    });
  }

  // States or cells after the last step of every chain.
  void store_last(const View& view, const C* initial, int64_t width, bool cells) const {
    const Plan& s = plan_;
    Elements<C> out(view, view.size());
    C* to = out.write(0);
    for (int64_t c = 0; c < p_.num_layers * s.directions; ++c) {
      const Plan::Kept k = s.kept(c);
      const int64_t last = c % s.directions ? 0 : s.steps - 1, count = s.batch * width;
      const C* from = s.steps > 0 ? kept_ + (cells ? k.cells : k.states) + last * count : initial + c * count;
      std::copy_n(from, count, to + c * count);
    }
    out.store(0, view.size());
  }

  const RnnParams& p_;
  Plan plan_;
  RandomKey key_;
  C* kept_;
  std::vector<int64_t> lengths_;
  const CellForwardFn<C>* const loops_;
  CellClip<C> clip_;
  const C* weights_ = nullptr;
};

}  // namespace

void run(const RnnParams& p, KernelArgs& args) {
  if (args.in[0].dtype == DType::float64)
    Forward<double>(p, args).run(args);
  else
    Forward<float>(p, args).run(args);
}

}  // namespace mixgrad::ops::rnn_forward
