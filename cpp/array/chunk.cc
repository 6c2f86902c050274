#include "array/chunk.h"

#include <mutex>
#include <utility>

#include "base/fork_mutex.h"

namespace mixgrad {

Ref<Chunk> Chunk::wrap(const storage::Block& block) {
  Ref<Chunk> chunk = make(block.device, block.bytes);
  chunk->block_ = block;
  chunk->set_shared();
  return chunk;
}

void Chunk::ensure_for_reading() {
  static ForkMutex first_touch;
  if (block_.data) return;
  const std::lock_guard<ForkMutex> lock(first_touch);
  ensure();
}

void Chunk::take_block(Chunk& from) { std::swap(block_, from.block_); }

}  // namespace mixgrad
