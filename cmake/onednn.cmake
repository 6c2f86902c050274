# oneDNN from its PyPI wheels (onednn-devel-cpu-gomp: headers, onednn-cpu-gomp: libdnnl.so.3), of the active Python.
# The wheels put their files under the environment's prefix (include/, lib/), so the installed package, in
# lib/pythonX.Y/site-packages/mixgrad, reaches the library by a path relative to itself.
set(MIXGRAD_INSTALL_RPATH "$ORIGIN")
if(MIXGRAD_ONEDNN)
  find_package(Python 3.9 COMPONENTS Interpreter)
  set(onednn_files "")
  if(Python_Interpreter_FOUND)
    execute_process(
      COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/find_onednn.py
      OUTPUT_VARIABLE onednn_files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endif()
  if(NOT onednn_files)
    message(STATUS "The wheels onednn-devel-cpu-gomp and onednn-cpu-gomp are not installed: built without oneDNN")
    set(MIXGRAD_ONEDNN OFF)
  elseif(NOT MIXGRAD_OPENMP)
    # oneDNN would open a team of its own from any thread.
    message(STATUS "oneDNN runs in the OpenMP team, which is off: built without oneDNN")
    set(MIXGRAD_ONEDNN OFF)
  elseif(NOT "${OpenMP_CXX_LIB_NAMES}" MATCHES "gomp")
    # Two OpenMP runtimes in one process would each keep a team of threads and spin against each other.
    message(STATUS "This oneDNN uses GNU OpenMP and the compiler does not: built without oneDNN")
    set(MIXGRAD_ONEDNN OFF)
  else()
    list(GET onednn_files 0 onednn_include)
    list(GET onednn_files 1 onednn_library)
    add_library(mixgrad_onednn SHARED IMPORTED)
    set_target_properties(mixgrad_onednn PROPERTIES
      IMPORTED_LOCATION ${onednn_library} IMPORTED_SONAME libdnnl.so.3
      INTERFACE_INCLUDE_DIRECTORIES ${onednn_include})
    target_link_libraries(mixgrad_system INTERFACE mixgrad_onednn)
    # from site-packages/mixgrad to the prefix's lib
    list(APPEND MIXGRAD_INSTALL_RPATH "$ORIGIN/../../../../lib")
  endif()
endif()
