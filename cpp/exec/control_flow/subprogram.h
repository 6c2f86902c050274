// Graphs that an operator holds as text and runs inside its kernel: bodies of loops, branches, gradients.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "exec/planned/program.h"

namespace mixgrad {

// What followed from what was known of a graph's inputs and outputs: asked again, it is not computed again, so that a graph
// inside of a graph inside of a graph is not looked at twice by each around it. Inputs, then outputs.
template <class Fact>
struct InferredSubgraph {
  std::vector<Fact> known, follows;
};

// Where the calling thread is in the loops that it runs: a number for each combination of steps, 0 outside of loops.
uint64_t loop_place();

// What a planned subgraph is made for.
struct SubprogramKey {
  std::vector<Shape> shapes;  // of the inputs
  std::vector<DType> dtypes;
  bool training = false;
  std::vector<bool> wanted;  // inputs whose gradient is asked for; empty: it only runs forward
  PassOptions passes = BodyPasses::now();
  bool operator==(const SubprogramKey& o) const {
    return shapes == o.shapes && dtypes == o.dtypes && training == o.training && wanted == o.wanted &&
           passes == o.passes;
  }
};

// A subgraph planned for one device, and the addresses it works on. Used by one kernel at a time. Everything is row-major
// memory of the caller; what a run does not need may stay null.
class Subprogram {
 public:
  Subprogram(const Symbol& symbol, SubprogramKey key);

  const SubprogramKey& key() const { return key_; }
  size_t num_inputs() const { return key_.shapes.size(); }
  size_t num_outputs() const { return graph().heads.size(); }
  // Bytes of input, and of output, i.
  size_t input_bytes(size_t i) const { return bytes_of(inputs_[i]); }
  size_t output_bytes(size_t i) const { return bytes_of(outputs_[i]); }
  DType output_dtype(size_t i) const { return outputs_[i].dtype; }
  // Output i without memory.
  View output_view(size_t i) const { return {nullptr, &outputs_[i].shape, outputs_[i].dtype}; }
  // Memory that lasts from forward() to backward().
  size_t arena_bytes() const;

  std::vector<char*> inputs, outputs, head_gradients, gradients;  // addresses of the next run

  // Random numbers follow from the two numbers and the step.
  void forward(char* arena, uint64_t seed, uint64_t stream, int64_t step);
  // Gradients of the inputs wanted; null where one is not wanted, or a head's is zero.
  void backward(char* arena);

 private:
  struct Described {
    Shape shape;
    DType dtype;
  };
  static size_t bytes_of(const Described& d) {
    return static_cast<size_t>(d.shape.size()) * size_of(d.dtype);
  }
  const Graph& graph() const { return program_->graph(); }
  void give(ValueId v, char* data);
  void run(char* arena, bool backward, Span<const RandomStream> streams);

  SubprogramKey key_;
  std::unique_ptr<Program> program_;
  std::vector<Described> inputs_, outputs_;
  std::vector<char*> slots_;
  std::vector<char> zeros_;  // for gradients of heads that do not flow
  uint32_t num_streams_ = 0;
};

// The subgraphs of one operator's parameters, read once, and programs that are free. Threads: any.
class SubgraphCache {
 public:
  // Throws what read_symbol throws, and Status::unsupported for graphs that change states.
  Symbol symbol(const std::string& text);
  // The shapes, or dtypes, that follow inside a graph from those of its inputs, in order of list_inputs(), and of its outputs.
  void infer(const std::string& text, Span<Shape> inputs, Span<Shape> outputs);
  void infer(const std::string& text, Span<DType> inputs, Span<DType> outputs);
  std::unique_ptr<Subprogram> take(const std::string& text, const SubprogramKey& key);
  void give_back(const std::string& text, std::unique_ptr<Subprogram> program);

 private:
  struct Held {
    std::string text;
    Symbol symbol;
    std::vector<std::unique_ptr<Subprogram>> free;
    std::vector<InferredSubgraph<Shape>> shapes;
    std::vector<InferredSubgraph<DType>> dtypes;
  };
  Held& held(const std::string& text);
  template <class Fact>
  void infer_once(const std::string& text, std::vector<InferredSubgraph<Fact>> Held::*remembered,
                  Span<Fact> inputs, Span<Fact> outputs);
  std::mutex mutex_;
  std::vector<std::unique_ptr<Held>> held_;
};

// A program for the length of a kernel.
class SubprogramLease {
 public:
  SubprogramLease(SubgraphCache& cache, const std::string& text, const SubprogramKey& key)
      : cache_(cache), text_(text), program_(cache.take(text, key)) {}
  ~SubprogramLease() { cache_.give_back(text_, std::move(program_)); }
  SubprogramLease(const SubprogramLease&) = delete;
  SubprogramLease& operator=(const SubprogramLease&) = delete;
  Subprogram* operator->() const { return program_.get(); }
  Subprogram& operator*() const { return *program_; }

 private:
  SubgraphCache& cache_;
  const std::string& text_;
  std::unique_ptr<Subprogram> program_;
};

}  // namespace mixgrad
