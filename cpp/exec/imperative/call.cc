#include "exec/imperative/call.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/build.h"
#include "base/error.h"
#include "device/api.h"
#include "device/copy.h"
#include "exec/imperative/device_launch.h"
#include "exec/imperative/few_of.h"
#include "exec/imperative/fresh_outputs.h"
#include "exec/imperative/mode.h"
#include "launch/launch.h"
#include "storage/pressure.h"

namespace mixgrad {
namespace {

View view_of(const Operand& operand) {
  View view;
  view.shape_ref = operand.shape;
  view.dtype = operand.dtype;
  if (!operand.chunk) return view;
  operand.chunk->recall();
  if (operand.chunk->data()) view.data = static_cast<char*>(operand.chunk->data()) + operand.offset;
  return view;
}

bool takes_input_memory(const CallFrame& frame) {
  return frame.kind == CallKind::forward && frame.op->inplace && frame.num_outputs == 1;
}

// An input that nobody will read again lends its memory to the output: the temporary of a chained expression is
// overwritten where it lies instead of a fresh one being fetched.
void reuse_dying_input(const CallFrame& frame) {
  const Operand& out = frame.operands[frame.num_operands - 1];
  if (out.chunk->data() || out.offset != 0) return;
  const size_t out_bytes = static_cast<size_t>(out.shape->size()) * size_of(out.dtype);
  if (out_bytes != out.chunk->bytes()) return;
  for (int i = 0; i < frame.num_operands - 1; ++i) {
    const Operand& in = frame.operands[i];
    if (frame.op->mutates(i, frame.training)) continue;
    if (in.chunk->bytes() == out_bytes && in.offset == 0 && size_of(in.dtype) == size_of(out.dtype) &&
        !in.chunk->shared() && in.chunk->device() == out.chunk->device() &&
        in.shape->size() == out.shape->size() && in.chunk->last_task()) {
      out.chunk->take_block(*in.chunk);
      return;
    }
  }
}

void run_frame(const CallFrame& frame, bool owned) {
  const int n = frame.num_operands, outs = frame.num_outputs;
  FewOf<View> views(static_cast<size_t>(n));
  // Inputs are looked up first: one of them may lend its memory.
  for (int i = 0; i < n - outs; ++i) {
    if (frame.stream && frame.operands[i].chunk) frame.operands[i].chunk->ensure_for_reading();
    views[static_cast<size_t>(i)] = view_of(frame.operands[i]);
  }
  if (owned && takes_input_memory(frame)) reuse_dying_input(frame);
  for (int i = n - outs; i < n; ++i) {
    if (!frame.operands[i].chunk) continue;
    frame.operands[i].chunk->ensure(frame.stream);
    views[static_cast<size_t>(i)] = view_of(frame.operands[i]);
  }
  const auto part = [&](int first, int count) {
    return Span<const View>(views.data() + first, static_cast<size_t>(count));
  };
  Launch call{frame.op, frame.params->data(), frame.training};
  if (kTraining && frame.kind == CallKind::backward) {
    call.backward = true;
    call.num_out_grads = static_cast<size_t>(frame.num_out_grads);
    call.num_inputs = static_cast<size_t>(frame.num_inputs);
    call.num_outputs = static_cast<size_t>(frame.num_saved_outputs);
  }
  call.seed = frame.random.seed;
  call.stream = frame.random.stream;
  if constexpr (kQueues) {
    if (frame.stream) {
      return launch_on(*frame.stream, call, std::make_shared<const ParamsRef>(frame.params),
                       part(0, n - outs), part(n - outs, outs));
    }
  }
  fill_outputs(part(0, n - outs), part(n - outs, outs));
  launch(call, part(0, n - outs), part(n - outs, outs));
}

#if MIXGRAD_QUEUES
// Where the work of a call goes.
void place_call(CallFrame& frame, engine::TaskInfo& info) {
  const int last = frame.num_operands - 1;
  const Chunk* card = nullptr;  // any operand may be absent
  for (int i = 0; i <= last && !card; ++i) {
    const Chunk* const chunk = frame.operands[i].chunk;
    if (chunk && !chunk->device().is_host()) card = chunk;
  }
  if (!card) return;
  const Chunk* const out = frame.operands[last].chunk;
  const Chunk* const in = frame.operands[0].chunk;
  const bool moves = frame.op->across_devices && in && out && out->device() != in->device();
  const Device device = moves && !out->device().is_host() ? out->device() : card->device();
  for (int i = 0; i <= last && !moves; ++i) {
    const Chunk* const chunk = frame.operands[i].chunk;
    if (!chunk || chunk->device() == device) continue;
    fail(Status::invalid_argument, "[", frame.op->name, "] operands are on ", device.name(), " and ",
         chunk->device().name(), "; expected one device (copy with as_in_context)");
  }
  if (moves && frame.operands[0].dtype != frame.operands[last].dtype) {
    fail(Status::internal, "[", frame.op->name, "] changes the dtype on the way to another device");
  }
  frame.stream = info.stream = moves ? copy_stream(in->device(), out->device())
                                     : device_api(device).stream(device, StreamKind::compute);
  info.cost_ns = 0;
}
#endif

// A frame in one piece of memory with its operands and their shapes.
struct FrameCopy {
  CallFrame frame;
  size_t promised = 0;  // bytes of outputs that have no memory yet
  Device promised_on{};
};

// From the push on large outputs count as memory of their device, which they take when the task runs.
void promise_outputs(FrameCopy& copy) {
  if constexpr (kQueues) {
    const CallFrame& frame = copy.frame;
    size_t bytes = 0;
    for (int i = frame.num_operands - frame.num_outputs; i < frame.num_operands; ++i) {
      const Chunk* chunk = frame.operands[i].chunk;
      if (!chunk || chunk->bytes() < storage::kWatchedBytes || !chunk->was_never_written()) continue;
      bytes += chunk->bytes();
      copy.promised_on = chunk->device();
    }
    copy.promised = storage::promise(copy.promised_on, bytes);
  }
}

void keep_promise(FrameCopy& copy) {
  storage::keep_promise(copy.promised_on, copy.promised);
  copy.promised = 0;
}

FrameCopy* copy_frame(const CallFrame& frame) {
  const size_t n = static_cast<size_t>(frame.num_operands);
  auto* memory = static_cast<char*>(std::malloc(sizeof(FrameCopy) + n * (sizeof(Operand) + sizeof(Shape))));
  if (!memory) throw std::bad_alloc();
  auto* copy = new (memory) FrameCopy{frame};
  auto* operands = reinterpret_cast<Operand*>(memory + sizeof(FrameCopy));
  auto* shapes = reinterpret_cast<Shape*>(operands + n);
  for (size_t i = 0; i < n; ++i) {
    new (operands + i) Operand(frame.operands[i]);
    if (frame.operands[i].shape) operands[i].shape = new (shapes + i) Shape(*frame.operands[i].shape);
  }
  copy->frame.operands = operands;
  frame.params->retain();
  promise_outputs(*copy);
  return copy;
}

class FrameBody {
 public:
  explicit FrameBody(const CallFrame& frame) : borrowed_(&frame) {}
  FrameBody(FrameBody&& other) : copy_(other.copy_ ? other.copy_ : copy_frame(*other.borrowed_)) {
    other.copy_ = nullptr;
  }
  FrameBody(const FrameBody&) = delete;
  FrameBody& operator=(const FrameBody&) = delete;
  ~FrameBody() {
    if (!copy_) return;
    keep_promise(*copy_);
    copy_->frame.params->release();
    std::free(copy_);
  }
  void operator()() const {
    if (!copy_) return run_frame(*borrowed_, false);
    keep_promise(*copy_);
    run_frame(copy_->frame, true);
  }

