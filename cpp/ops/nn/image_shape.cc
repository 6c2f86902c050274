#include "ops/nn/image_shape.h"

namespace mixgrad::ops::image_shape {

Shape plain_shape(const Shape& image, ConvLayout layout) {
  if (layout == ConvLayout::plain) return image;
  Shape plain = image;
  plain[1] *= kConvBlock;
  plain.erase(plain.ndim() - 1);
  return plain;
}

Shape plain_shape(const Shape& image, ConvLayout layout, int axes, const ShapeInfer& s) {
  const bool blocked = layout == ConvLayout::blocked;
  const int ndim = axes + 2 + blocked;
  if (image.ndim() != ndim || (blocked && image[ndim - 1] != kConvBlock)) {
    s.reject("data is ", image, "; expected ", axes + 2, " axes",
             blocked ? text(" and blocks of ", kConvBlock) : "");
  }
  return plain_shape(image, layout);
}

Shape shape_in(const Shape& plain, ConvLayout layout) {
  if (layout == ConvLayout::plain) return plain;
  Shape blocked = plain;
  blocked[1] /= kConvBlock;
  blocked.push_back(kConvBlock);
  return blocked;
}

void float_images(DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && d.in(0) != DType::float32) d.reject("expected float32");
}

}  // namespace mixgrad::ops::image_shape
