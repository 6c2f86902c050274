#include "ops/nn/rnn_backward.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "kernels/backend/nn_backend.h"
#include "kernels/elements.h"
#include "kernels/recurrent/rnn_cell.h"
#include "kernels/scratch.h"

namespace mixgrad::ops::rnn_backward {
namespace {

using rnn::lengths_of;
using rnn::Mode;
using rnn::Plan;
using rnn::RnnParams;
using rnn_cell::cell_backward_loops;
using rnn_cell::CellBackwardFn;
using rnn_cell::CellClip;

constexpr int64_t kCellGradGrain = 4096;

// An output gradient as C; zeros where nothing arrives.
template <class C>
const C* head_values(const View& view, Elements<C>& elements, std::vector<C>& zeros, int64_t size) {
  if (view.data) return elements.read(0, size);
  zeros.assign(static_cast<size_t>(size), C(0));
  return zeros.data();
}

template <class C>
class Backward {
 public:
  Backward(const RnnParams& p, BackwardArgs& args)
      : p_(p),
        plan_(p, args.in[0].shape(), args.training),
        kept_(args.out[3].as<C>()),
        lengths_(lengths_of(p, &args.in[args.in.size() - 1], plan_.steps, plan_.batch)),
        loops_(cell_backward_loops<C>()) {
    if (p.lstm_state_clip_min) {
      clip_ = {true, p.lstm_state_clip_nan, static_cast<C>(*p.lstm_state_clip_min),
               static_cast<C>(*p.lstm_state_clip_max)};
    }
  }

  void run(BackwardArgs& args) {
    const Plan& s = plan_;
    const int64_t chains = p_.num_layers * s.directions, states_size = chains * s.batch * s.out;
    const int64_t cells_size = p_.lstm() ? chains * s.batch * s.hidden : 0;
    const View &data_view = args.in[0], &cell_view = args.in[p_.lstm() ? 3 : 2];
    Elements<C> data(data_view, data_view.size()), parameters(args.in[1], args.in[1].size());
    Elements<C> states(args.in[2], states_size), cells(cell_view, cells_size);
    Elements<C> heads(args.out_grad[0], s.rows() * s.directions * s.out);
    Elements<C> state_heads(args.out_grad[1], states_size), cell_heads(args.out_grad[2], cells_size);
    std::vector<C> zeros[3];
    weights_ = parameters.read(0, args.in[1].size());
    states_ = states.read(0, states_size);
    cells_ = cells.read(0, cells_size);
    // Gradients of states and cells start as what arrives for the last ones and end as those of the first ones.
    const C* last = head_values(args.out_grad[1], state_heads, zeros[1], states_size);
    state_grads_.assign(last, last + states_size);
    const C* last_cells = head_values(args.out_grad[2], cell_heads, zeros[2], cells_size);
    cell_grads_.assign(last_cells, last_cells + cells_size);
    weight_grads_.assign(static_cast<size_t>(args.in[1].size()), C(0));

    const C* dy = head_values(args.out_grad[0], heads, zeros[0], s.rows() * s.directions * s.out);
    std::vector<C> above, below;
    for (int64_t l = p_.num_layers - 1; l >= 0; --l) {
      const C* x = l == 0 ? data.read(0, data_view.size())
                          : kept_ + (s.joins ? s.joined(l) : s.kept(s.chain(l - 1, 0)).states);
      const bool wanted = l > 0 || args.wants(0);
      below.assign(wanted ? static_cast<size_t>(s.rows() * s.width(l)) : 0, C(0));
      for (int64_t d = 0; d < s.directions; ++d) run_chain(l, d, x, dy, wanted ? below.data() : nullptr);
      if (l > 0 && s.drops) {
        const C* mask = kept_ + s.mask(l);
        for (size_t i = 0; i < below.size(); ++i) below[i] *= mask[i];
      }
      above.swap(below);
      dy = above.data();
    }
    if (args.wants(0)) store(above, args.in_grad[0]);
    if (args.wants(1)) store(weight_grads_, args.in_grad[1]);
    if (args.wants(2)) store(state_grads_, args.in_grad[2]);
    if (p_.lstm() && args.wants(3)) store(cell_grads_, args.in_grad[3]);
    const int lengths = p_.lstm() ? 4 : 3;
    if (p_.use_sequence_length && args.wants(lengths))
      std::memset(args.in_grad[static_cast<size_t>(lengths)].data, 0,
                  args.in_grad[static_cast<size_t>(lengths)].bytes());
  }

