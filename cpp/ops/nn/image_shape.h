// Images in blocks of 16 channels as operators see them: shapes and layouts of their float32 operands.
#pragma once

#include "kernels/convolution/conv_plan.h"
#include "op/define.h"

namespace mixgrad::ops::image_shape {

// (n, channels, positions...) of an image in that layout; blocked ones are (n, blocks, positions..., 16) and full: the
// channels are a multiple of 16. Throws through `s` where the shape is no such image of `axes` axes of positions.
Shape plain_shape(const Shape& image, ConvLayout layout, int axes, const ShapeInfer& s);
// The same of shapes that were checked.
Shape plain_shape(const Shape& image, ConvLayout layout);
// The other way round.
Shape shape_in(const Shape& plain, ConvLayout layout);

// All operands float32.
void float_images(DTypeInfer& d);

}  // namespace mixgrad::ops::image_shape
