#include "base/fork_mutex.h"

#include <atomic>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace mixgrad {
namespace {

std::atomic<ForkedAfresh*> forked_objects{nullptr};

}  // namespace

void renew_in_child() {
  for (ForkedAfresh* object = forked_objects.load(); object; object = object->next_) object->renew_(object);
}

ForkedAfresh::ForkedAfresh(Renew renew) : renew_(renew), next_(forked_objects.load()) {
#if defined(__unix__) || defined(__APPLE__)
  [[maybe_unused]] static const int hook = pthread_atfork(nullptr, nullptr, renew_in_child);
#endif
  while (!forked_objects.compare_exchange_weak(next_, this)) {
  }
}

}  // namespace mixgrad