 private:
  static void store(const std::vector<C>& values, const View& to) {
    convert(values.data(), dtype_of<C>(), to.data, to.dtype, to.size());
  }

  bool behind(int64_t step, int64_t sequence) const {
    return !lengths_.empty() && step >= lengths_[static_cast<size_t>(sequence)];
  }

  // c = a^T b (+ c) with a (k, m) and b (k, n).
  static void product_by_rows(const C* a, int64_t m, const C* b, int64_t n, int64_t k, C* c) {
    if (k == 0) return;
    Gemm g;
    g.m = m, g.n = n, g.k = k;
    g.a = a, g.lda = m, g.transpose_a = true;
    g.b = b, g.ldb = n;
    g.c = c, g.ldc = n, g.accumulate = true;
    nn_backend::matrix_product(dtype_of<C>(), g);
  }

  // c += a b with a (m, k) and b (k, n).
  static void product_added(const C* a, int64_t m, int64_t k, const C* b, int64_t n, C* c) {
    if (m == 0) return;
    Gemm g;
    g.m = m, g.n = n, g.k = k;
    g.a = a, g.lda = k;
    g.b = b, g.ldb = n;
    g.c = c, g.ldc = n, g.accumulate = true;
    nn_backend::matrix_product(dtype_of<C>(), g);
  }

  struct Step {
    Plan::Kept kept;
    int64_t t, direction;
    const C *before, *head;  // cell (LSTM) or state (GRU) before; gradient of the layer's output (T N, D P)
    C *grad, *next, *cell_grad, *wide, *projected, *gates_grad, *by_state_grad;
  };

  // Adds the gradient of the output to that of the state (N, P).
  void add_heads(const Step& step) const {
    const Plan& s = plan_;
    for (int64_t n = 0; n < s.batch; ++n) {
      const int64_t row = step.t * s.batch + n;
      const C* head = step.head + (row * s.directions + step.direction) * s.out;
      C* grad = step.grad + n * s.out;
      const bool skip = behind(step.t, n);
      for (int64_t i = 0; i < s.out && !skip; ++i) grad[i] += head[i];
      // Of the projection: what arrives at it.
      for (int64_t i = 0; i < s.out && s.projects; ++i)
        step.projected[row * s.out + i] = skip ? C(0) : grad[i];
    }
  }

  void run_cells(const Step& step) const {
    const Plan& s = plan_;
    const auto run = loops_[static_cast<int>(p_.mode)];
    const bool gru = p_.mode == Mode::gru;
    parallel_for(s.batch, loop_grain(kCellGradGrain, {s.gates}), [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const int64_t row = step.t * s.batch + n;
        C *grad = step.grad + n * s.out, *next = step.next + n * s.out;
        C *to = step.gates_grad + row * s.gates, *by = step.by_state_grad + row * s.gates;
        if (behind(step.t, n)) {
          std::copy_n(grad, s.out, next);
          std::fill_n(to, s.gates, C(0));
          if (gru) std::fill_n(by, s.gates, C(0));
          continue;
        }
        std::fill_n(next, s.out, C(0));
        const C* cell = kept_ + step.kept.cells + row * s.hidden;
        run({kept_ + step.kept.gates + row * s.gates, cell, step.before + n * s.hidden, cell,
             s.projects ? step.wide + n * s.hidden : grad, step.cell_grad + n * s.hidden, to, by, next},
            s.hidden, clip_);
      }
    });
  }

