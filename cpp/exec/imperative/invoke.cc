#include "exec/imperative/invoke.h"

#include <memory>
#include <vector>

#include "base/build.h"
#include "base/error.h"
#include "device/work_together.h"
#include "exec/imperative/call.h"
#include "exec/imperative/few_of.h"
#include "exec/imperative/room.h"
#include "exec/sparse/sparse.h"
#include "exec/tape/tape.h"
#include "exec/tape/trace.h"
#include "op/define.h"

namespace mixgrad {
namespace {

Device device_of_inputs(const Op& op, Span<Array* const> in) {
  if (in.empty()) return mode().device;
  const Device device = in[0]->device();
  for (size_t i = 1; i < in.size(); ++i) {
    if (!work_together(in[i]->device(), device)) {
      fail(Status::invalid_argument, "[", op.name, "] ", op.input_name(0), " is on ", device.name(), " but ",
           op.input_name(static_cast<int>(i)), " is on ", in[i]->device().name(),
           "; expected one device (copy with as_in_context)");
    }
  }
  return device;
}

constexpr int kMostNamed = 8;  // inputs that a message names

void check_num_inputs(const Op& op, const ParamsRef& params, size_t given) {
  const int wanted = op.num_inputs(params->data());
  if (wanted < 0 ? given == 0 : static_cast<int>(given) != wanted) {
    std::string names;
    const bool all = !op.variadic && static_cast<size_t>(wanted) == op.inputs.size() && wanted <= kMostNamed;
    for (int i = 0; all && i < wanted; ++i) names += (i > 0 ? ", " : " (") + op.input_name(i);
    fail(Status::invalid_argument, "[", op.name, "] got ", given, " inputs; expected ",
         wanted < 0 ? std::string("at least 1") : text(wanted, names, names.empty() ? "" : ")"));
  }
}

// Whether two arrays share any byte.
bool overlap(const Array& a, const Array& b) {
  return &a.chunk() == &b.chunk() && a.offset() < b.offset() + b.bytes() &&
         b.offset() < a.offset() + a.bytes();
}
bool same_place(const Array& a, const Array& b) {
  return &a.chunk() == &b.chunk() && a.offset() == b.offset() && a.dtype() == b.dtype() &&
         a.shape() == b.shape();
}

// Whether the kernel would destroy an input while it still reads it.
bool output_harms_inputs(const Op& op, Span<Array* const> in, const Array& out) {
  for (size_t i = 0; i < in.size(); ++i) {
    if (!overlap(*in[i], out)) continue;
    const bool allowed =
        op.overwrites == Op::Overwrites::any || (op.overwrites == Op::Overwrites::first && i == 0);
    if (!allowed || !same_place(*in[i], out)) return true;
  }
  return false;
}

// Memory that a call writes in two places has no meaning, whatever the order.
void check_written_once(const Op& op, Span<Array* const> in, Span<ArrayRef> out) {
  const auto reject = [&](const std::string& a, const std::string& b) {
    fail(Status::invalid_argument, "[", op.name, "] ", a, " and ", b,
         " share memory and one of them is written; expected arrays of their own");
  };
  for (size_t i = 0; i < in.size(); ++i) {
    if (!op.mutates(static_cast<int>(i))) continue;
    const std::string name = op.input_name(static_cast<int>(i));
    for (size_t j = 0; j < in.size(); ++j) {
      if (j != i && overlap(*in[i], *in[j])) reject(name, op.input_name(static_cast<int>(j)));
    }
    for (size_t j = 0; j < out.size(); ++j) {
      if (out[j] && overlap(*in[i], *out[j])) reject(name, text("output ", j));
    }
  }
  for (size_t i = 0; i < out.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (out[i] && out[j] && overlap(*out[i], *out[j])) reject(text("output ", j), text("output ", i));
    }
  }
}

// Whether the only output is a new one with the shape and the dtype that all inputs have.
bool infer_fast(const Op& op, const void* params, Span<Array* const> in, Span<ArrayRef> out) {
  if (!op.is_pointwise || out.size() != 1 || out[0]) return false;
  const Array& first = *in[0];
  for (size_t i = 1; i < in.size(); ++i) {
    if (in[i]->dtype() != first.dtype() || in[i]->shape() != first.shape()) return false;
  }
  if (op.user_fn[define::kShape] || op.cost_fn) return false;  // the stock rules only
  if (!op.user_fn[define::kDType]) return true;
  FewOf<DType> types(in.size());
  for (size_t i = 0; i < in.size(); ++i) types[i] = first.dtype();
  DType made = DType::unknown;
  DTypeInfer infer(op, types.span(), Span<DType>(&made, 1));
  op.dtype_fn(op, params, infer);
  return made == first.dtype();
}

// Nothing is recorded while it lives.
class QuietScope {
 public:
  QuietScope() : before_(mode().recording) { mode().recording = false; }
  ~QuietScope() { mode().recording = before_; }
  QuietScope(const QuietScope&) = delete;
  QuietScope& operator=(const QuietScope&) = delete;

