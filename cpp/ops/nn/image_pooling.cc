// Pooling of images in blocks of 16 channels: what the pass `layout` makes of Pooling in training.
#include "kernels/pooling/pool_block.h"
#include "ops/nn/image_shape.h"
#include "ops/nn/pooling.h"

namespace mixgrad::ops::image_pooling {
namespace {

using pool_kernel::PoolShape;

struct ImagePoolParams : pooling::PoolingParams {
  ConvLayout out_layout = ConvLayout::blocked;
  static void fields(Fields<ImagePoolParams>& f) {
    add_to(f).choice(
        "out_layout", &ImagePoolParams::out_layout, {"plain", "blocked"},
        "plain: the output is a single pixel, whose order is the same, and has the plain shape.");
  }
};

void image_pool_shape(const ImagePoolParams& p, ShapeInfer& s) {
  if (!s.in(0).known()) return;
  Shape plain = image_shape::plain_shape(s.in(0), ConvLayout::blocked, 2, s), pooled = Shape::unknown();
  if (pooling::pool_last(p)) s.reject("layout must be channels first");
  ShapeInfer inner(find_op("Pooling"), Span<Shape>(&plain, 1), Span<Shape>(&pooled, 1));
  pooling::pooling_shape(p, inner);
  if (p.out_layout == ConvLayout::plain && pooled.size(2, 4) != 1)
    s.reject("out_layout plain needs an output of one pixel");
  s.set_out(0, image_shape::shape_in(pooled, p.out_layout));
}

PoolShape shape_of(const ImagePoolParams& p, const Shape& data, const Shape& out) {
  return pooling::pool_shape(p, image_shape::plain_shape(data, ConvLayout::blocked),
                             image_shape::plain_shape(out, p.out_layout));
}

// As an image of 16 channels that come last, for kinds that have no loops of their own.
PoolShape as_lanes(PoolShape s) {
  s.batch *= s.channels / kConvBlock;
  s.channels = kConvBlock;
  s.channels_last = true;
  return s;
}

void image_pool_kernel(const ImagePoolParams& p, KernelArgs& args) {
  const PoolShape s = shape_of(p, args.in[0].shape(), args.out[0].shape());
  if (pool_block::serves(s)) return pool_block::forward(s, args.in[0].as<float>(), args.out[0].as<float>());
  pool_kernel::forward(DType::float32, as_lanes(s), args.in[0].data, args.out[0].data);
}

void image_pool_backward(const ImagePoolParams& p, BackwardArgs& args) {
  if (!args.wants(0)) return;
  const View &data = args.in[0], &out = args.out[0], &grad = args.out_grad[0], &to = args.in_grad[0];
  const PoolShape s = shape_of(p, data.shape(), grad.shape());
  if (pool_block::serves(s)) {
    return pool_block::backward(s, data.as<float>(), out.as<float>(), grad.as<float>(), to.as<float>());
  }
  pool_kernel::backward(DType::float32, as_lanes(s), data.data, out.data, grad.data, to.data);
}

const Op& op =
    Define<ImagePoolParams>("_image_pooling")
        .doc(
            "Pooling of float32 images in blocks of 16 channels, (n, channels / 16, h, w, 16). Graphs get it "
            "from the pass `layout` in training.")
        .input("data", "The image.")
        .shape(image_pool_shape)
        .dtype([](const ImagePoolParams&, DTypeInfer& d) { image_shape::float_images(d); })
        .kernel(image_pool_kernel)
        .backward(image_pool_backward)
        .grad_needs({0}, {0})
        .element_cost(4);

}  // namespace
}  // namespace mixgrad::ops::image_pooling
