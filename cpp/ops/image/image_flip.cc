// Mirrored pictures, always or by chance.
#include <cstring>

#include "op/define.h"
#include "ops/image/image_pixels.h"

namespace mixgrad::ops::image_flip {
namespace {

enum class Mirror { left_right, top_bottom };

void mirror(Mirror which, const View& in, const View& out) {
  if (in.size() == 0) return;
  const Shape& shape = in.shape();
  const size_t pixel = static_cast<size_t>(shape[2]) * size_of(in.dtype),
               row = static_cast<size_t>(shape[1]) * pixel;
  const auto rows = static_cast<size_t>(shape[0]), columns = static_cast<size_t>(shape[1]);
  const char* x = in.as<char>();
  char* y = out.as<char>();
  for (size_t h = 0; h < rows; ++h) {
    if (which == Mirror::top_bottom) {
      std::memcpy(y + h * row, x + (rows - 1 - h) * row, row);
      continue;
    }
    for (size_t w = 0; w < columns; ++w)
      std::memcpy(y + h * row + w * pixel, x + h * row + (columns - 1 - w) * pixel, pixel);
  }
}

template <Mirror kWhich>
Tensor mirrored(const Tensor& picture) {
  return apply(kWhich == Mirror::left_right ? "_image_flip_left_right" : "_image_flip_top_bottom", {picture});
}

template <Mirror kWhich>
Define<>& flip(Define<>& define) {
  return define.input("data", "(height, width, channels) with 1 or 3 channels, any dtype.")
      .shape([](const NoParams&, ShapeInfer& s) { image_pixels::infer_colours(s); })
      .kernel([](const NoParams&, KernelArgs& args) { mirror(kWhich, args.in[0], args.out[0]); })
      .grad_needs({}, {})
      .grad([](const NoParams&, Grad& g) { g.set(0, mirrored<kWhich>(g.out_grad())); });
}

template <Mirror kWhich>
Define<>& random_flip(Define<>& define) {
  return define.input("data", "(height, width, channels) with 1 or 3 channels, any dtype.")
      .outputs({"out", "flipped"})
      .num_visible([](const NoParams&) { return 1; })
      .shape([](const NoParams&, ShapeInfer& s) {
        image_pixels::infer_colours(s);
        s.set_out(1, {1});
      })
      .dtype([](const NoParams&, DTypeInfer& d) {
        d.set_in(0, d.out(0));
        d.set_out(0, d.in(0));
        d.set_out(1, DType::float32);
      })
      .kernel([](const NoParams&, KernelArgs& args) {
        const bool flipped = ElementRandom(args.random_key(), 0).word() >> 31 != 0;
        *args.out[1].as<float>() = flipped ? 1 : 0;
        if (flipped) {
          mirror(kWhich, args.in[0], args.out[0]);
        } else if (args.in[0].bytes() > 0) {
          if (args.in[0].bytes() > 0) std::memcpy(args.out[0].data, args.in[0].data, args.in[0].bytes());
        }
      })
      .random()
      .grad_needs({}, {1})
      .grad([](const NoParams&, Grad& g) {
        const Tensor flipped =
            cast_to(broadcast_to(reshape_to(g.out(1), {1, 1, 1}), g.in_shape(0)), g.in_dtype(0));
        g.set(0, select(flipped, mirrored<kWhich>(g.out_grad()), g.out_grad()));
      });
}

const Op& left_right = flip<Mirror::left_right>(Define<>("_image_flip_left_right")
                                                    .alias("_npx__image_flip_left_right")
                                                    .doc("The picture with its columns in reverse order.")
                                                    .origin("MXNet _image_flip_left_right"));
const Op& top_bottom = flip<Mirror::top_bottom>(Define<>("_image_flip_top_bottom")
                                                    .alias("_npx__image_flip_top_bottom")
                                                    .doc("The picture with its rows in reverse order.")
                                                    .origin("MXNet _image_flip_top_bottom"));
const Op& random_left_right =
    random_flip<Mirror::left_right>(Define<>("_image_random_flip_left_right")
                                        .alias("_npx__image_random_flip_left_right")
                                        .doc("The picture, its columns in reverse order in one of two calls.")
                                        .origin("MXNet _image_random_flip_left_right"));
const Op& random_top_bottom =
    random_flip<Mirror::top_bottom>(Define<>("_image_random_flip_top_bottom")
                                        .alias("_npx__image_random_flip_top_bottom")
                                        .doc("The picture, its rows in reverse order in one of two calls.")
                                        .origin("MXNet _image_random_flip_top_bottom"));

}  // namespace
}  // namespace mixgrad::ops::image_flip
