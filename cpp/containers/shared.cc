#include "containers/shared.h"

namespace mixgrad::containers {

void SharedCount::keep(SharedCount* count) noexcept {
  if (count) count->owners_.fetch_add(1, std::memory_order_relaxed);
}

void SharedCount::drop(SharedCount* count) noexcept {
  if (!count || count->owners_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  count->end_(count);
  forget(count);
}

void SharedCount::watch(SharedCount* count) noexcept {
  if (count) count->watchers_.fetch_add(1, std::memory_order_relaxed);
}

void SharedCount::forget(SharedCount* count) noexcept {
  if (count && count->watchers_.fetch_sub(1, std::memory_order_acq_rel) == 1) give_memory_back(count);
}

bool SharedCount::keep_again(SharedCount* count) noexcept {
  if (!count) return false;
  int owners = count->owners_.load(std::memory_order_relaxed);
  while (owners > 0) {
    if (count->owners_.compare_exchange_weak(owners, owners + 1, std::memory_order_acq_rel)) return true;
  }
  return false;
}

}  // namespace mixgrad::containers
