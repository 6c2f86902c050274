// A descriptor that a forked child must not keep.
#pragma once

#include "net/own_process.h"

namespace mixgrad::net {

// Owns a descriptor and closes it. A child of this process closes it at the fork: else whoever is at the other end of a socket would not
// see that the parent ended.
class ParentDescriptor {
 public:
  explicit ParentDescriptor(int descriptor);
  ParentDescriptor(const ParentDescriptor&) = delete;
  ParentDescriptor& operator=(const ParentDescriptor&) = delete;
  ~ParentDescriptor();

  // -1 in a child.
  int get() const { return process_.here() ? descriptor_ : -1; }

 private:
  const OwnProcess process_;
  const int descriptor_;
  int place_;
};

}  // namespace mixgrad::net
