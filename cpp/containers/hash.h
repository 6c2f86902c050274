// Hash tables whose work is done by functions that all types of keys share.
//
// The single file takes them in place of std::unordered_map and std::unordered_set (containers/std.h). What is
// offered has the standard meaning: elements stay where they are, and iterators hold until their element is erased.
// Memory does not fail (containers/memory.h).
#pragma once

#include <functional>
#include <new>
#include <type_traits>
#include <utility>

#include "containers/memory.h"

namespace mixgrad::containers {

// One element: its key, at least, lies right behind this.
struct HashEntry {
  HashEntry* next;
  size_t hash;
};

using SameFn = bool (*)(const void* a, const void* b) noexcept;  // keys
using DropFn = void (*)(HashEntry* entry) noexcept;              // ends what lies behind; the memory stays
using CloneFn = HashEntry* (*)(const HashEntry* entry) noexcept;

class HashBase {
 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 protected:
  HashBase() = default;
  void take(HashBase& other) noexcept;  // other is empty afterwards; what was here must have been dropped
  void copy(const HashBase& other, CloneFn clone) noexcept;
  void drop(DropFn end) noexcept;
  void reserve(size_t room) noexcept;
  HashEntry* find(const void* key, size_t hash, SameFn same) const noexcept;
  void add(HashEntry* entry) noexcept;  // whose key is not there
  void erase(HashEntry* entry, DropFn end) noexcept;
  HashEntry* first() const noexcept { return from(0); }
  HashEntry* after(const HashEntry* entry) const noexcept;
  [[noreturn]] static void missing();

 private:
  HashEntry* from(size_t chain) const noexcept;

  HashEntry** chains_ = nullptr;
  size_t room_ = 0;  // chains: none or a power of two, and no more elements than that
  size_t size_ = 0;
};

// Item: Key alone, or a pair that begins with one.
template <class Key, class Item, class Hash, class Same>
class HashTable : public HashBase {
  struct Entry : HashEntry {
    template <class... Args>
    explicit Entry(Args&&... args) : item(std::forward<Args>(args)...) {}
    Item item;
  };
  static_assert(alignof(Item) <= sizeof(HashEntry), "keys lie right behind");

 public:
  using key_type = Key;
  using value_type = Item;
  template <class Of>
  class Iterator {
   public:
    Iterator(const HashTable* table, HashEntry* at) : table_(table), at_(at) {}
    template <class Other, class = std::enable_if_t<std::is_convertible_v<Other*, Of*>>>
    Iterator(const Iterator<Other>& other) : table_(other.table_), at_(other.at_) {}
    Of& operator*() const { return static_cast<Entry*>(at_)->item; }
    Of* operator->() const { return &**this; }
    Iterator& operator++() {
      at_ = table_->after(at_);
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    friend class HashTable;
    template <class Other>
    friend class Iterator;
    const HashTable* table_;
    HashEntry* at_;
  };
  using iterator = Iterator<Item>;
  using const_iterator = Iterator<const Item>;

  HashTable() = default;
  HashTable(const HashTable& other) noexcept { copy(other, clone); }
  HashTable(HashTable&& other) noexcept { take(other); }
  ~HashTable() { drop(end_item); }
  HashTable& operator=(const HashTable& other) noexcept {
    if (this != &other) {
      drop(end_item);
      copy(other, clone);
    }
    return *this;
  }
  HashTable& operator=(HashTable&& other) noexcept {
    HashTable taken(std::move(other));  // first: `other` may lie in an item of this
    drop(end_item);
    take(taken);
    return *this;
  }

  iterator begin() { return {this, first()}; }
  iterator end() { return {this, nullptr}; }
  const_iterator begin() const { return {this, first()}; }
  const_iterator end() const { return {this, nullptr}; }
  iterator find(const Key& key) { return {this, entry_of(key)}; }
  const_iterator find(const Key& key) const { return {this, entry_of(key)}; }
  size_t count(const Key& key) const { return entry_of(key) ? 1 : 0; }
  void clear() noexcept { drop(end_item); }
  void reserve(size_t room) noexcept { HashBase::reserve(room); }
  size_t erase(const Key& key) {
    HashEntry* entry = entry_of(key);
    if (entry) HashBase::erase(entry, end_item);
    return entry ? 1 : 0;
  }
  iterator erase(iterator at) {
    const iterator next(this, after(at.at_));
    HashBase::erase(at.at_, end_item);
    return next;
  }
  template <class... Args>
  std::pair<iterator, bool> emplace(Args&&... args) {
    Entry* made = new (take_memory(sizeof(Entry), 1)) Entry(std::forward<Args>(args)...);
    const Key& key = key_of(*made);
    made->hash = Hash()(key);
    if (HashEntry* there = HashBase::find(&key, made->hash, same)) {
      end_item(made);
      give_memory_back(made);
      return {iterator(this, there), false};
    }
    add(made);
    return {iterator(this, made), true};
  }
  std::pair<iterator, bool> insert(Item item) { return emplace(std::move(item)); }

 protected:
  static const Key& key_of(const Entry& entry) {
    if constexpr (std::is_same_v<Key, std::remove_const_t<Item>>) {
      return entry.item;
    } else {
      return entry.item.first;
    }
  }
  HashEntry* entry_of(const Key& key) const { return HashBase::find(&key, Hash()(key), same); }

 private:
  static bool same(const void* a, const void* b) noexcept {
    return Same()(*static_cast<const Key*>(a), *static_cast<const Key*>(b));
  }
  static void end_item(HashEntry* entry) noexcept { static_cast<Entry*>(entry)->~Entry(); }
  static HashEntry* clone(const HashEntry* entry) noexcept {
    Entry* made = new (take_memory(sizeof(Entry), 1)) Entry(static_cast<const Entry*>(entry)->item);
    made->hash = entry->hash;
    return made;
  }
};

template <class Key, class Value, class Hash = std::hash<Key>, class Same = std::equal_to<Key>>
class unordered_map : public HashTable<Key, std::pair<const Key, Value>, Hash, Same> {
 public:
  using mapped_type = Value;
  Value& operator[](const Key& key) {
    const auto found = this->find(key);
    return found != this->end() ? found->second : this->emplace(key, Value()).first->second;
  }
  Value& at(const Key& key) {
    const auto found = this->find(key);
    if (found == this->end()) this->missing();
    return found->second;
  }
  const Value& at(const Key& key) const { return const_cast<unordered_map*>(this)->at(key); }
};

template <class Key, class Hash = std::hash<Key>, class Same = std::equal_to<Key>>
class unordered_set : public HashTable<Key, const Key, Hash, Same> {};

}  // namespace mixgrad::containers
