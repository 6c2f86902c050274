// What operators do with sparse arrays: one rule each.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "exec/sparse/sparse.h"
#include "exec/tape/tape.h"

namespace mixgrad::sparse {

// One call with some sparse arrays.
struct SparseCall {
  const Op& op;
  const ParamsRef& params;
  Span<Array* const> in;
  Span<ArrayRef> out;  // those that the caller gave; rules put what they make in place of the others
  bool stored(size_t i, Storage storage) const { return i < in.size() && storage_of(*in[i]) == storage; }
  const SparseParts& parts(size_t i) const { return *in[i]->chunk().parts(); }
  // Parameters by name.
  const Field& field(const char* name) const;
  int64_t integer(const char* name) const { return field(name).integer(params->data()); }
  double real(const char* name) const { return field(name).real(params->data()); }
  // The operator on other arrays, with the same parameters.
  ArrayRef apply_to(std::initializer_list<ArrayRef> inputs) const;
};

// A call that is on the tape, with what it saw.
struct SparseGrad {
  const Op& op;
  const ParamsRef& params;
  Span<const ArrayRef> in;   // as they were; throws where one was changed since
  const ArrayRef& out_grad;  // of the first output; dense or sparse
  Span<const bool> wants;
  Span<const bool> dense_only;  // whether what receives the gradient of that input takes dense ones only
  Span<ArrayRef> gradients;
  bool by_dense =
      false;  // set where the rule does not cover the call: its gradients are those on dense copies
  const Field& field(const char* name) const;
};

struct SparseRule {
  // How the first output is stored; none: the rule does not cover these storage types.
  std::optional<Storage> (*infer)(const SparseCall&) = nullptr;
  // Makes the outputs. Null: dense copies are what the rule means, without a warning.
  void (*forward)(SparseCall&) = nullptr;
  // Null: gradients are those of the operator on dense copies, as they are where gradients of gradients are wanted.
  void (*backward)(SparseGrad&) = nullptr;
  // Input 0 and the states are written where they are stored; all other inputs are copies of what the caller's arrays stored.
  bool updates = false;
};

class Rules {
 public:
  void add(const char* op, const SparseRule& rule);
  const SparseRule* find(const Op& op) const;

 private:
  std::unordered_map<const Op*, SparseRule> rules_;
};
void add_storage_rules(Rules& rules);
void add_elementwise_rules(Rules& rules);
void add_product_rules(Rules& rules);
void add_shape_rules(Rules& rules);
void add_reduce_rules(Rules& rules);
void add_update_rules(Rules& rules);
void add_graph_rules(Rules& rules);

// How the first output of a call would be stored, by the operator's rule; none: there is no rule for it, and all is dense.
std::optional<Storage> storage_made(const SparseCall& call);

// One call of an operator by name, on dense arrays.
ArrayRef call(const char* op, std::initializer_list<ArrayRef> inputs,
              std::initializer_list<NamedValue> params = {}, ArrayRef out = {});

// Which elements a sparse array stores, as one growing number each: the row, or row * columns + column. `order`: where each lies
// among the values; empty: as they are. Indices outside of the shape throw Status::index.
struct Keys {
  std::vector<int64_t> keys, order;
};
Keys keys_of(const Array& array);
// An array that stores values[i] at keys[i], which grow.
ArrayRef from_keys(Storage storage, const Shape& shape, const std::vector<int64_t>& keys, ArrayRef values);
// Items of the leading axis by number, and the reverse: zeros of `count` items to which items are added by number.
ArrayRef take_items(const ArrayRef& items, const std::vector<int64_t>& numbers);
ArrayRef place_items(const ArrayRef& items, const ArrayRef& numbers, int64_t count);
ArrayRef place_items(const ArrayRef& items, const std::vector<int64_t>& numbers, int64_t count);
// The items of the leading axis of a dense array that are not all zero.
std::vector<int64_t> stored_items(const Array& array);
// Another array that stores the same elements with these values.
ArrayRef with_values(const Array& like, ArrayRef values);
// Rows of a dense array added to zeros of `rows` rows, of which only those named are stored.
ArrayRef sum_rows(const ArrayRef& values, const std::vector<int64_t>& rows, const Shape& shape);

}  // namespace mixgrad::sparse
