// Updates of optimisers with row_sparse gradients: only the rows of the gradient are read and written.
#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"

namespace mixgrad::sparse {
namespace {

constexpr size_t kGradient = 1;  // input 0 is the weight; states follow the gradient

std::optional<Storage> update_storage(const SparseCall& call) {
  bool rows = call.stored(kGradient, Storage::row_sparse);
  for (size_t i = 0; i < call.in.size(); ++i) rows &= !call.stored(i, Storage::csr);
  return rows ? std::optional<Storage>(storage_of(*call.in[0])) : std::nullopt;
}

void write_rows(const ArrayRef& table, const ArrayRef& rows, const ArrayRef& numbers) {
  const TupleValue axes(Shape{0});
  call("_index_put", {table, rows, numbers}, {{"axes", axes}, {"num_args", 3}}, table);
}

void update_rows(SparseCall& call) {
  Array& weight = *call.in[0];
  if (!call.out[0]) call.out[0] = mixgrad::sparse::call("_copy", {ArrayRef(&weight)});
  if (call.out[0].get() != &weight && call.out[0]->chunk().parts() != weight.chunk().parts())
    copy_array(weight, *call.out[0]);
  Array& target = *call.out[0];
  const Keys stored = keys_of(*call.in[kGradient]);
  if (stored.keys.empty()) return;
  const ArrayRef& values = call.parts(kGradient).values;
  const ArrayRef gradient = stored.order.empty() ? values : take_items(values, stored.order);
  const ArrayRef numbers = make_numbers(stored.keys, weight.device());
  std::vector<ArrayRef> tables, rows;
  std::vector<Array*> in;
  for (size_t i = 0; i < call.in.size(); ++i) {
    tables.push_back(i == kGradient ? gradient : all_rows(i == 0 ? target : *call.in[i]));
    rows.push_back(i == kGradient ? gradient : mixgrad::sparse::call("take", {tables[i], numbers}));
    in.push_back(rows[i].get());
  }
  ArrayRef updated = rows[0];
  mixgrad::invoke(call.op, call.params, in, Span<ArrayRef>(&updated, 1));
  write_rows(tables[0], updated, numbers);
  for (size_t i = kGradient + 1; i < call.in.size(); ++i) {
    if (call.op.mutates(static_cast<int>(i))) write_rows(tables[i], rows[i], numbers);
  }
}

// Every row, by the operator on dense arrays; what a row_sparse weight or state stores are then all its rows.
void update_all(SparseCall& call) {
  Array& weight = *call.in[0];
  if (!call.out[0]) call.out[0] = mixgrad::sparse::call("_copy", {ArrayRef(&weight)});
  if (call.out[0].get() != &weight) copy_array(weight, *call.out[0]);
  std::vector<ArrayRef> held;
  std::vector<Array*> in;
  for (size_t i = 0; i < call.in.size(); ++i) {
    held.push_back(i == 0           ? all_rows(*call.out[0])
                   : i == kGradient ? to_storage(*call.in[i], Storage::dense)
                                    : all_rows(*call.in[i]));
    in.push_back(held.back().get());
  }
  ArrayRef target = held[0];
  mixgrad::invoke(call.op, call.params, in, Span<ArrayRef>(&target, 1));
}

// As MXNet: by rows where that is asked for and the states are stored as the weight is; ftrl_update where all are row_sparse.
bool by_rows(const SparseCall& call) {
  if (call.op.schema->index_of("lazy_update") >= 0 && call.integer("lazy_update") == 0) return false;
  for (size_t i = kGradient + 1; i < call.in.size(); ++i) {
    if (storage_of(*call.in[i]) != storage_of(*call.in[0])) return false;
  }
  return call.in[0]->sparse() || call.op.name != "ftrl_update";
}

// Gradient and states are of the weight's shape, those by rows as long as it.
void check_rows(const SparseCall& call) {
  const Shape& weight = call.in[0]->shape();
  const bool groups = call.op.name == "_contrib_group_adagrad_update";
  for (size_t i = kGradient; i < call.in.size(); ++i) {
    const Shape& shape = call.in[i]->shape();
    const bool by_row = groups && i > kGradient;
    if (by_row ? shape.ndim() > 0 && weight.ndim() > 0 && shape[0] == weight[0] : shape == weight) continue;
    fail(Status::shape, "[", call.op.name, "] ", call.op.input_name(static_cast<int>(i)), " of shape ", shape,
         " for a weight of shape ", weight, "; expected ", by_row ? "as many rows" : "that shape");
  }
}

void update(SparseCall& call) {
  check_rows(call);
  by_rows(call) ? update_rows(call) : update_all(call);
}

}  // namespace

void add_update_rules(Rules& rules) {
  for (const char* op : {"sgd_update", "sgd_mom_update", "adam_update", "ftrl_update",
                         "_sparse_adagrad_update", "_contrib_group_adagrad_update"})
    rules.add(op, {update_storage, update, nullptr, true});
}

}  // namespace mixgrad::sparse
