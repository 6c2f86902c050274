#include "ops/conv_pixel_grad.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/parallel.h"
#include "op/conv_plan.h"
#include "op/conv_tile.h"
#include "op/scratch.h"

namespace mixgrad::ops::conv_pixel_grad {
namespace {

using nn_backend::ConvShape;

constexpr int64_t kLanes = kConvBlock;
constexpr int64_t kRun = 192;  // pixels summed in registers: a strip of their gradients is 24 KB

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// channels x pixels by pixels x filters, some pixels at a time: the gradients of a strip of filters are laid side by side,
// then meet all channels. Threads divide strips, and channels where strips do not divide, so there is nothing to join.
class PixelGrad {
 public:
  explicit PixelGrad(const ConvShape& s) : s_(s), kernel_(conv_tile::kernel()) {
    strips_ = over(s.filters, kernel_.cols);
    const int64_t threads = team_allowed() ? num_threads() : 1, blocks = s.channels / kLanes;
    // Threads that divide channels each read all gradients, those that divide strips all of the image.
    by_channels_ = s.channels >= s.filters && (blocks % threads == 0 || blocks >= 4 * threads);
    const bool whole = by_channels_ || strips_ % threads == 0 || strips_ >= 4 * threads;
    parts_ = whole ? 1 : std::min(threads, blocks);
    for (int64_t h = 0; h < s.out[1]; ++h) {
      for (int64_t w = 0; w < s.out[2]; ++w)
        offset_.push_back((h * s.stride[1] * s.in[2] + w * s.stride[2]) * kLanes);
    }
  }

