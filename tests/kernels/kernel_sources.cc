// Writes what tests/python/operators/test_kernel_texts.py compiles:
//
//   kernel_sources FOLDER [kernels in one program]
//
// FOLDER/headers/<name> for every header, FOLDER/<number>.cu for every program, and to standard output one line of each
// option for the compiler ("option TEXT") and of each entry ("NUMBER KIND KERNEL ENTRY").
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kernel_source/kernel_source.h"

using namespace mixgrad;

namespace {

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

const char* name_of(KernelKind kind) {
  switch (kind) {
    case KernelKind::pointwise: return "pointwise";
    case KernelKind::update: return "update";
    case KernelKind::random: return "random";
  }
  return "";
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::fprintf(stderr, "usage: kernel_sources FOLDER [kernels in one program]\n"), 2;
  const std::filesystem::path folder = arguments[1];
  const size_t most = count > 2 ? static_cast<size_t>(std::atoi(arguments[2])) : 16;
  for (const KernelHeader& header : kernel_headers())
    write_file(folder / "headers" / header.name, header.text);
  for (const char* option : kKernelOptions) std::printf("option %s\n", option);
  const std::vector<Kernel> kernels = all_kernels();
  for (size_t first = 0, number = 0; first < kernels.size(); first += most, ++number) {
    const size_t size = std::min(most, kernels.size() - first);
    const Span<const Kernel> part(kernels.data() + first, size);
    write_file(folder / (std::to_string(number) + ".cu"), kernel_source(part));
    for (const Kernel& kernel : part) {
      for (int type = 0; type < kNumComputeTypes; ++type) {
        if (!has_entry(kernel, static_cast<ComputeType>(type))) continue;
        std::printf("%zu %s %s %s\n", number, name_of(kernel.kind), kernel.name.c_str(),
                    kernel_entry(kernel, static_cast<ComputeType>(type)).c_str());
      }
    }
  }
}
