// Turning images from plain order into blocks of 16 channels and back: what the pass `layout` puts between nodes.
#include "kernels/convolution/conv_plan.h"
#include "op/define.h"

namespace mixgrad::ops::image_layout {
namespace {

void to_blocked_shape(const NoParams&, ShapeInfer& s) {
  const Shape& data = s.in(0);
  if (!data.known()) return;
  if (data.ndim() < 3) s.reject("data needs batch, channels and positions");
  Shape out = data;
  out[1] = conv_blocks(data[1]);
  out.push_back(kConvBlock);
  s.set_out(0, out);
}

void image_dtype(DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && d.in(0) != DType::float32) d.reject("expected float32");
}

const Op& to_blocked =
    Define<>("_to_blocked")
        .doc(
            "An image (n, channels, positions...) in blocks of 16 channels: (n, channels / 16 rounded up, "
            "positions..., 16), zeros behind the last channel. float32; for prediction, without gradient.")
        .input("data", "The plain image.")
        .shape(to_blocked_shape)
        .dtype([](const NoParams&, DTypeInfer& d) { image_dtype(d); })
        .kernel([](const NoParams&, KernelArgs& args) {
          const Shape& s = args.in[0].shape();
          conv_to_blocked(args.in[0].as<float>(), s[0], s[1], s.size(2, s.ndim()), args.out[0].as<float>());
        });

struct ToPlainParams {
  int64_t channels = 0;
  static void fields(Fields<ToPlainParams>& f) {
    f.required("channels", &ToPlainParams::channels, "Channels of the plain image.", at_least(1));
  }
};

void to_plain_shape(const ToPlainParams& p, ShapeInfer& s) {
  const Shape& data = s.in(0);
  if (!data.known()) return;
  const int last = data.ndim() - 1;
  if (last < 3 || data[last] != kConvBlock || data[1] != conv_blocks(p.channels))
    s.reject("data is no image of ", p.channels, " channels in blocks of ", kConvBlock);
  Shape out = data;
  out[1] = p.channels;
  out.erase(last);
  s.set_out(0, out);
}

const Op& to_plain =
    Define<ToPlainParams>("_to_plain")
        .doc("The plain image that _to_blocked had. float32; for prediction, without gradient.")
        .input("data", "(n, blocks, positions..., 16).")
        .shape(to_plain_shape)
        .dtype([](const ToPlainParams&, DTypeInfer& d) { image_dtype(d); })
        .kernel([](const ToPlainParams& p, KernelArgs& args) {
          const Shape& s = args.in[0].shape();
          conv_to_plain(args.in[0].as<float>(), s[0], p.channels, s.size(2, s.ndim() - 1),
                        args.out[0].as<float>());
        });

}  // namespace
}  // namespace mixgrad::ops::image_layout
