#include "ops/detection/roi.h"

namespace mixgrad::ops::roi {

void infer_regions(ShapeInfer& s, int64_t numbers) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  s.set_in(0, {kAny, kAny, kAny, kAny});
  s.set_in(1, {kAny, numbers});
}

void infer_dtype(DTypeInfer& d) {
  d.set_in(0, d.out(0));
  for (int i = 1; i < d.num_inputs(); ++i) d.set_in(0, d.in(i));
  if (d.in(0) != DType::unknown && !is_float(d.in(0)))
    d.reject("got ", name_of(d.in(0)), "; expected a float dtype");
  for (int i = 1; i < d.num_inputs(); ++i) d.set_in(i, d.in(0));
  d.set_out(0, d.in(0));
}

int64_t image_of(double image, int64_t region, int64_t images, const char* who) {
  if (image < static_cast<double>(images)) return image < 0 ? -1 : static_cast<int64_t>(image);
  fail(Status::index, "[", who, "] region ", region, " lies on image ", image, "; expected one of ", images);
}

}  // namespace mixgrad::ops::roi
