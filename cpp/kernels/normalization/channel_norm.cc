#include "kernels/normalization/channel_norm.h"

#include <algorithm>
#include <memory>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/scratch.h"

namespace mixgrad::channel_norm {
namespace {

using norm_kernels::norms;
using norm_kernels::Pair;
using norm_kernels::Spread;

constexpr int64_t kShortRun = 64;          // inner extents below this are walked as columns
constexpr int64_t kShortMap = 24;          // the same where nothing is summed
constexpr int64_t kChannelPiece = 8192;    // elements that stay in the cache between two passes
constexpr int64_t kChannelGrain = 8192;    // elements worth a thread
constexpr int64_t kChannelColumns = 1024;  // columns handled together
constexpr int64_t kChannelRows = 256;      // rows of one part of a sum over columns
constexpr int64_t kChannelRun = 64;        // rows summed in the compute type before widening

bool as_columns(const Layout& l) { return l.inner < kShortRun; }

// --- long runs: one per sample and channel

// Calls unit(channel, first sample, last sample, index) for pieces of about kChannelPiece elements.
int64_t samples_per_unit(const Layout& l) { return std::max<int64_t>(1, kChannelPiece / l.inner); }
int64_t units_per_channel(const Layout& l) {
  return (l.outer + samples_per_unit(l) - 1) / samples_per_unit(l);
}

template <class F>
void each_unit(const Layout& l, F unit) {
  const int64_t samples = samples_per_unit(l), units = units_per_channel(l);
  const int64_t grain = loop_grain(kChannelGrain, {std::min(samples, l.outer), l.inner});
  parallel_for(l.channels * units, grain,
               [&](int64_t begin, int64_t end) { unit(begin, end, samples, units); });
}

template <class C>
void run_statistics(const View& x, const Layout& l, double* mean, double* variance) {
  const int64_t units = units_per_channel(l);
  ScratchArray<Spread> parts(static_cast<size_t>(l.channels * units));
  each_unit(l, [&](int64_t begin, int64_t end, int64_t samples, int64_t) {
    Elements<C> from(x, kChannelPiece);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t channel = i / units, first = i % units * samples;
      for (int64_t s = first; s < std::min(l.outer, first + samples); ++s) {
        for (int64_t at = 0; at < l.inner; at += kChannelPiece) {
          const int64_t n = std::min(kChannelPiece, l.inner - at);
          const C* in = from.read((s * l.channels + channel) * l.inner + at, n);
          parts[static_cast<size_t>(i)].add(norms<C>().spread(in, n));
        }
      }
    }
  });
  for (int64_t c = 0; c < l.channels; ++c) {
    Spread all;
    for (int64_t u = 0; u < units; ++u) all.add(parts[static_cast<size_t>(c * units + u)]);
    mean[c] = all.mean;
    variance[c] = std::max(0.0, all.m2) / all.n;
  }
}

template <class C>
void run_dots(const View& g, const View& x, const Layout& l, const double* mean, double* sum, double* along) {
  const int64_t units = units_per_channel(l);
  ScratchArray<Pair> parts(static_cast<size_t>(l.channels * units));
  each_unit(l, [&](int64_t begin, int64_t end, int64_t samples, int64_t) {
    Elements<C> grads(g, kChannelPiece), from(x, kChannelPiece);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t channel = i / units, first = i % units * samples;
      Pair& part = parts[static_cast<size_t>(i)];
      for (int64_t s = first; s < std::min(l.outer, first + samples); ++s) {
        for (int64_t at = 0; at < l.inner; at += kChannelPiece) {
          const int64_t n = std::min(kChannelPiece, l.inner - at),
                        place = (s * l.channels + channel) * l.inner + at;
          const Pair d =
              norms<C>().dots(grads.read(place, n), from.read(place, n), n, static_cast<C>(mean[channel]));
          part.first += d.first;
          part.second += d.second;
        }
      }
    }
  });
  for (int64_t c = 0; c < l.channels; ++c) {
    sum[c] = along[c] = 0;
    for (int64_t u = 0; u < units; ++u) {
      sum[c] += parts[static_cast<size_t>(c * units + u)].first;
      along[c] += parts[static_cast<size_t>(c * units + u)].second;
    }
  }
}

// Calls run(place, n, channel) for pieces that cover the array; `begin`/`end` give each thread its objects.
template <class Make>
void each_run(const Layout& l, Make make) {
  parallel_for(l.outer * l.channels, loop_grain(kChannelGrain, {l.inner}), [&](int64_t begin, int64_t end) {
    auto run = make();
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t at = 0; at < l.inner; at += kChannelPiece) {
        run(i * l.inner + at, std::min(kChannelPiece, l.inner - at), i % l.channels);
      }
    }
  });
}

