#include "io/jpeg_library.h"

#include <atomic>
#include <mutex>
#include <string>

#include "base/error.h"
#include "base/fork_mutex.h"
#include "base/per_thread.h"
#include "io/jpeg_rows.h"
#include "io/jpeg_warnings.h"
#include "io/libjpeg.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#endif

namespace mixgrad::io {
namespace {

enum JpegPixels : int { kJpegRgb = 0, kJpegBgr = 1, kJpegGray = 6 };
enum JpegFlags : int { kJpegLimitScans = 32768 };  // hundreds of scans that change nothing are an attack

// What a thread decodes with. A library that is loaded later gets a new one.
struct JpegHandle {
  const JpegFunctions* library = nullptr;
  void* handle = nullptr;
  ~JpegHandle() {
    if (handle) library->destroy(handle);
  }
  void* of(const JpegFunctions& wanted) {
    if (library != &wanted) {
      if (handle) library->destroy(handle);
      library = &wanted;
      handle = wanted.init_decompress();
    }
    if (!handle) fail(Status::out_of_memory, "[image] libturbojpeg has no memory for a decoder");
    return handle;
  }
};

struct JpegLoader {
  ForkMutex loading;
  std::atomic<const JpegFunctions*> functions{nullptr};
  std::atomic<bool> looked{false};
};
JpegLoader& jpeg_loader() {
  static auto* loader = new JpegLoader;
  return *loader;
}

#if defined(__unix__) || defined(__APPLE__)
#if defined(__APPLE__)
constexpr const char* kJpegLibrary = "libturbojpeg.dylib";
#else
constexpr const char* kJpegLibrary = "libturbojpeg.so.0";
#endif

template <class Fn>
void find_jpeg_function(void* handle, const char* path, const char* name, Fn* to) {
  *to = reinterpret_cast<Fn>(dlsym(handle, name));
  if (!*to) fail(Status::format, "[image] ", path, " has no ", name, "; expected libturbojpeg 2 or 3");
}

const JpegFunctions* open_jpeg_library(const char* path) {
  const bool named = path && *path;
  if (!named) path = kJpegLibrary;
  void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  JpegFunctions found{};
  if (!handle) {
    const std::string reason = dlerror();
    if (!named) found.parts = open_libjpeg();
    if (!found.parts) fail(Status::not_found, "[image] ", reason);
    return new JpegFunctions(found);
  }
  find_jpeg_function(handle, path, "tjInitDecompress", &found.init_decompress);
  find_jpeg_function(handle, path, "tjDecompress2", &found.decompress);
  find_jpeg_function(handle, path, "tjDestroy", &found.destroy);
  find_jpeg_function(handle, path, "tjGetErrorStr2", &found.error_text);
  find_jpeg_function(handle, path, "tjGetErrorCode", &found.error_code);
  if (!named) found.parts = open_libjpeg();
  return new JpegFunctions(found);  // threads may be using those before
}
#else
const JpegFunctions* open_jpeg_library(const char*) {
  fail(Status::unsupported, "[image] this system does not load libraries at run time");
}
#endif

}  // namespace

const JpegFunctions* jpeg_functions() {
  JpegLoader& loader = jpeg_loader();
  if (!loader.looked.load(std::memory_order_acquire)) {
    const std::lock_guard<ForkMutex> guard(loader.loading);
    if (!loader.looked.load(std::memory_order_relaxed)) {
      try {
        loader.functions.store(open_jpeg_library(nullptr), std::memory_order_release);
      } catch (const Error&) {
        // The system has none: other decoders take its place.
      }
      loader.looked.store(true, std::memory_order_release);
    }
  }
  return loader.functions.load(std::memory_order_acquire);
}

void load_jpeg_library(const char* path) {
  JpegLoader& loader = jpeg_loader();
  const std::lock_guard<ForkMutex> guard(loader.loading);
  loader.functions.store(open_jpeg_library(path), std::memory_order_release);
  loader.looked.store(true, std::memory_order_release);
}

void decode_jpeg(const JpegFunctions& library, Bytes bytes, const PictureRequest& request,
                 const PictureSize& size, uint8_t* out) {
  if (!library.decompress) return decode_jpeg_rows(*library.parts, bytes, request, size, out);
  void* const handle = per_thread<JpegHandle>().of(library);
  const int pixels = size.channels == 1 ? kJpegGray : request.bgr ? kJpegBgr : kJpegRgb;
  const int failed = library.decompress(
      handle, bytes.data(), static_cast<unsigned long>(bytes.size()), out, static_cast<int>(size.width),
      static_cast<int>(size.width) * size.channels, static_cast<int>(size.height), pixels, kJpegLimitScans);
  if (!failed) return;
  // The library tells the first warning only, and pixels are decoded all the same. Where that one is harmless others are looked for.
  constexpr int kWarned = 0;  // of tjGetErrorCode
  const std::string reason = library.error_text(handle);
  if (!library.parts || library.error_code(handle) != kWarned ||
      !is_benign_jpeg_warning(reason.c_str(), JpegStage::header))
    fail(Status::format, "[image] JPEG is damaged: ", reason);
  check_jpeg(*library.parts, bytes);
}

}  // namespace mixgrad::io
