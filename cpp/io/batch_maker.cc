#include "io/batch_maker.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "io/augment.h"
#include "io/decoder.h"
#include "io/stage_time.h"
#include "kernels/loops/convert.h"

namespace mixgrad::io {
namespace {

PictureShape picture_shape(const Shape& shape, const char* who) {
  if (shape.ndim() != 3 || (shape[0] != 1 && shape[0] != 3 && shape[0] != 4))
    fail(Status::shape, "[", who, "] data_shape=", shape,
         "; expected (channels, height, width) with 1, 3 or 4 channels");
  return {shape[0], shape[1], shape[2]};
}

Bytes picture_of(const ImageHeader& header) {
  return {reinterpret_cast<const uint8_t*>(header.picture.data()), header.picture.size()};
}

// Half, a quarter or an eighth of the size, as small as leaves the shorter side long enough; 8: all of it.
int scale_for(const PictureHeader& header, int64_t least_side) {
  if (least_side <= 0 || !can_scale(header)) return 8;
  const int64_t side = std::min(header.width, header.height);
  for (const int eighths : {1, 2, 4}) {
    if (side * eighths / 8 >= least_side) return eighths;
  }
  return 8;
}

void begin_sample(const ImageHeader& header, int64_t channels, int64_t least_side, PictureSteps& steps) {
  const Bytes bytes = picture_of(header);
  const PictureHeader found = probe_picture(bytes);
  if (channels == 4 && found.channels != 4)
    fail(Status::format, "[image] a picture of ", found.channels, " channels; expected 4");
  PictureRequest request;
  request.channels = static_cast<int>(channels);
  request.eighths = scale_for(found, least_side);
  steps.begin(bytes, found, request);
}

// Writes rows of a picture as numbers of a dtype, into planes of height x width.
class RowWriter {
 public:
  RowWriter(const PictureShape& shape, DType dtype, void* out, const ScaledPicture& scaled, const float* mean)
      : shape_(shape), dtype_(dtype), out_(out), scaled_(scaled), mean_(mean) {
    if (dtype != DType::float32 && dtype != DType::uint8 && dtype != DType::int8)
      row_ = Scratch::of<float>(shape.channels * shape.width);
  }

  void write(int64_t y, const picture::PixelRow& row) {
    const int64_t plane = shape_.height * shape_.width, at = y * shape_.width;
    if (mean_) {
      scaled_.scaling.mean_row = mean_ + at;
      scaled_.scaling.mean_plane = plane;
    }
    switch (dtype_) {
      case DType::float32:
        return picture::store_floats(row, scaled_.mirrored, scaled_.scaling, static_cast<float*>(out_) + at,
                                     plane);
      case DType::uint8:
        return picture::store_bytes(row, scaled_.mirrored, static_cast<uint8_t*>(out_) + at, plane);
      case DType::int8:
        return picture::store_signed(row, scaled_.mirrored, scaled_.scaling, static_cast<int8_t*>(out_) + at,
                                     plane);
      default: break;
    }
    picture::store_floats(row, scaled_.mirrored, scaled_.scaling, row_.as<float>(), shape_.width);
    for (int64_t c = 0; c < shape_.channels; ++c)
      convert(row_.as<float>() + c * shape_.width, DType::float32,
              static_cast<char*>(out_) + static_cast<size_t>(c * plane + at) * size_of(dtype_), dtype_,
              row.width);
  }

 private:
  const PictureShape shape_;
  const DType dtype_;
  void* const out_;
  ScaledPicture scaled_;
  const float* const mean_;
  Scratch row_;
};

class PictureMaker final : public BatchMaker {
 public:
  PictureMaker(const PictureBatchOptions& options, BatchExtras extras, const char* who)
      : BatchMaker(std::move(extras)), options_(options), shape_(picture_shape(options.data_shape, who)) {
    options.BatchOptions::check(who);
    options.AugmentOptions::check(who);
    options.ScalingOptions::check(who);
    options.LightOptions::check(who);
    data_row_ = options.data_shape;
    dtype_ = options.dtype;
    label_width_ = options.label_width;
    flat_labels_ = label_width_ == 1;
    if (label_width_ < 1)
      fail(Status::invalid_argument, "[", who, "] label_width=", label_width_, "; expected at least 1");
    if (!extras_.mean.empty() && static_cast<int64_t>(extras_.mean.size()) != data_row_.size())
      fail(Status::shape, "[", who, "] mean_img has ", extras_.mean.size(), " numbers; expected data_shape ",
           data_row_);
    if (options.scale_decoding) least_side_ = least_short_side(options, shape_);
  }

