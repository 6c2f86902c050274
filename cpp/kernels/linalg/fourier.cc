#include "kernels/linalg/fourier.h"

#include <cmath>

namespace mixgrad::fourier {
namespace {

Complex on_circle(double turns) {
  constexpr double kTurn = 6.283185307179586476925286766559;
  return {std::cos(kTurn * turns), std::sin(kTurn * turns)};
}

// The library's complex product looks for infinities, which costs more than the product.
Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

Plan::Plan(int64_t length) : length_(length), padded_(1) {
  const bool power = length > 0 && (length & (length - 1)) == 0;
  while (padded_ < (power ? length : 2 * length - 1)) padded_ *= 2;
  for (int64_t k = 0; k < padded_ / 2; ++k)
    roots_.push_back(on_circle(-static_cast<double>(k) / static_cast<double>(padded_)));
  if (power) return;
  int64_t square = 0;  // n^2 modulo 2 length
  for (int64_t n = 0; n < length; ++n) {
    chirp_.push_back(on_circle(-static_cast<double>(square) / static_cast<double>(2 * length)));
    square = (square + 2 * n + 1) % (2 * length);
  }
  filter_.assign(static_cast<size_t>(padded_), Complex(0));
  for (int64_t n = 0; n < length; ++n) {
    const Complex value = std::conj(chirp_[static_cast<size_t>(n)]);
    filter_[static_cast<size_t>(n)] = value;
    if (n > 0) filter_[static_cast<size_t>(padded_ - n)] = value;
  }
  halve(filter_.data(), false);
}

void Plan::halve(Complex* x, bool inverse) const {
  const auto n = static_cast<size_t>(padded_);
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (size_t half = 1; half < n; half *= 2) {
    const size_t step = n / (2 * half);
    for (size_t block = 0; block < n; block += 2 * half) {
      for (size_t k = 0; k < half; ++k) {
        const Complex root = inverse ? std::conj(roots_[k * step]) : roots_[k * step];
        const Complex other = times(x[block + k + half], root), own = x[block + k];
        x[block + k] = own + other;
        x[block + k + half] = own - other;
      }
    }
  }
}

void Plan::run(Complex* x, bool inverse, std::vector<Complex>& work) const {
  if (length_ < 2) return;
  if (chirp_.empty()) return halve(x, inverse);
  // The inverse transform is the conjugate of the conjugate's transform.
  const auto turned = [&](const Complex& z) { return inverse ? std::conj(z) : z; };
  work.assign(static_cast<size_t>(padded_), Complex(0));
  for (size_t n = 0; n < chirp_.size(); ++n) work[n] = times(turned(x[n]), chirp_[n]);
  halve(work.data(), false);
  for (size_t k = 0; k < work.size(); ++k) work[k] = times(work[k], filter_[k]);
  halve(work.data(), true);
  const double scale = 1 / static_cast<double>(padded_);
  for (size_t k = 0; k < chirp_.size(); ++k) x[k] = turned(times(work[k], chirp_[k]) * scale);
}

}  // namespace mixgrad::fourier
