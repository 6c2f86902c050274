// Operators element by element: those that leave zeros zero work on the stored elements alone.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"

namespace mixgrad::sparse {
namespace {

std::optional<Storage> as_first(const SparseCall& call) {
  if (call.in[0]->sparse()) return storage_of(*call.in[0]);
  return std::nullopt;
}

// What the operator makes of the stored values, stored like its input.
void on_values(SparseCall& call) {
  call.out[0] = with_values(*call.in[0], call.apply_to({call.parts(0).values}));
}

// Scalars of which f(0) = 0; the others give dense arrays, which needs no warning.
template <bool (*keeps_zero)(double)>
std::optional<Storage> with_scalar(const SparseCall& call) {
  if (!call.in[0]->sparse()) return std::nullopt;
  return keeps_zero(call.real("scalar")) ? storage_of(*call.in[0]) : Storage::dense;
}
bool always(double) { return true; }
bool never(double) { return false; }
bool if_not_zero(double s) { return s != 0; }
bool if_zero(double s) { return s == 0; }
bool if_positive(double s) { return s > 0; }
bool if_negative(double s) { return s < 0; }
bool unless_positive(double s) { return !(s > 0); }
bool unless_negative(double s) { return !(s < 0); }

std::optional<Storage> clip_storage(const SparseCall& call) {
  if (!call.in[0]->sparse()) return std::nullopt;
  const bool keeps = call.real("a_min") <= 0 && call.real("a_max") >= 0;
  return keeps ? storage_of(*call.in[0]) : Storage::dense;
}

// a x^2 + b x + c of csr is csr where c is 0.
std::optional<Storage> quadratic_storage(const SparseCall& call) {
  if (!call.stored(0, Storage::csr)) return std::nullopt;
  return call.real("c") == 0 ? Storage::csr : Storage::dense;
}

// Two arrays of one storage type, or one of them dense.
std::optional<Storage> like_both(const SparseCall& call) {
  const Storage a = storage_of(*call.in[0]), b = storage_of(*call.in[1]);
  if (a == b) return a == Storage::dense ? std::optional<Storage>() : a;
  if (a == Storage::dense || b == Storage::dense) return Storage::dense;
  return std::nullopt;
}

struct Operands {
  std::vector<int64_t> keys;
  ArrayRef a, b;  // values at these keys
};

ArrayRef in_order(const Array& array, const Keys& keys) {
  const ArrayRef values = array.chunk().parts()->values;
  return keys.order.empty() ? values : take_items(values, keys.order);
}

std::vector<int64_t> places_among(const std::vector<int64_t>& keys, const std::vector<int64_t>& all) {
  std::vector<int64_t> places;
  auto at = all.begin();
  for (const int64_t key : keys) {
    at = std::lower_bound(at, all.end(), key);
    places.push_back(at - all.begin());
  }
  return places;
}

// Both arrays' values where either of them stores some, zeros where the other does not.
Operands united(const Array& a, const Array& b) {
  Keys x = keys_of(a), y = keys_of(b);
  Operands result{{}, in_order(a, x), in_order(b, y)};
  const bool distinct = std::adjacent_find(x.keys.begin(), x.keys.end()) == x.keys.end();
  if (x.keys == y.keys && distinct) {
    result.keys = std::move(x.keys);
    return result;
  }
  std::set_union(x.keys.begin(), x.keys.end(), y.keys.begin(), y.keys.end(), std::back_inserter(result.keys));
  result.keys.erase(std::unique(result.keys.begin(), result.keys.end()), result.keys.end());
  const auto count = static_cast<int64_t>(result.keys.size());
  result.a = place_items(result.a, places_among(x.keys, result.keys), count);
  result.b = place_items(result.b, places_among(y.keys, result.keys), count);
  return result;
}

void check_alike(const SparseCall& call, size_t i) {
  if (call.in[i]->shape() == call.in[0]->shape() && call.in[i]->dtype() == call.in[0]->dtype()) return;
  const bool shapes = call.in[i]->shape() != call.in[0]->shape();
  fail(shapes ? Status::shape : Status::dtype, "[", call.op.name, "] inputs of shapes ", call.in[0]->shape(),
       " ", name_of(call.in[0]->dtype()), " and ", call.in[i]->shape(), " ", name_of(call.in[i]->dtype()),
       "; expected equal ones");
}

// Leaves elements out that came to zero.
void drop_zeros(std::vector<int64_t>& keys, ArrayRef& values) {
  const std::vector<int64_t> kept = stored_items(*values);
  if (kept.size() == keys.size()) return;
  values = take_items(values, kept);
  for (size_t i = 0; i < kept.size(); ++i) keys[i] = keys[static_cast<size_t>(kept[i])];
  keys.resize(kept.size());
}

void on_union(SparseCall& call) {
  check_alike(call, 1);
  Operands o = united(*call.in[0], *call.in[1]);
  ArrayRef values = call.apply_to({o.a, o.b});
  if (call.stored(0, Storage::csr)) drop_zeros(o.keys, values);
  call.out[0] = from_keys(storage_of(*call.in[0]), call.in[0]->shape(), o.keys, values);
}

ArrayRef dense_at(Array& dense, const std::vector<int64_t>& keys, Storage storage) {
  return take_items(storage == Storage::csr ? dense.reshaped({dense.size()}) : ArrayRef(&dense), keys);
}

// A product is stored where the sparse factor is.
std::optional<Storage> product_storage(const SparseCall& call) {
  const Storage a = storage_of(*call.in[0]), b = storage_of(*call.in[1]);
  if (a == Storage::dense && b == Storage::dense) return std::nullopt;
  if (a != Storage::dense && b != Storage::dense && a != b) return std::nullopt;
  if (call.in[0]->shape() != call.in[1]->shape()) return std::nullopt;
  return a == Storage::dense ? b : a;
}

void multiply(SparseCall& call) {
  check_alike(call, 1);
  const size_t at = call.in[0]->sparse() ? 0 : 1;
  Array& sparse = *call.in[at];
  Array& other = *call.in[1 - at];
  if (other.sparse()) return on_union(call);
  const Keys keys = keys_of(sparse);
  const ArrayRef values = in_order(sparse, keys), factors = dense_at(other, keys.keys, storage_of(sparse));
  call.out[0] = from_keys(storage_of(sparse), sparse.shape(), keys.keys,
                          at == 0 ? call.apply_to({values, factors}) : call.apply_to({factors, values}));
}

// csr with a dense vector of its rows or columns, or with one number.
std::optional<Storage> by_vector_storage(const SparseCall& call) {
  if (!call.stored(0, Storage::csr) || call.in[1]->sparse()) return std::nullopt;
  const Shape &x = call.in[0]->shape(), &v = call.in[1]->shape();
  const bool row = v == Shape{x[1]} || v == Shape{1, x[1]}, column = v == Shape{x[0], 1};
  if (row || column || v.size() == 1) return Storage::csr;
  return v == x && call.op.name != "broadcast_div" ? std::optional<Storage>(Storage::csr) : std::nullopt;
}

void by_vector(SparseCall& call) {
  Array& x = *call.in[0];
  const Shape &v = call.in[1]->shape(), &shape = x.shape();
  if (v == shape) return multiply(call);
  const Keys keys = keys_of(x);
  std::vector<int64_t> places = keys.keys;
  for (int64_t& place : places)
    place = v.size() == 1 ? 0 : v == Shape{shape[0], 1} ? place / shape[1] : place % shape[1];
  const ArrayRef factors = take_items(call.in[1]->reshaped({v.size()}), places);
  call.out[0] = from_keys(Storage::csr, shape, keys.keys, call.apply_to({in_order(x, keys), factors}));
}

// A quotient only where the divided array is stored, which is what optimisers want.
std::optional<Storage> scatter_storage(const SparseCall& call) {
  if (call.stored(0, Storage::row_sparse)) return Storage::row_sparse;
  return std::nullopt;
}

void scatter_divide(SparseCall& call) {
  check_alike(call, 1);
  Array& x = *call.in[0];
  const Keys keys = keys_of(x);
  const ArrayRef other = to_storage(*call.in[1], Storage::dense);
  call.out[0] = from_keys(Storage::row_sparse, x.shape(), keys.keys,
                          call.apply_to({in_order(x, keys), take_items(other, keys.keys)}));
}

std::optional<Storage> sum_storage(const SparseCall& call) {
  bool all = !call.in.empty();
  for (size_t i = 0; i < call.in.size(); ++i) all &= call.stored(i, Storage::row_sparse);
  if (all) return Storage::row_sparse;
  for (const Array* array : call.in) {
    if (array->sparse()) return Storage::dense;
  }
  return std::nullopt;
}

void sum_all(SparseCall& call) {
  std::vector<int64_t> rows;
  std::vector<ArrayRef> values;
  for (size_t i = 0; i < call.in.size(); ++i) {
    check_alike(call, i);
    const Keys keys = keys_of(*call.in[i]);
    rows.insert(rows.end(), keys.keys.begin(), keys.keys.end());
    values.push_back(in_order(*call.in[i], keys));
  }
  std::vector<Array*> pieces;
  for (const ArrayRef& piece : values) pieces.push_back(piece.get());
  const Op& concat = find_op("Concat");
  const NamedValue params[] = {{"num_args", static_cast<int64_t>(pieces.size())}, {"dim", 0}};
  ArrayRef joined;
  mixgrad::invoke(concat, make_params(concat, params), pieces, Span<ArrayRef>(&joined, 1));
  call.out[0] = sum_rows(joined, rows, call.in[0]->shape());
}

void pass_both(SparseGrad& g) {
  for (size_t i = 0; i < g.in.size(); ++i) {
    if (g.wants[i]) g.gradients[i] = g.out_grad;
  }
}

// Dense results come from dense copies; a rule with a forward of its own only makes sparse ones.
template <std::optional<Storage> (*infer)(const SparseCall&), void (*forward)(SparseCall&)>
void or_dense(SparseCall& call) {
  if (*infer(call) != Storage::dense) return forward(call);
  std::vector<ArrayRef> held;
  std::vector<Array*> in;
  for (Array* array : call.in) {
    held.push_back(to_storage(*array, Storage::dense));
    in.push_back(held.back().get());
  }
  ArrayRef made;
  mixgrad::invoke(call.op, call.params, in, Span<ArrayRef>(&made, 1));
  call.out[0] = made;
}

template <bool (*keeps_zero)(double)>
void add_scalar_rule(Rules& rules, const char* op) {
  rules.add(op, {with_scalar<keeps_zero>, or_dense<with_scalar<keeps_zero>, on_values>, nullptr});
}

}  // namespace

void add_elementwise_rules(Rules& rules) {
  for (const char* op : {"abs",
                         "sign",
                         "rint",
                         "ceil",
                         "floor",
                         "trunc",
                         "fix",
                         "round",
                         "sqrt",
                         "square",
                         "cbrt",
                         "sin",
                         "tan",
                         "arcsin",
                         "arctan",
                         "degrees",
                         "radians",
                         "sinh",
                         "tanh",
                         "arcsinh",
                         "arctanh",
                         "expm1",
                         "log1p",
                         "relu",
                         "_contrib_round_ste",
                         "_contrib_sign_ste"})
    rules.add(op, {as_first, on_values, nullptr});
  const auto same = [](SparseGrad& g) { g.gradients[0] = g.out_grad; };
  rules.add("_copy", {as_first, on_values, same});
  rules.add("make_loss", {as_first, on_values, nullptr});
  rules.add("BlockGrad", {as_first, on_values, nullptr});
  rules.add("negative",
            {as_first, on_values, [](SparseGrad& g) { g.gradients[0] = call("negative", {g.out_grad}); }});
  add_scalar_rule<always>(rules, "_mul_scalar");
  add_scalar_rule<always>(rules, "_div_scalar");
  add_scalar_rule<always>(rules, "_floor_divide_scalar");
  add_scalar_rule<if_zero>(rules, "_plus_scalar");
  add_scalar_rule<if_zero>(rules, "_minus_scalar");
  add_scalar_rule<never>(rules, "_rminus_scalar");
  add_scalar_rule<if_not_zero>(rules, "_equal_scalar");
  add_scalar_rule<if_zero>(rules, "_not_equal_scalar");
  add_scalar_rule<unless_negative>(rules, "_greater_scalar");
  add_scalar_rule<if_positive>(rules, "_greater_equal_scalar");
  add_scalar_rule<unless_positive>(rules, "_lesser_scalar");
  add_scalar_rule<if_negative>(rules, "_lesser_equal_scalar");
  rules.add("clip", {clip_storage, or_dense<clip_storage, on_values>, nullptr});
  rules.add("_contrib_quadratic", {quadratic_storage, or_dense<quadratic_storage, on_values>, nullptr});
  rules.add("_scatter_plus_scalar", {as_first, on_values, nullptr});
  rules.add("_scatter_minus_scalar", {as_first, on_values, nullptr});
  rules.add("elemwise_add", {like_both, or_dense<like_both, on_union>, pass_both});
  rules.add("elemwise_sub", {like_both, or_dense<like_both, on_union>, [](SparseGrad& g) {
                               if (g.wants[0]) g.gradients[0] = g.out_grad;
                               if (g.wants[1]) g.gradients[1] = call("negative", {g.out_grad});
                             }});
  for (const char* op : {"_maximum", "_minimum", "_hypot"})
    rules.add(op, {like_both, or_dense<like_both, on_union>, nullptr});
  rules.add("elemwise_mul", {product_storage, multiply, nullptr});
  for (const char* op : {"broadcast_mul", "broadcast_div"})
    rules.add(op, {by_vector_storage, by_vector, nullptr});
  rules.add("_scatter_elemwise_div", {scatter_storage, scatter_divide, nullptr});
  rules.add("add_n", {sum_storage, or_dense<sum_storage, sum_all>, pass_both});
}

}  // namespace mixgrad::sparse
