#include "ops/detection/box.h"

namespace mixgrad::ops::box {

void infer_float(DTypeInfer& d) {
  infer_same_dtype(d);
  for (int i = 0; i < d.num_inputs(); ++i)
    if (d.in(i) != DType::unknown && !is_float(d.in(i)))
      d.reject("got ", name_of(d.in(i)), "; expected a float dtype");
}

void expect_count(const ShapeInfer& s, const char* name, const Reals& given, size_t count) {
  if (given.size() != count) s.reject(name, " has ", given.size(), " numbers; expected ", count);
}

}  // namespace mixgrad::ops::box