// --- short runs: rows of channels * inner columns

// A value per channel as one per column.
template <class C>
ScratchArray<C> per_column(const double* values, const Layout& l) {
  ScratchArray<C> all(static_cast<size_t>(l.channels * l.inner));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<C>(values[i / static_cast<size_t>(l.inner)]);
  return all;
}

// Sums over rows of what add(place, first column, columns, acc) adds to `kSums` rows of accumulators, then over
// the columns of each channel: sums[k * channels + c].
template <class C, int kSums, class Make>
void column_sums(const Layout& l, double* sums, Make make) {
  const int64_t width = l.channels * l.inner, tiles = (width + kChannelColumns - 1) / kChannelColumns;
  const int64_t blocks = (l.outer + kChannelRows - 1) / kChannelRows;
  ScratchArray<double> parts(static_cast<size_t>(kSums * blocks * width));
  const int64_t work = std::min(l.outer, kChannelRows) * std::min(width, kChannelColumns);
  parallel_for(blocks * tiles, loop_grain(kChannelGrain, {work}), [&](int64_t begin, int64_t end) {
    auto add = make();
    alignas(64) C acc[kSums][kChannelColumns];
    for (int64_t i = begin; i < end; ++i) {
      const int64_t block = i / tiles, first = i % tiles * kChannelColumns;
      const int64_t n = std::min(kChannelColumns, width - first);
      const int64_t last = std::min(l.outer, (block + 1) * kChannelRows);
      for (int64_t row = block * kChannelRows; row < last; row += kChannelRun) {
        for (auto& a : acc) std::fill(a, a + n, C(0));
        for (int64_t r = row; r < std::min(last, row + kChannelRun); ++r)
          add(r * width + first, first, n, acc);
        for (int k = 0; k < kSums; ++k) {
          double* part = parts.data() + (k * blocks + block) * width + first;
          for (int64_t c = 0; c < n; ++c) part[c] += static_cast<double>(acc[k][c]);
        }
      }
    }
  });
  for (int k = 0; k < kSums; ++k) {
    for (int64_t c = 0; c < l.channels; ++c) {
      double total = 0;
      for (int64_t b = 0; b < blocks; ++b) {
        const double* part = parts.data() + (k * blocks + b) * width + c * l.inner;
        for (int64_t i = 0; i < l.inner; ++i) total += part[i];
      }
      sums[k * l.channels + c] = total;
    }
  }
}

template <class C>
void column_statistics(const View& x, const Layout& l, double* mean, double* variance) {
  const double count = static_cast<double>(l.count());
  // The second pass measures distances from the means that the first one found.
  column_sums<C, 1>(l, mean, [&] {
    return [from = std::make_shared<Elements<C>>(x, kChannelColumns)](int64_t place, int64_t, int64_t n,
                                                                      auto& acc) {
      const C* in = from->read(place, n);
      for (int64_t c = 0; c < n; ++c) acc[0][c] += in[c];
    };
  });
  for (int64_t c = 0; c < l.channels; ++c) mean[c] /= count;
  const ScratchArray<C> about = per_column<C>(mean, l);
  column_sums<C, 1>(l, variance, [&] {
    return [&about, from = std::make_shared<Elements<C>>(x, kChannelColumns)](int64_t place, int64_t first,
                                                                              int64_t n, auto& acc) {
      norms<C>().squares(from->read(place, n), about.data() + first, acc[0], n);
    };
  });
  for (int64_t c = 0; c < l.channels; ++c) variance[c] /= count;
}

template <class C>
void column_dots(const View& g, const View& x, const Layout& l, const double* mean, double* sum,
                 double* along) {
  const ScratchArray<C> about = per_column<C>(mean, l);
  ScratchArray<double> sums(static_cast<size_t>(2 * l.channels));
  column_sums<C, 2>(l, sums.data(), [&] {
    return [&about, grads = std::make_shared<Elements<C>>(g, kChannelColumns),
            from = std::make_shared<Elements<C>>(x, kChannelColumns)](int64_t place, int64_t first, int64_t n,
                                                                      auto& acc) {
      norms<C>().dots_columns(grads->read(place, n), from->read(place, n), about.data() + first, acc[0],
                              acc[1], n);
    };
  });
  std::copy(sums.begin(), sums.begin() + l.channels, sum);
  std::copy(sums.begin() + l.channels, sums.end(), along);
}

