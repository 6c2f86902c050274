#include "kernels/convolution/conv_call.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <unordered_map>

#include "base/cpu.h"
#include "base/parallel.h"
#include "base/per_thread.h"
#include "kernels/convolution/conv_choice.h"
#include "kernels/convolution/conv_depthwise_block_grad.h"
#include "kernels/convolution/conv_depthwise_grad.h"
#include "kernels/convolution/conv_step_grad.h"
#include "kernels/convolution/conv_window_grad.h"
#include "kernels/convolution/conv_winograd_grad.h"
#include "kernels/scratch.h"

namespace mixgrad::conv_call {
namespace {

using nn_backend::ConvShape;

// What a choice depends on besides the weights.
struct CallKey {
  static constexpr int kItems = 28;
  int64_t item[kItems];

  CallKey(const ConvShape& s, int threads, ConvAlgorithm algorithm) {
    int64_t* to = item;
    for (const int64_t v :
         {s.batch, s.channels, s.filters, s.groups, static_cast<int64_t>(threads),
          static_cast<int64_t>(algorithm), static_cast<int64_t>(best_isa()),
          static_cast<int64_t>(nn_backend::active() != nullptr), static_cast<int64_t>(conv_choice_version()),
          static_cast<int64_t>(s.data_blocked) + 2 * static_cast<int64_t>(s.out_blocked)}) {
      *to++ = v;
    }
    for (int i = 0; i < 3; ++i) {
      for (const int64_t v : {s.in[i], s.out[i], s.kernel[i], s.stride[i], s.dilate[i], s.pad[i]}) *to++ = v;
    }
  }
  bool operator==(const CallKey& other) const { return std::memcmp(item, other.item, sizeof item) == 0; }
};

struct CallKeyHash {
  size_t operator()(const CallKey& key) const {
    uint64_t hash = 0xcbf29ce484222325;
    for (const int64_t v : key.item) hash = (hash ^ static_cast<uint64_t>(v)) * 0x100000001b3;
    return static_cast<size_t>(hash ^ hash >> 29);
  }
};

constexpr size_t kMostPlans = 256;  // kept by a thread

struct ThreadPlans {
  using Entry = std::pair<CallKey, std::unique_ptr<ConvPlan>>;
  std::list<Entry> entries;  // latest use first
  std::unordered_map<CallKey, std::list<Entry>::iterator, CallKeyHash> index;
};

// Null: another kernel does as well.
const ConvPlan* plan_for(const ConvShape& s, ConvAlgorithm algorithm = ConvAlgorithm::automatic) {
  auto& plans = per_thread<ThreadPlans>();
  const int threads = team_allowed() ? num_threads() : 1;
  const CallKey key(s, threads, algorithm);
  const auto found = plans.index.find(key);
  if (found != plans.index.end()) {
    plans.entries.splice(plans.entries.begin(), plans.entries, found->second);
    return found->second->second.get();
  }
  ConvProblem problem;
  problem.shape = s;
  problem.threads = threads;
  problem.fresh_weights = true;
  problem.data = s.data_blocked ? ConvLayout::blocked : ConvLayout::plain;
  problem.out = s.out_blocked ? ConvLayout::blocked : ConvLayout::plain;
  std::unique_ptr<ConvPlan> plan = ConvPlan::make(problem, algorithm);
  // Those two are what the caller does without a plan.
  if (plan && (plan->algorithm() == ConvAlgorithm::library || plan->algorithm() == ConvAlgorithm::product)) {
    const bool own = plan->algorithm() == ConvAlgorithm::product && s.groups == 1 && nn_backend::active();
    if (!own) plan.reset();
  }
  if (plans.entries.size() >= kMostPlans) {
    plans.index.erase(plans.entries.back().first);
    plans.entries.pop_back();
  }
  plans.entries.emplace_front(key, std::move(plan));
  plans.index[key] = plans.entries.begin();
  return plans.entries.front().second.get();
}

bool run_plan(const ConvShape& s, const float* data, const float* weight, const float* bias, float* out) {
  if (s.channels_last || s.out_items() == 0) return false;
  const ConvPlan* plan = plan_for(s);
  if (!plan) return false;
  const Scratch prepared = Scratch::of<float>(plan->weight_items());
  const Scratch scratch = Scratch::of<float>(plan->scratch_items());
  ConvEpilogue end;
  end.bias = bias;
  plan->prepare(weight, nullptr, prepared.as<float>());
  plan->run(data, prepared.as<float>(), end, out, scratch.as<float>());
  return true;
}

// The data gradient of windows that move in steps of one is a convolution of the output's gradient with the weights
// flipped in both directions, filters for channels.
bool turned_shape(const ConvShape& s, ConvShape* transposed) {
  if (s.channels_last || s.data_items() == 0 || s.out_items() == 0) return false;
  *transposed = s;
  transposed->channels = s.filters, transposed->filters = s.channels;
  transposed->data_blocked = s.out_blocked, transposed->out_blocked = s.data_blocked;
  for (int i = 0; i < 3; ++i) {
    transposed->in[i] = s.out[i], transposed->out[i] = s.in[i];
    transposed->pad[i] = s.dilate[i] * (s.kernel[i] - 1) - s.pad[i];
    if (s.stride[i] != 1 || transposed->pad[i] < 0) return false;
  }
  return true;
}

// Weights (filters, channels / groups, window) as (channels, filters / groups, window from behind).
void transpose_weights(const ConvShape& s, const ConvShape& transposed, const float* weight, float* to) {
  conv_step_grad::transpose_weights(s, {{transposed, 0, 0, 0, 0}}, weight, &to);
}

}  // namespace

bool forward(const ConvShape& s, const float* data, const float* weight, const float* bias, float* out) {
  return run_plan(s, data, weight, bias, out);
}

namespace {

// Image by image, so that what a phase makes stays in cache until it is spread.
bool stepped_data_grad(const ConvShape& s, const float* out_grad, const float* weight, float* grad) {
  struct Part {
    const ConvPlan* plan;
    Scratch prepared, scratch, made;
  };
  const std::vector<conv_step_grad::Phase> phases = conv_step_grad::phases(s);
  std::vector<Part> parts;
  for (const conv_step_grad::Phase& phase : phases) {
    const ConvAlgorithm sums = s.groups == 1 ? ConvAlgorithm::direct : ConvAlgorithm::grouped;
    parts.push_back({plan_for(phase.shape, sums), {}, {}, {}});
    if (!parts.back().plan) return false;
  }
  if (parts.empty()) return false;
  const Scratch weights = Scratch::of<float>(s.weight_items());
  std::vector<float*> transposed;
  for (size_t p = 0, at = 0; p < phases.size(); ++p) {
    transposed.push_back(weights.as<float>() + at);
    at += static_cast<size_t>(phases[p].shape.weight_items());
  }
  conv_step_grad::transpose_weights(s, phases, weight, transposed.data());
  for (size_t p = 0; p < parts.size(); ++p) {
    Part& part = parts[p];
    part.prepared = Scratch::of<float>(part.plan->weight_items());
    part.scratch = Scratch::of<float>(part.plan->scratch_items());
    part.made = Scratch::of<float>(phases[p].shape.out_items());
    part.plan->prepare(transposed[p], nullptr, part.prepared.as<float>());
  }
  const int64_t step = s.data_items() / s.batch, out_step = s.out_items() / s.batch;
  for (int64_t n = 0; n < s.batch; ++n) {
    float* image = grad + n * step;
    if (!conv_step_grad::cover(s)) {
      parallel_for(step, 65536,
                   [&](int64_t begin, int64_t end) { std::fill(image + begin, image + end, 0.0f); });
    }
    for (size_t p = 0; p < parts.size(); ++p) {
      float* made = parts[p].made.as<float>();
      parts[p].plan->run(out_grad + n * out_step, parts[p].prepared.as<float>(), ConvEpilogue(), made,
                         parts[p].scratch.as<float>());
      conv_step_grad::spread(s, phases[p], made, image);
    }
  }
  return true;
}

}  // namespace

bool data_grad(const ConvShape& s, const float* out_grad, const float* weight, const float* bias,
               float* grad) {
  ConvShape transposed;
  if (!bias && s.data_items() > 0 && s.out_items() > 0 && stepped_data_grad(s, out_grad, weight, grad))
    return true;
  if (!bias && conv_depthwise_block_grad::serves(s) && (s.stride[1] > 1 || s.stride[2] > 1)) {
    conv_depthwise_block_grad::data_grad(s, out_grad, weight, grad);
    return true;
  }
  if (s.groups > 1 && !s.blocked() && !nn_backend::active() && conv_depthwise_grad::serves(s)) {
    conv_depthwise_grad::data_grad(s, out_grad, weight, bias, grad);
    return true;
  }
  if (!turned_shape(s, &transposed)) return false;
  const ConvPlan* plan = plan_for(transposed);
  if (!plan) return false;
  // For plain images only fewer products, or a plan for every group, pay for turning the weights.
  const ConvAlgorithm chosen = plan->algorithm();
  const bool pays = chosen == ConvAlgorithm::winograd2 || chosen == ConvAlgorithm::winograd4 ||
                    chosen == ConvAlgorithm::grouped;
  if (!pays && !s.blocked()) return false;
  const Scratch weights = Scratch::of<float>(s.weight_items());
  transpose_weights(s, transposed, weight, weights.as<float>());
  return run_plan(transposed, out_grad, weights.as<float>(), bias, grad);
}

bool weight_grad(const ConvShape& s, const float* data, const float* out_grad, float* grad) {
  if (conv_winograd_grad::serves(s)) {
    conv_winograd_grad::weight_grad(s, data, out_grad, grad);
    return true;
  }
  if (conv_depthwise_block_grad::serves(s)) {
    conv_depthwise_block_grad::weight_grad(s, data, out_grad, grad);
    return true;
  }
  if (conv_window_grad::serves(s)) {
    conv_window_grad::weight_grad(s, data, out_grad, grad);
    return true;
  }
  // oneDNN has no good kernel for depthwise windows other than 3x3.
  const bool library = nn_backend::active() && s.kernel[1] == 3 && s.kernel[2] == 3;
  if (s.groups == 1 || s.blocked() || library || !conv_depthwise_grad::serves(s)) return false;
  conv_depthwise_grad::weight_grad(s, data, out_grad, grad);
  return true;
}

}  // namespace mixgrad::conv_call
