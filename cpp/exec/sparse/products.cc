// Matrix products with csr matrices, and rows of tables: dot and Embedding.
#include <algorithm>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"
#include "kernels/linalg/csr.h"

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

// A csr matrix and a dense or row_sparse one, or a dense vector.
bool has_csr(const Array& a, const Array& b) {
  const Storage x = storage_of(a), y = storage_of(b);
  const Array& other = x == Storage::csr ? b : a;
  const bool one = (x == Storage::csr) != (y == Storage::csr);
  return one && (other.shape().ndim() == 2 || (!other.sparse() && other.shape().ndim() == 1)) &&
         (x == Storage::csr || y == Storage::csr) && !(y == Storage::csr && x == Storage::row_sparse);
}

std::optional<Storage> dot_storage(const SparseCall& call) {
  const DotCase c = dot_case(call);
  const Array &a = *call.in[0], &b = *call.in[1];
  if (!a.sparse() && !b.sparse()) return std::nullopt;
  if (!has_csr(a, b))
    return c.forward == "None" || c.forward == "default" ? std::nullopt : asked(c, Storage::dense);
  if (a.shape().ndim() != 2 || b.shape().ndim() != 2) return Storage::dense;
  if (a.sparse()) return asked(c, c.transpose_a && !c.transpose_b ? Storage::row_sparse : Storage::dense);
  return asked(c, c.transpose_a ? Storage::dense : Storage::csr);
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

// The product of a csr matrix, or of its transpose, and a dense matrix.
ArrayRef product(const Array& matrix, bool transpose, const ArrayRef& dense) {
  const std::shared_ptr<const SparseParts> held = matrix.chunk().parts();
  const SparseParts& parts = *held;
  const DType dtype = matrix.dtype();
  const bool small = dtype == DType::float16 || dtype == DType::bfloat16 || size_of(dtype) == 1;
  const auto with = [&](const ArrayRef& values, const ArrayRef& factors) {
    return call("_csr_dot", {values, parts.indices, parts.starts, factors},
                {{"columns", matrix.shape()[1]}, {"transpose", transpose}});
  };
  if (!small) return with(parts.values, dense);
  const auto cast = [](const ArrayRef& array, DType to) {
    return call("Cast", {array}, {{"dtype", name_of(to)}});
  };
  const DType wide = is_float(dtype) ? DType::float32 : DType::int32;
  return cast(with(cast(parts.values, wide), cast(dense, wide)), dtype);
}

ArrayRef flipped(const ArrayRef& matrix) { return call("transpose", {matrix}); }

// The columns of those elements that lie in rows that `rows` stores.
std::vector<int64_t> columns_at(const CsrNumbers& matrix, const Array& rows) {
  std::vector<int64_t> kept;
  for (const int64_t row : keys_of(rows).keys) {
    const auto at = static_cast<size_t>(row);
    kept.insert(kept.end(), matrix.columns.begin() + matrix.starts[at],
                matrix.columns.begin() + matrix.starts[at + 1]);
  }
  return kept;
}

// The same where most columns have elements: rows of the whole product.
ArrayRef used_rows_of_product(const Array& matrix, const ArrayRef& dense) {
  const ArrayRef indices = matrix.chunk().parts()->indices;
  const Shape shape{matrix.shape()[1], dense->shape()[1]};
  ArrayRef made = product(matrix, true, dense);  // first: its kernel may run meanwhile
  indices->wait_to_read();
  const std::vector<int64_t> used =
      numbers_used(static_cast<const int64_t*>(indices->host_data()), indices->size(), shape[0]);
  if (static_cast<int64_t>(used.size()) < shape[0]) made = take_items(made, used);
  return from_keys(Storage::row_sparse, shape, used, made);
}

// The transposed product with only those rows that the matrix has columns for: the columns of its elements, or of those in the rows
// that `rows` stores.
ArrayRef rows_of_product(const Array& matrix, const ArrayRef& dense, const Array* rows = nullptr) {
  const std::shared_ptr<const SparseParts> held = matrix.chunk().parts();
  const SparseParts& parts = *held;
  if (!rows && matrix.shape()[1] <= parts.indices->size() && matrix.device().is_host())
    return used_rows_of_product(matrix, dense);
  CsrNumbers numbers = read_csr(matrix);
  const Device device = parts.values->device();
  const Shape shape{matrix.shape()[1], dense->shape()[1]};
  if (rows) {
    const std::vector<int64_t> named = columns_at(numbers, *rows);
    const std::vector<int64_t> kept =
        distinct_numbers(named.data(), static_cast<int64_t>(named.size()), shape[0], nullptr);
    const ArrayRef all = rows_of_product(matrix, dense);
    return retain_rows(*all, kept);
  }
  std::vector<int64_t>& columns = numbers.columns;
  const std::vector<int64_t> kept =
      distinct_numbers(columns.data(), static_cast<int64_t>(columns.size()), shape[0], columns.data());
  const auto count = static_cast<int64_t>(kept.size());
  if (count == shape[0]) return from_keys(Storage::row_sparse, shape, kept, product(matrix, true, dense));
  const ArrayRef narrow = make_sparse(
      {matrix.shape()[0], count}, {Storage::csr, parts.values, make_numbers(columns, device), parts.starts});
  return from_keys(Storage::row_sparse, shape, kept, product(*narrow, true, dense));
}

// A vector as a matrix of one column, or of one row.
ArrayRef as_matrix(const ArrayRef& array, bool column) {
  if (array->shape().ndim() == 2) return array;
  return array->reshaped(column ? Shape{array->size(), 1} : Shape{1, array->size()});
}

ArrayRef dot_csr_first(const SparseCall& call, const DotCase& c, Storage result) {
  Array& matrix = *call.in[0];
  const bool rows = call.in[1]->sparse();
  if (rows && !c.transpose_a && !c.transpose_b)
    return product(*on_stored_rows(matrix, *call.in[1]), false, call.parts(1).values);
  const bool vector = call.in[1]->shape().ndim() == 1;
  ArrayRef dense = as_matrix(to_storage(*call.in[1], Storage::dense), true);
  if (c.transpose_b && !vector) dense = flipped(dense);
  if (c.transpose_a && result == Storage::row_sparse)
    return rows_of_product(matrix, dense, rows ? call.in[1] : nullptr);
  const ArrayRef made = product(matrix, c.transpose_a, dense);
  return vector ? made->reshaped({made->size()}) : made;
}

// The other way round by transposes: (a b)' = b' a'.
ArrayRef dot_csr_last(const SparseCall& call, const DotCase& c) {
  const bool vector = call.in[0]->shape().ndim() == 1;
  const ArrayRef given = as_matrix(ArrayRef(call.in[0]), vector);
  const ArrayRef left = c.transpose_a || vector ? given : flipped(given);
  const ArrayRef made = product(*call.in[1], !c.transpose_b, left);
  return vector ? made->reshaped({made->size()}) : flipped(made);
}

void check_inner(const SparseCall& call, const DotCase& c) {
  const Shape &a = call.in[0]->shape(), &b = call.in[1]->shape();
  const int64_t left = a[a.ndim() == 1 || c.transpose_a ? 0 : 1];
  const int64_t right = b[b.ndim() == 2 && c.transpose_b ? 1 : 0];
  if (left != right || call.in[0]->dtype() != call.in[1]->dtype()) {
    fail(left != right ? Status::shape : Status::dtype, "[dot] ", c.transpose_a ? "transposed " : "", a, " ",
         name_of(call.in[0]->dtype()), " times ", c.transpose_b ? "transposed " : "", b, " ",
         name_of(call.in[1]->dtype()), "; expected equal inner extents and one dtype");
  }
}

void dot(SparseCall& call) {
  const DotCase c = dot_case(call);
  const Storage result = *dot_storage(call);
  ArrayRef made;
  if (has_csr(*call.in[0], *call.in[1])) {
    check_inner(call, c);
    made = call.in[0]->sparse() ? dot_csr_first(call, c, result) : dot_csr_last(call, c);
  } else {
    made = call.apply_to({to_storage(*call.in[0], Storage::dense), to_storage(*call.in[1], Storage::dense)});
  }
  call.out[0] = to_storage(*made, result);
}

// Gradients reach the dense operand: op(A) B has op(A)' G, and A op(B) has G op(B)'.
void dot_backward(SparseGrad& g) {
  const DotCase c = dot_case(g);
  const bool first = storage_of(*g.in[0]) == Storage::csr;
  const bool matrices = g.in[0]->shape().ndim() == 2 && g.in[1]->shape().ndim() == 2;
  if (!matrices || !has_csr(*g.in[0], *g.in[1]) || g.wants[first ? 0 : 1]) {
    g.by_dense = true;
    return;
  }
  const ArrayRef grad = to_storage(*g.out_grad, Storage::dense);
  const Array& matrix = *g.in[first ? 0 : 1];
  if (!first) {
    const ArrayRef left = product(matrix, c.transpose_b, flipped(grad));
    g.gradients[0] = c.transpose_a ? left : flipped(left);
    return;
  }
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
  const std::vector<int64_t> rows = integers_of(data);
  std::vector<int64_t> from, to;  // rows that are stored: where among the values, and where in the output
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= extent) {
      fail(Status::index, "[", call.op.name, "] data names row ", rows[i], " of a row_sparse weight of ",
           extent, " rows; expected 0 to ", extent - 1);
    }
    const auto at = std::lower_bound(stored.keys.begin(), stored.keys.end(), rows[i]);
    if (at == stored.keys.end() || *at != rows[i]) continue;
    const auto place = static_cast<size_t>(at - stored.keys.begin());
    from.push_back(stored.order.empty() ? static_cast<int64_t>(place) : stored.order[place]);
    to.push_back(static_cast<int64_t>(i));
  }
  Shape shape = data->shape();
  shape.push_back(call.in[1]->shape()[1]);
  const ArrayRef found = take_items(call.parts(1).values, from);
  call.out[0] = (to.size() == rows.size() ? found : place_items(found, to, data->size()))->reshaped(shape);
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