  void run_chain(int64_t layer, int64_t direction, const C* x, const C* dy, C* dx) {
    const Plan& s = plan_;
    if (s.batch == 0) return;  // there may be any number of steps
    const Plan::Weights w = s.weights(layer, direction);
    const Plan::Kept k = s.kept(s.chain(layer, direction));
    const int64_t chain = s.chain(layer, direction), rows = s.rows(), wide = s.batch * s.hidden;
    const bool gru = p_.mode == Mode::gru;
    const C* state = states_ + chain * s.batch * s.out;
    const Scratch workspace = Scratch::of<C>(rows * s.gates * (gru ? 2 : 1) + s.batch * s.out + wide +
                                             (s.projects ? rows * s.out : 0));
    C* gates_grad = workspace.template as<C>();
    C* by_state_grad = gru ? gates_grad + rows * s.gates : gates_grad;
    C *spare = by_state_grad + rows * s.gates, *wide_grad = spare + s.batch * s.out;
    C *projected = wide_grad + wide, *state_grad = state_grads_.data() + chain * s.batch * s.out;
    C* grad = state_grad;
    for (int64_t i = s.steps - 1; i >= 0; --i) {
      const int64_t t = direction ? s.steps - 1 - i : i, from = (direction ? t + 1 : t - 1) * s.batch;
      Step step{k,     t,         direction, wide_grad, dy,         grad,
                spare, wide_grad, wide_grad, projected, gates_grad, by_state_grad};
      if (gru) step.before = i == 0 ? state : kept_ + k.states + from * s.out;
      if (p_.lstm()) {
        step.before = i == 0 ? cells_ + chain * wide : kept_ + k.cells + from * s.hidden;
        step.cell_grad = cell_grads_.data() + chain * wide;
      }
      add_heads(step);
      if (s.projects) {
        std::fill_n(wide_grad, wide, C(0));
        product_added(grad, s.batch, s.out, weights_ + w.projection, s.hidden, wide_grad);
      }
      run_cells(step);
      product_added(by_state_grad + t * s.batch * s.gates, s.batch, s.gates, weights_ + w.state, s.out,
                    spare);
      std::swap(grad, spare);
    }
    if (grad != state_grad) std::copy_n(grad, s.batch * s.out, state_grad);
    if (rows == 0) return;
    C* to = weight_grads_.data();
    product_by_rows(gates_grad, s.gates, x, s.width(layer), rows, to + w.input);
    // Steps whose state before is that of a neighbour, then the one that starts from the initial state.
    const int64_t inner = (s.steps - 1) * s.batch, later = direction ? 0 : s.batch,
                  first = direction ? inner : 0;
    product_by_rows(by_state_grad + later * s.gates, s.gates,
                    kept_ + k.states + (direction ? s.batch * s.out : 0), s.out, inner, to + w.state);
    product_by_rows(by_state_grad + first * s.gates, s.gates, state, s.out, s.batch, to + w.state);
    nn_backend::sum_rows(dtype_of<C>(), gates_grad, rows, s.gates, to + w.input_bias);
    nn_backend::sum_rows(dtype_of<C>(), by_state_grad, rows, s.gates, to + w.state_bias);
    if (s.projects) product_by_rows(projected, s.out, kept_ + k.wide, s.hidden, rows, to + w.projection);
    if (dx) product_added(gates_grad, rows, s.gates, weights_ + w.input, s.width(layer), dx);
  }

  const RnnParams& p_;
  Plan plan_;
  const C* kept_;
  std::vector<int64_t> lengths_;
  const CellBackwardFn<C>* const loops_;
  CellClip<C> clip_;
  const C *weights_ = nullptr, *states_ = nullptr, *cells_ = nullptr;
  std::vector<C> state_grads_, cell_grads_, weight_grads_;
};

}  // namespace

void run(const RnnParams& p, BackwardArgs& args) {
  if (args.in[0].dtype == DType::float64)
    Backward<double>(p, args).run(args);
  else
    Backward<float>(p, args).run(args);
}

}  // namespace mixgrad::ops::rnn_backward