 private:
  bool before_;
};

class ImperativeBuilder final : public Builder {
 public:
  void call(const Op& op, const ParamsRef& params, Span<const Tensor> inputs, Span<Tensor> outputs) override {
    FewOf<Array*> in(inputs.size());
    FewOf<ArrayRef> out(outputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) in[i] = as_array(inputs[i]);
    invoke(op, params, in.span(), out.span());
    for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = as_tensor(out[i]);
  }
};

// A view without history of a value with one: writes through it while recording are refused.
void mark_unrecorded_view(const Array& array) {
  if (as_node(array.link())) array.chunk().set_linked_owner();
}

// A view in a trace is a node of its own.
ArrayRef traced_view(const char* name, const ParamsRef& params, Array& array, ArrayRef view) {
  Trace::active()->record_view(find_op(name), params ? params : find_op(name).defaults, array, view);
  return view;
}

}  // namespace

void check_recorded_write(const Op& op, const Array& out) {
  if (as_leaf(out.link())) {
    fail(Status::autograd, "[", op.name,
         "] writes in place into a variable whose gradient is being recorded; do it "
         "inside nn.no_grad() or autograd.pause(), outside autograd.record(), or on a copy");
  }
  if (!out.link() && out.chunk().has_linked_owner()) {
    fail(Status::autograd, "[", op.name,
         "] writes in place through a view of a recorded value, which would not know of it; write to the "
         "value "
         "itself or to a copy");
  }
  if (out.chunk().has_recorded_view()) {
    fail(Status::autograd, "[", op.name,
         "] writes in place into memory that a recorded view (reshape) shares; "
         "write to a copy instead");
  }
}

void invoke(const Op& op, const ParamsRef& params, Span<Array* const> in, Span<ArrayRef> out, bool client) {
  if constexpr (kTraining) {
    bool sparse = op.makes_sparse(params->data());
    for (const Array* array : in) sparse |= array->sparse();
    for (const ArrayRef& array : out) sparse |= array && array->sparse();
    if (sparse) {
      check_num_inputs(op, params, in.size());
      device_of_inputs(op, in);
      if (sparse::invoke(op, params, in, out)) return;
    }
  }
  invoke_dense(op, params, in, out, client);
}

