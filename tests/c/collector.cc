// A client whose language destroys arrays late: those that it lets go of lie on a list until a collection.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "mixgrad/mixgrad.h"

namespace {

void fail(const char* what, int line) {
  std::fprintf(stderr, "collector.cc:%d: %s: %s\n", line, what, mg_last_error());
  std::exit(1);
}
#define CHECK(condition) \
  if (!(condition)) fail(#condition, __LINE__)
#define OK(call) CHECK((call) == MG_STATUS_OK)

constexpr uint64_t kMiB = 1 << 20;
enum class HookKind { destroys, computes, useless };

struct Heap {  // one of the process, as collectors of languages with threads have it
  std::mutex mutex;
  std::vector<mg_array*> unused;
  std::atomic<int> collections{0}, deepest{0};

  void let_go(mg_array* array) {
    const std::lock_guard<std::mutex> lock(mutex);
    unused.push_back(array);
  }
  void destroy_unused() {
    std::vector<mg_array*> found;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      found.swap(unused);
    }
    for (mg_array* array : found) mg_array_destroy(array);
  }
};
Heap heap;
HookKind kind = HookKind::destroys;

mg_array* call(const char* name, mg_array* input) {
  const mg_op* op = nullptr;
  mg_array* out = nullptr;
  int32_t outputs = 1;
  OK(mg_op_find(name, &op));
  OK(mg_op_call(op, 1, &input, 0, nullptr, nullptr, &outputs, &out));
  return out;
}

mg_array* make(uint64_t bytes, mg_device device) {
  const int64_t shape = static_cast<int64_t>(bytes / 4);
  mg_array* out = nullptr;
  OK(mg_array_create(&shape, 1, MG_DTYPE_FLOAT32, device, &out));
  return out;
}

void collect(void* context) {
  thread_local int depth = 0;
  CHECK(context == &kind);
  ++heap.collections;
  if (++depth > heap.deepest) heap.deepest = depth;
  if (kind == HookKind::computes) {  // a finalizer may call anything
    mg_array* const more = make(8 * kMiB, {MG_DEVICE_CPU, 0});
    mg_array* const result = call("exp", more);
    OK(mg_array_wait_to_read(result));
    heap.let_go(result);
    heap.let_go(more);
  }
  if (kind != HookKind::useless) heap.destroy_unused();
  --depth;
}

uint64_t peak(mg_device device) {
  OK(mg_wait_all());
  mg_memory_info info;
  info.size = sizeof info;
  OK(mg_memory_get_info(device, &info));
  return info.peak;
}

// Makes arrays of one array, each of which is let go of at once.
void let_go(int times, uint64_t bytes, mg_device device) {
  heap.collections = heap.deepest = 0;
  mg_array* const x = make(bytes, device);
  for (int i = 0; i < times; ++i) heap.let_go(call("exp", x));
  mg_array_destroy(x);
}

void end_of_program(mg_device device) {
  OK(mg_wait_all());
  heap.destroy_unused();
  OK(mg_memory_trim(device, nullptr));
  OK(mg_memory_reset_peak(device));
}

void growth(mg_device device) {
  OK(mg_memory_set_collector(collect, &kind, 64 * kMiB));
  for (const uint64_t bytes : {uint64_t{16} * kMiB, uint64_t{3} * kMiB, kMiB / 8}) {
    let_go(static_cast<int>(512 * kMiB / bytes), bytes, device);
    CHECK(peak(device) < 160 * kMiB);
    CHECK(heap.collections >= 4 && heap.collections <= 12 && heap.deepest == 1);
    end_of_program(device);
  }
  // What is kept is no reason to look again and again: only once it has grown by half.
  std::vector<mg_array*> kept;
  heap.collections = 0;
  for (int i = 0; i < 64; ++i) kept.push_back(make(8 * kMiB, device));
  CHECK(heap.collections >= 3 && heap.collections <= 7);
  for (int i = 0; i < 200; ++i) mg_array_destroy(make(8 * kMiB, device));  // destroyed in time
  CHECK(heap.collections <= 7);
  for (mg_array* array : kept) mg_array_destroy(array);
  end_of_program(device);
}

// A limit is met only by a collector that would not be due yet.
void limit(mg_device device) {
  OK(mg_memory_set_collector(collect, &kind, 1024 * kMiB));
  OK(mg_memory_set_limit(device, 128 * kMiB));
  for (const uint64_t bytes : {24 * kMiB, 5 * kMiB, kMiB / 8}) {
    let_go(static_cast<int>(384 * kMiB / bytes), bytes, device);
    CHECK(peak(device) <= 128 * kMiB && heap.collections > 0);
    end_of_program(device);
    heap.collections = 0;
    for (int i = 0; i < 10; ++i) heap.let_go(make(40 * kMiB, device));
    CHECK(heap.collections > 0);
    end_of_program(device);
  }
  kind = HookKind::useless;
  heap.collections = 0;
  std::vector<mg_array*> held;
  for (int i = 0; i < 3; ++i) held.push_back(make(40 * kMiB, device));
  const int64_t shape = static_cast<int64_t>(10 * kMiB);
  mg_array* out = nullptr;
  CHECK(mg_array_create(&shape, 1, MG_DTYPE_FLOAT32, device, &out) == MG_STATUS_OUT_OF_MEMORY && !out);
  const mg_op* exp = nullptr;
  int32_t outputs = 1;
  OK(mg_op_find("exp", &exp));
  CHECK(mg_op_call(exp, 1, held.data(), 0, nullptr, nullptr, &outputs, &out) == MG_STATUS_OUT_OF_MEMORY &&
        !out);
  CHECK(heap.collections == 2);
  kind = HookKind::destroys;
  for (mg_array* array : held) mg_array_destroy(array);
  end_of_program(device);
  OK(mg_memory_set_limit(device, UINT64_MAX));
}

void one_thread() {
  growth({MG_DEVICE_CPU, 0});
  kind = HookKind::computes;
  growth({MG_DEVICE_CPU, 0});
  kind = HookKind::destroys;
  limit({MG_DEVICE_CPU, 3});
}

void several_threads() {
  OK(mg_memory_set_collector(collect, &kind, 64 * kMiB));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] { let_go(40, 8 * kMiB, {MG_DEVICE_CPU, 0}); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(peak({MG_DEVICE_CPU, 0}) < 256 * kMiB);
  end_of_program({MG_DEVICE_CPU, 0});
}

[[maybe_unused]] void forked() {
  OK(mg_memory_set_collector(collect, &kind, 64 * kMiB));
  let_go(10, 8 * kMiB, {MG_DEVICE_CPU, 0});
  const pid_t child = fork();
  if (child == 0) {
    one_thread();
    std::exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  end_of_program({MG_DEVICE_CPU, 0});
}

}  // namespace

int main() {
  one_thread();
  several_threads();
#if !defined(__SANITIZE_THREAD__)  // which ends a forked child that starts a thread
  forked();
#endif
  OK(mg_engine_set_kind(MG_ENGINE_SERIAL));
  one_thread();
  OK(mg_memory_set_collector(nullptr, nullptr, 0));
  std::printf("all checks passed\n");
  return 0;
}
