#include "exec/imperative/selection.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.h"
#include "exec/imperative/call.h"
#include "exec/imperative/invoke.h"
#include "exec/tape/tape.h"
#include "exec/tape/trace.h"
#include "kernels/loops/convert.h"
#include "op/box.h"
#include "op/full.h"
#include "storage/pressure.h"

namespace mixgrad {
namespace {

using Kind = IndexItem::Kind;

// What an index without arrays selects: begin, step and size per axis of the array, and the shape of the result.
struct Selected {
  BoxParams box;
  Shape shape;
  bool has_places = false;

  // One entry per axis, which set() writes.
  explicit Selected(const Shape& whole) : box{whole, whole, whole} {}
  void set(int axis, int64_t begin, int64_t step, int64_t size) {
    box.begin[axis] = begin;
    box.step[axis] = size > 1 ? step : 1;  // of one element, any step means the same
    box.size[axis] = size;
  }
};

int64_t checked_place(int64_t at, int64_t extent, int axis, const char* who) {
  if (at < -extent || at >= extent) {
    fail(Status::index, "[", who, "] index ", at, " is outside axis ", axis, " of extent ", extent);
  }
  return at < 0 ? at + extent : at;
}

// A bound beyond the axis becomes its end, in the direction of the step.
int64_t clipped(int64_t bound, int64_t extent, bool forward) {
  if (bound < 0) return std::max(bound + extent, forward ? int64_t{0} : int64_t{-1});
  return std::min(bound, forward ? extent : extent - 1);
}

// Begin and number of elements of a slice, as Python's slice.indices().
struct Stretch {
  int64_t begin, step, size;
  Stretch(const IndexItem& slice, int64_t extent, const char* who) {
    if (slice.step == 0)
      fail(Status::invalid_argument, "[", who, "] a slice has step 0; expected another number");
    step = std::max(slice.step, -std::numeric_limits<int64_t>::max());
    const bool forward = step > 0;
    begin = clipped(slice.begin, extent, forward);
    const int64_t end = clipped(slice.end, extent, forward), way = forward ? end - begin : begin - end;
    size = way > 0 ? (way - 1) / (forward ? step : -step) + 1 : 0;
    if (size == 0) begin = 0;
  }
};

// The number of axes that the ellipsis, or the end of the index, stands for.
int axes_left(const Shape& whole, Span<const IndexItem> items, const char* who, bool* has_ellipsis) {
  int taken = 0, ellipses = 0;
  for (const IndexItem& item : items) {
    taken += item.kind == Kind::at || item.kind == Kind::slice || item.kind == Kind::array;
    ellipses += item.kind == Kind::ellipsis;
  }
  if (ellipses > 1) fail(Status::index, "[", who, "] an index can have only one ellipsis ('...')");
  if (taken > whole.ndim()) {
    fail(Status::index, "[", who, "] ", taken, " indices for an array of ", whole.ndim(), " axes");
  }
  *has_ellipsis = ellipses == 1;
  return whole.ndim() - taken;
}

// ':'
bool is_whole(const IndexItem& item) {
  return item.kind == Kind::slice && item.begin == 0 && item.end == std::numeric_limits<int64_t>::max() &&
         item.step == 1;
}

Selected selection_of(const Shape& whole, Span<const IndexItem> items, const char* who) {
  // As in MXNet, ':' of an array without axes is all of it.
  if (whole.ndim() == 0 && items.size() == 1 && is_whole(items[0])) items = {};
  bool has_ellipsis = false;
  const int left = axes_left(whole, items, who, &has_ellipsis);
  Selected s(whole);
  int axis = 0;
  const auto take_whole = [&](int count) {
    for (const int end = axis + count; axis < end; ++axis) {
      s.set(axis, 0, 1, whole[axis]);
      s.shape.push_back(whole[axis]);
    }
  };
  for (const IndexItem& item : items) {
    switch (item.kind) {
      case Kind::new_axis: s.shape.push_back(1); break;
      case Kind::ellipsis: take_whole(left); break;
      case Kind::at:
        s.set(axis, checked_place(item.begin, whole[axis], axis, who), 1, 1);
        s.has_places = true;
        ++axis;
        break;
      default: {
        const Stretch stretch(item, whole[axis], who);
        s.set(axis, stretch.begin, stretch.step, stretch.size);
        s.shape.push_back(stretch.size);
        ++axis;
      }
    }
  }
  if (!has_ellipsis) take_whole(left);
  return s;
}

// The place of the first element if the selected ones, of which there is one at least, lie one after another; else -1.
int64_t begin_of_run(const Selected& s, const Shape& whole) {
  int64_t first = 0;
  bool inside = false;  // an outer axis has several elements: those that follow must be whole
  for (int i = 0; i < whole.ndim(); ++i) {
    const int64_t size = s.box.size[i];
    if (size == 0 || (size > 1 && s.box.step[i] != 1) || (inside && size != whole[i])) return -1;
    inside |= size > 1;
    first = first * whole[i] + s.box.begin[i];
  }
  return first;
}

// A graph has no view of a run of elements: it takes rows of the array whose outer axes are merged.
ArrayRef traced_run(Array& x, const Selected& s, int64_t first) {
  const Shape& whole = x.shape();
  int axis = 0;
  while (axis + 1 < whole.ndim() && s.box.size[axis] == 1) ++axis;
  ArrayRef run(&x);
  if (axis > 0) {
    Shape merged(whole.data() + axis, whole.ndim() - axis);
    merged[0] = whole.size(0, axis + 1);
    run = reshape_view(x, merged);
  }
  const int64_t begin = first / whole.size(axis + 1, whole.ndim()), end = begin + s.box.size[axis];
  if (begin != 0 || end != run->shape()[0]) run = slice_rows(*run, begin, end);
  return run->shape() == s.shape ? run : reshape_view(*run, s.shape);
}

ArrayRef run_of(Array& x, const Selected& s, int64_t first) {
  if (x.shape().ndim() > 0 && !s.has_places && x.shape() == s.shape) return ArrayRef(&x);
  if (x.shape().ndim() == 0) return reshape_view(x, s.shape);
  if (Trace::active()) return traced_run(x, s, first);
  if (as_node(x.link())) x.chunk().set_linked_owner();
  return x.part(first, s.shape);
}

bool has_arrays(Span<const IndexItem> items) {
  for (const IndexItem& item : items) {
    if (item.kind == Kind::array) return true;
  }
  return false;
}

ArrayRef cast(Array& array, DType dtype) {
  static const Op& op = find_op("Cast");
  const NamedValue values[] = {{"dtype", Value(name_of(dtype))}};
  Array* const in[] = {&array};
  ArrayRef out;
  invoke(op, make_params(op, values), in, Span<ArrayRef>(&out, 1));
  return out;
}

// Applies an operator that takes arrays of indices: after `given`, those of the index.
void invoke_indexed(const Op& op, std::vector<Array*> given, Span<const IndexItem> items, ArrayRef& out,
                    const char* who) {
  const Shape& whole = given[0]->shape();
  bool has_ellipsis = false;
  const int left = axes_left(whole, items, who, &has_ellipsis);
  std::vector<ArrayRef> held;
  std::vector<Value> axes;
  int axis = 0;
  for (const IndexItem& item : items) {
    if (item.kind == Kind::array) {
      Array& array = *item.array;
      if (array.dtype() == DType::boolean) {
        fail(Status::dtype, "[", who, "] the index of axis ", axis, " is an array of ",
             name_of(array.dtype()), "; expected numbers");
      }
      // No gradient flows to indices.
      held.push_back(array.link() || Trace::active() ? detached_view(array) : ArrayRef(&array));
      if (array.dtype() != DType::int64) held.back() = cast(*held.back(), DType::int64);
      axes.emplace_back(axis++);
    } else {
      bool fits = item.kind == Kind::ellipsis;
      if (item.kind == Kind::slice) {
        const Stretch stretch(item, whole[axis], who);
        fits = stretch.begin == 0 && stretch.step == 1 && stretch.size == whole[axis];
      }
      if (!fits) {
        fail(Status::unsupported, "[", who, "] an index has arrays and, before axis ", axis + 1,
             ", something else; expected arrays and whole axes");
      }
      axis += item.kind == Kind::ellipsis ? left : 1;
    }
  }
  for (const ArrayRef& index : held) given.push_back(index.get());
  const NamedValue values[] = {{"axes", Value(axes.data(), static_cast<uint32_t>(axes.size()))}};
  invoke(op, make_params(op, values), Span<Array* const>(given.data(), given.size()), Span<ArrayRef>(&out, 1),
         true);
}

// Neither recorded nor traced: memory may be written where it lies.
bool plain() { return !mode().recording && !Trace::active(); }

template <class P>
ParamsRef boxed(const Op& op, const P& params) {
  return ParamsRef(ParamsBox::make(*op.schema, &params).get());
}

// A task of its own for a box of elements of an array on the host: with no gradient to record it needs no operator, whose call
// costs more than a few elements do. The chunks stay until the task is complete.
struct BoxTask {
  Chunk* chunk;
  size_t offset;  // of the array in its chunk
  DType dtype;
  Region box;

