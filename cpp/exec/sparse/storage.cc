// The same elements stored in another way, and rows of arrays.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"
#include "exec/tape/trace.h"

namespace mixgrad::sparse {
namespace {

constexpr int64_t kRun = 64;

// Of the items [begin, end) of `width` elements each, those that are not all zero.
template <class Bits>
void find_stored(const char* data, int64_t begin, int64_t end, int64_t width, bool floats,
                 std::vector<int64_t>& items) {
  const Bits relevant = static_cast<Bits>(floats ? static_cast<Bits>(~Bits{0}) >> 1 : ~Bits{0});
  for (int64_t i = begin; i < end; ++i) {
    const char* const item = data + static_cast<size_t>(i * width) * sizeof(Bits);
    for (int64_t k = 0; k < width; k += kRun) {  // a run at a time: zeros of rows are many or none
      Bits any = 0;
      for (int64_t j = k; j < std::min(k + kRun, width); ++j) {
        Bits bits;
        std::memcpy(&bits, item + static_cast<size_t>(j) * sizeof(Bits), sizeof bits);
        any = static_cast<Bits>(any | (bits & relevant));
      }
      if (any == 0) continue;
      items.push_back(i);
      break;
    }
  }
}

std::vector<int64_t> find_items(const Array& array, int64_t count, int64_t width) {
  std::vector<char> copied;
  const char* data;
  array.wait_to_read();
  if (array.device().is_host()) {
    data = static_cast<const char*>(array.host_data());
  } else {
    copied.resize(array.bytes());
    array.copy_to_host(copied.data());
    data = copied.data();
  }
  const bool floats = is_float(array.dtype());
  std::vector<int64_t> items;
  switch (size_of(array.dtype())) {
    case 1: find_stored<uint8_t>(data, 0, count, width, floats, items); break;
    case 2: find_stored<uint16_t>(data, 0, count, width, floats, items); break;
    case 4: find_stored<uint32_t>(data, 0, count, width, floats, items); break;
    default: find_stored<uint64_t>(data, 0, count, width, floats, items);
  }
  return items;
}

ArrayRef to_sparse(Array& array, Storage storage) {
  const Shape& shape = array.shape();
  if (shape.ndim() < 1 || (storage == Storage::csr && shape.ndim() != 2)) {
    fail(Status::shape, "[cast_storage] an array of shape ", shape, " cannot be ", name_of(storage),
         "; expected ", storage == Storage::csr ? "two axes" : "at least one axis");
  }
  if (shape.size() == 0) return empty_sparse(storage, shape, array.dtype(), array.device());
  if (storage == Storage::csr) {
    const std::vector<int64_t> keys = find_items(array, array.size(), 1);
    return from_keys(storage, shape, keys, take_items(array.reshaped({array.size()}), keys));
  }
  const std::vector<int64_t> rows = find_items(array, shape[0], shape.size(1, shape.ndim()));
  return from_keys(storage, shape, rows, take_items(ArrayRef(&array), rows));
}

ArrayRef to_dense(Array& array) {
  const std::shared_ptr<const SparseParts> held = array.chunk().parts();
  const SparseParts& parts = *held;
  const Shape& shape = array.shape();
  if (parts.storage == Storage::row_sparse) {
    if (parts.values->size() == 0) return zeros_of(shape, array.dtype(), array.device());
    return place_items(parts.values, parts.indices, shape[0]);
  }
  if (shape.size() == 0) return zeros_of(shape, array.dtype(), array.device());
  Keys keys = keys_of(array);
  const ArrayRef values = keys.order.empty() ? parts.values : take_items(parts.values, keys.order);
  return place_items(values, keys.keys, shape.size())->reshaped(shape);
}

// Between the sparse types by way of the dense one.
ArrayRef convert(Array& array, Storage storage) {
  if (storage_of(array) == storage) return ArrayRef(&array);
  if (!array.sparse()) return to_sparse(array, storage);
  const ArrayRef dense = to_dense(array);
  return storage == Storage::dense ? dense : to_sparse(*dense, storage);
}

std::optional<Storage> named_storage(const SparseCall& call) {
  const std::string name = call.field("stype").choice(call.params->data());
  return name == "csr" ? Storage::csr : name == "row_sparse" ? Storage::row_sparse : Storage::dense;
}

void cast_storage(SparseCall& call) {
  Array& from = *call.in[0];
  const Storage to = *named_storage(call);
  call.out[0] = !from.sparse()           ? convert(from, to)
                : storage_of(from) == to ? sparse_snapshot(from)
                                         : convert(from, to);
}

std::optional<Storage> only_rows(const SparseCall& call) {
  if (call.stored(0, Storage::row_sparse)) return Storage::row_sparse;
  return std::nullopt;
}

std::vector<int64_t> sorted_rows(std::vector<int64_t> rows, int64_t extent) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  if (!rows.empty() && (rows.front() < 0 || rows.back() >= extent)) {
    fail(Status::index, "[retain] row ", rows.front() < 0 ? rows.front() : rows.back(), " of ", extent,
         " rows");
  }
  return rows;
}

// Every named row is stored, as zeros where it was not; nothing is where nothing was.
void sparse_retain(SparseCall& call) {
  Array& array = *call.in[0];
  const std::vector<int64_t> rows = sorted_rows(integers_of(ArrayRef(call.in[1])), array.shape()[0]);
  const Keys stored = keys_of(array);
  if (stored.keys.empty()) {
    call.out[0] = sparse_snapshot(array);
    return;
  }
  std::vector<int64_t> from, to;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto at = std::lower_bound(stored.keys.begin(), stored.keys.end(), rows[i]);
    if (at == stored.keys.end() || *at != rows[i]) continue;
    const auto place = static_cast<size_t>(at - stored.keys.begin());
    from.push_back(stored.order.empty() ? static_cast<int64_t>(place) : stored.order[place]);
    to.push_back(static_cast<int64_t>(i));
  }
  const ArrayRef kept = take_items(call.parts(0).values, from);
  call.out[0] =
      from_keys(Storage::row_sparse, array.shape(), rows,
                from.size() == rows.size() ? kept : place_items(kept, to, static_cast<int64_t>(rows.size())));
}

