// Matrix products with csr matrices, and rows of tables: dot and Embedding.
#include <algorithm>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"

namespace mixgrad::sparse {
namespace {

struct DotCase {
  bool transpose_a, transpose_b;
  std::string forward;  // storage type that the caller asks for, or "None"
};

template <class Call>
DotCase dot_case(const Call& call) {
  const void* params = call.params->data();
  return {call.field("transpose_a").integer(params) != 0, call.field("transpose_b").integer(params) != 0,
          call.field("forward_stype").choice(params)};
}

std::optional<Storage> asked(const DotCase& c, Storage usual) {
  if (c.forward == "None") return usual;
  return c.forward == "csr" ? Storage::csr : c.forward == "row_sparse" ? Storage::row_sparse : Storage::dense;
}

std::optional<Storage> dot_storage(const SparseCall& call) {
  const DotCase c = dot_case(call);
  const Storage a = storage_of(*call.in[0]), b = storage_of(*call.in[1]);
  if (call.in[0]->shape().ndim() != 2 || call.in[1]->shape().ndim() != 2) return std::nullopt;
  if (a == Storage::csr && b != Storage::csr)
    return asked(c, c.transpose_a && !c.transpose_b ? Storage::row_sparse : Storage::dense);
  if (a == Storage::dense && b == Storage::csr)
    return asked(c, c.transpose_a ? Storage::dense : Storage::csr);
  return std::nullopt;
}

// Where the columns of a csr matrix lie among the rows that `rows` stores; elements of other columns are left out.
ArrayRef on_stored_rows(const Array& matrix, const Array& rows) {
  const Keys elements = keys_of(matrix), stored = keys_of(rows);
  const int64_t columns = matrix.shape()[1], count = static_cast<int64_t>(stored.keys.size());
  std::vector<int64_t> keys, places;
  for (size_t i = 0; i < elements.keys.size(); ++i) {
    const int64_t key = elements.keys[i];
    const auto at = std::lower_bound(stored.keys.begin(), stored.keys.end(), key % columns);
    if (at == stored.keys.end() || *at != key % columns) continue;
    keys.push_back(key / columns * count + (at - stored.keys.begin()));
    places.push_back(elements.order.empty() ? static_cast<int64_t>(i) : elements.order[i]);
  }
  return from_keys(Storage::csr, {matrix.shape()[0], count}, keys,
                   take_items(matrix.chunk().parts()->values, places));
}

// The product of a csr matrix, or of its transpose, and a dense one.
ArrayRef product(const Array& matrix, bool transpose, const ArrayRef& dense) {
  const SparseParts& parts = *matrix.chunk().parts();
  return call("_csr_dot", {parts.values, parts.indices, parts.starts, dense},
              {{"columns", matrix.shape()[1]}, {"transpose", transpose}});
}

ArrayRef flipped(const ArrayRef& matrix) { return call("transpose", {matrix}); }

// Only the columns that the matrix has elements in, as the rows of a row_sparse result.
ArrayRef rows_of_product(const Array& matrix, const ArrayRef& dense) {
  const SparseParts& parts = *matrix.chunk().parts();
  std::vector<int64_t> columns = read_numbers(*parts.indices), kept = columns;
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (int64_t& column : columns) column = std::lower_bound(kept.begin(), kept.end(), column) - kept.begin();
  const auto count = static_cast<int64_t>(kept.size());
  if (count > 0 && (kept.front() < 0 || kept.back() >= matrix.shape()[1])) check_sparse(matrix);
  const Device device = parts.values->device();
  const ArrayRef narrow = make_sparse(
      {matrix.shape()[0], count}, {Storage::csr, parts.values, make_numbers(columns, device), parts.starts});
  return from_keys(Storage::row_sparse, {matrix.shape()[1], dense->shape()[1]}, kept,
                   product(*narrow, true, dense));
}

ArrayRef dot_csr_first(const SparseCall& call, const DotCase& c, Storage result) {
  Array& matrix = *call.in[0];
  if (call.in[1]->sparse() && !c.transpose_a && !c.transpose_b)
    return product(*on_stored_rows(matrix, *call.in[1]), false, call.parts(1).values);
  ArrayRef dense = to_storage(*call.in[1], Storage::dense);
  if (c.transpose_b) dense = flipped(dense);
  if (c.transpose_a && result == Storage::row_sparse) return rows_of_product(matrix, dense);
  return product(matrix, c.transpose_a, dense);
}

// The other way round by transposes: (a b)' = b' a'.
ArrayRef dot_csr_last(const SparseCall& call, const DotCase& c) {
  const ArrayRef left = c.transpose_a ? ArrayRef(call.in[0]) : flipped(ArrayRef(call.in[0]));
  return flipped(product(*call.in[1], !c.transpose_b, left));
}

void check_inner(const SparseCall& call, const DotCase& c) {
  const Shape &a = call.in[0]->shape(), &b = call.in[1]->shape();
  if (a[c.transpose_a ? 0 : 1] != b[c.transpose_b ? 1 : 0] || call.in[0]->dtype() != call.in[1]->dtype()) {
    fail(Status::shape, "[dot] ", c.transpose_a ? "transposed " : "", a, " ", name_of(call.in[0]->dtype()),
         " times ", c.transpose_b ? "transposed " : "", b, " ", name_of(call.in[1]->dtype()),
         "; expected equal inner extents and one dtype");
  }
}

void dot(SparseCall& call) {
  const DotCase c = dot_case(call);
  const Storage result = *dot_storage(call);
  check_inner(call, c);
  const ArrayRef made = call.in[0]->sparse() ? dot_csr_first(call, c, result) : dot_csr_last(call, c);
  call.out[0] = to_storage(*made, result);
}

// Gradients reach the dense operand: op(A) B has op(A)' G, and A op(B) has G op(B)'.
void dot_backward(SparseGrad& g) {
  const DotCase c = dot_case(g);
  const ArrayRef grad = to_storage(*g.out_grad, Storage::dense);
  const bool first = storage_of(*g.in[0]) == Storage::csr;
  const Array& matrix = *g.in[first ? 0 : 1];
  if (g.wants[first ? 0 : 1])
    fail(Status::autograd, "[dot] a csr matrix gets no gradient; expected one of its other operand alone");
  if (!first) {
    const ArrayRef left =
        c.transpose_b ? product(matrix, true, flipped(grad)) : product(matrix, false, flipped(grad));
    if (g.wants[0]) g.gradients[0] = c.transpose_a ? left : flipped(left);
    return;
  }
  if (!g.wants[1]) return;
  const bool rows = !c.transpose_a && !c.transpose_b && !g.dense_only[1];
  const ArrayRef right = rows ? rows_of_product(matrix, grad) : product(matrix, !c.transpose_a, grad);
  g.gradients[1] = c.transpose_b ? flipped(right) : right;
}

// Gradients of a table by its rows.
template <bool always>
std::optional<Storage> embedding_storage(const SparseCall& call) {
  const bool wanted = always || call.integer("sparse_grad") != 0;
  if (wanted || call.stored(1, Storage::row_sparse)) return Storage::dense;
  return std::nullopt;
}

std::vector<int64_t> clipped(std::vector<int64_t> rows, int64_t extent) {
  for (int64_t& row : rows) row = std::min(std::max<int64_t>(row, 0), extent - 1);
  return rows;
}

void embedding(SparseCall& call) {
  const ArrayRef data = to_storage(*call.in[0], Storage::dense);
  if (!call.in[1]->sparse()) {
    call.out[0] = mixgrad::sparse::call("take", {ArrayRef(call.in[1]), data});
    return;
  }
  const Keys stored = keys_of(*call.in[1]);
  const int64_t extent = call.in[1]->shape()[0];
  std::vector<int64_t> places;
  for (const int64_t row : clipped(integers_of(data), extent)) {
    const auto at = std::lower_bound(stored.keys.begin(), stored.keys.end(), row);
    if (at == stored.keys.end() || *at != row) {
      fail(Status::index, "[", call.op.name, "] row ", row,
           " of weight is not stored; a row_sparse weight needs every row that data names");
    }
    const auto place = static_cast<size_t>(at - stored.keys.begin());
    places.push_back(stored.order.empty() ? static_cast<int64_t>(place) : stored.order[place]);
  }
  Shape shape = data->shape();
  shape.push_back(call.in[1]->shape()[1]);
  call.out[0] = take_items(call.parts(1).values, places)->reshaped(shape);
}

void embedding_backward(SparseGrad& g) {
  if (!g.wants[1]) return;
  const Shape& table = g.in[1]->shape();
  const ArrayRef data = to_storage(*g.in[0], Storage::dense), grad = to_storage(*g.out_grad, Storage::dense);
  const ArrayRef rows = grad->reshaped({data->size(), table[1]});
  g.gradients[1] = sum_rows(rows, clipped(integers_of(data), table[0]), table);
}

}  // namespace

void add_product_rules(Rules& rules) {
  rules.add("dot", {dot_storage, dot, dot_backward});
  rules.add("Embedding", {embedding_storage<false>, embedding, embedding_backward});
  rules.add("_contrib_SparseEmbedding", {embedding_storage<true>, embedding, embedding_backward});
}

}  // namespace mixgrad::sparse
