// The elementwise part of one step of recurrent layers, for one sequence: rows of `n` units.
#pragma once

#include <cstdint>

namespace mixgrad::rnn_cell {

// Bounds of the LSTM's cell; `nan` also takes NaN to the lower one.
template <class C>
struct CellClip {
  bool on = false, nan = false;
  C low = 0, high = 0;
};

// Gates are replaced by their activations.
template <class C>
struct CellForward {
  C* gates;           // LSTM: input, forget, new, output; GRU: reset, update, new; else one
  const C* by_state;  // shares of the state in the gates
  C* kept;            // GRU: the new gate's share is copied here
  const C* previous;  // LSTM: the cell before; GRU: the state before
  C* cell;            // LSTM: the cell after
  C* state;           // the state after
};

template <class C>
struct CellBackward {
  const C* gates;     // activated
  const C* kept;      // as in CellForward
  const C* previous;  // as in CellForward
  const C* cell;      // LSTM: the cell after
  const C* grad;      // of the state after
  C* cell_grad;       // LSTM: of the cell after; becomes that of the cell before
  C* gates_grad;      // of what the gates were before activation
  C* by_state_grad;   // GRU: of by_state
  C* previous_grad;   // GRU: of the state before, but for what goes through the gates
};

// Loops for the best instruction set of this machine, by Mode.
template <class C>
using CellForwardFn = void (*)(const CellForward<C>&, int64_t n, const CellClip<C>& clip);
template <class C>
using CellBackwardFn = void (*)(const CellBackward<C>&, int64_t n, const CellClip<C>& clip);
template <class C>
const CellForwardFn<C>* cell_forward_loops();
template <class C>
const CellBackwardFn<C>* cell_backward_loops();

}  // namespace mixgrad::rnn_cell
