#include "launch/pointwise_group.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "base/per_thread.h"
#include "kernels/loops/strided.h"
#include "kernels/scratch.h"
#include "launch/launch.h"
#include "launch/pointwise.h"

namespace mixgrad {
namespace {

constexpr int64_t kGroupScratchBytes = 40 << 10;  // about what a first-level cache holds
constexpr int64_t kGroupStep = 512, kGroupLongest = 8192;
constexpr double kGroupGrain = 8000;  // nanoseconds of work worth another thread

struct PointwiseGroupParams {
  std::shared_ptr<const PointwiseGroup> group;
  std::string calls;  // for readers
  static void fields(Fields<PointwiseGroupParams>& f) {
    f.add("calls", &PointwiseGroupParams::calls, "The operators, in running order.");
  }
};

const PointwiseGroup& group_of(const void* params) {
  return *static_cast<const PointwiseGroupParams*>(params)->group;
}

// How an input is read.
struct GroupInput {
  const char* data = nullptr;
  size_t item = 0;
  bool whole = false;  // its elements lie as those of the group
  bool single = false;
  StridedDims dims;
  int64_t extents[kMaxDims] = {};
  int ndim = 0;
};

GroupInput input_of(const View& view, const Shape& shape) {
  GroupInput in;
  in.data = view.as<const char>();
  in.item = size_of(view.dtype);
  in.whole = view.size() == shape.size();
  in.single = view.size() == 1 && !in.whole;
  if (!in.whole && !in.single) {
    in.dims = broadcast_strides(view.shape(), shape);
    in.ndim = collapse_dims(shape, &in.dims, 1, in.extents);
  }
  return in;
}

// What a thread keeps from call to call, so that small groups ask for no memory.
struct GroupWorkspace {
  std::vector<GroupInput> inputs;  // of the call that the thread runs
  std::vector<View> out;
  std::vector<char> apart;
  std::vector<View> values, views;  // of a range
};

GroupWorkspace& group_workspace() { return per_thread<GroupWorkspace>(); }

// One thread's run over a range of elements.
class GroupRun {
 public:
  // `call` is that of the thread which opened the loop.
  GroupRun(const PointwiseGroup& group, const GroupWorkspace& call, int64_t tile, size_t element_bytes)
      : group_(group),
        inputs_(call.inputs),
        out_(call.out),
        apart_(call.apart),
        tile_(tile),
        length_({tile}),
        workspace_(element_bytes * static_cast<size_t>(whole_vectors(tile))),
        values_(group_workspace().values),
        views_(group_workspace().views) {
    const size_t step = static_cast<size_t>(whole_vectors(tile));
    char* at = workspace_.as<char>() + group.slot_bytes * step;
    values_.resize(group.dtypes.size());
    for (size_t v = 0; v < values_.size(); ++v) {
      View& value = values_[v];
      value.shape_ref = &length_;
      value.dtype = group.dtypes[v];
      value.data = nullptr;
      const PointwiseGroup::Place& place = group.places[v];
      const bool own = v < inputs_.size() ? !inputs_[v].whole
                                          : place.output != PointwiseGroup::kAbsent && apart_[place.output];
      if (own) {
        value.data = at;
        at += size_of(value.dtype) * step;
        if (v < inputs_.size() && inputs_[v].single)
          fill_items(value.data, inputs_[v].data, inputs_[v].item, tile);
      } else if (place.slot_at != PointwiseGroup::kAbsent) {
        value.data = workspace_.as<char>() + place.slot_at * step;
      }
    }
  }

  void run(int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; at += tile_) {
      const int64_t n = std::min(tile_, end - at);
      length_[0] = n;
      point_at(at, n);
      for (size_t c = 0; c < group_.calls.size(); ++c) call(c, n);
      for (size_t o = 0; o < out_.size(); ++o) {
        if (!apart_[o]) continue;
        const View& made = values_[group_.outputs[o]];
        const size_t item = size_of(made.dtype);
        std::memcpy(out_[o].as<char>() + static_cast<size_t>(at) * item, made.data,
                    static_cast<size_t>(n) * item);
      }
    }
  }