void invoke_dense(const Op& op, const ParamsRef& params, Span<Array* const> in, Span<ArrayRef> out,
                  bool client) {
  check_num_inputs(op, params, in.size());
  const Device device = device_of_inputs(op, in);
  double cost = 0;
  size_t made = 0;     // bytes of outputs
  bool given = false;  // whether the caller gave an output
  for (const ArrayRef& array : out) given |= static_cast<bool>(array);
  if (infer_fast(op, params->data(), in, out)) {
    made = in[0]->bytes();
    out[0] = Array::make(Chunk::make(device, made), 0, in[0]->shape(), in[0]->dtype());
    cost = static_cast<double>(in[0]->size()) * static_cast<double>(in.size() + 1) * op.element_cost;
  } else {
    FewOf<Shape> in_shapes(in.size()), out_shapes(out.size());
    FewOf<DType> in_types(in.size()), out_types(out.size());
    for (size_t i = 0; i < in.size(); ++i) {
      in_shapes[i] = in[i]->shape();
      in_types[i] = in[i]->dtype();
    }
    for (size_t i = 0; i < out.size(); ++i) {
      out_shapes[i] = out[i] ? out[i]->shape() : Shape::unknown();
      out_types[i] = out[i] ? out[i]->dtype() : DType::unknown;
    }
    ShapeInfer shapes(op, in_shapes.span(), out_shapes.span());
    op.shape_fn(op, params->data(), shapes);
    DTypeInfer types(op, in_types.span(), out_types.span());
    op.dtype_fn(op, params->data(), types);
    int64_t elements = 0;
    check_written_once(op, in, out);
    for (size_t i = 0; i < out.size(); ++i) {
      if (!out_shapes[i].known() || out_types[i] == DType::unknown) {
        fail(Status::shape, "[", op.name, "] shape ", out_shapes[i], " and dtype ", name_of(out_types[i]),
             " of output ", i, " do not follow from the inputs");
      }
      check_extents(out_shapes[i], size_of(out_types[i]), op.name.c_str());
      const size_t bytes = static_cast<size_t>(out_shapes[i].size()) * size_of(out_types[i]);
      if (!out[i])
        out[i] = Array::make(Chunk::make(device, bytes), 0, out_shapes[i], out_types[i]);
      else if (!work_together(out[i]->device(), device) && !in.empty()) {
        fail(Status::invalid_argument, "[", op.name, "] inputs are on ", device.name(),
             " but the output is on ", out[i]->device().name(), "; expected one device");
      }
      elements += out_shapes[i].size();
      made += bytes;
    }
    cost = op.cost(params->data(), Span<const Shape>(in_shapes.data(), in.size()), elements);
  }
  if (Trace* trace = Trace::active())
    return trace->record(op, params, in, Span<const ArrayRef>(out.data(), out.size()));
  if constexpr (kQueues) {
    if (made >= storage::watched_bytes.load(std::memory_order_relaxed) && client)
      make_room_for(Span<const ArrayRef>(out.data(), out.size()));
  }
  const Mode& now = mode();
  bool linked = false;
  if (now.recording) {
    for (Array* array : in) linked |= on_tape(*array);
    // A fresh output has neither link nor view, so only given ones can fail here.
    for (const ArrayRef& array : out) {
      if (linked || array->link() || array->chunk().has_linked_owner()) check_recorded_write(op, *array);
    }
  }

  // An output that would destroy an input is computed elsewhere and copied.
  FewOf<ArrayRef> elsewhere(given ? out.size() : 0);
  bool detours = false;
  for (size_t i = 0; given && i < out.size(); ++i) {
    elsewhere[i] = out[i];
    if (!output_harms_inputs(op, in, *out[i])) continue;
    elsewhere[i] = Array::empty(out[i]->shape(), out[i]->dtype(), device);
    detours = true;
  }
  const Span<ArrayRef> target = detours ? elsewhere.span() : out;

  const size_t n = in.size() + out.size();
  FewOf<Operand> operands(n);
  for (size_t i = 0; i < in.size(); ++i) operands[i] = Operand(*in[i]);
  for (size_t i = 0; i < out.size(); ++i) operands[in.size() + i] = Operand(*target[i]);
  CallFrame frame;
  frame.op = &op;
  frame.params = params.get();
  frame.training = now.training;
  if (op.needs_random) frame.random = next_random_stream(device);
  frame.num_inputs = static_cast<int>(in.size());
  frame.num_outputs = static_cast<int>(out.size());
  frame.num_operands = static_cast<int>(n);
  frame.operands = operands.data();
  // Before the push: saved inputs carry the version they have before this call writes anything. The outputs get
  // their new history only when the push has succeeded.
  Ref<TapeNode> node;
  if (linked)
    node = record_call(op, params, now.training, in, Span<const ArrayRef>(target.data(), out.size()));
  push_call(frame, op.name.c_str(), cost);
  if (now.recording) link_outputs(node, Span<const ArrayRef>(target.data(), out.size()));
  if (!detours) return;
  for (size_t i = 0; i < out.size(); ++i) {
    if (target[i] == out[i]) continue;
    const QuietScope quiet;
    copy_array(*target[i], *out[i]);
    out[i]->set_link(Ref<TapeLink>(target[i]->link()), target[i]->link_slot());
  }
}

ArrayRef detached_view(Array& array) {
  if (Trace::active()) return traced_view("BlockGrad", {}, array, array.alias());
  mark_unrecorded_view(array);
  return array.alias();
}