// Calls run(place, first column, columns) for pieces of rows that cover the array.
template <class Make>
void each_row(const Layout& l, Make make) {
  const int64_t width = l.channels * l.inner;
  parallel_for(l.outer, loop_grain(kChannelGrain, {width}), [&](int64_t begin, int64_t end) {
    auto run = make();
    for (int64_t r = begin; r < end; ++r) {
      for (int64_t first = 0; first < width; first += kChannelColumns) {
        run(r * width + first, first, std::min(kChannelColumns, width - first));
      }
    }
  });
}

template <class C>
void affine_as(const View& x, const View& y, const Layout& l, const double* mean, const double* scale,
               const double* shift) {
  if (l.inner >= kShortMap) {
    each_run(l, [&] {
      return [&, from = std::make_shared<Elements<C>>(x, kChannelPiece),
              to = std::make_shared<Elements<C>>(y, kChannelPiece)](int64_t place, int64_t n, int64_t c) {
        norms<C>().affine(from->read(place, n), to->write(place), n, static_cast<C>(mean[c]),
                          static_cast<C>(scale[c]), static_cast<C>(shift[c]));
        to->store(place, n);
      };
    });
    return;
  }
  const ScratchArray<C> m = per_column<C>(mean, l), s = per_column<C>(scale, l), b = per_column<C>(shift, l);
  each_row(l, [&] {
    return [&, from = std::make_shared<Elements<C>>(x, kChannelColumns),
            to = std::make_shared<Elements<C>>(y, kChannelColumns)](int64_t place, int64_t first, int64_t n) {
      norms<C>().affine_columns(from->read(place, n), to->write(place), n, m.data() + first, s.data() + first,
                                b.data() + first);
      to->store(place, n);
    };
  });
}

template <class C>
void linear_as(const View& g, const View& x, const View& dx, const Layout& l, const double* mean,
               const double* a, const double* b, const double* c) {
  if (l.inner >= kShortMap) {
    each_run(l, [&] {
      return [&, grads = std::make_shared<Elements<C>>(g, kChannelPiece),
              from = std::make_shared<Elements<C>>(x, kChannelPiece),
              to = std::make_shared<Elements<C>>(dx, kChannelPiece)](int64_t place, int64_t n, int64_t k) {
        norms<C>().linear(grads->read(place, n), from->read(place, n), to->write(place), n,
                          static_cast<C>(mean[k]), static_cast<C>(a[k]), static_cast<C>(b[k]),
                          static_cast<C>(c[k]));
        to->store(place, n);
      };
    });
    return;
  }
  const ScratchArray<C> m = per_column<C>(mean, l), ca = per_column<C>(a, l), cb = per_column<C>(b, l);
  const ScratchArray<C> cc = per_column<C>(c, l);
  each_row(l, [&] {
    return [&, grads = std::make_shared<Elements<C>>(g, kChannelColumns),
            from = std::make_shared<Elements<C>>(x, kChannelColumns),
            to = std::make_shared<Elements<C>>(dx, kChannelColumns)](int64_t place, int64_t first,
                                                                     int64_t n) {
      norms<C>().linear_columns(grads->read(place, n), from->read(place, n), to->write(place), n,
                                m.data() + first, ca.data() + first, cb.data() + first, cc.data() + first);
      to->store(place, n);
    };
  });
}

}  // namespace

void statistics(const View& x, const Layout& l, double* mean, double* variance) {
  const bool wide = is_wide(x.dtype);
  if (as_columns(l)) {
    wide ? column_statistics<double>(x, l, mean, variance) : column_statistics<float>(x, l, mean, variance);
  } else {
    wide ? run_statistics<double>(x, l, mean, variance) : run_statistics<float>(x, l, mean, variance);
  }
}

void affine(const View& x, const View& y, const Layout& l, const double* mean, const double* scale,
            const double* shift) {
  if (is_wide(x.dtype))
    affine_as<double>(x, y, l, mean, scale, shift);
  else
    affine_as<float>(x, y, l, mean, scale, shift);
}

void dots(const View& g, const View& x, const Layout& l, const double* mean, double* sum, double* along) {
  const bool wide = is_wide(x.dtype);
  if (as_columns(l)) {
    wide ? column_dots<double>(g, x, l, mean, sum, along) : column_dots<float>(g, x, l, mean, sum, along);
  } else {
    wide ? run_dots<double>(g, x, l, mean, sum, along) : run_dots<float>(g, x, l, mean, sum, along);
  }
}

void linear(const View& g, const View& x, const View& dx, const Layout& l, const double* mean,
            const double* a, const double* b, const double* c) {
  if (is_wide(x.dtype))
    linear_as<double>(g, x, dx, l, mean, a, b, c);
  else
    linear_as<float>(g, x, dx, l, mean, a, b, c);
}

}  // namespace mixgrad::channel_norm