 private:
  // Inputs and outputs from element `at` on.
  void point_at(int64_t at, int64_t n) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const GroupInput& in = inputs_[i];
      if (in.whole) {
        values_[i].data = const_cast<char*>(in.data) + static_cast<size_t>(at) * in.item;
      } else if (!in.single) {
        gather_stretch(in.data, in.item, in.dims, in.extents, in.ndim, at, n, values_[i].data);
      }
    }
    for (size_t o = 0; o < out_.size(); ++o) {
      View& value = values_[group_.outputs[o]];
      if (!apart_[o]) value.data = out_[o].as<char>() + static_cast<size_t>(at) * size_of(value.dtype);
    }
  }

  void call(size_t c, int64_t n) {
    const PointwiseGroup::Call& call = group_.calls[c];
    const void* params = call.params;
    const uint32_t* const numbers = group_.numbers.data() + call.first;
    if (const TileFn fn = group_.direct[c]; fn) {
      const void* operands[3] = {};
      for (uint32_t i = 0; i < call.num_operands; ++i) operands[i] = values_[numbers[i]].data;
      return fn(operands, values_[numbers[call.num_operands]].data, n, params);
    }
    views_.clear();
    for (uint32_t i = 0; i < call.num_operands + call.num_results; ++i) {
      View absent;
      absent.shape_ref = &length_;
      views_.push_back(numbers[i] == PointwiseGroup::kAbsent ? absent : values_[numbers[i]]);
    }
    const Span<const View> in(views_.data(), call.num_operands);
    const Span<const View> out(views_.data() + in.size(), call.num_results);
    Launch one{call.op, params, call.training, call.backward};
    one.num_out_grads = one.num_outputs = call.num_out_grads;
    one.num_inputs = call.num_inputs;
    launch(one, in, out);
  }

  static int64_t whole_vectors(int64_t n) { return (n + 63) / 64 * 64; }

  const PointwiseGroup& group_;
  const std::vector<GroupInput>& inputs_;
  const std::vector<View>& out_;
  const std::vector<char>& apart_;  // outputs that are made in the scratch and copied at a tile's end
  const int64_t tile_;
  Shape length_;
  Scratch workspace_;
  std::vector<View>&values_, &views_;
};

// Whether output o takes the memory of an input that is read after the output was written. Tile functions allow it in
// the call that writes; other kernels might not.
bool overwrites_too_early(const PointwiseGroup& group, Span<const View> in, const View& out, size_t o) {
  const uint32_t written = group.places[group.outputs[o]].made_by;
  for (size_t i = 0; i < in.size(); ++i) {
    const uint32_t read = group.places[i].last_use;
    if (in[i].data == out.data && (read > written || (read == written && !group.direct[written])))
      return true;
  }
  return false;
}

void run_group(const Op&, const void* params, KernelArgs& args) {
  const PointwiseGroup& group = group_of(params);
  const int64_t size = group.shape.size();
  if (size == 0) return;
  GroupWorkspace& call = group_workspace();
  call.inputs.clear();
  for (const View& view : args.in) call.inputs.push_back(input_of(view, group.shape));
  call.out.assign(args.out.begin(), args.out.end());
  call.apart.clear();
  size_t bytes = group.slot_bytes;  // of scratch per element
  // An input of fewer elements, or of larger ones, must not be overwritten before all tiles have read it.
  std::vector<std::pair<size_t, Scratch>> later;
  for (size_t o = 0; o < call.out.size(); ++o) {
    View& out = call.out[o];
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      const GroupInput& in = call.inputs[i];
      if (args.in[i].data != out.data || (in.whole && in.item == size_of(out.dtype))) continue;
      later.emplace_back(o, Scratch(out.bytes()));
      out.data = later.back().second.data();
      break;
    }
    call.apart.push_back(overwrites_too_early(group, args.in, out, o));
    if (call.apart[o]) bytes += size_of(out.dtype);
  }
  for (const GroupInput& in : call.inputs) bytes += in.whole ? 0 : in.item;
  const int64_t fits = kGroupScratchBytes / static_cast<int64_t>(std::max<size_t>(1, bytes));
  const int64_t tile =
      std::min(size, std::min(kGroupLongest, std::max(kGroupStep, fits / kGroupStep * kGroupStep)));
  const int64_t grain = std::max(tile, static_cast<int64_t>(kGroupGrain / group.cost_per_element));
  parallel_for(size, grain,
               [&](int64_t begin, int64_t end) { GroupRun(group, call, tile, bytes).run(begin, end); });
  for (const auto& [o, workspace] : later)
    std::memcpy(args.out[o].data, workspace.data(), args.out[o].bytes());
}

}  // namespace

