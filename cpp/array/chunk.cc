#include "array/chunk.h"

#include <utility>

namespace mixgrad {

Ref<Chunk> Chunk::wrap(const storage::Block& block) {
  Ref<Chunk> chunk = make(block.device, block.bytes);
  chunk->block_ = block;
  chunk->set_shared();
  return chunk;
}

void Chunk::take_block(Chunk& from) { std::swap(block_, from.block_); }

}  // namespace mixgrad
