#include "exec/control_flow/subprogram.h"

#include <algorithm>
#include <cstring>

#include "base/build.h"
#include "base/error.h"
#include "graph/passes/infer.h"
#include "graph/symbol_json.h"

namespace mixgrad {
namespace {

constexpr size_t kMostFree = 8;         // programs kept per subgraph
constexpr size_t kMostRemembered = 32;  // answers kept per subgraph

// Spreads the bits, so that streams of neighbouring steps have nothing in common.
uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void check_inputs(const Graph& graph, size_t given) {
  if (graph.arguments.size() != given) {
    fail(Status::invalid_argument, "[subgraph] got ", given, " inputs; the graph has ",
         graph.arguments.size());
  }
}

void infer_subgraph(const Symbol& symbol, Span<Shape> inputs, Span<Shape> outputs) {
  Graph graph = flatten(symbol);
  check_inputs(graph, inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].known_rank()) graph.set_shape(graph.nodes[graph.arguments[i]].first_value, inputs[i]);
  }
  infer_shapes(graph, true, true);
  for (size_t i = 0; i < inputs.size(); ++i)
    inputs[i] = graph.values[graph.nodes[graph.arguments[i]].first_value].shape;
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = graph.values[graph.heads[i]].shape;
}

void infer_subgraph(const Symbol& symbol, Span<DType> inputs, Span<DType> outputs) {
  Graph graph = flatten(symbol);
  check_inputs(graph, inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != DType::unknown)
      graph.values[graph.nodes[graph.arguments[i]].first_value].dtype = inputs[i];
  }
  InferOptions options;
  options.partial = true;
  options.default_float32 = false;
  infer_dtypes(graph, options);
  for (size_t i = 0; i < inputs.size(); ++i)
    inputs[i] = graph.values[graph.nodes[graph.arguments[i]].first_value].dtype;
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = graph.values[graph.heads[i]].dtype;
}

}  // namespace

Subprogram::Subprogram(const Symbol& symbol, SubprogramKey key) : key_(std::move(key)) {
  Graph graph = flatten(symbol, {key_.training});
  check_inputs(graph, key_.shapes.size());
  for (size_t i = 0; i < key_.shapes.size(); ++i) {
    const ValueId v = graph.nodes[graph.arguments[i]].first_value;
    graph.set_shape(v, key_.shapes[i]);
    GraphValue& value = graph.values[v];
    value.dtype = key_.dtypes[i];
    inputs_.push_back({value.shape, value.dtype});
  }
  graph = infer(std::move(graph));
  size_t largest = 0;
  for (ValueId v : graph.heads) {
    outputs_.push_back({graph.values[v].shape, graph.values[v].dtype});
    largest = std::max(largest, bytes_of(outputs_.back()));
  }
  num_streams_ = graph.num_random_slots;
  GradientOptions wanted;
  for (const bool one : key_.wanted)
    wanted.requests.push_back(one ? GradientRequest::write : GradientRequest::null);
  PlanOptions options;
  if (!key_.wanted.empty()) {
    options.gradients = &wanted;
    zeros_.assign(largest, 0);
  }
  options.passes = key_.passes;
  program_ = std::make_unique<Program>(plan_graph(graph, options));
  inputs.resize(inputs_.size());
  gradients.resize(inputs_.size());
  outputs.resize(outputs_.size());
  head_gradients.resize(outputs_.size());
  slots_.resize(program_->slot_values().size());
}

size_t Subprogram::arena_bytes() const {
  size_t bytes = 0;
  for (const MemoryPlan::Arena& arena : program_->plan().arenas) bytes += static_cast<size_t>(arena.bytes);
  return bytes;
}

void Subprogram::give(ValueId v, char* data) {
  const uint32_t slot = v == kNone ? kNone : program_->slot_of(v);
  if (slot != kNone) slots_[slot] = data;
}

void Subprogram::run(char* arena, bool backward, Span<const RandomStream> streams) {
  const size_t first = backward ? program_->num_forward() : 0;
  const size_t last = backward ? program_->segments().size() : program_->num_forward();
  for (size_t s = first; s < last; ++s) program_->segments()[s]->run(slots_, arena, streams);
}

namespace {

uint64_t& place_in_loops() {
  thread_local uint64_t place = 0;
  return place;
}

class LoopPlace {
 public:
  explicit LoopPlace(int64_t step) : before_(place_in_loops()) {
    place_in_loops() = mixed(before_ + static_cast<uint64_t>(step) + 1);
  }
  ~LoopPlace() { place_in_loops() = before_; }
  LoopPlace(const LoopPlace&) = delete;
  LoopPlace& operator=(const LoopPlace&) = delete;

