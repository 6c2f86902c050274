// One scalar expression, compiled to a vectorised loop per instruction set and compute type, and kept as text
// for devices whose kernels are compiled at run time.
#pragma once

// A lambda over x, y, z (the inputs, in order, all of type T) and p (the parameter struct).
#define MG_SCALAR_FN(...)                                                    \
  [](auto x, auto y, auto z, const auto& p) __attribute__((always_inline)) { \
    using T = decltype(x);                                                   \
    (void)x, (void)y, (void)z, (void)p;                                      \
    return static_cast<T>(__VA_ARGS__);                                      \
  }

#define MG_SCALAR(...)                                                                 \
  ::mixgrad::make_scalar<::mixgrad::arity_of(#__VA_ARGS__)>(MG_SCALAR_FN(__VA_ARGS__), \
                                                            MG_SCALAR_TEXT(__VA_ARGS__))

// A lambda that gives the text and where it stands: part of a type, so that texts are there before any code has run.
#define MG_SCALAR_TEXT(...) [] { return ::mixgrad::ScalarText{#__VA_ARGS__, MIXGRAD_FILE_NAME, __LINE__}; }
#if defined(__FILE_NAME__)
#define MIXGRAD_FILE_NAME __FILE_NAME__
#else
#define MIXGRAD_FILE_NAME __FILE__
#endif

// An expression that holds where `beyond` is 0, and one for the rest: loops run the first, and only a stretch that
// needs it the second.
#define MG_SCALAR_WITHIN(beyond, fast, rest)                 \
  ::mixgrad::make_scalar_within<::mixgrad::arity_of(#fast)>( \
      MG_SCALAR_FN(fast), MG_SCALAR_FN((beyond) ? 1 : 0), MG_SCALAR_FN(rest), MG_SCALAR_TEXT(rest))

namespace mixgrad {

// Inputs that an expression reads: 3 if the name z stands in it, 2 if y does, else 1.
constexpr int arity_of(const char* text) {
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  int arity = 1;
  for (const char* at = text; *at; ++at) {
    const bool alone = (at == text || !in_name(at[-1])) && !in_name(at[1]);
    if (alone && *at == 'y' && arity < 2) arity = 2;
    if (alone && *at == 'z') arity = 3;
  }
  return arity;
}

struct ScalarText {
  const char* expression;
  const char* file;
  int line;
};

// The expression F holds everywhere.
struct Everywhere {};

template <int kInputs, class F, class TextFn, class BeyondFn = Everywhere, class RestFn = F>
struct Scalar {
  using Fn = F;
  using Text = TextFn;
  using Beyond = BeyondFn;
  using Rest = RestFn;
  static constexpr int kArity = kInputs;
};

template <int kArity, class F, class Text>
constexpr Scalar<kArity, F, Text> make_scalar(F, Text) {
  return {};
}
template <int kArity, class F, class Beyond, class Rest, class Text>
constexpr Scalar<kArity, F, Text, Beyond, Rest> make_scalar_within(F, Beyond, Rest, Text) {
  return {};
}

}  // namespace mixgrad
