#include "onednn/context.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <thread>

#include "base/error.h"
#include "base/fork_mutex.h"
#include "base/parallel.h"
#include "kernels/scratch.h"

namespace mixgrad::onednn {
namespace {

constexpr size_t kMostRecipes = 512;

// Outlives the owner below: exit handlers may still compute in a thread whose objects are gone.
thread_local Context* thread_context = nullptr;
thread_local bool thread_ends = false;

struct ContextOwner {
  ContextOwner() { thread_context = new Context; }
  ~ContextOwner() {
    thread_ends = true;
    delete std::exchange(thread_context, nullptr);
  }
};

}  // namespace

void expect_success(int result) {
  if (result == kSuccess) return;
  fail(result == kOutOfMemory ? Status::out_of_memory : Status::unsupported, "[onednn] the library answered ",
       result, "; expected ", static_cast<int>(kSuccess));
}

MemoryDesc copy_of(const MemoryDescObject* desc) {
  return create<MemoryDesc>(&Library::memory_desc_clone, desc);
}

bool Key::operator==(const Key& other) const {
  return size == other.size &&
         std::memcmp(item, other.item, static_cast<size_t>(size) * sizeof(int64_t)) == 0;
}

size_t KeyHash::operator()(const Key& key) const {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < key.size; ++i) hash = (hash ^ static_cast<uint64_t>(key.item[i])) * 0x100000001b3;
  return static_cast<size_t>(hash ^ hash >> 29);
}

Context* Context::get() {
  if (thread_ends) return nullptr;
  thread_local ContextOwner owner;
  return thread_context;
}

const Recipe& Context::recipe_for(const Key& key, Recipe (*make)(const Context&, const void*),
                                  const void* call) {
  const auto found = index_.find(key);
  if (found != index_.end()) {
    recipes_.splice(recipes_.begin(), recipes_, found->second);
    return found->second->second;
  }
  Recipe recipe;
  try {
    recipe = make(*this, call);
  } catch (const Error& error) {
    if (error.status() != Status::unsupported) throw;
    recipe = Recipe();
  }
  if (recipes_.size() >= kMostRecipes) {
    index_.erase(recipes_.back().first);
    recipes_.pop_back();
  }
  recipes_.emplace_front(key, std::move(recipe));
  index_[key] = recipes_.begin();
  return recipes_.front().second;
}

Layouts Context::layouts_of(const MemoryDesc& plain, const MemoryDescObject* blocked, bool input) const {
  Layouts layouts;
  layouts.plain = copy_of(plain.get());
  layouts.blocked = copy_of(blocked);
  if (!library().memory_desc_equal(plain.get(), blocked)) {
    const MemoryDescObject *from = input ? plain.get() : blocked, *to = input ? blocked : plain.get();
    const auto desc =
        create<PrimitiveDesc>(&Library::reorder_primitive_desc_create, from, engine(), to, engine(), nullptr);
    layouts.reorder = create<Primitive>(&Library::primitive_create, desc.get());
  }
  return layouts;
}
Layouts Context::input_layouts(const MemoryDesc& plain, const MemoryDescObject* blocked) const {
  return layouts_of(plain, blocked, true);
}
Layouts Context::output_layouts(const MemoryDesc& plain, const MemoryDescObject* blocked) const {
  return layouts_of(plain, blocked, false);
}

Memory Context::memory_of(const MemoryDesc& desc, const void* data) const {
  return create<Memory>(&Library::memory_create, desc.get(), engine(), const_cast<void*>(data));
}

void Context::turn(const Primitive& reorder, MemoryObject* from, MemoryObject* to) const {
  const Argument arguments[] = {{kArgFrom, from}, {kArgTo, to}};
  expect_success(library().primitive_execute(reorder.get(), stream(), 2, arguments));
}

void Context::run(const Recipe& recipe, const void* first, const void* second, const void* bias,
                  void* out) const {
  Scratch workspace[3];
  Memory held[4];
  Argument arguments[4];
  const void* given[2] = {first, second};
  int count = 0;
  for (int i = 0; i < 2; ++i) {
    const Layouts& in = recipe.in[i];
    held[i] = memory_of(in.plain, given[i]);
    if (in.reorder) {
      workspace[i] = Scratch(library().memory_desc_get_size(in.blocked.get()));
      Memory blocked = memory_of(in.blocked, workspace[i].data());
      turn(in.reorder, held[i].get(), blocked.get());
      held[i] = std::move(blocked);
    }
    arguments[count++] = {recipe.in_name[i], held[i].get()};
  }
  if (bias) {
    held[2] = memory_of(recipe.bias, bias);
    arguments[count++] = {kArgBias, held[2].get()};
  }
  const Memory result = memory_of(recipe.out.plain, out);
  if (recipe.out.reorder) {
    workspace[2] = Scratch(library().memory_desc_get_size(recipe.out.blocked.get()));
    held[3] = memory_of(recipe.out.blocked, workspace[2].data());
  }
  MemoryObject* const made = held[3] ? held[3].get() : result.get();
  arguments[count++] = {recipe.out_name, made};
  expect_success(library().primitive_execute(recipe.primitive.get(), stream(), count, arguments));
  if (recipe.out.reorder) turn(recipe.out.reorder, made, result.get());
}

namespace {

// GNU OpenMP's idle threads spin for milliseconds, on cores that the next loop of our own team needs, unless the process
// has more of its threads than cores: then they sleep after microseconds. So there is a second team, which never works.
class SleeperTeam : ForkedAfresh {
 public:
  SleeperTeam() : ForkedAfresh(renew) {}
  void make_once() {
    if (made_.load(std::memory_order_relaxed) || made_.exchange(true)) return;
    try {
      start();
    } catch (const std::exception&) {  // no thread, or no memory for it: another time
      made_.store(false, std::memory_order_relaxed);
    }
  }

 private:
  static void start() {
    std::thread([] {
      const int cores = std::max(2, library().omp_get_num_procs());
      library().omp_parallel([](void*) {}, nullptr, static_cast<unsigned>(cores), 0);
      for (;;) std::this_thread::sleep_for(std::chrono::hours(1000));
    }).detach();
  }
  // A child has none of these threads.
  static void renew(ForkedAfresh* self) { static_cast<SleeperTeam*>(self)->made_.store(false); }
  std::atomic<bool> made_{false};
};

}  // namespace

TeamLimit::TeamLimit()
    : threads_(team_allowed() ? num_threads() : 1), before_(library().omp_get_max_threads()) {
  if (before_ != threads_) library().omp_set_num_threads(threads_);
  if (threads_ == 1) return;
  static SleeperTeam sleepers;
  sleepers.make_once();
  team_steps_aside(true);
}

TeamLimit::~TeamLimit() {
  if (threads_ > 1) team_steps_aside(false);
  if (before_ != threads_) library().omp_set_num_threads(before_);
}

int type_of(DType dtype) {
  switch (dtype) {
    case DType::float32: return kFloat32;
    case DType::bfloat16: return kBfloat16;
    case DType::float16: return kFloat16;
    default: return kNoType;
  }
}

}  // namespace mixgrad::onednn
