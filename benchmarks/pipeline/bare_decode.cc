// What libturbojpeg alone reaches: every picture of a record file decoded by a number of threads, and nothing else done.
//   bare_decode FILE.rec THREADS EIGHTHS SECONDS
// Reads the whole file first. Prints pictures per second. EIGHTHS: 8 for all pixels, 4, 2 or 1 of them each way.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

struct Library {
  void* (*init)();
  int (*header)(void*, const unsigned char*, unsigned long, int*, int*, int*, int*);
  int (*decompress)(void*, const unsigned char*, unsigned long, unsigned char*, int, int, int, int, int);
};

struct Picture {
  const unsigned char* data;
  size_t bytes;
};

std::vector<char> read_file(const char* path) {
  std::vector<char> bytes;
  FILE* const file = std::fopen(path, "rb");
  if (!file) return bytes;
  std::fseek(file, 0, SEEK_END);
  bytes.resize(static_cast<size_t>(std::ftell(file)));
  std::rewind(file);
  const size_t got = std::fread(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  bytes.resize(got);
  return bytes;
}

std::vector<Picture> pictures_of(const std::vector<char>& bytes) {
  std::vector<Picture> found;
  for (size_t at = 0; at + 32 <= bytes.size();) {
    uint32_t length;
    std::memcpy(&length, bytes.data() + at + 4, 4);
    length &= (1u << 29) - 1;
    found.push_back({reinterpret_cast<const unsigned char*>(bytes.data()) + at + 32, length - 24});
    at += 8 + (length + 3) / 4 * 4;
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "bare_decode FILE.rec THREADS EIGHTHS SECONDS\n"), 2;
  void* const handle = dlopen("libturbojpeg.so.0", RTLD_NOW);
  if (!handle) return std::fprintf(stderr, "%s\n", dlerror()), 1;
  Library library;
  library.init = reinterpret_cast<decltype(library.init)>(dlsym(handle, "tjInitDecompress"));
  library.header = reinterpret_cast<decltype(library.header)>(dlsym(handle, "tjDecompressHeader3"));
  library.decompress = reinterpret_cast<decltype(library.decompress)>(dlsym(handle, "tjDecompress2"));
  const std::vector<char> bytes = read_file(argv[1]);
  const std::vector<Picture> pictures = pictures_of(bytes);
  const int threads = std::atoi(argv[2]), eighths = std::atoi(argv[3]);
  const double limit = std::atof(argv[4]);
  std::atomic<size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> team;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < threads; ++i) {
    team.emplace_back([&] {
      void* const decoder = library.init();
      std::vector<unsigned char> out;
      while (!stop.load()) {
        const Picture& picture = pictures[next.fetch_add(1) % pictures.size()];
        int width, height, sampling, space;
        library.header(decoder, picture.data, picture.bytes, &width, &height, &sampling, &space);
        width = (width * eighths + 7) / 8, height = (height * eighths + 7) / 8;
        out.resize(static_cast<size_t>(width) * height * 3);
        if (library.decompress(decoder, picture.data, picture.bytes, out.data(), width, 0, height, 0, 0) == 0)
          ++done;
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(limit));
  stop = true;
  for (std::thread& thread : team) thread.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%.1f\n", static_cast<double>(done.load()) / seconds);
}
