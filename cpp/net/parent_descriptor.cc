#include "net/parent_descriptor.h"

#include <atomic>

#include "base/fork_mutex.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace mixgrad::net {
namespace {

constexpr int kMostParentDescriptors = 4096;  // more are not looked after

void close_descriptor([[maybe_unused]] int descriptor) {
#if defined(__unix__) || defined(__APPLE__)
  close(descriptor);
#endif
}

// Its function runs in the child of a fork: it may take no lock and no memory.
struct ForkedDescriptors : ForkedAfresh {
  ForkedDescriptors() : ForkedAfresh(close_all) {}
  static void close_all(ForkedAfresh* self) {
    for (std::atomic<int>& place : static_cast<ForkedDescriptors*>(self)->places) {
      const int descriptor = place.exchange(0);
      if (descriptor > 0) close_descriptor(descriptor);
    }
  }
  std::atomic<int> places[kMostParentDescriptors]{};  // 0: free
};

ForkedDescriptors& forked_descriptors() {
  static auto* const all = new ForkedDescriptors;
  return *all;
}

}  // namespace

ParentDescriptor::ParentDescriptor(int descriptor) : descriptor_(descriptor), place_(kMostParentDescriptors) {
  ForkedDescriptors& all = forked_descriptors();
  for (int i = 0; i < kMostParentDescriptors && descriptor > 0; ++i) {
    int free = 0;
    if (!all.places[i].compare_exchange_strong(free, descriptor)) continue;
    place_ = i;
    break;
  }
}

ParentDescriptor::~ParentDescriptor() {
  if (descriptor_ < 0 || !process_.here()) return;
  if (place_ < kMostParentDescriptors) forked_descriptors().places[place_].store(0);
  close_descriptor(descriptor_);
}

}  // namespace mixgrad::net
