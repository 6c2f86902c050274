// One record into one row of a batch: labels, decoding, augmentation, numbers.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/batch_options.h"
#include "io/image_header.h"
#include "io/sample_order.h"

namespace mixgrad::io {

// Labels by the number of a record, in place of those that the records hold.
struct LabelList {
  std::unordered_map<uint64_t, size_t> rows;
  std::vector<float> labels;  // label_width each
};

// What a program gives beside the options.
struct BatchExtras {
  LabelList list;           // empty: the records' own labels
  std::vector<float> mean;  // channels x height x width, or empty
};

// What a batch looks like, and filling its rows. Any thread, several at a time, each on rows of its own.
class BatchMaker {
 public:
  virtual ~BatchMaker() = default;
  const Shape& data_row() const { return data_row_; }  // of one example
  DType dtype() const { return dtype_; }
  size_t row_bytes() const { return static_cast<size_t>(data_row_.size()) * size_of(dtype_); }
  int64_t label_width() const { return label_width_; }  // numbers of one example
  bool flat_labels() const { return flat_labels_; }     // labels are (batch), not (batch, label_width)
  // Whether records hold the numbers of the batch as they are.
  virtual bool raw() const { return false; }

  // Throw what is wrong with the record or its picture; messages name neither.
  virtual void make_labels(const ImageHeader& header, float* out) const;
  virtual void make(const RawSample& sample, const ImageHeader& header, void* data, float* labels) const = 0;

 protected:
  explicit BatchMaker(BatchExtras extras) : extras_(std::move(extras)) {}

  const BatchExtras extras_;
  Shape data_row_;
  DType dtype_ = DType::float32;
  int64_t label_width_ = 1;
  bool flat_labels_ = true;
};

std::unique_ptr<BatchMaker> picture_maker(const PictureBatchOptions& options, BatchExtras extras,
                                          const char* who);
// `label_width`: numbers of the longest label, as widest_label() finds them.
std::unique_ptr<BatchMaker> detection_maker(const DetectionBatchOptions& options, BatchExtras extras,
                                            int64_t label_width, const char* who);
// Records that hold the numbers themselves.
std::unique_ptr<BatchMaker> raw_maker(const RawBatchOptions& options, BatchExtras extras, const char* who);

// The most labels that a record of the range has: reads what lies before the pictures.
int64_t widest_label(const SourceRef& source, RecordRange range, Damage damage, const char* who);

}  // namespace mixgrad::io
