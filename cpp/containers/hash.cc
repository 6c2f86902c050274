#include "containers/hash.h"

#include <cstring>
#include <stdexcept>

namespace mixgrad::containers {
namespace {

constexpr size_t kFirstChains = 8;

// Of pointers and numbers the lowest bits are often the same.
size_t chain_of(size_t hash, size_t room) noexcept {
  return (hash ^ hash >> 4 ^ hash >> 11 ^ hash >> 23) & (room - 1);
}

}  // namespace

void HashBase::take(HashBase& other) noexcept {
  chains_ = std::exchange(other.chains_, nullptr);
  room_ = std::exchange(other.room_, 0);
  size_ = std::exchange(other.size_, 0);
}

void HashBase::copy(const HashBase& other, CloneFn clone) noexcept {
  reserve(other.size_);
  for (const HashEntry* entry = other.first(); entry; entry = other.after(entry)) add(clone(entry));
}

void HashBase::drop(DropFn end) noexcept {
  for (size_t chain = 0; chain < room_; ++chain) {
    while (HashEntry* entry = chains_[chain]) {
      chains_[chain] = entry->next;
      end(entry);
      give_memory_back(entry);
    }
  }
  give_memory_back(chains_);
  chains_ = nullptr;
  room_ = size_ = 0;
}

void HashBase::reserve(size_t room) noexcept {
  if (room <= room_) return;
  size_t wider = room_ > 0 ? room_ : kFirstChains;
  while (wider < room) wider *= 2;
  HashEntry** chains = static_cast<HashEntry**>(take_memory(wider, sizeof(HashEntry*)));
  std::memset(chains, 0, wider * sizeof(HashEntry*));
  for (size_t chain = 0; chain < room_; ++chain) {
    while (HashEntry* entry = chains_[chain]) {
      chains_[chain] = entry->next;
      HashEntry*& to = chains[chain_of(entry->hash, wider)];
      entry->next = to;
      to = entry;
    }
  }
  give_memory_back(chains_);
  chains_ = chains;
  room_ = wider;
}

HashEntry* HashBase::find(const void* key, size_t hash, SameFn same) const noexcept {
  if (room_ == 0) return nullptr;
  HashEntry* entry = chains_[chain_of(hash, room_)];
  while (entry && !(entry->hash == hash && same(entry + 1, key))) entry = entry->next;
  return entry;
}

void HashBase::add(HashEntry* entry) noexcept {
  reserve(size_ + 1);
  HashEntry*& to = chains_[chain_of(entry->hash, room_)];
  entry->next = to;
  to = entry;
  ++size_;
}

void HashBase::erase(HashEntry* entry, DropFn end) noexcept {
  HashEntry** at = &chains_[chain_of(entry->hash, room_)];
  while (*at != entry) at = &(*at)->next;
  *at = entry->next;
  --size_;
  end(entry);
  give_memory_back(entry);
}

HashEntry* HashBase::from(size_t chain) const noexcept {
  while (chain < room_ && !chains_[chain]) ++chain;
  return chain < room_ ? chains_[chain] : nullptr;
}

HashEntry* HashBase::after(const HashEntry* entry) const noexcept {
  return entry->next ? entry->next : from(chain_of(entry->hash, room_) + 1);
}

void HashBase::missing() { throw std::out_of_range("no such key"); }

}  // namespace mixgrad::containers
