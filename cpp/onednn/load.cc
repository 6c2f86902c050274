// Loads oneDNN's shared library when a program asks for it, and offers its kernels to the operators.
#include <dlfcn.h>

#include <mutex>

#include "base/at_exit.h"
#include "base/error.h"
#include "base/fork_mutex.h"
#include "kernels/backend/nn_library.h"
#include "onednn/backend.h"
#include "onednn/context.h"
#include "onednn/keep_objects.h"

namespace mixgrad::onednn {
namespace {

Library loaded_functions;
void* loaded_handle = nullptr;
ForkMutex loading;

// Of the library or of those it is linked to.
template <class Function>
void find(void* handle, const char* name, Function** function) {
  void* const symbol = dlsym(handle, name);
  if (!symbol) fail(Status::format, "[onednn] the library has no function ", name, "; expected oneDNN 3");
  *function = reinterpret_cast<Function*>(symbol);
}

void find_functions(void* handle, Library* to) {
  find(handle, "dnnl_version", &to->version);
  const LibraryVersion& version = *to->version();
  if (version.major != 3 || version.cpu_runtime != kOpenMpRuntime) {
    fail(Status::unsupported, "[onednn] the library is version ", version.major, '.', version.minor, '.',
         version.patch, " on runtime ", version.cpu_runtime, "; expected version 3 on GNU OpenMP (runtime ",
         kOpenMpRuntime, ')');
  }
  find(handle, "dnnl_get_effective_cpu_isa", &to->get_effective_cpu_isa);
  find(handle, "dnnl_engine_create", &to->engine_create);
  find(handle, "dnnl_engine_destroy", &to->engine_destroy);
  find(handle, "dnnl_stream_create", &to->stream_create);
  find(handle, "dnnl_stream_destroy", &to->stream_destroy);
  find(handle, "dnnl_memory_desc_create_with_strides", &to->memory_desc_create_with_strides);
  find(handle, "dnnl_memory_desc_create_with_tag", &to->memory_desc_create_with_tag);
  find(handle, "dnnl_memory_desc_clone", &to->memory_desc_clone);
  find(handle, "dnnl_memory_desc_equal", &to->memory_desc_equal);
  find(handle, "dnnl_memory_desc_get_size", &to->memory_desc_get_size);
  find(handle, "dnnl_memory_desc_destroy", &to->memory_desc_destroy);
  find(handle, "dnnl_memory_create", &to->memory_create);
  find(handle, "dnnl_memory_destroy", &to->memory_destroy);
  find(handle, "dnnl_matmul_primitive_desc_create", &to->matmul_primitive_desc_create);
  find(handle, "dnnl_convolution_forward_primitive_desc_create",
       &to->convolution_forward_primitive_desc_create);
  find(handle, "dnnl_convolution_backward_data_primitive_desc_create",
       &to->convolution_backward_data_primitive_desc_create);
  find(handle, "dnnl_convolution_backward_weights_primitive_desc_create",
       &to->convolution_backward_weights_primitive_desc_create);
  find(handle, "dnnl_reorder_primitive_desc_create", &to->reorder_primitive_desc_create);
  find(handle, "dnnl_primitive_desc_query", &to->primitive_desc_query);
  find(handle, "dnnl_primitive_desc_query_md", &to->primitive_desc_query_md);
  find(handle, "dnnl_primitive_desc_destroy", &to->primitive_desc_destroy);
  find(handle, "dnnl_primitive_create", &to->primitive_create);
  find(handle, "dnnl_primitive_execute", &to->primitive_execute);
  find(handle, "dnnl_primitive_destroy", &to->primitive_destroy);
  find(handle, "dnnl_sgemm", &to->sgemm);
  find(handle, "omp_get_max_threads", &to->omp_get_max_threads);
  find(handle, "omp_set_num_threads", &to->omp_set_num_threads);
  find(handle, "omp_get_num_procs", &to->omp_get_num_procs);
  find(handle, "GOMP_parallel", &to->omp_parallel);
}

void load(const char* path) {
  const std::lock_guard<ForkMutex> guard(loading);
  void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fail(Status::not_found, "[onednn] ", dlerror());
  if (!loaded_handle) {
    Library functions;
    find_functions(handle, &functions);
    if (!keep_objects_of(reinterpret_cast<const void*>(functions.sgemm)))
      fail(Status::unsupported,
           "[onednn] this system does not let the library's static objects be kept at exit");
    end_work_before_statics();  // those that exist by now
    loaded_functions = functions;
    Context::get();  // fails now if its engine cannot be made here
    loaded_handle = handle;
  } else if (handle != loaded_handle) {
    fail(Status::invalid_argument, "[onednn] got ", path,
         " after another oneDNN was loaded; a process has one");
  }
  nn_backend::set_backend(&backend());
}

const bool kLoaderRegistered = nn_backend::register_loader(load);

}  // namespace

const Library& library() { return loaded_functions; }

}  // namespace mixgrad::onednn