  void make(const RawSample& sample, const ImageHeader& header, void* data, float* labels) const override {
    make_labels(header, labels);
    PictureSteps steps;
    begin_sample(header, shape_.channels, least_side_, steps);
    const auto seed = static_cast<uint64_t>(options_.seed_aug ? *options_.seed_aug : options_.seed);
    ElementRandom random({seed, sample.epoch}, static_cast<int64_t>(sample.sample));
    {
      const StageTime time("augment", "picture");
      augment_picture(options_, shape_, random, steps);
    }
    RowWriter writer(shape_, dtype_, data, choose_scaling(options_, options_, random),
                     extras_.mean.empty() ? nullptr : extras_.mean.data());
    const StageTime time(steps.decoded() ? "augment" : "decode", "picture");
    steps.each_row([&](int64_t y, const picture::PixelRow& row) { writer.write(y, row); });
  }

 private:
  const PictureBatchOptions options_;
  const PictureShape shape_;
  int64_t least_side_ = 0;
};

class DetectionMaker final : public BatchMaker {
 public:
  DetectionMaker(const DetectionBatchOptions& options, BatchExtras extras, int64_t label_width,
                 const char* who)
      : BatchMaker(std::move(extras)), options_(options), shape_(picture_shape(options.data_shape, who)) {
    options.BatchOptions::check(who);
    options.DetectionOptions::check(who);
    options.ScalingOptions::check(who);
    data_row_ = options.data_shape;
    dtype_ = options.dtype;
    label_width_ = kPlaces + label_width;
    flat_labels_ = false;
    if (!extras_.mean.empty() && static_cast<int64_t>(extras_.mean.size()) != data_row_.size())
      fail(Status::shape, "[", who, "] mean_img has ", extras_.mean.size(), " numbers; expected data_shape ",
           data_row_);
    if (options.scale_decoding) least_side_ = least_short_side(options, shape_);
  }

  void make(const RawSample& sample, const ImageHeader& header, void* data, float* labels) const override {
    std::vector<float> label = own_labels(header);
    PictureSteps steps;
    begin_sample(header, shape_.channels, least_side_, steps);
    ElementRandom random({static_cast<uint64_t>(options_.seed), sample.epoch},
                         static_cast<int64_t>(sample.sample));
    {
      const StageTime time("augment", "picture");
      augment_detection(options_, shape_, random, steps, label);
    }
    const int64_t width = steps.width(), height = steps.height();
    if (width > shape_.width || height > shape_.height)
      fail(Status::shape, "[image] a picture of ", width, " x ", height,
           " pixels; expected at most data_shape's ", shape_.width, " x ", shape_.height);
    RowWriter writer(shape_, dtype_, data, choose_scaling(options_, LightOptions(), random),
                     extras_.mean.empty() ? nullptr : extras_.mean.data());
    fill_rest(writer, width, height);
    const StageTime time(steps.decoded() ? "augment" : "decode", "picture");
    steps.each_row([&](int64_t y, const picture::PixelRow& row) { writer.write(y, row); });
    const float places[kPlaces] = {static_cast<float>(shape_.channels), static_cast<float>(height),
                                   static_cast<float>(width), static_cast<float>(label.size())};
    float* const end = std::copy(label.begin(), label.end(), std::copy_n(places, kPlaces, labels));
    std::fill(end, labels + label_width_, options_.label_pad_value);
  }

 private:
  static constexpr int64_t kPlaces = 4;  // channels, height, width, numbers that follow

  std::vector<float> own_labels(const ImageHeader& header) const {
    std::vector<float> label;
    if (!extras_.list.rows.empty()) {
      const auto found = extras_.list.rows.find(header.id);
      if (found == extras_.list.rows.end())
        fail(Status::not_found, "[image] path_imglist has no record ", header.id);
      const auto width = static_cast<size_t>(options_.label_width);
      const float* const row = extras_.list.labels.data() + found->second * width;
      label.assign(row, row + width);
    } else {
      for (size_t i = 0; i < header.num_labels(); ++i) label.push_back(header.label_at(i));
    }
    if (options_.label_width > 0 && label.size() != static_cast<size_t>(options_.label_width))
      fail(Status::shape, "[image] a label of ", label.size(),
           " numbers; expected label_width=", options_.label_width);
    if (static_cast<int64_t>(label.size()) > label_width_ - kPlaces)
      fail(Status::shape, "[image] a label of ", label.size(),
           " numbers; expected at most label_pad_width=", label_width_ - kPlaces);
    return label;
  }

