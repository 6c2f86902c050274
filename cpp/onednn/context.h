// The engine, the stream and the bounded cache of primitives of one thread.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

#include "base/dtype.h"
#include "onednn/library.h"

namespace mixgrad::onednn {

// What a primitive depends on: which one, dtype, threads and extents, in an order that each user chooses.
struct Key {
  static constexpr int kMost = 32;
  int64_t item[kMost];
  int size = 0;
  void add(int64_t value) { item[size++] = value; }
  bool operator==(const Key& other) const;
};
struct KeyHash {
  size_t operator()(const Key& key) const;
};

// One of its primitives' operands in the layout oneDNN prefers, and how to get there.
struct Layouts {
  MemoryDesc plain, blocked;
  Primitive reorder;  // between them, in the direction of the use; null when they are equal
};

// A primitive with its operands: two inputs, an optional bias, an output.
struct Recipe {
  Primitive primitive;  // null: oneDNN has nothing good for this key
  Layouts in[2], out;
  MemoryDesc bias;
  int in_name[2], out_name;
};

// What belongs to a thread, because primitives of this library keep their working memory per thread and may not be shared.
class Context {
 public:
  // Of the calling thread; null while the thread ends.
  static Context* get();

  EngineObject* engine() const { return engine_.get(); }
  StreamObject* stream() const { return stream_.get(); }

  // The recipe for a key, made by `make` the first time; the oldest of many is dropped. What `make` finds unsupported
  // gives a recipe without a primitive.
  const Recipe& recipe_for(const Key& key, Recipe (*make)(const Context& context, const void* call),
                           const void* call);

  // Layouts for an input (towards blocked) or an output (back to plain).
  Layouts input_layouts(const MemoryDesc& plain, const MemoryDescObject* blocked) const;
  Layouts output_layouts(const MemoryDesc& plain, const MemoryDescObject* blocked) const;

  // Turns the inputs, runs the primitive, turns the output.
  void run(const Recipe& recipe, const void* first, const void* second, const void* bias, void* out) const;

 private:
  Layouts layouts_of(const MemoryDesc& plain, const MemoryDescObject* blocked, bool input) const;
  void turn(const Primitive& reorder, MemoryObject* from, MemoryObject* to) const;
  Memory memory_of(const MemoryDesc& desc, const void* data) const;

  using Entry = std::pair<Key, Recipe>;
  const Engine engine_ = create<Engine>(&Library::engine_create, kCpu, size_t{0});
  const Stream stream_ = create<Stream>(&Library::stream_create, engine_.get(), unsigned{kDefaultStream});
  std::list<Entry> recipes_;  // latest use first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> index_;
};

MemoryDesc copy_of(const MemoryDescObject* desc);

// While it lives, oneDNN runs in as many threads as the calling thread may use.
class TeamLimit {
 public:
  TeamLimit();
  ~TeamLimit();
  TeamLimit(const TeamLimit&) = delete;
  TeamLimit& operator=(const TeamLimit&) = delete;
  int threads() const { return threads_; }

 private:
  int threads_, before_;
};

// oneDNN's number of a dtype; kNoType where it has none.
int type_of(DType dtype);

}  // namespace mixgrad::onednn