ArrayRef reshape_view(Array& array, const Shape& shape) {
  ArrayRef view = array.reshaped(shape);
  if (Trace::active()) {
    std::vector<Value> items(shape.begin(), shape.end());
    const NamedValue values[] = {{"shape", Value(items.data(), static_cast<uint32_t>(items.size()))}};
    return traced_view("_reshape_to", make_params(find_op("_reshape_to"), values), array, view);
  }
  if (!mode().recording || !on_tape(array)) {
    mark_unrecorded_view(array);
    return view;
  }
  static const Op& op = find_op("_reshape_to");
  std::vector<Value> items(shape.begin(), shape.end());
  const NamedValue values[] = {{"shape", Value(items.data(), static_cast<uint32_t>(items.size()))}};
  Array* const in[] = {&array};
  const Span<const ArrayRef> out(&view, 1);
  link_outputs(record_call(op, make_params(op, values), mode().training, in, out), out);
  array.chunk().set_recorded_view();
  return view;
}

ArrayRef slice_rows(Array& array, int64_t begin, int64_t end) {
  if (!Trace::active() && (!mode().recording || !on_tape(array))) {
    mark_unrecorded_view(array);
    return array.slice(begin, end);
  }
  static const Op& op = find_op("slice_axis");
  const NamedValue values[] = {{"axis", Value(0)}, {"begin", Value(begin)}, {"end", Value(end)}};
  if (Trace::active())
    return traced_view("slice_axis", make_params(op, values), array, array.slice(begin, end));
  Array* const in[] = {&array};
  ArrayRef out;
  invoke(op, make_params(op, values), in, Span<ArrayRef>(&out, 1));
  return out;
}

void copy_array(Array& src, Array& dst) {
  if (src.shape() != dst.shape()) {
    fail(Status::shape, "[copyto] source of shape ", src.shape(), " into an array of shape ", dst.shape(),
         "; expected equal shapes");
  }
  if constexpr (kTraining) {
    if (src.sparse() || dst.sparse()) return sparse::assign(src, dst);
  }
  const bool crosses = src.device() != dst.device() && !(src.device().is_host() && dst.device().is_host());
  if (crosses && src.dtype() != dst.dtype()) {  // streams move bytes
    ArrayRef cast = Array::empty(src.shape(), dst.dtype(), src.device());
    copy_array(src, *cast);
    return copy_array(*cast, dst);
  }
  static const Op& copy = find_op("_copyto");
  if (Trace* trace = Trace::active()) {
    Array* const from[] = {&src};
    const ArrayRef to(&dst);
    return trace->record(copy, copy.defaults, from, Span<const ArrayRef>(&to, 1));
  }
  if (overlap(src, dst) && !same_place(src, dst)) {  // the parts of a copy are written in any order
    const ArrayRef aside = Array::empty(src.shape(), src.dtype(), src.device());
    copy_array(src, *aside);
    return copy_array(*aside, dst);
  }
  Operand operands[] = {Operand(src), Operand(dst)};
  CallFrame frame;
  frame.op = &copy;
  frame.params = copy.defaults.get();
  frame.num_inputs = frame.num_outputs = 1;
  frame.num_operands = 2;
  frame.operands = operands;
  const bool recording = mode().recording;
  const bool linked = recording && on_tape(src);
  if (recording && (linked || dst.link() || dst.chunk().has_linked_owner())) check_recorded_write(copy, dst);
  Array* const in[] = {&src};
  const ArrayRef out(recording ? &dst : nullptr);  // counted only for the tape
  Ref<TapeNode> node;
  if (linked) node = record_call(copy, copy.defaults, mode().training, in, Span<const ArrayRef>(&out, 1));
  push_call(frame, copy.name.c_str(), static_cast<double>(src.size()) * 2 * copy.element_cost);
  if (recording) link_outputs(node, Span<const ArrayRef>(&out, 1));
}

ArrayRef zeros_of(const Shape& shape, DType dtype, Device device) {
  static const Op& op = find_op("_zeros");
  std::vector<Value> items(shape.begin(), shape.end());
  const NamedValue values[] = {{"shape", Value(items.data(), static_cast<uint32_t>(items.size()))},
                               {"dtype", Value(name_of(dtype))}};
  const Device before = mode().device;
  mode().device = device;
  ArrayRef out;
  try {
    invoke(op, make_params(op, values), {}, Span<ArrayRef>(&out, 1));
  } catch (...) {
    mode().device = before;
    throw;
  }
  mode().device = before;
  return out;
}

Builder& imperative_builder() {
  static auto* const builder = new ImperativeBuilder;
  return *builder;
}

}  // namespace mixgrad
