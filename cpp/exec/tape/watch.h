// Who wants to know of gradients that a backward pass finds: functions of the client's, and results that keep theirs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "array/array.h"

namespace mixgrad {

class GradientHook {
 public:
  virtual ~GradientHook() = default;
  // Gets a complete gradient, which the call must not change; null: it stays as it is.
  virtual ArrayRef call(const ArrayRef& gradient) = 0;
};

// What is wanted of the gradients of one place of the tape: of a variable (slot 0), or of the outputs of a call.
class GradientWatch {
 public:
  // The number by which remove() knows the hook, never 0.
  uint64_t add(uint32_t slot, std::unique_ptr<GradientHook> hook);
  void remove(uint64_t number);
  void remove_all() { hooks_.clear(); }
  // What the hooks of a slot, in the order of their registration, make of its gradient.
  ArrayRef call(const char* name, uint32_t slot, ArrayRef gradient) const;

  // From now on the gradient of a slot is kept.
  void keep(uint32_t slot);
  // Where it is kept, null before a pass has found one; null where nobody asked for it.
  ArrayRef* kept(uint32_t slot);

 private:
  struct Hook {
    uint32_t slot;
    uint64_t number;
    std::shared_ptr<GradientHook> function;  // a call holds it, since hooks may remove hooks
  };
  struct Kept {
    uint32_t slot;
    ArrayRef gradient;
  };
  std::vector<Hook> hooks_;
  std::vector<Kept> kept_;
};

// A function that backward passes call with the gradient of an array, before it flows on or is written. Fails where no
// gradient can flow to the array.
uint64_t add_gradient_hook(const Array& array, std::unique_ptr<GradientHook> hook);
// Nothing where it is not there any more.
void remove_gradient_hook(const Array& array, uint64_t number);
// Has backward passes add the gradient of a computed array to what gradient_of() gives; variables do so without.
void keep_gradient(const Array& array);
bool keeps_gradient(const Array& array);

}  // namespace mixgrad