  void run(const float* data, const float* out_grad, float* weight_grad) {
    const Scratch sums = Scratch::of<float>(strips_ * s_.channels * kernel_.cols);
    sums_ = sums.as<float>();
    const int64_t units = by_channels_ ? s_.channels / kLanes : strips_ * parts_;
    const int64_t least =
        by_channels_ ? over(units, num_threads()) : 1;  // long ranges: each lays out all gradients
    parallel_for(units, least, [&](int64_t begin, int64_t end) {
      const Scratch room = Scratch::of<float>(kRun * kernel_.cols);
      if (by_channels_)
        return some(data, out_grad, 0, strips_, begin * kLanes, end * kLanes, room.as<float>());
      if (parts_ == 1) return some(data, out_grad, begin, end, 0, s_.channels, room.as<float>());
      const int64_t blocks = s_.channels / kLanes;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t part = i % parts_;
        some(data, out_grad, i / parts_, i / parts_ + 1, blocks * part / parts_ * kLanes,
             blocks * (part + 1) / parts_ * kLanes, room.as<float>());
      }
    });
    const int64_t blocks = s_.channels / kLanes;
    parallel_for(s_.filters / kLanes * blocks, 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) store(i / blocks * kLanes, i % blocks * kLanes, weight_grad);
    });
  }

 private:
  // Sums of strips [first, last) and channels [from, to).
  void some(const float* data, const float* out_grad, int64_t first, int64_t last, int64_t from, int64_t to,
            float* room) const {
    if (from == to) return;  // fewer blocks of channels than parts
    const int64_t cols = kernel_.cols, rows = kernel_.rows >= 8 ? 8 : 4, pixels = s_.out_size();
    conv_tile::Tile t;
    t.a_row = 1;
    t.run = 1;
    t.b = room;
    t.bias = nullptr;
    t.c_row = cols;
    t.clamp = false;
    for (int64_t n = 0; n < s_.batch; ++n) {
      const float* image = data + n * s_.channels * s_.in_size();
      for (int64_t pixel = 0; pixel < pixels; pixel += kRun) {
        t.steps = std::min(kRun, pixels - pixel);
        t.offset = offset_.data() + pixel;
        const bool fresh = n == 0 && pixel == 0;
        for (int64_t strip = first; strip < last; ++strip) {
          lay(out_grad, n, pixel, t.steps, strip, room);
          const bool turn = strip + 1 == last;
          Ahead ahead{gradients(out_grad, n, turn ? first : strip + 1, turn ? pixel + kRun : pixel), 0,
                      over(t.steps * rows, to - from)};
          for (int64_t c = from; c < to; c += rows) {
            if (strip == first && c % kLanes == 0 && c + kLanes < to) fetch_block(image, c + kLanes, t);
            if (!turn || pixel + 2 * kRun <= pixels) ahead.fetch(t.steps, s_.out_size() * kLanes);
            t.a = image + c / kLanes * kLanes * s_.in_size() + c % kLanes;
            t.c[0] = sums_ + (strip * s_.channels + c) * cols;
            t.c[1] = t.c[0] + kernel_.half();
            t.residual[0] = fresh ? nullptr : t.c[0];
            t.residual[1] = fresh ? nullptr : t.c[1];
            kernel_.run(t, rows);
          }
        }
      }
    }
  }

  // Pixels of the block of channels that comes next.
  void fetch_block(const float* image, int64_t channel, const conv_tile::Tile& t) const {
    const float* from = image + channel * s_.in_size();
    for (int64_t i = 0; i < t.steps; ++i) __builtin_prefetch(from + t.offset[i]);
  }

  // What is laid side by side next is fetched while the sums before it run.
  struct Ahead {
    const float* from;
    int64_t done, each;
    void fetch(int64_t most, int64_t plane) {
      for (const int64_t end = std::min(most, done + each); done < end; ++done) {
        __builtin_prefetch(from + done * kLanes);
        __builtin_prefetch(from + plane + done * kLanes);
      }
    }
  };
  const float* gradients(const float* out_grad, int64_t image, int64_t strip, int64_t pixel) const {
    return out_grad + (image * s_.filters + strip * kernel_.cols) * s_.out_size() + pixel * kLanes;
  }

  // Gradients of some pixels and one strip, filters side by side; zeros past the last filter.
  void lay(const float* out_grad, int64_t image, int64_t pixel, int64_t pixels, int64_t strip,
           float* room) const {
    const int64_t cols = kernel_.cols;
    for (int64_t f = 0; f < cols; f += kLanes) {
      const int64_t filter = strip * cols + f;
      if (filter >= s_.filters) {
        for (int64_t i = 0; i < pixels; ++i) std::memset(room + i * cols + f, 0, kLanes * sizeof(float));
        continue;
      }
      const float* from = out_grad + (image * s_.filters + filter) * s_.out_size() + pixel * kLanes;
      for (int64_t i = 0; i < pixels; ++i)
        std::memcpy(room + i * cols + f, from + i * kLanes, kLanes * sizeof(float));
    }
  }

  void store(int64_t filter, int64_t channel, float* weight_grad) const {
    const int64_t cols = kernel_.cols;
    const float* from = sums_ + (filter / cols * s_.channels + channel) * cols + filter % cols;
    for (int64_t f = 0; f < kLanes; ++f) {
      float* to = weight_grad + (filter + f) * s_.channels + channel;
      for (int64_t c = 0; c < kLanes; ++c) to[c] = from[c * cols + f];
    }
  }

  const ConvShape& s_;
  const conv_tile::Kernel kernel_;
  int64_t strips_, parts_;
  bool by_channels_;
  std::vector<int64_t> offset_;  // of the input pixel under each output pixel
  float* sums_ = nullptr;
};

}  // namespace

bool serves(const ConvShape& s) {
  bool pixels = s.data_blocked && s.out_blocked && s.groups == 1 && s.in[0] == 1 && s.out_items() > 0;
  for (int i = 0; i < 3; ++i) pixels = pixels && s.kernel[i] == 1 && s.pad[i] == 0;
  return pixels && conv_tile::kernel().cols >= kLanes;
}

void weight_grad(const ConvShape& s, const float* data, const float* out_grad, float* weight_grad) {
  PixelGrad(s).run(data, out_grad, weight_grad);
}

}  // namespace mixgrad::ops::conv_pixel_grad