  // What the picture does not cover is as black pixels are.
  void fill_rest(RowWriter& writer, int64_t width, int64_t height) const {
    if (width == shape_.width && height == shape_.height) return;
    const Scratch black(static_cast<size_t>(shape_.width * shape_.channels + picture::kRowSlack));
    std::memset(black.data(), 0, static_cast<size_t>(shape_.width * shape_.channels));
    for (int64_t y = 0; y < shape_.height; ++y)
      writer.write(y, {black.as<uint8_t>(), shape_.width, shape_.channels, shape_.channels});
  }

  const DetectionBatchOptions options_;
  const PictureShape shape_;
  int64_t least_side_ = 0;
};

class RawMaker final : public BatchMaker {
 public:
  RawMaker(const RawBatchOptions& options, BatchExtras extras, const char* who)
      : BatchMaker(std::move(extras)) {
    options.BatchOptions::check(who);
    data_row_ = options.data_shape;
    dtype_ = options.dtype;
    label_width_ = options.label_width;
    flat_labels_ = label_width_ == 1;
    if (label_width_ < 1)
      fail(Status::invalid_argument, "[", who, "] label_width=", label_width_, "; expected at least 1");
  }
  bool raw() const override { return true; }
  void make(const RawSample&, const ImageHeader& header, void* data, float* labels) const override {
    make_labels(header, labels);
    if (header.picture.size() != row_bytes())
      fail(Status::format, "[image] ", header.picture.size(), " bytes; expected ", row_bytes(), ", as shape ",
           data_row_, " of ", name_of(dtype_), " has");
    std::memcpy(data, header.picture.data(), header.picture.size());
  }
};

}  // namespace

void BatchMaker::make_labels(const ImageHeader& header, float* out) const {
  const auto count = static_cast<size_t>(label_width_);
  if (!extras_.list.rows.empty()) {
    const auto found = extras_.list.rows.find(header.id);
    if (found == extras_.list.rows.end())
      fail(Status::not_found, "[image] path_imglist has no record ", header.id);
    std::copy_n(extras_.list.labels.data() + found->second * count, count, out);
    return;
  }
  if (header.num_labels() != count)
    fail(Status::shape, "[image] a record with ", header.num_labels(),
         " labels; expected label_width=", label_width_);
  for (size_t i = 0; i < count; ++i) out[i] = header.label_at(i);
}

std::unique_ptr<BatchMaker> picture_maker(const PictureBatchOptions& options, BatchExtras extras,
                                          const char* who) {
  return std::make_unique<PictureMaker>(options, std::move(extras), who);
}
std::unique_ptr<BatchMaker> detection_maker(const DetectionBatchOptions& options, BatchExtras extras,
                                            int64_t label_width, const char* who) {
  return std::make_unique<DetectionMaker>(options, std::move(extras), label_width, who);
}
std::unique_ptr<BatchMaker> raw_maker(const RawBatchOptions& options, BatchExtras extras, const char* who) {
  return std::make_unique<RawMaker>(options, std::move(extras), who);
}

int64_t widest_label(const SourceRef& source, RecordRange range, Damage damage, const char* who) {
  RecordReader reader(source, range, damage, who);
  int64_t widest = 1;
  for (Record place; reader.next_place(&place);) {
    uint8_t flag[4] = {0, 0, 0, 0};
    if (source->bytes() - place.offset >= kPartHeaderBytes + sizeof flag)
      source->read(place.offset + kPartHeaderBytes, flag, sizeof flag);
    uint32_t labels;
    std::memcpy(&labels, flag, sizeof labels);
    if (uint64_t{labels} * sizeof(float) > place.end - place.offset)
      labels = 0;  // damaged: found where it is read
    widest = std::max<int64_t>(widest, labels);
  }
  return widest;
}

}  // namespace mixgrad::io
