// How executors of a graph over several processes reach each other: the stores implement it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/span.h"
#include "engine/engine.h"
#include "graph/passes/transfers.h"

namespace mixgrad {

// Threads: belongs to those of its executors.
class WorkerLink {
 public:
  virtual ~WorkerLink() = default;
  virtual Workers workers() const = 0;
  // All workers call it, each with its text. Blocks until all have; throws Status::invalid_argument naming those whose text is another
  // than worker 0's, and Status::stopped when interrupted.
  virtual void agree(const char* function, const std::string& own) = 0;

  struct Transfer {
    uint32_t number = 0;   // within the part of the graph that runs
    std::string contents;  // for messages; the same at both ends
    DType dtype = DType::float32;
    int64_t elements = 0;
    int32_t from = 0, to = 0;
  };
  // The copies of one run of a part. Those that are not pushed when it goes cannot be any more, of which the others hear.
  class Run {
   public:
    virtual ~Run() = default;
    // Pushes a task that names these Vars and sends, or receives, the value of transfer i in the memory that `memory` gives inside
    // the task. One that sends has copied the value when it ends; one that receives ends when all of it is there.
    virtual void push(size_t i, Span<engine::Var* const> reads, Span<engine::Var* const> writes,
                      std::function<char*()> memory) = 0;
  };
  // All workers begin runs of the same `count` in the same order. `own`: the transfers that this worker takes part in.
  virtual std::unique_ptr<Run> begin(size_t count, const std::vector<Transfer>& own) = 0;
};

}  // namespace mixgrad
