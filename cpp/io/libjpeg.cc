#include "io/libjpeg.h"

#include <csetjmp>

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#endif

namespace mixgrad::io {
namespace {

#if defined(__unix__) || defined(__APPLE__)
#if defined(__APPLE__)
constexpr const char* kLibjpegNames[] = {"libjpeg.62.dylib", "libjpeg.8.dylib", "libjpeg.dylib"};
#else
constexpr const char* kLibjpegNames[] = {"libjpeg.so.62", "libjpeg.so.8"};
#endif

struct LibjpegQuestion {
  LibjpegError error;
  std::jmp_buf refused;
};

// Asks with a version, or a size, that no library has: the refusal names the right one as its first argument. 0: no refusal.
int ask_libjpeg(const LibjpegFunctions& functions, int version) {
  constexpr size_t kRoom = 4096;  // for libraries that would clear a decoder before they look
  alignas(16) char room[kRoom] = {};
  auto* const decoder = reinterpret_cast<LibjpegDecoder*>(room);
  LibjpegQuestion question{};
  decoder->error = functions.standard_error(&question.error);
  question.error.error_exit = [](LibjpegDecoder* asked) {
    std::longjmp(reinterpret_cast<LibjpegQuestion*>(asked->error)->refused, 1);
  };
  if (setjmp(question.refused)) return question.error.arguments.numbers[0];
  functions.create(decoder, version, 0);
  return 0;
}

template <class Fn>
bool find_libjpeg_function(void* handle, const char* name, Fn* to) {
  *to = reinterpret_cast<Fn>(dlsym(handle, name));
  return *to != nullptr;
}

const LibjpegFunctions* open_libjpeg_at(const char* name) {
  void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return nullptr;
  LibjpegFunctions found{};
  void* since_2 = nullptr;
  const bool whole = find_libjpeg_function(handle, "jpeg_std_error", &found.standard_error) &&
                     find_libjpeg_function(handle, "jpeg_CreateDecompress", &found.create) &&
                     find_libjpeg_function(handle, "jpeg_destroy_decompress", &found.destroy) &&
                     find_libjpeg_function(handle, "jpeg_mem_src", &found.set_memory) &&
                     find_libjpeg_function(handle, "jpeg_read_header", &found.read_header) &&
                     find_libjpeg_function(handle, "jpeg_has_multiple_scans", &found.has_several_scans) &&
                     find_libjpeg_function(handle, "jpeg_start_decompress", &found.start) &&
                     find_libjpeg_function(handle, "jpeg_crop_scanline", &found.crop) &&
                     find_libjpeg_function(handle, "jpeg_skip_scanlines", &found.skip) &&
                     find_libjpeg_function(handle, "jpeg_read_scanlines", &found.read) &&
                     find_libjpeg_function(handle, "jpeg_finish_decompress", &found.finish) &&
                     find_libjpeg_function(handle, "jpeg_read_icc_profile", &since_2);
  if (whole) {
    found.version = ask_libjpeg(found, 0);
    if (found.version == 62 || found.version == 70 || found.version == 80) {
      const int size = ask_libjpeg(found, found.version);
      if (size >= static_cast<int>(sizeof(LibjpegDecoder))) {
        found.size = static_cast<size_t>(size);
        return new LibjpegFunctions(found);
      }
    }
  }
  dlclose(handle);
  return nullptr;
}

#endif

}  // namespace

const LibjpegFunctions* open_libjpeg() {
#if defined(__unix__) || defined(__APPLE__)
  for (const char* name : kLibjpegNames) {
    if (const LibjpegFunctions* found = open_libjpeg_at(name)) return found;
  }
#endif
  return nullptr;
}

}  // namespace mixgrad::io
