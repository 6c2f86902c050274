#include "slim/vector.h"

namespace mixgrad::slim {

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

// The room of a vector that has `room` and is to hold `size`: at least twice as much as it had.
size_t grown(size_t room, size_t size) noexcept { return size > 2 * room ? size : 2 * room; }

}  // namespace

void VectorBase::take(VectorBase& other) noexcept {
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  room_ = std::exchange(other.room_, 0);
}

void VectorBase::release() noexcept { give_memory_back(data_); }

void VectorBase::drop(size_t bytes, EndFn end) noexcept {
  cut(0, bytes, end);
  give_memory_back(data_, bytes);
}

void VectorBase::cut(size_t size, size_t bytes, EndFn end) noexcept {
  if (end == nullptr) size_ = size;
  while (size_ > size) end(data_ + --size_ * bytes);
}

void VectorBase::reserve(size_t room, size_t bytes, MoveFn move) noexcept {
  if (room <= room_) return;
  char* data = static_cast<char*>(take_memory(room, bytes));
  move_elements(data, data_, size_, bytes, move);
  give_memory_back(data_, bytes);
  data_ = data;
  room_ = room;
}

void VectorBase::fit(size_t bytes, MoveFn move) noexcept {
  VectorBase fitting;
  if (size_ > 0) fitting.reserve(size_, bytes, move);
  move_elements(fitting.data_, data_, size_, bytes, move);
  give_memory_back(data_, bytes);
  data_ = fitting.data_;
  room_ = fitting.room_;
}

void* VectorBase::slot(size_t bytes, MoveFn move) noexcept {
  if (size_ == room_) reserve(grown(room_, room_ + 1), bytes, move);
  return data_ + size_++ * bytes;
}

void VectorBase::make(size_t size, size_t bytes, MakeFn make, MoveFn move) noexcept {
  if (size > room_) reserve(grown(room_, size), bytes, move);
  for (; size_ < size; ++size_) make(data_ + size_ * bytes);
}

void VectorBase::fill(size_t size, const void* value, size_t bytes, CopyFn copy, MoveFn move) noexcept {
  if (size > room_) reserve(grown(room_, size), bytes, move);
  for (; size_ < size; ++size_) {
    char* to = data_ + size_ * bytes;
    if (copy == nullptr) {
      std::memcpy(to, value, bytes);
    } else {
      copy(to, value);
    }
  }
}

void VectorBase::append(const void* from, size_t count, size_t bytes, CopyFn copy, MoveFn move) noexcept {
  const size_t size = size_ + count;
  if (size > room_) reserve(grown(room_, size), bytes, move);
  if (copy == nullptr) {
    if (count > 0) std::memcpy(data_ + size_ * bytes, from, count * bytes);
    size_ = size;
    return;
  }
  const char* element = static_cast<const char*>(from);
  for (const char* last = element + count * bytes; element != last; element += bytes, ++size_) {
    copy(data_ + size_ * bytes, element);
  }
}

void VectorBase::assign(const void* from, size_t count, size_t bytes, CopyFn copy, MoveFn move,
                        EndFn end) noexcept {
  cut(0, bytes, end);
  append(from, count, bytes, copy, move);
}

void* VectorBase::open(size_t place, size_t count, size_t bytes, MoveFn move) noexcept {
  const size_t size = size_ + count;
  if (size > room_) reserve(grown(room_, size), bytes, move);
  char* gap = data_ + place * bytes;
  move_elements(gap + count * bytes, gap, size_ - place, bytes, move);
  size_ = size;
  return gap;
}

void VectorBase::close(size_t place, size_t count, size_t bytes, MoveFn move) noexcept {
  char* gap = data_ + place * bytes;
  size_ -= count;
  move_elements(gap, gap + count * bytes, size_ - place, bytes, move);
}

}  // namespace mixgrad::slim
