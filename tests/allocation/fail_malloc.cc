// Preloaded beside fail_new.cc: malloc fails, too, where libmixgrad itself calls it. Other libraries' calls are served.
#include <dlfcn.h>

#include <cstddef>
#include <cstring>

#include "fail_new.h"

extern "C" void* __libc_malloc(std::size_t size);

namespace {

bool in_mixgrad(const void* code) {
  Dl_info info;
  return dladdr(code, &info) != 0 && std::strstr(info.dli_fname, "libmixgrad") != nullptr;
}

}  // namespace

extern "C" void* malloc(std::size_t size) {
  static thread_local bool inside = false;  // dladdr may allocate
  if (inside || !fail_new_counts()) return __libc_malloc(size);
  inside = true;
  const bool refused = in_mixgrad(__builtin_return_address(0)) && fail_new_refuses() != 0;
  inside = false;
  return refused ? nullptr : __libc_malloc(size);
}
