// Three convolutions run as one, a band of rows at a time: an expanding one, a depthwise one and a projecting one, whose
// images in between, the largest of a network, never leave the second-level cache.
#pragma once

#include <vector>

#include "kernels/convolution/conv_depthwise_row.h"
#include "kernels/convolution/conv_plan.h"
#include "kernels/convolution/conv_tile.h"
#include "ops/nn/conv_weights.h"

namespace mixgrad::ops::conv_chain {

// Float32 images with two axes of positions; all but data are blocked. Without an expanding convolution the depthwise
// one reads data.
struct Problem {
  nn_backend::ConvShape expand, depthwise, project;
  bool expands = true;
  ConvLayout data = ConvLayout::blocked;
  int threads = 1;
};

// expand: one group; single pixels of blocked data, or any window over plain data of fewer than 8 channels. depthwise: a
// channel and a filter per group. project: one group, single pixels.
bool serves(const Problem& problem);

// Immutable after construction, like ConvPlan.
class Chain {
 public:
  explicit Chain(const Problem& problem);

  const Problem& problem() const { return problem_; }
  int64_t weight_items() const { return prepared_items_; }
  int64_t scratch_items() const;
  // Where weights and biases of a layer lie: 0 expand, 1 depthwise, 2 project.
  conv_weights::Layer place_of(int layer) const;
  // `inner` ends the first two layers (its activation), `end` the last: activation and residual.
  void run(const float* data, const float* prepared, const ConvEpilogue& inner, const ConvEpilogue& end,
           float* out, float* scratch) const;

 private:
  // How the tile loop walks over one of the outer layers, and where its weights and biases lie.
  struct Strips {
    std::vector<int64_t> offset;
    int64_t run = 0, row_step = 0, filters = 0, strip = 0;
    int64_t weights = 0, biases = 0;  // in the prepared floats
    std::unique_ptr<ConvPlan> plan;   // which prepares them
  };
  // What a thread keeps of the expanded image from band to band.
  struct Held {
    int64_t image = 0, begin = 0, end = 0;  // rows; at first none
  };
  // A band as its parts see it. Rows of the expanded image lie at row % ring_rows_.
  struct Band {
    int64_t image, row, rows;  // of the output
    int64_t first, last;       // expanded rows it reads
    int64_t missing;           // the first of them that is not held
    const float* data;
    const float* prepared;
    float *seen, *ring, *mid, *spare;
  };

  void plan_bands();
  void plan_strips();
  int64_t workspace_items() const;
  int64_t blocks() const;  // of 16 expanded channels
  void band(const Band& b, const ConvEpilogue& inner, const ConvEpilogue& end, float* out) const;
  void copy_rows(const Band& b) const;
  void expand(const Band& b, int64_t group, const ConvEpilogue& inner) const;
  void depthwise(const Band& b, int64_t block, const ConvEpilogue& inner) const;
  void project(const Band& b, int64_t group, const ConvEpilogue& end, float* out) const;
  void pixels(const Strips& strips, const Band& b, int64_t group, const float* from, int64_t count,
              float* const* to, const float* const* residual, const ConvEpilogue& end) const;

  const Problem problem_;
  const conv_tile::Kernel kernel_;
  const conv_depthwise_row::Edges edges_;
  const bool few_;  // data is plain, of few channels
  const int64_t
      width_;  // filters of a group: of one strip of the tile loop or, where that is narrower, of one block
  int64_t bands_ = 1, band_ = 1;  // rows of the output
  int64_t ring_rows_ = 0;
  bool keeps_ = false;  // rows are kept from band to band, so all channels have a place in the ring
  int64_t seen_width_ = 0, seen_rows_ = 0;  // of the padded rows of plain data
  Strips expand_, project_;
  std::unique_ptr<ConvPlan> depthwise_plan_;
  int64_t depthwise_weights_ = 0, depthwise_biases_ = 0, prepared_items_ = 0;
};

}  // namespace mixgrad::ops::conv_chain
