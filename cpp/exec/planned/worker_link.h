// How executors of a graph over several processes reach each other: the stores implement it.
#pragma once

#include <functional>
#include <string>

#include "base/span.h"
#include "engine/engine.h"
#include "graph/passes/transfers.h"

namespace mixgrad {

// Threads: belongs to those of its executors.
class WorkerLink {
 public:
  virtual ~WorkerLink() = default;
  virtual Workers workers() const = 0;
  // The first of `count` numbers for the transfers of a run. All workers ask for the same counts in the same order.
  virtual uint64_t reserve(size_t count) = 0;

  struct Transfer {
    uint64_t number = 0;
    std::string name;
    DType dtype = DType::float32;
    int64_t elements = 0;
    int32_t from = 0, to = 0;
  };
  // Pushes a task that names these Vars and sends, or receives, a value in the memory that `memory` gives inside the task. One that
  // sends has copied the value when it ends; one that receives ends when all of it is there.
  virtual void push(const Transfer& transfer, Span<engine::Var* const> reads, Span<engine::Var* const> writes,
                    std::function<char*()> memory) = 0;
};

}  // namespace mixgrad
