#include "containers/vector.h"

namespace mixgrad::containers {

namespace {

void move_elements(char* to, char* from, size_t count, size_t bytes, MoveFn move) noexcept {
  if (to == from) return;
  if (move == nullptr) {
    if (count > 0) std::memmove(to, from, count * bytes);
  } else if (to < from) {
    for (size_t i = 0; i < count; ++i) move(to + i * bytes, from + i * bytes);
  } else {
    for (size_t i = count; i-- > 0;) move(to + i * bytes, from + i * bytes);
  }
}

// How far behind the begin of their memory elements of a size lie: there is room for a block, and they are aligned.
constexpr size_t begin_of(size_t bytes) { return is_aligned(bytes) ? kMostAlignment : 16; }

}  // namespace

alignas(2 * sizeof(size_t)) const VectorBase::Block VectorBase::kNothing = {0, 0};

void VectorBase::release() noexcept {
  if (block().room > 0) give_memory_back(data_ - begin_of(1));
}

void VectorBase::drop(size_t bytes, EndFn end) noexcept {
  cut(0, bytes, end);
  if (block().room > 0) give_memory_back(data_ - begin_of(bytes), bytes);
}

void VectorBase::cut(size_t size, size_t bytes, EndFn end) noexcept {
  size_t had = this->size();
  if (had <= size) return;
  if (end == nullptr) had = block().size = size;
  while (had > size) {
    block().size = --had;
    end(data_ + had * bytes);
  }
}

void VectorBase::reserve(size_t room, size_t bytes, MoveFn move) noexcept {
  if (room > capacity()) settle(room, bytes, move);
}

// To memory with just this room.
void VectorBase::settle(size_t room, size_t bytes, MoveFn move) noexcept {
  const size_t before = begin_of(bytes), had = size();
  char* data = nothing();
  if (room > 0) {
    data = static_cast<char*>(take_memory(room, bytes, before)) + before;
    reinterpret_cast<Block*>(data)[-1] = {had, room};
  }
  move_elements(data, data_, had, bytes, move);
  if (capacity() > 0) give_memory_back(data_ - before, bytes);
  data_ = data;
}

void VectorBase::fit(size_t bytes, MoveFn move) noexcept {
  if (size() < capacity()) settle(size(), bytes, move);
}

char* VectorBase::grow(size_t count, size_t bytes, MoveFn move) noexcept {
  const size_t had = size(), size = had + count;
  if (size > capacity()) settle(size > 2 * capacity() ? size : 2 * capacity(), bytes, move);
  if (count > 0) block().size = size;
  return data_ + had * bytes;
}

void* VectorBase::slot(size_t bytes, MoveFn move) noexcept { return grow(1, bytes, move); }

void VectorBase::make(size_t size, size_t bytes, MakeFn make, MoveFn move) noexcept {
  size_t left = size - this->size();
  for (char* to = grow(left, bytes, move); left > 0; --left, to += bytes) make(to);
}

void VectorBase::fill(size_t size, const void* value, size_t bytes, CopyFn copy, MoveFn move) noexcept {
  size_t left = size - this->size();
  for (char* to = grow(left, bytes, move); left > 0; --left, to += bytes) {
    if (copy == nullptr) {
      std::memcpy(to, value, bytes);
    } else {
      copy(to, value);
    }
  }
}

void VectorBase::append(const void* from, size_t count, size_t bytes, CopyFn copy, MoveFn move) noexcept {
  if (count == 0) return;
  char* to = grow(count, bytes, move);
  if (copy == nullptr) {
    std::memcpy(to, from, count * bytes);
    return;
  }
  for (const char* element = static_cast<const char*>(from); count > 0;
       --count, to += bytes, element += bytes) {
    copy(to, element);
  }
}

void VectorBase::assign(const void* from, size_t count, size_t bytes, CopyFn copy, MoveFn move,
                        EndFn end) noexcept {
  cut(0, bytes, end);
  append(from, count, bytes, copy, move);
}

void* VectorBase::open(size_t place, size_t count, size_t bytes, MoveFn move) noexcept {
  const size_t had = size();
  grow(count, bytes, move);
  char* gap = data_ + place * bytes;
  move_elements(gap + count * bytes, gap, had - place, bytes, move);
  return gap;
}

void VectorBase::close(size_t place, size_t count, size_t bytes, MoveFn move) noexcept {
  if (count == 0) return;
  char* gap = data_ + place * bytes;
  const size_t left = block().size -= count;
  move_elements(gap, gap + count * bytes, left - place, bytes, move);
}

}  // namespace mixgrad::containers
