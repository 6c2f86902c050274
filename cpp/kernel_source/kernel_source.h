// Source text of kernels for devices whose compiler runs beside the program (NVRTC): the kept text of a scalar expression
// or the header of a formula, in a loop skeleton.
#pragma once

#include <string>
#include <vector>

#include "kernel_source/kernel_text.h"
#include "op/op.h"

namespace mixgrad {

// A kernel whose text is kept: of a pointwise operator, or listed (kernel_source/kernel_text.h).
struct Kernel {
  std::string name;  // the operator's, <file>_<line> of a loop that has none, or <x>_<Formula>
  KernelKind kind = KernelKind::pointwise;
  const char* text = nullptr;
  int operands = 1;                // inputs of an expression, states of an update
  bool integers = false;           // an expression that is computed in int32 and int64, too
  const Schema* schema = nullptr;  // of an expression's p
};
// All of them by name; registered operators are in the order of the registry.
std::vector<Kernel> all_kernels();

// Whether the kernel computes in that type, and the name of the __global__ function that does.
bool has_entry(const Kernel& kernel, ComputeType type);
std::string kernel_entry(const Kernel& kernel, ComputeType type);

// One program of all entries of these kernels. Their parameters, arrays being contiguous and of the compute type, which is T:
//   pointwise: const T* x, [const T* y, [const T* z,]] T* out, int64_t n, Params p      out may be an input
//   update:    const T* weight, const T* grad, T* out, T* states..., int64_t n, F<T> f  out may be weight
//   random:    const T* x, T* factor, T* out, int64_t n, RandomKey key, F<T> f          out may be x
// Any grid and block of one axis will do. Params is what pack_kernel_params writes.
std::string kernel_source(Span<const Kernel> kernels);
// What the compiler must be told beside the architecture.
inline constexpr const char* kKernelOptions[] = {"--std=c++17", "-default-device"};

// The struct Params of a kernel: the fields of the parameter struct that are one number each (enumerations are int32_t), in
// the order of their description; others, and optional ones, are not there.
size_t kernel_params_size(const Schema& schema);
void pack_kernel_params(const Schema& schema, const void* params, void* to);

// The headers that sources include, by the names that they include: the library's own, as the CPU's kernels are compiled from
// them, and empty ones in place of the C++ library's. The build generates the list (cmake/kernel_headers.cmake).
struct KernelHeader {
  const char* name;
  const char* text;
};
Span<const KernelHeader> kernel_headers();

}  // namespace mixgrad
