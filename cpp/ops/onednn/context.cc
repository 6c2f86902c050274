#include "ops/onednn/context.h"

#if MIXGRAD_OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <unordered_set>

#include "base/at_exit.h"
#include "base/fork_mutex.h"
#include "base/parallel.h"
#include "op/scratch.h"

namespace mixgrad::ops::onednn {
namespace {

constexpr size_t kMostRecipes = 512;

// Thread-local, because primitives of this build keep their scratchpad per thread and may not be shared.
struct ThreadContext {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::list<std::pair<Key, Recipe>> recipes;  // latest use first
  std::unordered_map<Key, std::list<std::pair<Key, Recipe>>::iterator, KeyHash> index;
};

ThreadContext& thread_context() {
  thread_local ThreadContext context;
  return context;
}

Layouts layouts_of(const dnnl::memory::desc& plain, const dnnl::memory::desc& blocked, bool input) {
  Layouts layouts;
  layouts.plain = plain;
  layouts.blocked = blocked;
  if (plain != blocked) {
    const dnnl::memory::desc &from = input ? plain : blocked, &to = input ? blocked : plain;
    layouts.reorder = dnnl::reorder(dnnl::reorder::primitive_desc(engine(), from, engine(), to));
  }
  return layouts;
}

// oneDNN makes static objects, such as the code of its barriers, when a kind of primitive first runs. Work that still runs
// at exit must end before they are destroyed.
void after_first_run(const Recipe& recipe) {
  static auto* known = new std::unordered_set<std::string>;  // kinds of primitives that have run
  static std::mutex mutex;
  const char* kind = nullptr;
  dnnl_primitive_desc_query(recipe.primitive.get_primitive_desc(), dnnl_query_impl_info_str, 0, &kind);
  std::lock_guard<std::mutex> guard(mutex);
  if (known->insert(kind ? kind : "").second) end_work_before_statics();
  recipe.ran = true;
}

dnnl::memory memory_of(const dnnl::memory::desc& desc, const void* data) {
  return dnnl::memory(desc, engine(), const_cast<void*>(data));
}

}  // namespace

bool Key::operator==(const Key& other) const {
  return size == other.size &&
         std::memcmp(item, other.item, static_cast<size_t>(size) * sizeof(int64_t)) == 0;
}

size_t KeyHash::operator()(const Key& key) const {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < key.size; ++i) hash = (hash ^ static_cast<uint64_t>(key.item[i])) * 0x100000001b3;
  return static_cast<size_t>(hash ^ hash >> 29);
}

const dnnl::engine& engine() { return thread_context().engine; }
dnnl::stream& stream() { return thread_context().stream; }

const Recipe& recipe_for(const Key& key, Recipe (*make)(const void*), const void* context) {
  ThreadContext& thread = thread_context();
  const auto found = thread.index.find(key);
  if (found != thread.index.end()) {
    thread.recipes.splice(thread.recipes.begin(), thread.recipes, found->second);
    return found->second->second;
  }
  Recipe recipe;
  try {
    recipe = make(context);
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw std::bad_alloc();  // another time it may be served
    recipe = Recipe();
    recipe.served = false;
  }
  if (thread.recipes.size() >= kMostRecipes) {
    thread.index.erase(thread.recipes.back().first);
    thread.recipes.pop_back();
  }
  thread.recipes.emplace_front(key, std::move(recipe));
  thread.index[key] = thread.recipes.begin();
  return thread.recipes.front().second;
}

Layouts input_layouts(const dnnl::memory::desc& plain, const dnnl::memory::desc& blocked) {
  return layouts_of(plain, blocked, true);
}
Layouts output_layouts(const dnnl::memory::desc& plain, const dnnl::memory::desc& blocked) {
  return layouts_of(plain, blocked, false);
}

void run(const Recipe& recipe, const void* first, const void* second, const void* bias, void* out) {
  Scratch room[3];
  const void* given[2] = {first, second};
  std::unordered_map<int, dnnl::memory> args;
  for (int i = 0; i < 2; ++i) {
    const Layouts& in = recipe.in[i];
    dnnl::memory plain = memory_of(in.plain, given[i]);
    if (in.turns()) {
      room[i] = Scratch(in.blocked.get_size());
      dnnl::memory blocked = memory_of(in.blocked, room[i].data());
      in.reorder.execute(stream(), plain, blocked);
      plain = blocked;
    }
    args.emplace(recipe.in_name[i], plain);
  }
  if (bias) args.emplace(DNNL_ARG_BIAS, memory_of(recipe.bias, bias));
  dnnl::memory result = memory_of(recipe.out.plain, out), blocked = result;
  if (recipe.out.turns()) {
    room[2] = Scratch(recipe.out.blocked.get_size());
    blocked = memory_of(recipe.out.blocked, room[2].data());
  }
  args.emplace(recipe.out_name, blocked);
  recipe.primitive.execute(stream(), args);
  if (recipe.out.turns()) recipe.out.reorder.execute(stream(), blocked, result);
  if (!recipe.ran) after_first_run(recipe);
}

#if MIXGRAD_OPENMP
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
      const int cores = std::max(2, omp_get_num_procs());
#pragma omp parallel num_threads(cores)
      {}
      for (;;) std::this_thread::sleep_for(std::chrono::hours(1000));
    }).detach();
  }
  // A child has none of these threads.
  static void renew(ForkedAfresh* self) { static_cast<SleeperTeam*>(self)->made_.store(false); }
  std::atomic<bool> made_{false};
};

}  // namespace

TeamLimit::TeamLimit() : threads_(team_allowed() ? num_threads() : 1), before_(omp_get_max_threads()) {
  if (before_ != threads_) omp_set_num_threads(threads_);
  if (threads_ == 1) return;
  static SleeperTeam sleepers;
  sleepers.make_once();
  team_steps_aside(true);
}

TeamLimit::~TeamLimit() {
  if (threads_ > 1) team_steps_aside(false);
  if (before_ != threads_) omp_set_num_threads(before_);
}
#else
TeamLimit::TeamLimit() : threads_(1), before_(1) {}
TeamLimit::~TeamLimit() {}
#endif

dnnl::memory::data_type type_of(DType dtype) {
  switch (dtype) {
    case DType::float32: return dnnl::memory::data_type::f32;
    case DType::bfloat16: return dnnl::memory::data_type::bf16;
    case DType::float16: return dnnl::memory::data_type::f16;
    default: return dnnl::memory::data_type::undef;
  }
}

}  // namespace mixgrad::ops::onednn
