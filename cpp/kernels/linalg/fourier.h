// Discrete Fourier transforms of any length.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace mixgrad::fourier {

using Complex = std::complex<double>;

// The transform of `length` numbers: x[k] becomes the sum over n of x[n] exp(-2 pi i k n / length), or with +, neither
// divided. Powers of two are halved again and again, other lengths are convolutions of such a length (Bluestein 1970).
class Plan {
 public:
  explicit Plan(int64_t length);
  // `work` belongs to the calling thread.
  void run(Complex* x, bool inverse, std::vector<Complex>& work) const;

 private:
  void halve(Complex* x, bool inverse) const;

  int64_t length_, padded_;
  std::vector<Complex> roots_;   // exp(-2 pi i k / padded)
  std::vector<Complex> chirp_;   // exp(-pi i n^2 / length); none for powers of two
  std::vector<Complex> filter_;  // transform of the chirp's conjugate
};

}  // namespace mixgrad::fourier