ArrayRef rows_of_gradient(const ArrayRef& gradient, const std::vector<int64_t>& rows) {
  return gradient->sparse() ? retain_rows(*to_storage(*gradient, Storage::row_sparse), rows)
                            : pick_rows(*gradient, rows);
}

std::optional<Storage> as_stored(const SparseCall& call) {
  if (call.in[0]->sparse()) return storage_of(*call.in[0]);
  return std::nullopt;
}

}  // namespace

std::vector<int64_t> stored_items(const Array& array) {
  return find_items(array, array.shape()[0], array.shape().size(1, array.shape().ndim()));
}

ArrayRef to_storage(Array& array, Storage storage) {
  if (storage_of(array) == storage) return ArrayRef(&array);
  if (!mode().recording || !array.link()) return convert(array, storage);
  return call("cast_storage", {ArrayRef(&array)}, {{"stype", name_of(storage)}});
}

namespace {

// src in the dtype and storage type of dst. `linked`: as a recorded value of its own.
ArrayRef as_stored_by(Array& src, const Array& dst, bool linked) {
  ArrayRef from(&src);
  if (src.dtype() != dst.dtype()) {
    const NamedValue dtype{"dtype", name_of(dst.dtype())};
    if (linked || !src.sparse())
      from = call("Cast", {to_storage(src, Storage::dense)}, {dtype});
    else
      from = with_values(src, call("Cast", {src.chunk().parts()->values}, {dtype}));
  }
  from = to_storage(*from, storage_of(dst));
  return linked && dst.sparse() && from.get() == &src ? call("_copy", {from}) : from;
}

std::shared_ptr<const SparseParts> moved_parts(const Array& array, Device device) {
  SparseParts parts = *array.chunk().parts();
  for (ArrayRef* part : {&parts.values, &parts.indices, &parts.starts}) {
    if (!*part) continue;
    const ArrayRef there = Array::empty((*part)->shape(), (*part)->dtype(), device);
    copy_array(**part, *there);
    *part = there;
  }
  return std::make_shared<const SparseParts>(std::move(parts));
}

}  // namespace

