// The input elements under every position of a convolution's window, laid out as a matrix, and back.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_window {

// Output positions [begin, end) of one image, counted over out[0] * out[1] * out[2].
struct Positions {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

// Channels first. `image` points to the first of `channels` planes; columns is (channels * kernel) x positions, zero
// where the window lies in the padding.
template <class T>
void gather_planes(const nn_backend::ConvShape& s, const T* image, int64_t channels, Positions at,
                   T* columns);
// Adds columns to the planes they were gathered from.
template <class T>
void scatter_planes(const nn_backend::ConvShape& s, const T* columns, int64_t channels, Positions at,
                    T* image);

// Channels last. `image` points to the first of `channels` channels; rows is positions x (kernel * channels).
template <class T>
void gather_pixels(const nn_backend::ConvShape& s, const T* image, int64_t channels, Positions at, T* rows);
template <class T>
void scatter_pixels(const nn_backend::ConvShape& s, const T* rows, int64_t channels, Positions at, T* image);

}  // namespace mixgrad::conv_window
