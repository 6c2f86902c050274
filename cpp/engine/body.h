// A borrowed callable without its type, which can be moved into a pooled task.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace mixgrad::engine {

struct BodyOps {
  void (*invoke)(void* callable);
  void (*move_to)(void* memory, void* callable);  // move-constructs into memory of `size` bytes
  void (*destroy)(void* callable);
  std::size_t size;
};

template <class F>
struct BodyOpsOf {
  static void invoke(void* callable) { (*static_cast<F*>(callable))(); }
  static void move_to(void* memory, void* callable) {
    ::new (memory) F(std::move(*static_cast<F*>(callable)));
  }
  static void destroy(void* callable) { static_cast<F*>(callable)->~F(); }
  static constexpr BodyOps ops = {invoke, move_to, destroy, sizeof(F)};
};

// Refers to a callable that the caller owns and keeps alive during the call it is passed to.
struct Body {
  void* callable;
  const BodyOps* ops;
};

template <class F>
Body body_of(F& callable) {
  static_assert(alignof(F) <= alignof(std::max_align_t), "task bodies are stored with ordinary alignment");
  static_assert(std::is_move_constructible_v<F>, "a task body must be movable");
  return {&callable, &BodyOpsOf<F>::ops};
}

}  // namespace mixgrad::engine