void PointwiseGroup::finish() {
  places.assign(dtypes.size(), {});
  for (uint32_t c = 0; c < calls.size(); ++c) {
    for (const uint32_t v : operands_of(calls[c])) {
      if (v != kAbsent) places[v].last_use = c;
    }
    for (const uint32_t v : results_of(calls[c])) {
      if (v != kAbsent) places[v].made_by = places[v].last_use = c;
    }
  }
  for (uint32_t o = 0; o < outputs.size(); ++o) places[outputs[o]].output = o;
  std::vector<uint32_t> slots;                            // bytes per element
  std::vector<uint32_t> slot_of(dtypes.size(), kAbsent);  // of values in the scratch
  // Slots that are free after a call, chained: per call the last value whose slot that is, per value the one before.
  std::vector<uint32_t> over(calls.size(), kAbsent), next(dtypes.size(), kAbsent);
  std::vector<uint32_t> idle;
  direct.reserve(calls.size());
  for (uint32_t c = 0; c < calls.size(); ++c) {
    const Call& call = calls[c];
    const uint32_t result = results_of(call)[0];
    for (const uint32_t v : results_of(call)) {
      if (v == kAbsent || places[v].output != kAbsent) continue;
      if (idle.empty()) {
        idle.push_back(static_cast<uint32_t>(slots.size()));
        slots.push_back(0);
      }
      slot_of[v] = idle.back();
      idle.pop_back();
      slots[slot_of[v]] = std::max(slots[slot_of[v]], static_cast<uint32_t>(size_of(dtypes[v])));
      next[v] = over[places[v].last_use];
      over[places[v].last_use] = v;
    }
    for (uint32_t v = over[c]; v != kAbsent; v = next[v]) idle.push_back(slot_of[v]);

    TileFn fn = nullptr;
    if (!call.backward && call.op->is_pointwise) {
      const ComputeType type = compute_type_of(call.op->pointwise, dtypes[result]);
      bool alike = dtype_of(type) == dtypes[result];
      for (const uint32_t v : operands_of(call)) alike &= dtypes[v] == dtypes[result];
      if (alike) fn = call.op->pointwise.tile[type];
    }
    direct.push_back(fn);
    cost_per_element += std::max(0.01, call.op->element_cost) * (call.backward ? 2 : 1);
  }
  for (uint32_t& slot : slots) {
    const uint32_t item = slot;
    slot = static_cast<uint32_t>(slot_bytes);
    slot_bytes += item;
  }
  for (size_t v = 0; v < places.size(); ++v) {
    if (slot_of[v] != kAbsent) places[v].slot_at = slots[slot_of[v]];
  }
}

const Op& pointwise_group_op() {
  static const Op& op = *new Op([] {
    Op made;
    made.name = "_fused_pointwise";
    made.doc = "Pointwise calls, run tile by tile.";
    made.schema = &schema_of<PointwiseGroupParams>();
    made.variadic = true;
    made.inputs.push_back(
        {"data", "What the calls read from outside; broadcast to the shape of the results."});
    made.outputs.push_back({"out", ""});
    made.num_inputs_fn = [](const Op&, const void* p) { return static_cast<int>(group_of(p).num_inputs); };
    made.num_outputs_fn = [](const Op&, const void* p) {
      return static_cast<int>(group_of(p).outputs.size());
    };
    made.kernels[0].forward = run_group;
    made.cost_fn = [](const Op&, const void* p, Span<const Shape>) {
      return group_of(p).cost_per_element * static_cast<double>(group_of(p).shape.size());
    };
    made.overwrites = Op::Overwrites::any;
    made.inplace = true;
    return made;
  }());
  return op;
}

ParamsRef pointwise_group_params(std::shared_ptr<const PointwiseGroup> group) {
  PointwiseGroupParams params;
  size_t length = 0;
  for (const PointwiseGroup::Call& call : group->calls) length += call.op->name.size() + 11;
  params.calls.reserve(length);
  for (const PointwiseGroup::Call& call : group->calls) {
    if (!params.calls.empty()) params.calls += ", ";
    params.calls += call.op->name;
    if (call.backward) params.calls += ".backward";
  }
  params.group = std::move(group);
  return box_params(std::move(params));
}

}  // namespace mixgrad
