// Convolutions and products of 8-bit arrays, with exact sums of 32 bits.
#pragma once

#include "kernels/backend/nn_backend.h"
#include "kernels/view.h"

namespace mixgrad::conv_int8 {

// Sums of one image plane, before they are stored: filter f of image `image`, positions [first, first + n).
using StoreFn = void (*)(const void* with, int64_t image, int64_t filter, int64_t first, const int32_t* sums,
                         int64_t n);
struct Store {
  StoreFn run;
  const void* with;
};

// Of n numbers of 8 bits, to be weights.
void widen(const int8_t* from, int16_t* to, int64_t n);

// data is int8 or uint8, (batch, channels, in...); weight (filters, channels / groups, window...) holds widened int8. Every sum
// is given to `store` once, from any thread.
void forward(const nn_backend::ConvShape& s, const View& data, const int16_t* weight, const Store& store);

// The same for rows: data (rows x depth) times the transpose of weight (hidden x depth). `first` is the unit, `filter` 0.
void products(const View& data, int64_t rows, int64_t depth, const int16_t* weight, int64_t hidden,
              const Store& store);

}  // namespace mixgrad::conv_int8
