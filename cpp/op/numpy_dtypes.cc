#include "op/numpy_dtypes.h"

#include "op/define.h"

namespace mixgrad::numpy_dtypes {
namespace {

// Gives unknown inputs a type; false while none is known.
bool fill_unknown(DTypeInfer& d) {
  DType seen = DType::unknown;
  for (int i = 0; i < d.num_inputs() && seen == DType::unknown; ++i) seen = d.in(i);
  if (seen == DType::unknown && d.num_outputs() > 0 && is_float(d.out(0))) seen = d.out(0);
  if (seen == DType::unknown) return false;
  for (int i = 0; i < d.num_inputs(); ++i) {
    if (d.in(i) == DType::unknown) d.set_in(i, seen);
  }
  return true;
}

void one_of_all(DTypeInfer& d, bool allowed, const char* expected) {
  if (!allowed) d.reject("expected ", expected);
  infer_same_dtype(d);
}

// bool, 8 bits, 32, 64, then floats from the narrowest on.
int rank(DType t) {
  switch (t) {
    case DType::boolean: return 0;
    case DType::int8:
    case DType::uint8: return 1;
    case DType::int32: return 2;
    case DType::int64: return 3;
    case DType::bfloat16:
    case DType::float16: return 4;
    case DType::float32: return 5;
    default: return 6;
  }
}

// The wider of two types; `mixed`: whether integers of several types go together.
DType wider(DTypeInfer& d, DType a, DType b, bool mixed) {
  if (a == b) return a;
  const bool one_float = is_float(a) || is_float(b);
  if ((!mixed && !one_float) || rank(a) == rank(b)) d.reject("no type holds both; expected a cast before");
  return rank(a) > rank(b) ? a : b;
}

}  // namespace

void same(DTypeInfer& d) {
  if (!fill_unknown(d)) return;
  one_of_all(d, d.in(0) != DType::boolean, "numbers rather than bool");
}
void truth(DTypeInfer& d) {
  d.set_out(0, DType::boolean);
  DType seen = DType::unknown;
  for (int i = 0; i < d.num_inputs() && seen == DType::unknown; ++i) seen = d.in(i);
  for (int i = 0; i < d.num_inputs(); ++i) d.set_in(i, seen);
}
void floats(DTypeInfer& d) {
  if (!fill_unknown(d)) return;
  one_of_all(d, is_float(d.in(0)), "a float type");
}
void integers(DTypeInfer& d) {
  if (!fill_unknown(d)) return;
  one_of_all(d, !is_float(d.in(0)), "an integer type or bool");
}
void widest(DTypeInfer& d) {
  if (!fill_unknown(d)) return;
  d.set_out(0, wider(d, d.in(0), d.in(1), true));
}
void widest_float(DTypeInfer& d) {
  if (!fill_unknown(d)) return;
  const DType out = wider(d, d.in(0), d.in(1), false);
  if (out == DType::boolean) d.reject("expected numbers rather than bool");
  d.set_out(0, out);
}
void quotient(DTypeInfer& d) {
  if (!fill_unknown(d)) return;
  const DType out = wider(d, d.in(0), d.in(1), false);
  d.set_out(0, is_float(out) ? out : DType::float32);
}
void quotient_scalar(DTypeInfer& d) {
  if (!fill_unknown(d)) return;
  d.set_out(0, is_float(d.in(0)) ? d.in(0) : DType::float32);
}

}  // namespace mixgrad::numpy_dtypes
