// What a program says about batches of records: the options of MXNet's iterators by their names, and ours beside them.
#pragma once

#include <string>

#include "io/augment_options.h"

namespace mixgrad::io {

// Of every kind.
struct BatchOptions {
  int64_t batch_size = 0;
  Shape data_shape;
  DType dtype = DType::float32;
  int32_t label_width = 1;
  bool round_batch = true;
  int64_t prefetch_buffer = 4;
  int32_t preprocess_threads = 4;
  int64_t num_parts = 1, part_index = 0;
  bool shuffle = false;
  int64_t shuffle_chunk_size = 0;  // MB
  int64_t seed = 0;
  enum class Damaged : int32_t { raise, skip } damaged = Damaged::raise;
  double stall_seconds = 60;

  void check(const char* who) const;
  template <class P>
  static void add_fields(Fields<P>& f) {
    f.required("batch_size", &P::batch_size, "Examples of a batch.", mixgrad::between(1, 1 << 24))
        .required("data_shape", &P::data_shape, "Shape of one example: (channels, height, width).")
        .add("dtype", &P::dtype, "Of the data.")
        .add("label_width", &P::label_width, "Labels of an example.")
        .add("round_batch", &P::round_batch, "Fill the last batch from the next epoch.")
        .add("prefetch_buffer", &P::prefetch_buffer, "Batches that are made ahead.",
             mixgrad::between(0, 1 << 16))
        .add("preprocess_threads", &P::preprocess_threads, "Threads that decode.", mixgrad::between(1, 1024))
        .add("num_parts", &P::num_parts, "Parts of the file.", at_least(1))
        .add("part_index", &P::part_index, "The part that is read.", at_least(0))
        .add("shuffle", &P::shuffle, "Another order in each epoch.")
        .add("shuffle_chunk_size", &P::shuffle_chunk_size, "MB that are shuffled at a time without an index.",
             mixgrad::between(0, 1 << 20))
        .add("seed", &P::seed, "Of the order and of augmentation.")
        .add("stall_seconds", &P::stall_seconds, "How long a read may take.", at_least(0));
    f.choice("damaged", static_cast<Damaged P::*>(&P::damaged), {"raise", "skip"},
             "What becomes of damaged records and pictures.");
  }
};

struct PictureBatchOptions : BatchOptions, AugmentOptions, ScalingOptions, LightOptions {
  std::optional<int64_t> seed_aug;
  bool scale_decoding = false;
  static void fields(Fields<PictureBatchOptions>& f);
};

struct DetectionBatchOptions : BatchOptions, DetectionOptions, ScalingOptions {
  int32_t label_pad_width = 0;
  float label_pad_value = -1;
  bool scale_decoding = false;
  static void fields(Fields<DetectionBatchOptions>& f);
};

struct RawBatchOptions : BatchOptions {
  static void fields(Fields<RawBatchOptions>& f) { add_fields(f); }
};

}  // namespace mixgrad::io