 private:
  const CallFrame* borrowed_ = nullptr;
  FrameCopy* copy_ = nullptr;
};

// An auxiliary state, which kernels change last: it keeps its value if the call fails.
bool is_state(const Op& op, int input) {
  return static_cast<size_t>(input) < op.inputs.size() && op.inputs[static_cast<size_t>(input)].auxiliary;
}

// Whether it also reads the array it writes to.
bool changes(const CallFrame& frame, const Operand& output) {
  const Operand* const first = frame.operands;
  const Operand* const end = first + (frame.num_operands - frame.num_outputs);
  return std::any_of(first, end, [&](const Operand& in) { return in.chunk == output.chunk; });
}

}  // namespace

void push_call(CallFrame& frame, const char* name, double cost_ns) {
  const int n = frame.num_operands;
  const auto most = static_cast<size_t>(n);
  FewOf<engine::Var*> reads(most), writes(most), kept(most), parts(most);
  size_t num_reads = 0, num_writes = 0, num_kept = 0, num_parts = 0;
  uint64_t bytes = 0;
  const Leaves leaves = frame.kind == CallKind::forward ? mode().leaves : Leaves::nothing;
  bool replaces = leaves == Leaves::assigned;  // no output is new
  for (int i = 0; i < n; ++i) {
    const Operand& operand = frame.operands[i];
    if (!operand.chunk) continue;
    bytes += operand.chunk->bytes();
    const bool output = i >= n - frame.num_outputs;
    if (output && operand.chunk->push_version() == 0) replaces = false;
    const bool mutated = !output && frame.kind == CallKind::forward && frame.op->mutates(i, frame.training);
    if (!output) reads[num_reads++] = operand.chunk;
    // A part of a chunk is changed, the rest is kept: then the write also reads.
    const bool partial = output && !(operand.offset == 0 &&
                                     static_cast<size_t>(operand.shape->size()) * size_of(operand.dtype) ==
                                         operand.chunk->bytes());
    if (partial && leaves == Leaves::assigned && operand.chunk->push_version() != 0) {
      if (num_reads < most) reads[num_reads++] = operand.chunk;
    } else if (output && (partial || leaves == Leaves::nothing)) {
      const bool changed = changes(frame, operand);  // it is among the reads then
      if (changed ? leaves == Leaves::nothing : partial) parts[num_parts++] = operand.chunk;
    }
    if (output || mutated) writes[num_writes++] = operand.chunk;
    if (mutated && is_state(*frame.op, i)) kept[num_kept++] = operand.chunk;
  }
  engine::TaskInfo info;
  info.name = name;
  info.inline_ok = !kTraining || !frame.op->runs_program(frame.params->data());
  info.cost_ns = static_cast<uint64_t>(cost_ns);
#if MIXGRAD_QUEUES
  place_call(frame, info);
#endif
  info.parallel = info.cost_ns > engine::small_task_ns;
  info.bytes = bytes;
  info.priority = frame.priority;
  info.replaces = replaces;
  info.kept = Span<engine::Var* const>(kept.data(), num_kept);
  info.parts = Span<engine::Var* const>(parts.data(), num_parts);
  FrameBody body(frame);
  engine::Engine::get().push(std::move(body), Span<engine::Var* const>(reads.data(), num_reads),
                             Span<engine::Var* const>(writes.data(), num_writes), info);
}

}  // namespace mixgrad
