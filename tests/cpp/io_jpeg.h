// JPEG files for tests, made by the system's libturbojpeg.
#pragma once

#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace test_jpeg {

// By libturbojpeg's numbers: 4:4:4, 4:2:2, 4:2:0, grey, 4:4:0, 4:1:1.
inline constexpr int kSamplings = 6;
inline constexpr int kProgressive = 16384;  // a flag

// Colours that change slowly, and noise: neighbours count, and few are alike.
inline std::vector<unsigned char> pixels_of(int width, int height, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<unsigned char> pixels;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        pixels.push_back(static_cast<unsigned char>(
            110 + 80 * std::sin(0.11 * x + c) * std::cos(0.07 * y * (c + 1)) + random() % 60));
  return pixels;
}

// Empty where the system has no libturbojpeg.
inline std::string file_of(int width, int height, int sampling, int flags, uint64_t seed) {
  static void* const library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return {};
  static const auto init = reinterpret_cast<void* (*)()>(dlsym(library, "tjInitCompress"));
  static const auto compress =
      reinterpret_cast<int (*)(void*, const unsigned char*, int, int, int, int, unsigned char**,
                               unsigned long*, int, int, int)>(dlsym(library, "tjCompress2"));
  static const auto destroy = reinterpret_cast<int (*)(void*)>(dlsym(library, "tjDestroy"));
  static const auto release = reinterpret_cast<void (*)(unsigned char*)>(dlsym(library, "tjFree"));
  const std::vector<unsigned char> pixels = pixels_of(width, height, seed);
  void* const encoder = init();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const int failed =
      compress(encoder, pixels.data(), width, 0, height, 0, &bytes, &size, sampling, 90, flags);
  std::string file;
  if (!failed) file.assign(reinterpret_cast<char*>(bytes), size);
  release(bytes);
  destroy(encoder);
  return file;
}

}  // namespace test_jpeg
