// Which memory every value of a graph takes: computed before anything runs.
#pragma once

#include <string>

#include "graph/graph.h"

namespace mixgrad {

struct MemoryPlanOptions {
  bool inplace = true;   // a result may take the memory of an operand that nobody needs any more
  bool co_share = true;  // values that are never alive at once may share memory
};

// "naive", "inplace", "co-share" or "both"; anything else throws Status::invalid_argument.
MemoryPlanOptions memory_plan_options(const std::string& setting);

struct MemoryPlan {
  // Values that lie in one place because each is computed over the one before; alive from node `first` to node `last`.
  struct Buffer {
    uint32_t arena = 0;
    NodeId first = 0, last = 0;
    int64_t bytes = 0;  // rounded up to whole cache lines
    int64_t offset = 0;
  };
  struct Arena {
    Device device;
    int64_t bytes = 0;        // what the plan needs
    int64_t live_bytes = 0;   // the most that is alive at once: a lower bound of `bytes`
    int64_t value_bytes = 0;  // all values beside each other
  };
  // Per value its buffer, kNone where it has none: absent, or outside.
  std::vector<uint32_t> buffer_of;
  // Per value kNone, or the value whose memory outside the arenas it has: itself, except of views and of what a head is
  // computed over.
  std::vector<ValueId> outside;
  std::vector<Buffer> buffers;
  std::vector<Arena> arenas;  // one per device that needs memory

  // Of this worker's arenas.
  int64_t bytes() const;
  int64_t live_bytes() const;
  bool same_memory(ValueId a, ValueId b) const {
    return (buffer_of[a] != kNone && buffer_of[a] == buffer_of[b]) ||
           (outside[a] != kNone && outside[a] == outside[b]);
  }
};

// Shapes and dtypes are known. Nodes run in order, the forward part before the backward part. Outside lie variables,
// constants, heads and gradients of arguments; all else gets a place in the arena of its node's device. A value that holds
// the elements of another in the same order (Op::same_elements) shares its memory as long as nobody writes either. A head's
// memory is working memory until the head is made.
MemoryPlan plan_memory(const Graph& graph, const MemoryPlanOptions& options = {});

// One line per arena and buffer: lifetime, place, and the values in it.
std::string dump(const MemoryPlan& plan, const Graph& graph);

// Throws Status::internal when two values that are alive at once share memory without leave: what tests run.
void check_memory_plan(const MemoryPlan& plan, const Graph& graph);

}  // namespace mixgrad
