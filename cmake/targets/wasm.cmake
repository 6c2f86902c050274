# WebAssembly with 128-bit vectors and one thread: Debian's emscripten, run here by Node.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_C_FLAGS_INIT "-msimd128 -fwasm-exceptions")
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fwasm-exceptions")
# Programs grow as they need memory, and see this machine's files.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-sALLOW_MEMORY_GROWTH -sNODERAWFS -sEXIT_RUNTIME")
# This emscripten takes Node's own fetch for a browser's.
set(CMAKE_CROSSCOMPILING_EMULATOR node;--no-experimental-fetch)
# Where Debian keeps what emscripten's linker asks of Node.
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "env NODE_PATH=/usr/share/nodejs")
