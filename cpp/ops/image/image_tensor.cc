// Pictures as networks take them: channels in front, small numbers; and windows of pictures.
#include "base/parallel.h"
#include "kernels/loops/region.h"
#include "op/define.h"
#include "ops/image/image_pixels.h"

namespace mixgrad::ops::image_tensor {
namespace {

using image_pixels::check_picture;

constexpr double kWhite = 255;

void to_tensor_shape(const NoParams&, ShapeInfer& s) {
  check_picture(s, true);
  if (!s.in(0).known_rank()) return;
  Shape out = s.in(0);
  const int rows = out.ndim() - 3;
  out[rows] = s.in(0).back();
  out[rows + 1] = s.in(0)[rows];
  out[rows + 2] = s.in(0)[rows + 1];
  s.set_out(0, out);
}

template <class C>
void to_tensor(const View& in, const View& out) {
  if (in.size() == 0) return;
  const Shape& shape = in.shape();
  const int64_t channels = shape.back(), pixels = shape.size(shape.ndim() - 3, shape.ndim() - 1);
  const int64_t image = channels * pixels;
  parallel_for(in.size() / image, loop_grain(16384, {image}), [&](int64_t begin, int64_t end) {
    Elements<C> pictures(in, image);
    for (int64_t i = begin; i < end; ++i) {
      const C* x = pictures.read(i * image, image);
      float* y = out.as<float>() + i * image;
      for (int64_t c = 0; c < channels; ++c) {
        for (int64_t at = 0; at < pixels; ++at)
          y[c * pixels + at] = static_cast<float>(x[at * channels + c] / static_cast<C>(kWhite));
      }
    }
  });
}

const Op& tensor = Define<>("_image_to_tensor")
                       .alias("_npx__image_to_tensor")
                       .doc(
                           "(height, width, channels) with values from 0 to 255 as (channels, height, width) "
                           "of float32 from 0 "
                           "to 1; also batches.")
                       .origin("MXNet _image_to_tensor")
                       .input("data", "A picture, or a batch (batch, height, width, channels), of any dtype.")
                       .shape(to_tensor_shape)
                       .dtype([](const NoParams&, DTypeInfer& d) { d.set_out(0, DType::float32); })
                       .kernel([](const NoParams&, KernelArgs& args) {
                         if (image_pixels::in_double(args.in[0].dtype)) {
                           to_tensor<double>(args.in[0], args.out[0]);
                         } else {
                           to_tensor<float>(args.in[0], args.out[0]);
                         }
                       })
                       .element_cost(0.8)
                       .grad_needs({}, {})
                       .grad([](const NoParams&, Grad& g) {
                         const Shape axes = g.in_shape(0).ndim() == 3 ? Shape{1, 2, 0} : Shape{0, 2, 3, 1};
                         g.set(0, cast_to(transpose_axes(g.out_grad(), axes) / kWhite, g.in_dtype(0)));
                       });

struct NormalizeParams {
  Reals mean{0, 0, 0, 0}, std{1, 1, 1, 1};
  static void fields(Fields<NormalizeParams>& f) {
    f.add("mean", &NormalizeParams::mean, "What is subtracted: one number, or one per channel.")
        .add("std", &NormalizeParams::std, "What divides then: one number, or one per channel.");
  }
};

// The default has four numbers, whatever the channels.
double of_channel(const Reals& numbers, int64_t channel) {
  return numbers[numbers.size() == 1 ? 0 : static_cast<size_t>(channel)];
}

void check_numbers(ShapeInfer& s, const char* name, const Reals& numbers, const Reals& standard,
                   int64_t channels) {
  if (numbers.size() == 1 || static_cast<int64_t>(numbers.size()) == channels || numbers == standard) return;
  s.reject(name, " has ", numbers.size(), " numbers; expected 1 or ", channels);
}

void normalize_shape(const NormalizeParams& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  const Shape& data = s.in(0);
  if (!data.known_rank()) return;
  if (data.ndim() != 3 && data.ndim() != 4)
    s.reject("expected (channels, height, width) or (batch, channels, height, width)");
  const int64_t channels = data[data.ndim() - 3];
  if (channels >= 0) {
    if (channels != 1 && channels != 3) s.reject("data has ", channels, " channels; expected 1 or 3");
    const NormalizeParams standard;
    check_numbers(s, "mean", p.mean, standard.mean, channels);
    check_numbers(s, "std", p.std, standard.std, channels);
  }
  s.set_out(0, data);
}

template <class C>
void normalize(const NormalizeParams& p, const View& in, const View& out) {
  if (in.size() == 0) return;
  const Shape& shape = in.shape();
  const int64_t channels = shape[shape.ndim() - 3], plane = shape.size(shape.ndim() - 2, shape.ndim());
  parallel_for(in.size() / plane, loop_grain(16384, {plane}), [&](int64_t begin, int64_t end) {
    Elements<C> from(in, plane), to(out, plane);
    for (int64_t i = begin; i < end; ++i) {
      const C mean = static_cast<C>(of_channel(p.mean, i % channels)),
              std = static_cast<C>(of_channel(p.std, i % channels));
      const C* x = from.read(i * plane, plane);
      C* y = to.write(i * plane);
      for (int64_t at = 0; at < plane; ++at) y[at] = (x[at] - mean) / std;
      to.store(i * plane, plane);
    }
  });
}

const Op& normalized =
    Define<NormalizeParams>("_image_normalize")
        .alias("_npx__image_normalize")
        .doc("(data - mean) / std for each channel; results of integer dtypes are cut off.")
        .origin("MXNet _image_normalize")
        .input("data", "(channels, height, width), or a batch of them, with 1 or 3 channels.")
        .shape(normalize_shape)
        .kernel([](const NormalizeParams& p, KernelArgs& args) {
          if (image_pixels::in_double(args.in[0].dtype)) {
            normalize<double>(p, args.in[0], args.out[0]);
          } else {
            normalize<float>(p, args.in[0], args.out[0]);
          }
        })
        .inplace()
        .grad_needs({}, {})
        .grad([](const NormalizeParams& p, Grad& g) {
          std::vector<Value> std;
          for (const double number : p.std) std.emplace_back(number);
          g.set(0, apply("_image_normalize", {g.out_grad()},
                         {{"mean", 0.0}, {"std", Value(std.data(), static_cast<uint32_t>(std.size()))}}));
        });

struct CropParams {
  int32_t x = 0, y = 0, width = 1, height = 1;
  static void fields(Fields<CropParams>& f) {
    f.required("x", &CropParams::x, "First column of the window.", at_least(0))
        .required("y", &CropParams::y, "First row of the window.", at_least(0))
        .required("width", &CropParams::width, "Columns of the window.", at_least(1))
        .required("height", &CropParams::height, "Rows of the window.", at_least(1));
  }
};

void crop_shape(const CropParams& p, ShapeInfer& s) {
  check_picture(s, true);
  if (!s.in(0).known_rank()) return;
  Shape out = s.in(0);
  const int rows = out.ndim() - 3;
  const auto cut = [&](int axis, int64_t begin, int64_t size, const char* what) {
    if (out[axis] >= 0 && begin + size > out[axis])
      s.reject("the window takes ", size, " ", what, " from ", begin, " on; data has ", out[axis]);
    out[axis] = size;
  };
  cut(rows, p.y, p.height, "rows");
  cut(rows + 1, p.x, p.width, "columns");
  s.set_out(0, out);
}

Shape crop_begin(const CropParams& p, int ndim) {
  Shape begin = Shape::filled(ndim, 0);
  begin[ndim - 3] = p.y;
  begin[ndim - 2] = p.x;
  return begin;
}

const Op& crop =
    Define<CropParams>("_image_crop")
        .alias("_npx__image_crop")
        .doc("The window of a picture, or of each picture of a batch.")
        .origin("MXNet _image_crop")
        .input("data", "(height, width, channels) or (batch, height, width, channels), any dtype.")
        .shape(crop_shape)
        .kernel([](const CropParams& p, KernelArgs& args) {
          const Shape& whole = args.in[0].shape();
          const Region region = region_of(whole, crop_begin(p, whole.ndim()), Shape::filled(whole.ndim(), 1),
                                          args.out[0].shape(), args.name());
          read_region(args.in[0], region, args.out[0].data);
        })
        .element_cost(0.3)
        .grad_needs({}, {})
        .grad([](const CropParams& p, Grad& g) {
          const int ndim = g.in_shape(0).ndim();
          g.set(0, apply("_strided_slice_place", {g.out_grad()},
                         {{"begin", TupleValue(crop_begin(p, ndim))},
                          {"step", TupleValue(Shape::filled(ndim, 1))},
                          {"shape", TupleValue(g.in_shape(0))}}));
        });

}  // namespace
}  // namespace mixgrad::ops::image_tensor
