#include "ops/nn/conv_chain.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/convolution/conv_block.h"
#include "kernels/convolution/conv_direct.h"
#include "kernels/convolution/conv_epilogue.h"
#include "kernels/convolution/conv_workspace.h"

namespace mixgrad::ops::conv_chain {
namespace {

using conv_block::kBlock;
using nn_backend::ConvShape;

constexpr int64_t kBandFloats = 131072;  // between the layers: half of a second-level cache
constexpr int64_t kMostFew = kBlock / 2;

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

bool single_pixels(const ConvShape& s) {
  return s.kernel_size() == 1 && s.stride[1] == 1 && s.stride[2] == 1 && !s.pad[1] && !s.pad[2];
}

ConvProblem layer(const ConvShape& shape, ConvLayout data, int threads) {
  ConvProblem problem;
  problem.shape = shape;
  problem.data = data, problem.out = ConvLayout::blocked;
  problem.threads = threads;
  return problem;
}

}  // namespace

bool serves(const Problem& p) {
  const ConvShape &e = p.expand, &d = p.depthwise, &o = p.project;
  for (const ConvShape* s : {&e, &d, &o}) {
    if (s->in[0] != 1 || s->kernel[0] != 1 || s->channels_last || s->channels < 1) return false;
    for (int i = 1; i <= 2; ++i) {
      if (s->in[i] < 1 || s->out[i] < 1) return false;
    }
  }
  if (d.groups != d.channels || d.filters != d.channels || d.kernel[1] > conv_depthwise_row::kMostRows)
    return false;
  if (o.groups != 1 || !single_pixels(o) || o.channels != d.filters || o.out_items() == 0) return false;
  if (!p.expands) return p.data == ConvLayout::blocked;
  if (e.groups != 1 || e.filters != d.channels) return false;
  return p.data == ConvLayout::blocked ? single_pixels(e) : e.channels < kMostFew && e.dilate[2] == 1;
}

Chain::Chain(const Problem& problem)
    : problem_(problem),
      kernel_(conv_tile::kernel()),
      edges_(problem.depthwise),
      few_(problem.expands && problem.data == ConvLayout::plain),
      width_(std::max<int64_t>(kernel_.cols, kBlock)) {
  plan_bands();
  plan_strips();
}

int64_t Chain::blocks() const { return conv_blocks(problem_.depthwise.channels); }

void Chain::plan_bands() {
  const ConvShape& d = problem_.depthwise;
  const int64_t covered = (d.kernel[1] - 1) * d.dilate[1] + 1, lanes = blocks() * kBlock;
  const auto rows_under = [&](int64_t rows) { return std::min((rows - 1) * d.stride[1] + covered, d.in[1]); };
  const auto items = [&](int64_t rows) {
    const int64_t channels = rows == d.out[1] ? width_ : lanes;
    return (problem_.expands ? rows_under(rows) * d.in[2] * channels : 0) + rows * d.out[2] * lanes;
  };
  band_ = d.out[1];
  while (band_ > 1 && items(band_) > kBandFloats) --band_;
  bands_ = over(d.out[1], band_);
  // As many for each thread.
  const int64_t threads = std::max(1, problem_.threads);
  if (d.batch % threads != 0) bands_ = std::min(over(bands_, threads) * threads, d.out[1]);
  band_ = over(d.out[1], bands_);
  bands_ = over(d.out[1], band_);
  keeps_ = bands_ > 1;
  ring_rows_ = rows_under(band_);
}

void Chain::plan_strips() {
  const auto walk = [](Strips& strips, int64_t channels, int64_t block_step) {
    conv_direct::Walk found = conv_direct::walk_of_pixels(channels, block_step);
    strips.offset = std::move(found.offset);
    strips.run = found.run;
  };
  const ConvShape &e = problem_.expand, &d = problem_.depthwise, &o = problem_.project;
  if (problem_.expands) {
    expand_.plan = ConvPlan::make(layer(e, problem_.data, problem_.threads), ConvAlgorithm::direct);
    expand_.run = e.kernel[2];
    expand_.row_step = few_ ? e.stride[2] : kBlock;
    expand_.filters = e.filters;
    seen_width_ = (e.out[2] - 1) * e.stride[2] + (e.kernel[2] - 1) * e.dilate[2] + 1;
    seen_rows_ = (ring_rows_ - 1) * e.stride[1] + (e.kernel[1] - 1) * e.dilate[1] + 1;
    for (int64_t c = 0; few_ && c < e.channels; ++c) {
      for (int64_t k = 0; k < e.kernel[1]; ++k)
        expand_.offset.push_back((c * seen_rows_ + k * e.dilate[1]) * seen_width_);
    }
    if (!few_) walk(expand_, e.channels, e.in_size() * kBlock);
  }
  project_.plan = ConvPlan::make(layer(o, ConvLayout::blocked, problem_.threads), ConvAlgorithm::direct);
  project_.row_step = kBlock;
  project_.filters = o.filters;
  walk(project_, o.channels, band_ * d.out[2] * kBlock);
  depthwise_plan_ = ConvPlan::make(layer(d, ConvLayout::blocked, problem_.threads), ConvAlgorithm::depthwise);
  for (Strips* strips : {&expand_, &project_}) {
    if (!strips->plan) continue;
    strips->strip = static_cast<int64_t>(strips->offset.size()) * strips->run * kernel_.cols;
    strips->weights = prepared_items_;
    strips->biases = strips->weights + strips->plan->weight_items();
    prepared_items_ = strips->biases + over(strips->filters, width_) * width_;
  }
  depthwise_weights_ = prepared_items_;
  depthwise_biases_ = depthwise_weights_ + depthwise_plan_->weight_items();
  prepared_items_ = depthwise_biases_ + blocks() * kBlock;
}

conv_weights::Layer Chain::place_of(int number) const {
  conv_weights::Layer layer;
  if (number == 1) {
    layer.plan = depthwise_plan_.get();
    layer.weights = depthwise_weights_, layer.biases = depthwise_biases_;
    layer.places = blocks() * kBlock;
    return layer;
  }
  const Strips& strips = number == 0 ? expand_ : project_;
  layer.plan = strips.plan.get();
  layer.weights = strips.weights, layer.biases = strips.biases;
  layer.places = over(strips.filters, width_) * width_;
  return layer;
}

int64_t Chain::workspace_items() const {
  const ConvShape& d = problem_.depthwise;
  const int64_t seen = few_ ? over(problem_.expand.channels * seen_rows_ * seen_width_, 16) * 16 : 0;
  const int64_t channels = keeps_ ? over(blocks() * kBlock, width_) * width_ : width_;
  return seen + (problem_.expands ? ring_rows_ * d.in[2] * channels : 0) +
         band_ * d.out[2] * blocks() * kBlock + conv_tile::kMostRows * kBlock;
}

int64_t Chain::scratch_items() const {
  return std::min<int64_t>(conv_workspace::Workspaces::kMost, std::max(1, problem_.threads)) *
         workspace_items();
}

void Chain::run(const float* data, const float* prepared, const ConvEpilogue& inner, const ConvEpilogue& end,
                float* out, float* scratch) const {
  const ConvShape& d = problem_.depthwise;
  const int64_t covered = (d.kernel[1] - 1) * d.dilate[1] + 1, ring_row = d.in[2] * kBlock;
  const int64_t threads = std::min<int64_t>(conv_workspace::Workspaces::kMost, std::max(1, problem_.threads));
  const int64_t items =
      problem_.data == ConvLayout::plain
          ? problem_.expand.channels * problem_.expand.in_size()
          : (problem_.expands ? conv_blocks(problem_.expand.channels) * problem_.expand.in_size()
                              : blocks() * d.in_size()) *
                kBlock;
  std::array<Held, conv_workspace::Workspaces::kMost> held;
  const auto bands = [&](int64_t begin, int64_t stop, float* workspace) {
    Held& has = held[static_cast<size_t>((workspace - scratch) / workspace_items())];
    for (int64_t unit = begin; unit < stop; ++unit) {
      Band b;
      b.image = unit / bands_, b.row = unit % bands_ * band_;
      b.rows = std::min(band_, d.out[1] - b.row);
      b.first = std::max<int64_t>(0, b.row * d.stride[1] - d.pad[1]);
      b.last = std::min(d.in[1], (b.row + b.rows - 1) * d.stride[1] - d.pad[1] + covered);
      b.last = std::max(b.first, b.last);
      const bool follows = keeps_ && has.image == b.image && has.begin <= b.first && has.end > b.first;
      b.missing = follows ? std::min(has.end, b.last) : b.first;
      has.image = b.image, has.begin = b.first, has.end = b.last;
      b.data = data + b.image * items;
      b.prepared = prepared;
      b.spare = workspace;
      b.mid = b.spare + conv_tile::kMostRows * kBlock;
      b.ring = b.mid + band_ * d.out[2] * blocks() * kBlock;
      b.seen = b.ring + (problem_.expands ? ring_rows_ * ring_row *
                                                (keeps_ ? over(blocks() * kBlock, width_) * width_ / kBlock
                                                        : width_ / kBlock)
                                          : 0);
      band(b, inner, end, out);
    }
  };
  conv_workspace::for_workspaces(d.batch * bands_, 1, scratch, workspace_items(), threads, bands);
}

void Chain::band(const Band& b, const ConvEpilogue& inner, const ConvEpilogue& end, float* out) const {
  const int64_t per_group = width_ / kBlock;
  if (few_) copy_rows(b);
  for (int64_t group = 0; group * per_group < blocks(); ++group) {
    if (problem_.expands) expand(b, group, inner);
    for (int64_t i = group * per_group; i < std::min(blocks(), (group + 1) * per_group); ++i)
      depthwise(b, i, inner);
  }
  for (int64_t group = 0; group * width_ < problem_.project.filters; ++group) project(b, group, end, out);
}

// The rows of plain data under the missing expanded rows, with zeros around the image.
void Chain::copy_rows(const Band& b) const {
  const ConvShape& e = problem_.expand;
  const int64_t rows = (b.last - b.missing - 1) * e.stride[1] + (e.kernel[1] - 1) * e.dilate[1] + 1;
  const int64_t count = std::min(e.in[2], seen_width_ - e.pad[2]);
  for (int64_t c = 0; c < e.channels; ++c) {
    for (int64_t r = 0; b.missing < b.last && r < rows; ++r) {
      float* to = b.seen + (c * seen_rows_ + r) * seen_width_;
      const int64_t row = b.missing * e.stride[1] - e.pad[1] + r;
      std::memset(to, 0, static_cast<size_t>(seen_width_) * sizeof(float));
      if (row < 0 || row >= e.in[1] || count <= 0) continue;
      std::memcpy(to + e.pad[2], b.data + (c * e.in[1] + row) * e.in[2],
                  static_cast<size_t>(count) * sizeof(float));
    }
  }
}

// `count` pixels side by side of one group of filters. to and residual: per block of the group, null past the last one.
void Chain::pixels(const Strips& strips, const Band& b, int64_t group, const float* from, int64_t count,
                   float* const* to, const float* const* residual, const ConvEpilogue& end) const {
  const int64_t tiles = over(count, kernel_.rows);
  const bool clamp = end.activation == ConvActivation::clamp;
  conv_tile::Tile t;
  t.a_row = strips.row_step;
  t.offset = strips.offset.data();
  t.steps = static_cast<int64_t>(strips.offset.size());
  t.run = strips.run;
  t.c_row = kBlock;
  t.ahead = strips.row_step == kBlock;
  t.clamp = clamp;
  t.low = end.low, t.high = end.high;
  for (int64_t i = 0; i < tiles; ++i) {
    const int64_t begin = kernel_.begin_of(i, tiles, count),
                  rows = kernel_.begin_of(i + 1, tiles, count) - begin;
    t.a = from + begin * strips.row_step;
    for (int64_t f = 0; f < width_; f += kernel_.cols) {
      t.b = b.prepared + strips.weights + (group * width_ + f) / kernel_.cols * strips.strip;
      t.bias = b.prepared + strips.biases + group * width_ + f;
      for (int half = 0; half < 2; ++half) {
        const int64_t at = f + half * kernel_.half(), block = at / kBlock, lane = at % kBlock;
        t.c[half] = (to[block] ? to[block] + begin * kBlock : b.spare) + lane;
        t.residual[half] = !end.residual     ? nullptr
                           : residual[block] ? residual[block] + begin * kBlock + lane
                                             : t.c[half];
      }
      kernel_.run(t, rows);
    }
    for (int64_t k = 0; !clamp && end.activation != ConvActivation::none && k < width_ / kBlock; ++k) {
      float* at = to[k] ? to[k] + begin * kBlock : nullptr;
      if (at) conv_epilogue::finish(end, at, nullptr, at, rows * kBlock);
    }
  }
}

void Chain::expand(const Band& b, int64_t group, const ConvEpilogue& inner) const {
  const ConvShape &e = problem_.expand, &d = problem_.depthwise;
  const int64_t row_items = d.in[2] * kBlock, per_group = width_ / kBlock;
  const float* none[2] = {nullptr, nullptr};
  for (int64_t row = b.missing; row < b.last;) {
    // Rows that lie side by side in the ring are one run of pixels, unless windows step over a row's end.
    const int64_t slot = row % ring_rows_;
    const int64_t rows = few_ ? 1 : std::min(b.last - row, ring_rows_ - slot);
    float* to[2] = {nullptr, nullptr};
    for (int64_t i = 0; i < per_group; ++i) {
      const int64_t block = group * per_group + i, place = keeps_ ? block : i;
      if (block < blocks()) to[i] = b.ring + (place * ring_rows_ + slot) * row_items;
    }
    const float* from =
        few_ ? b.seen + (row - b.missing) * e.stride[1] * seen_width_ : b.data + row * row_items;
    pixels(expand_, b, group, from, rows * d.in[2], to, none, inner);
    row += rows;
  }
}

void Chain::depthwise(const Band& b, int64_t block, const ConvEpilogue& inner) const {
  const ConvShape& d = problem_.depthwise;
  const bool clamp = inner.activation == ConvActivation::clamp;
  const int64_t row_items = d.in[2] * kBlock, taps = d.kernel[1] * d.kernel[2];
  const float* weight = b.prepared + depthwise_weights_ + block * taps * kBlock;
  const float* ring = b.ring + (keeps_ ? block : block % (width_ / kBlock)) * ring_rows_ * row_items;
  conv_depthwise_row::Window window;
  window.cols = d.kernel[2];
  window.tap_step = d.dilate[2] * kBlock, window.pixel_step = d.stride[2] * kBlock;
  window.bias = b.prepared + depthwise_biases_ + block * kBlock;
  window.pixels = d.out[2];
  window.inner_begin = edges_.inner_begin, window.inner_end = edges_.inner_end;
  window.first_tap = edges_.first_tap.data(), window.last_tap = edges_.last_tap.data();
  window.clamp = clamp, window.low = inner.low, window.high = inner.high;
  for (int64_t r = 0; r < b.rows; ++r) {
    float* to = b.mid + (block * band_ + r) * d.out[2] * kBlock;
    window.rows = 0;
    for (int64_t k = 0; k < d.kernel[1]; ++k) {
      const int64_t row = (b.row + r) * d.stride[1] - d.pad[1] + k * d.dilate[1];
      if (row < 0 || row >= d.in[1]) continue;
      const float* in = problem_.expands ? ring + row % ring_rows_ * row_items
                                         : b.data + (block * d.in[1] + row) * row_items;
      window.in[window.rows] = in - d.pad[2] * kBlock;
      window.weight[window.rows++] = weight + k * d.kernel[2] * kBlock;
    }
    conv_depthwise_row::run(window, to);
    if (!clamp && inner.activation != ConvActivation::none)
      conv_epilogue::finish(inner, to, nullptr, to, d.out[2] * kBlock);
  }
}

void Chain::project(const Band& b, int64_t group, const ConvEpilogue& end, float* out) const {
  const ConvShape& o = problem_.project;
  const int64_t per_group = width_ / kBlock, plane = o.out_size(), all = conv_blocks(o.filters);
  float* to[2] = {nullptr, nullptr};
  const float* residual[2] = {nullptr, nullptr};
  for (int64_t i = 0; i < per_group && group * per_group + i < all; ++i) {
    const int64_t at = ((b.image * all + group * per_group + i) * plane + b.row * o.out[2]) * kBlock;
    to[i] = out + at;
    if (end.residual) residual[i] = end.residual + at;
  }
  pixels(project_, b, group, b.mid, b.rows * o.out[2], to, residual, end);
}

}  // namespace mixgrad::ops::conv_chain
