// What kernels compiled at run time by NVRTC have in place of the C++ library's headers and of base/cpu.h, which it cannot
// read. Everything without a word for it is code of the device (-default-device).

#define MIXGRAD_INLINE inline __attribute__((always_inline))

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;

namespace mixgrad {
constexpr bool kCompact = false;
}

inline double lgamma_r(double x, int*) { return lgamma(x); }

namespace std {

using ::atan2;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::expm1;
using ::fabs;
using ::floor;
using ::fmod;
using ::hypot;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::memcpy;
using ::pow;
using ::round;
using ::sin;
using ::sinh;
using ::size_t;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;

template <class T, class U>
inline constexpr bool is_same_v = false;
template <class T>
inline constexpr bool is_same_v<T, T> = true;
template <class T>
inline constexpr bool is_integral_v = false;
template <>
inline constexpr bool is_integral_v<int32_t> = true;
template <>
inline constexpr bool is_integral_v<int64_t> = true;

template <class T>
struct make_unsigned;
template <>
struct make_unsigned<int32_t> {
  using type = uint32_t;
};
template <>
struct make_unsigned<int64_t> {
  using type = uint64_t;
};
template <class T>
using make_unsigned_t = typename make_unsigned<T>::type;

template <class T>
struct numeric_limits;
template <>
struct numeric_limits<float> {
  static constexpr float epsilon() { return 0x1p-23f; }
  static constexpr float min() { return 0x1p-126f; }
  static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000u); }
  static constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000u); }
};
template <>
struct numeric_limits<double> {
  static constexpr double epsilon() { return 0x1p-52; }
  static constexpr double min() { return 0x1p-1022; }
  static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ul); }
  static constexpr double quiet_NaN() { return __builtin_bit_cast(double, 0x7ff8000000000000ul); }
};

}  // namespace std
