#include "exec/tape/watch.h"

#include <algorithm>
#include <atomic>

#include "base/error.h"
#include "exec/tape/tape.h"

namespace mixgrad {
namespace {

std::atomic<uint64_t> next_hook{1};

// Null where nothing is watched, or where there is no place on the tape.
GradientWatch* watch_at(const Array& array) {
  if (Leaf* leaf = as_leaf(array.link())) return leaf->watch.get();
  if (TapeNode* node = as_node(array.link())) return node->watch.get();
  return nullptr;
}

GradientWatch& watch_made(const Array& array, const char* who) {
  if (!on_tape(array)) {
    fail(Status::autograd, "[", who, "] no gradient flows to the array of shape ", array.shape(),
         array.link() ? ", since an earlier backward pass has freed what was recorded of it; expected "
                        "retain_graph=True there"
                      : "; expected a variable, or an array that was computed from one while recording");
  }
  Leaf* leaf = as_leaf(array.link());
  std::unique_ptr<GradientWatch>& watch = leaf ? leaf->watch : as_node(array.link())->watch;
  if (!watch) watch = std::make_unique<GradientWatch>();
  return *watch;
}

}  // namespace

uint64_t GradientWatch::add(uint32_t slot, std::unique_ptr<GradientHook> hook) {
  const uint64_t number = next_hook.fetch_add(1, std::memory_order_relaxed);
  hooks_.push_back({slot, number, std::move(hook)});
  return number;
}

void GradientWatch::remove(uint64_t number) {
  hooks_.erase(
      std::remove_if(hooks_.begin(), hooks_.end(), [&](const Hook& hook) { return hook.number == number; }),
      hooks_.end());
}

ArrayRef GradientWatch::call(const char* name, uint32_t slot, ArrayRef gradient) const {
  const std::vector<Hook> hooks = hooks_;
  for (const Hook& hook : hooks) {
    if (hook.slot != slot) continue;
    ArrayRef made = hook.function->call(gradient);
    if (!made) continue;
    if (made->shape() != gradient->shape() || made->dtype() != gradient->dtype() ||
        made->device() != gradient->device()) {
      fail(Status::shape, "[", name, "] a hook replaced the gradient of ", gradient->shape(), " ",
           name_of(gradient->dtype()), " on ", gradient->device().name(), " by one of ", made->shape(), " ",
           name_of(made->dtype()), " on ", made->device().name(), "; expected the same");
    }
    gradient = std::move(made);
  }
  return gradient;
}

void GradientWatch::keep(uint32_t slot) {
  if (!kept(slot)) kept_.push_back({slot, ArrayRef()});
}

ArrayRef* GradientWatch::kept(uint32_t slot) {
  for (Kept& one : kept_) {
    if (one.slot == slot) return &one.gradient;
  }
  return nullptr;
}

uint64_t add_gradient_hook(const Array& array, std::unique_ptr<GradientHook> hook) {
  return watch_made(array, "register_hook").add(array.link_slot(), std::move(hook));
}

void remove_gradient_hook(const Array& array, uint64_t number) {
  if (GradientWatch* watch = watch_at(array)) watch->remove(number);
}

void keep_gradient(const Array& array) {
  GradientWatch& watch = watch_made(array, "retain_grad");
  if (!as_leaf(array.link())) watch.keep(array.link_slot());
}

bool keeps_gradient(const Array& array) {
  GradientWatch* watch = watch_at(array);
  return watch && watch->kept(array.link_slot());
}

}  // namespace mixgrad
