// Operators that are compositions of others: shapes, kernel and gradient follow from one function.
//
//   composed(define, [](const Params& p, Composition& c) { c.set(0, c.in(0) * p.factor); });
//
// The function applies operators (op/tensor.h) to c.in(i) and sets the outputs. It runs where shapes are inferred, where no
// elements are there; in the kernel, where what it applies runs at once in working memory; and in the gradient, where it is
// followed backwards. It depends on shapes and parameters alone. An output of another dtype than inference gave is converted.
#pragma once

#include "op/define.h"

namespace mixgrad {

class Composition {
 public:
  Composition(const char* who, Span<const Tensor> in, Span<Tensor> out) : who_(who), in_(in), out_(out) {}
  const char* name() const { return who_; }
  int num_inputs() const { return static_cast<int>(in_.size()); }
  const Tensor& in(int i) const { return in_[static_cast<size_t>(i)]; }
  const Shape& shape(int i) const { return in(i)->shape(); }
  void set(int i, Tensor value) { out_[static_cast<size_t>(i)] = std::move(value); }
  // Throws Status::shape with the operator's name, the text and all input shapes.
  template <class... Args>
  [[noreturn, gnu::always_inline]] void reject(const Args&... why) const {
    reject_for({TextItem(why)...});
  }

 private:
  [[noreturn]] void reject_for(std::initializer_list<TextItem> why) const;

  const char* who_;
  Span<const Tensor> in_;
  Span<Tensor> out_;
};

namespace composed_detail {

using ComposeFn = void (*)(const void* params, Composition& c);

void infer(ComposeFn fn, const void* params, ShapeInfer& s);
void run(ComposeFn fn, const void* params, KernelArgs& args);
void differentiate(ComposeFn fn, const void* params, Grad& g);

}  // namespace composed_detail

// Gives a definition all but its dtypes, which are those of op/define.h unless it says others. `F` is a captureless lambda.
template <class P, class F>
Define<P>& composed(Define<P>& define, F) {
  static_assert(sizeof(F) == 1, "a composition captures nothing");
  struct Call {
    static void run(const void* params, Composition& c) {
      static const char nothing = 0;
      reinterpret_cast<const F&>(nothing)(*static_cast<const P*>(params), c);
    }
  };
  return define.shape([](const P& p, ShapeInfer& s) { composed_detail::infer(&Call::run, &p, s); })
      .kernel([](const P& p, KernelArgs& args) { composed_detail::run(&Call::run, &p, args); })
      .element_cost(4)
      .grad([](const P& p, Grad& g) { composed_detail::differentiate(&Call::run, &p, g); });
}

}  // namespace mixgrad
