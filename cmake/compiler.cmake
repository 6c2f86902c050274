# Language level, warnings, optimisation and sanitizers, for every target.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

add_compile_options(-Wall -Wextra)

# What kernels may assume. Never -ffast-math: infinities, NaNs and the order of sums keep their meaning.
# Wide vectors are passed between our own objects only, so how they are passed is no one else's business: no-psabi.
set(MIXGRAD_KERNEL_FLAGS -fno-math-errno -fno-trapping-math -ffunction-sections -fdata-sections -Wno-psabi)

# glibc keeps room for the thread-local variables of libraries that are loaded later: reaching one of ours is then an
# addition instead of a call. The whole library needs about 1.1 of its 1.6 KB. musl keeps none.
include(CheckCXXSymbolExists)
check_cxx_symbol_exists(__GLIBC__ features.h MIXGRAD_GLIBC)
set(MIXGRAD_THREAD_LOCAL_FLAGS $<$<BOOL:${MIXGRAD_GLIBC}>:-ftls-model=initial-exec>)

if(MIXGRAD_SANITIZE)
  add_compile_options(-fsanitize=${MIXGRAD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MIXGRAD_SANITIZE})
endif()

find_program(MIXGRAD_CCACHE ccache)
mark_as_advanced(MIXGRAD_CCACHE)
if(MIXGRAD_CCACHE)
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${MIXGRAD_CCACHE})
    endif()
  endforeach()
endif()

# System libraries that every object may use.
add_library(mixgrad_system INTERFACE)
if(NOT EMSCRIPTEN)  # whose programs have one thread unless all of them is built for more
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  target_link_libraries(mixgrad_system INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "riscv")
  target_link_libraries(mixgrad_system INTERFACE atomic)  # GCC's atomics of single bytes
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  target_link_libraries(mixgrad_system INTERFACE rt)  # shm_open before glibc 2.34
endif()