 private:
  const uint64_t before_;
};

}  // namespace

uint64_t loop_place() { return place_in_loops(); }

void Subprogram::forward(char* arena, uint64_t seed, uint64_t stream, int64_t step) {
  const LoopPlace place(step);
  std::vector<RandomStream> streams;
  for (uint32_t i = 0; i < num_streams_; ++i)
    streams.push_back({mixed(seed ^ mixed(stream)) + static_cast<uint64_t>(step), i});
  const Graph& g = graph();
  for (size_t i = 0; i < outputs.size(); ++i) give(g.heads[i], outputs[i]);
  for (size_t i = 0; i < inputs.size(); ++i) give(g.nodes[g.arguments[i]].first_value, inputs[i]);
  run(arena, false, streams);
  // Outputs that passes found to be another value.
  for (size_t i = 0; i < outputs.size(); ++i) {
    const char* made = slots_[program_->slot_of(g.heads[i])];
    if (made != outputs[i] && output_bytes(i) > 0) std::memcpy(outputs[i], made, output_bytes(i));
  }
}

void Subprogram::backward(char* arena) {
  const Graph& g = graph();
  for (size_t i = 0; i < outputs.size(); ++i) give(g.heads[i], outputs[i]);
  for (size_t i = 0; i < inputs.size(); ++i) {
    give(g.nodes[g.arguments[i]].first_value, inputs[i]);
    give(g.gradients[i], gradients[i]);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (g.head_gradients[i] == kNone) continue;
    give(g.nodes[g.head_gradients[i]].first_value, head_gradients[i] ? head_gradients[i] : zeros_.data());
  }
  run(arena, true, {});
}

SubgraphCache::Held& SubgraphCache::held(const std::string& text) {
  for (const auto& h : held_) {
    if (h->text == text) return *h;
  }
  auto made = std::make_unique<Held>();
  made->free.reserve(kMostFree);  // a destructor gives programs back
  made->text = text;
  made->symbol = read_symbol(text, "a subgraph");
  const Strings states = made->symbol.list_auxiliary_states();
  if (!states.empty()) {
    fail(Status::unsupported, "[subgraph] '", states[0],
         "' is a state that an operator of a loop or branch changes; expected operators without states");
  }
  held_.push_back(std::move(made));
  return *held_.back();
}

Symbol SubgraphCache::symbol(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return held(text).symbol;
}

template <class Fact>
void SubgraphCache::infer_once(const std::string& text, std::vector<InferredSubgraph<Fact>> Held::*remembered,
                               Span<Fact> inputs, Span<Fact> outputs) {
  std::vector<Fact> known(inputs.begin(), inputs.end());
  known.insert(known.end(), outputs.begin(), outputs.end());
  Symbol symbol;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Held& from = held(text);
    for (const InferredSubgraph<Fact>& item : from.*remembered) {
      if (item.known != known) continue;
      for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = item.follows[i];
      for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = item.follows[inputs.size() + i];
      return;
    }
    symbol = from.symbol;
  }
  infer_subgraph(symbol, inputs, outputs);
  std::vector<Fact> follows(inputs.begin(), inputs.end());
  follows.insert(follows.end(), outputs.begin(), outputs.end());
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<InferredSubgraph<Fact>>& items = held(text).*remembered;
  if (items.size() >= kMostRemembered) items.erase(items.begin());
  items.push_back({std::move(known), std::move(follows)});
}

void SubgraphCache::infer(const std::string& text, Span<Shape> inputs, Span<Shape> outputs) {
  infer_once(text, &Held::shapes, inputs, outputs);
}
void SubgraphCache::infer(const std::string& text, Span<DType> inputs, Span<DType> outputs) {
  infer_once(text, &Held::dtypes, inputs, outputs);
}

std::unique_ptr<Subprogram> SubgraphCache::take(const std::string& text, const SubprogramKey& key) {
  Symbol symbol;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    Held& from = held(text);
    for (auto& program : from.free) {
      if (!(program->key() == key)) continue;
      std::unique_ptr<Subprogram> found = std::move(program);
      program = std::move(from.free.back());
      from.free.pop_back();
      return found;
    }
    symbol = from.symbol;
  }
  return std::make_unique<Subprogram>(symbol, key);
}

void SubgraphCache::give_back(const std::string& text, std::unique_ptr<Subprogram> program) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Held& to = held(text);
  if (to.free.size() >= kMostFree) to.free.erase(to.free.begin());
  to.free.push_back(std::move(program));
}

}  // namespace mixgrad
