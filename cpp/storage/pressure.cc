#include "storage/pressure.h"

#include <limits>

#include "storage/pool.h"

namespace mixgrad::storage {

std::atomic<std::size_t> watched_bytes{std::numeric_limits<std::size_t>::max()};

namespace {

constexpr std::size_t kDefaultStep = std::size_t{256} << 20;

std::atomic<void (*)(void*)> collector_function{nullptr};
std::atomic<void*> collector_context{nullptr};
std::atomic<std::size_t> collector_step{0};
thread_local bool collecting = false;

std::size_t growth_step() {
  return has_collector() ? collector_step.load(std::memory_order_relaxed) : kNeverGrown;
}

}  // namespace

bool has_collector() { return collector_function.load(std::memory_order_acquire) != nullptr; }

void set_collector(const Collector& collector) {
  collector_context.store(collector.context, std::memory_order_relaxed);
  collector_step.store(collector.step ? collector.step : kDefaultStep, std::memory_order_relaxed);
  collector_function.store(collector.collect, std::memory_order_release);
  Pool::watch_growth(growth_step());
}

bool collect() {
  void (*const function)(void*) = collector_function.load(std::memory_order_acquire);
  if (!function || collecting) return false;
  collecting = true;
  function(collector_context.load(std::memory_order_relaxed));
  collecting = false;
  Pool::watch_growth(growth_step());
  return true;
}

Pressure pressure(Device device, std::size_t bytes) {
  if (collecting || !has_collector()) return {};
  const Pressure found = Pool::of(device).pressure(bytes);
  if (!found.grown && !found.scarce && bytes < kWatchedBytes) Pool::end_alarms();
  return found;
}

std::size_t promise(Device device, std::size_t bytes) {
  if (bytes == 0 || !has_collector()) return 0;
  Pool::of(device).promise(static_cast<std::int64_t>(bytes));
  return bytes;
}

void keep_promise(Device device, std::size_t bytes) {
  if (bytes > 0) Pool::of(device).promise(-static_cast<std::int64_t>(bytes));
}

}  // namespace mixgrad::storage