  BoxTask(const Array& x, const Selected& s) : chunk(&x.chunk()), offset(x.offset()), dtype(x.dtype()) {
    int64_t stride = 1;
    for (int i = x.shape().ndim() - 1; i >= 0; --i) {
      box.offset += s.box.begin[i] * stride;
      box.strides.stride[i] = s.box.step[i] * stride;
      stride *= x.shape()[i];
    }
    box.extents = s.box.size;
  }
  View whole() const { return {static_cast<char*>(chunk->data()) + offset, nullptr, dtype}; }
};

struct BoxCopy : BoxTask {
  Chunk* to;
  BoxCopy(const Array& x, const Selected& s, Chunk* out) : BoxTask(x, s), to(out) {}
  void operator()() const {
    chunk->ensure_for_reading();
    to->ensure();
    read_region(whole(), box, to->data());
  }
};

struct BoxFill : BoxTask {
  double number;
  BoxFill(const Array& x, const Selected& s, double value) : BoxTask(x, s), number(value) {}
  void operator()() const {
    uint64_t item = 0;
    convert(&number, DType::float64, &item, dtype, 1);
    chunk->ensure();
    write_region(&item, {}, whole(), box);
  }
};

template <class Task>
void push_box(Task&& task, const char* name, Span<engine::Var* const> reads, engine::Var* written) {
  engine::TaskInfo info;
  info.name = name;
  info.inline_ok = true;
  info.cost_ns = static_cast<uint64_t>(task.box.extents.size());
  info.parallel = info.cost_ns > engine::small_task_ns;
  info.bytes = info.cost_ns * size_of(task.dtype);
  engine::Var* const writes[] = {written};
  engine::Engine::get().push(std::forward<Task>(task), reads, writes, info);
}

bool fits_task(const Array& x) { return plain() && x.device().is_host(); }

void fill_box(const Array& x, const Selected& s, double number) {
  engine::Var* const chunk[] = {&x.chunk()};
  const Span<engine::Var* const> all(chunk);
  // A part keeps the rest: then the write also reads.
  const bool whole = s.box.size == x.shape() && x.whole_chunk();
  push_box(BoxFill(x, s, number), "_strided_slice_assign_scalar", whole ? Span<engine::Var* const>() : all,
           chunk[0]);
}

void fill(ArrayRef array, double number) {
  static const Op& op = find_op("_full");
  FullParams params;
  params.shape = array->shape();
  params.dtype = array->dtype();
  params.value = number;
  invoke(op, boxed(op, params), {}, Span<ArrayRef>(&array, 1), true);
}

// Copies the box out of x, in the shape of the result.
ArrayRef read_box(Array& x, const Selected& s) {
  const size_t bytes = static_cast<size_t>(s.shape.size()) * size_of(x.dtype());
  if (fits_task(x) && bytes < storage::kWatchedBytes) {
    ArrayRef out = Array::make(Chunk::make(x.device(), bytes), 0, s.shape, x.dtype());
    engine::Var* const reads[] = {&x.chunk()};
    push_box(BoxCopy(x, s, &out->chunk()), "_strided_slice", reads, &out->chunk());
    return out;
  }
  static const Op& op = find_op("_strided_slice");
  Array* const in[] = {&x};
  ArrayRef out;
  invoke(op, boxed(op, s.box), in, Span<ArrayRef>(&out, 1), true);
  return out->shape() == s.shape ? out : reshape_view(*out, s.shape);
}

// Selected elements that are written and then forgotten, so that the memory does not count as shared.
ArrayRef target_of(Array& x, int64_t first, const Shape& shape) {
  const size_t offset = x.offset() + static_cast<size_t>(first) * size_of(x.dtype());
  return Array::make(x.chunk_ref(), offset, shape, x.dtype());
}

// The value's shape without the leading axes of extent 1 that the selection has not; throws where it does not broadcast.
Shape fitting_shape(const Shape& value, const Shape& selected) {
  int dropped = 0;
  while (value.ndim() - dropped > selected.ndim() && value[dropped] == 1) ++dropped;
  Shape shape(value.data() + dropped, value.ndim() - dropped);
  const int lead = selected.ndim() - shape.ndim();
  bool fits = lead >= 0;
  for (int i = 0; fits && i < shape.ndim(); ++i) fits = shape[i] == 1 || shape[i] == selected[i + lead];
  if (!fits) {
    fail(Status::shape, "[assign] a value of shape ", value, " does not broadcast to the region's shape ",
         selected);
  }
  return shape;
}

// The value as an array of x's dtype on its device.
ArrayRef beside(Array& x, Array& value) {
  ArrayRef local(&value);
  if (value.device() != x.device()) {
    local = Array::empty(value.shape(), value.dtype(), x.device());
    copy_array(value, *local);
  }
  return local->dtype() == x.dtype() ? local : cast(*local, x.dtype());
}

ArrayRef fitted(Array& value, const Shape& selected) {
  if (value.shape() == selected) return ArrayRef(&value);
  Shape shape = fitting_shape(value.shape(), selected);
  while (shape.ndim() < selected.ndim()) shape.insert(0, 1);
  ArrayRef shaped = shape == value.shape() ? ArrayRef(&value) : reshape_view(value, shape);
  if (shape == selected) return shaped;
  static const Op& op = find_op("_broadcast_to");
  std::vector<Value> extents(selected.begin(), selected.end());
  const NamedValue values[] = {{"shape", Value(extents.data(), static_cast<uint32_t>(extents.size()))}};
  Array* const in[] = {shaped.get()};
  ArrayRef out;
  invoke(op, make_params(op, values), in, Span<ArrayRef>(&out, 1));
  return out;
}

}  // namespace

ArrayRef read_selection(Array& x, Span<const IndexItem> items) {
  ArrayRef out;
  if (has_arrays(items)) {
    static const Op& gather = find_op("_index_gather");
    invoke_indexed(gather, {&x}, items, out, "index");
    return out;
  }
  Selected s = selection_of(x.shape(), items, "index");
  // MXNet has no 0-d arrays: indexing all axes gives one element in one axis.
  if (s.shape.ndim() == 0 && x.shape().ndim() > 0) s.shape.push_back(1);
  if (!(mode().recording && x.link())) {
    const int64_t first = begin_of_run(s, x.shape());
    if (first >= 0) return run_of(x, s, first);
  }
  if (x.shape().ndim() > 0) return read_box(x, s);
  return s.shape.ndim() == 0 ? ArrayRef(&x) : reshape_view(x, s.shape);
}

void assign_selection(Array& x, Span<const IndexItem> items, double number) {
  if (has_arrays(items)) {
    const ArrayRef value = Array::empty({}, x.dtype(), x.device());
    fill(value, number);
    return assign_selection(x, items, *value);
  }
  const Selected s = selection_of(x.shape(), items, "assign");
  if (fits_task(x)) return fill_box(x, s, number);
  ArrayRef target(&x);
  const bool whole = s.box.size == x.shape();
  if (x.shape().ndim() == 0 || (whole && !(mode().recording && x.link()))) return fill(target, number);
  static const Op& op = find_op("_strided_slice_assign_scalar");
  BoxScalarParams params{s.box};
  params.scalar = number;
  Array* const in[] = {&x};
  invoke(op, boxed(op, params), in, Span<ArrayRef>(&target, 1), true);
}

void assign_selection(Array& x, Span<const IndexItem> items, Array& value) {
  ArrayRef target(&x);
  if (has_arrays(items)) {
    static const Op& put = find_op("_index_put");
    const ArrayRef rhs = beside(x, value);
    return invoke_indexed(put, {&x, rhs.get()}, items, target, "assign");
  }
  const Selected s = selection_of(x.shape(), items, "assign");
  if (plain() && value.size() == s.box.size.size()) {
    fitting_shape(value.shape(), s.shape);
    const int64_t first = begin_of_run(s, x.shape());
    if (first >= 0) {
      if (value.shape() != x.shape()) target = target_of(x, first, value.shape());
      // Memory that overlaps otherwise is copied first, by the operator below.
      const bool same_place = value.offset() == target->offset() && value.dtype() == x.dtype();
      if (&value.chunk() != &x.chunk() || same_place) return copy_array(value, *target);
      target = ArrayRef(&x);
    }
  }
  ArrayRef rhs = fitted(*beside(x, value), s.shape);
  if (rhs->shape() != s.box.size) rhs = reshape_view(*rhs, s.box.size);
  bool by_one = s.box.size == x.shape();
  for (int i = 0; i < s.box.step.ndim(); ++i) by_one &= s.box.step[i] == 1;
  if (by_one) return copy_array(*rhs, x);
  static const Op& assign = find_op("_strided_slice_assign");
  Array* const in[] = {&x, rhs.get()};
  invoke(assign, boxed(assign, s.box), in, Span<ArrayRef>(&target, 1), true);
}

}  // namespace mixgrad