void assign(Array& src, Array& dst) {
  if (&src.chunk() == &dst.chunk()) return;
  refuse_while_tracing("arrays of storage type row_sparse or csr");
  static const Op& copy = find_op("_copyto");
  const bool recording = mode().recording, linked = recording && src.link();
  if (linked || (recording && dst.link())) check_recorded_write(copy, dst);
  const ArrayRef from = as_stored_by(src, dst, linked);
  if (!dst.sparse()) return copy_array(*from, dst);
  if (from->device() == dst.device()) {
    dst.chunk().set_parts(from->chunk().parts());
  } else {
    if (linked) {
      fail(Status::unsupported, "[copyto] a recorded copy of a ", name_of(storage_of(dst)), " array from ",
           from->device().name(), " to ", dst.device().name(), "; expected one device");
    }
    dst.chunk().set_parts(moved_parts(*from, dst.device()));
  }
  if (recording) dst.set_link(Ref<TapeLink>(from->link()), from->link_slot());
}

ArrayRef retain_rows(Array& array, const std::vector<int64_t>& rows) {
  const std::vector<int64_t> wanted = sorted_rows(rows, array.shape()[0]);
  const Keys stored = keys_of(array);
  std::vector<int64_t> kept, places;
  for (size_t i = 0; i < stored.keys.size(); ++i) {
    if (!std::binary_search(wanted.begin(), wanted.end(), stored.keys[i])) continue;
    kept.push_back(stored.keys[i]);
    places.push_back(stored.order.empty() ? static_cast<int64_t>(i) : stored.order[i]);
  }
  return from_keys(Storage::row_sparse, array.shape(), kept,
                   take_items(array.chunk().parts()->values, places));
}

ArrayRef pick_rows(Array& array, const std::vector<int64_t>& rows) {
  const std::vector<int64_t> wanted = sorted_rows(rows, array.shape()[0]);
  if (!array.sparse())
    return from_keys(Storage::row_sparse, array.shape(), wanted, take_items(ArrayRef(&array), wanted));
  const ArrayRef stored = retain_rows(array, wanted);
  const std::shared_ptr<const SparseParts> held = stored->chunk().parts();
  const SparseParts& parts = *held;
  std::vector<int64_t> places = read_numbers(*parts.indices);
  if (places == wanted) return stored;
  for (int64_t& place : places)
    place = std::lower_bound(wanted.begin(), wanted.end(), place) - wanted.begin();
  return from_keys(Storage::row_sparse, array.shape(), wanted,
                   place_items(parts.values, places, static_cast<int64_t>(wanted.size())));
}

ArrayRef all_rows(Array& array) {
  if (!array.sparse()) return ArrayRef(&array);
  const int64_t extent = array.shape()[0];
  const Keys stored = keys_of(array);
  bool all = stored.order.empty() && static_cast<int64_t>(stored.keys.size()) == extent;
  for (size_t i = 0; all && i < stored.keys.size(); ++i) all = stored.keys[i] == static_cast<int64_t>(i);
  if (!all) {
    std::vector<int64_t> rows(static_cast<size_t>(extent));
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int64_t>(i);
    const ArrayRef full = from_keys(Storage::row_sparse, array.shape(), rows, to_dense(array));
    array.chunk().set_parts(full->chunk().parts());
  } else if (array.chunk().parts().use_count() >
             2) {  // the chunk's, this one, and that of a copy, which keeps its values
    const ArrayRef own = with_values(array, call("_copy", {array.chunk().parts()->values}));
    array.chunk().set_parts(own->chunk().parts());
  }
  return array.chunk().parts()->values;
}

void add_storage_rules(Rules& rules) {
  SparseRule cast{named_storage, cast_storage, [](SparseGrad& g) { g.gradients[0] = g.out_grad; }};
  cast.infer = [](const SparseCall& call) -> std::optional<Storage> {
    const std::optional<Storage> named = named_storage(call);
    if (*named == Storage::dense && !call.in[0]->sparse()) return std::nullopt;  // the operator itself
    return named;
  };
  rules.add("cast_storage", cast);
  rules.add("_sparse_retain", {only_rows, sparse_retain, [](SparseGrad& g) {
                                 if (g.wants[0])
                                   g.gradients[0] = rows_of_gradient(g.out_grad, integers_of(g.in[1]));
                               }});
  rules.add("zeros_like", {as_stored, [](SparseCall& call) {
                             const Array& a = *call.in[0];
                             call.out[0] = empty_sparse(storage_of(a), a.shape(), a.dtype(), a.device());
                           }});
}

}  // namespace mixgrad::sparse
