// The part of oneDNN's C interface that is used here, found in its shared library while the program runs: neither headers nor
// the library are needed to build. Names, arguments and numbers are those of its major version 3, which keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mixgrad::onednn {

// What the library's handles point to.
struct EngineObject;
struct StreamObject;
struct MemoryObject;
struct MemoryDescObject;
struct PrimitiveObject;
struct PrimitiveDescObject;
struct AttributesObject;

// Its enumerations.
enum : int { kSuccess = 0, kOutOfMemory = 1 };                          // results
enum : int { kFloat16 = 1, kBfloat16 = 2, kFloat32 = 3, kNoType = 0 };  // data types
enum : int { kAny = 1, kBlocked4d = 78, kBlocked5d = 121 };             // format tags: any, nChw16c, nCdhw16c
enum : int { kCpu = 1, kDefaultStream = 1, kForwardTraining = 64, kDirectConvolution = 1 };
enum : int {
  kQueryImplementation = 8,
  kQuerySrc = 129,
  kQueryDiffSrc = 130,
  kQueryWeights = 131,
  kQueryDiffWeights = 132,
  kQueryDst = 133,
  kQueryDiffDst = 134
};
enum : int {
  kArgSrc = 1,
  kArgDst = 17,
  kArgWeights = 33,
  kArgBias = 41,
  kArgDiffSrc = 129,
  kArgDiffDst = 145,
  kArgDiffWeights = 161,
  kArgFrom = 1,
  kArgTo = 17
};
constexpr int kAvx512Bfloat16 = 231;  // an instruction set, and those beyond it
constexpr int kOpenMpRuntime = 2;
constexpr int kMostAxes = 12;

struct LibraryVersion {
  int major, minor, patch;
  const char* hash;
  unsigned cpu_runtime, gpu_runtime;
};

struct Argument {
  int name;
  MemoryObject* memory;
};

// Its functions by their names without "dnnl_", and those of the OpenMP that it brings.
struct Library {
  const LibraryVersion* (*version)();
  int (*get_effective_cpu_isa)();
  int (*engine_create)(EngineObject** out, int kind, size_t index);
  int (*engine_destroy)(EngineObject* engine);
  int (*stream_create)(StreamObject** out, EngineObject* engine, unsigned flags);
  int (*stream_destroy)(StreamObject* stream);
  int (*memory_desc_create_with_strides)(MemoryDescObject** out, int axes, const int64_t* extents, int type,
                                         const int64_t* strides);
  int (*memory_desc_create_with_tag)(MemoryDescObject** out, int axes, const int64_t* extents, int type,
                                     int tag);
  int (*memory_desc_clone)(MemoryDescObject** out, const MemoryDescObject* desc);
  int (*memory_desc_equal)(const MemoryDescObject* a, const MemoryDescObject* b);
  size_t (*memory_desc_get_size)(const MemoryDescObject* desc);
  int (*memory_desc_destroy)(MemoryDescObject* desc);
  int (*memory_create)(MemoryObject** out, const MemoryDescObject* desc, EngineObject* engine, void* data);
  int (*memory_destroy)(MemoryObject* memory);
  int (*matmul_primitive_desc_create)(PrimitiveDescObject** out, EngineObject* engine,
                                      const MemoryDescObject* src, const MemoryDescObject* weights,
                                      const MemoryDescObject* bias, const MemoryDescObject* dst,
                                      const AttributesObject* attributes);
  int (*convolution_forward_primitive_desc_create)(PrimitiveDescObject** out, EngineObject* engine, int kind,
                                                   int algorithm, const MemoryDescObject* src,
                                                   const MemoryDescObject* weights,
                                                   const MemoryDescObject* bias, const MemoryDescObject* dst,
                                                   const int64_t* strides, const int64_t* dilates,
                                                   const int64_t* pad_low, const int64_t* pad_high,
                                                   const AttributesObject* attributes);
  int (*convolution_backward_data_primitive_desc_create)(
      PrimitiveDescObject** out, EngineObject* engine, int algorithm, const MemoryDescObject* diff_src,
      const MemoryDescObject* weights, const MemoryDescObject* diff_dst, const int64_t* strides,
      const int64_t* dilates, const int64_t* pad_low, const int64_t* pad_high,
      const PrimitiveDescObject* forward, const AttributesObject* attributes);
  int (*convolution_backward_weights_primitive_desc_create)(
      PrimitiveDescObject** out, EngineObject* engine, int algorithm, const MemoryDescObject* src,
      const MemoryDescObject* diff_weights, const MemoryDescObject* diff_bias,
      const MemoryDescObject* diff_dst, const int64_t* strides, const int64_t* dilates,
      const int64_t* pad_low, const int64_t* pad_high, const PrimitiveDescObject* forward,
      const AttributesObject* attributes);
  int (*reorder_primitive_desc_create)(PrimitiveDescObject** out, const MemoryDescObject* from,
                                       EngineObject* from_engine, const MemoryDescObject* to,
                                       EngineObject* to_engine, const AttributesObject* attributes);
  int (*primitive_desc_query)(const PrimitiveDescObject* desc, int what, int index, void* result);
  const MemoryDescObject* (*primitive_desc_query_md)(const PrimitiveDescObject* desc, int what, int index);
  int (*primitive_desc_destroy)(PrimitiveDescObject* desc);
  int (*primitive_create)(PrimitiveObject** out, const PrimitiveDescObject* desc);
  int (*primitive_execute)(const PrimitiveObject* primitive, StreamObject* stream, int count,
                           const Argument* arguments);
  int (*primitive_destroy)(PrimitiveObject* primitive);
  int (*sgemm)(char transpose_a, char transpose_b, int64_t m, int64_t n, int64_t k, float alpha,
               const float* a, int64_t lda, const float* b, int64_t ldb, float beta, float* c, int64_t ldc);

  int (*omp_get_max_threads)();
  void (*omp_set_num_threads)(int count);
  int (*omp_get_num_procs)();
  void (*omp_parallel)(void (*body)(void*), void* context, unsigned threads, unsigned flags);
};

// The functions of the library that load.cc has loaded. Only called by what runs after that.
const Library& library();

template <class T, int (*Library::*kDestroy)(T*)>
struct Destroy {
  void operator()(T* object) const { (library().*kDestroy)(object); }
};
using Engine = std::unique_ptr<EngineObject, Destroy<EngineObject, &Library::engine_destroy>>;
using Stream = std::unique_ptr<StreamObject, Destroy<StreamObject, &Library::stream_destroy>>;
using Memory = std::unique_ptr<MemoryObject, Destroy<MemoryObject, &Library::memory_destroy>>;
using MemoryDesc =
    std::unique_ptr<MemoryDescObject, Destroy<MemoryDescObject, &Library::memory_desc_destroy>>;
using Primitive = std::unique_ptr<PrimitiveObject, Destroy<PrimitiveObject, &Library::primitive_destroy>>;
using PrimitiveDesc =
    std::unique_ptr<PrimitiveDescObject, Destroy<PrimitiveDescObject, &Library::primitive_desc_destroy>>;

// Throws Status::out_of_memory, or Status::unsupported for whatever else the library refuses.
void expect_success(int result);

// An object made by the function whose first argument takes it: create<Engine>(&Library::engine_create, ...).
template <class Owner, class Function, class... Args>
Owner create(Function Library::*function, const Args&... args) {
  typename Owner::pointer made = nullptr;
  expect_success((library().*function)(&made, args...));
  return Owner(made);
}

}  // namespace mixgrad::onednn
