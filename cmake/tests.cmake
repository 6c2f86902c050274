# Test and benchmark programs. Outside `all`: build them with the targets `tests`, `floor_tests`, `benchmarks`.
enable_testing()
add_custom_target(tests)
add_custom_target(benchmarks)

# tests/cpp: one program for all floors, linked to the objects, so that it reaches what the library hides.
file(GLOB_RECURSE cpp_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cpp/*.cc)
if(cpp_tests)
  list(APPEND cpp_tests ${PROJECT_SOURCE_DIR}/tests/allocation/fail_new.cc)  # these programs' operator new
  add_executable(mixgrad_tests EXCLUDE_FROM_ALL ${cpp_tests})
  target_include_directories(mixgrad_tests PRIVATE tests/cpp)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/cpp/op_files_test.cc PROPERTIES
                              COMPILE_DEFINITIONS PROJECT_SOURCE="${PROJECT_SOURCE_DIR}")
  target_link_libraries(mixgrad_tests PRIVATE mixgrad_objects)
  add_dependencies(tests mixgrad_tests)
  add_test(NAME cpp COMMAND mixgrad_tests)

  # The floors where threads and memory are managed, with the operators that their tests use: what the sanitizers check in
  # every test run. In few large pieces, which compile in a third of the time.
  set(floors "(base|device|storage|engine|array|files|graph|exec|net|kvstore|io)")
  set(floor_sources ${mixgrad_sources})
  list(FILTER floor_sources INCLUDE REGEX "/cpp/(kernels|op|launch|kernel_source|ops|${floors})/")
  set(unused "contrib|correlation|crop|ctc|cumsum|deconv|diag|grid|bilinear|khatri|linalg|matrix|histogram|im2col|lrn")
  string(APPEND unused "|optimizer_[alm]|random_(array|multi|pdf|shuffle)|range|ravel|rnn|roi|sequence|spatial|upsampling")
  string(APPEND unused "|pad|gather_nd|group_norm|special|sort|adaptive|resample|interleaved|numpy_linalg|quantized")
  list(FILTER floor_sources EXCLUDE REGEX "/cpp/ops/(detection|quantization)/")
  list(FILTER floor_sources EXCLUDE REGEX "/cpp/(ops|kernels)/[a-z]+/(${unused})[a-z_]*\\.cc$")
  set(floor_tests ${cpp_tests})
  list(FILTER floor_tests INCLUDE REGEX "/tests/(cpp/(main|${floors}(_[a-z0-9_]+)?)|allocation/fail_new)\\.cc$")
  # Times of large graphs mean nothing under a sanitizer, and take minutes.
  list(FILTER floor_tests EXCLUDE REGEX "/graph_scale_test\\.cc$")
  mixgrad_add_objects(mixgrad_floor_objects EXCLUDE_FROM_ALL ${floor_sources})
  add_executable(mixgrad_floor_tests EXCLUDE_FROM_ALL ${floor_tests})
  target_include_directories(mixgrad_floor_tests PRIVATE tests/cpp)
  target_link_libraries(mixgrad_floor_tests PRIVATE mixgrad_floor_objects)
  set_target_properties(mixgrad_floor_objects PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  target_compile_options(mixgrad_floor_objects PRIVATE -Wno-subobject-linkage)

  # The loops with vectors: matrix products and convolutions, alone. What every processor runs in the tests of targets.
  set(kernel_sources ${mixgrad_sources})
  list(FILTER kernel_sources INCLUDE REGEX "/cpp/(base|device|kernels)/")
  set(kernel_tests ${cpp_tests})
  list(FILTER kernel_tests INCLUDE REGEX "/tests/cpp/(main|kernels_gemm_test|kernels_conv_plan_test)\\.cc$")
  mixgrad_add_objects(mixgrad_kernel_objects EXCLUDE_FROM_ALL ${kernel_sources})
  add_executable(mixgrad_kernel_tests EXCLUDE_FROM_ALL ${kernel_tests})
  target_include_directories(mixgrad_kernel_tests PRIVATE tests/cpp)
  target_link_libraries(mixgrad_kernel_tests PRIVATE mixgrad_kernel_objects)
  set_target_properties(mixgrad_kernel_objects PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  target_compile_options(mixgrad_kernel_objects PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# tests/operators: random calls of operators, linked to the objects for the outputs that users do not see.
file(GLOB operator_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/operators/*.cc)
if(operator_tests AND UNIX)
  add_executable(random_calls EXCLUDE_FROM_ALL ${operator_tests})
  target_link_libraries(random_calls PRIVATE mixgrad_objects)
  add_dependencies(tests random_calls)
endif()

# tests/kernels: writes the source of every kernel whose text is kept.
if(EXISTS ${PROJECT_SOURCE_DIR}/tests/kernels/kernel_sources.cc)
  add_executable(kernel_sources EXCLUDE_FROM_ALL tests/kernels/kernel_sources.cc)
  target_link_libraries(kernel_sources PRIVATE mixgrad_objects)
  add_dependencies(tests kernel_sources)
endif()

# docs/first-operator.md: the library with the operators of that page, for the test that runs its cases.
find_package(Python3 COMPONENTS Interpreter)
set(first_page ${PROJECT_SOURCE_DIR}/docs/first-operator.md)
set(first_reader ${PROJECT_SOURCE_DIR}/tests/first_operator/page.py)
if(Python3_Interpreter_FOUND AND has_libraries AND NOT MIXGRAD_SANITIZE AND EXISTS ${first_page})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${first_page} ${first_reader})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${first_reader} ${CMAKE_BINARY_DIR}/first_operator
                  OUTPUT_VARIABLE first_sources COMMAND_ERROR_IS_FATAL ANY)
  mixgrad_add_objects(first_operator_objects EXCLUDE_FROM_ALL ${first_sources})
  target_compile_options(first_operator_objects PRIVATE -Werror)
  add_library(first_operator SHARED EXCLUDE_FROM_ALL include/mixgrad/version.h)
  target_link_libraries(first_operator PRIVATE mixgrad_objects first_operator_objects)
  set_target_properties(first_operator PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME mixgrad
                                                  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/first_operator)
  add_dependencies(tests first_operator)
endif()

# tests/c: one C99 or C++ program per file, a client of the library like any other.
file(GLOB c_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/c/*.c ${PROJECT_SOURCE_DIR}/tests/c/*.cc)
foreach(source IN LISTS c_tests)
  get_filename_component(name ${source} NAME_WE)
  add_executable(c_${name} EXCLUDE_FROM_ALL ${source})
  target_compile_options(c_${name} PRIVATE -pedantic -Werror)
  target_compile_definitions(c_${name} PRIVATE PREDICT_DATA="${PROJECT_SOURCE_DIR}/tests/data/predict")
  target_include_directories(c_${name} PRIVATE tests/data/predict)
  target_link_libraries(c_${name} PRIVATE mixgrad)
  if(TARGET Threads::Threads)
    target_link_libraries(c_${name} PRIVATE Threads::Threads)
  endif()
  set_target_properties(c_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/c)
  add_dependencies(tests c_${name})
  add_test(NAME c_${name} COMMAND c_${name})
endforeach()

# tests/targets: a program over the single file, which tools/targets.py runs on every processor.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  set(single ${CMAKE_BINARY_DIR}/single)
  file(GLOB amalgamation CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/amalgam*.py)
  add_custom_command(OUTPUT ${single}/mixgrad-all.cc ${single}/mixgrad-all.h
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/amalgamate.py --write ${single}
    DEPENDS ${mixgrad_sources} ${amalgamation})
  add_executable(target_predict EXCLUDE_FROM_ALL tests/targets/predict.c ${single}/mixgrad-all.cc)
  target_include_directories(target_predict PRIVATE ${single})
  target_link_libraries(target_predict PRIVATE mixgrad_system)
  set_target_properties(target_predict PROPERTIES LINKER_LANGUAGE CXX C_EXTENSIONS ON C_STANDARD 11)

  # The predict functions' own test over the file that is cut to its network. That file has no exceptions, by means that
  # every compiler has its own ways with.
  set(cut ${CMAKE_BINARY_DIR}/cut)
  set(cut_data ${PROJECT_SOURCE_DIR}/tests/data/predict)
  add_custom_command(OUTPUT ${cut}/mixgrad-all.cc ${cut}/mixgrad-all.h
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/amalgamate.py --write ${cut}
            --model ${cut_data}/small-symbol.json
    DEPENDS ${mixgrad_sources} ${amalgamation} ${cut_data}/small-symbol.json)
  add_executable(target_cut EXCLUDE_FROM_ALL tests/c/predict.c ${cut}/mixgrad-all.cc)
  target_compile_options(target_cut PRIVATE -Werror)
  target_compile_definitions(target_cut PRIVATE PREDICT_DATA="${cut_data}")
  target_include_directories(target_cut PRIVATE include ${cut_data})
  target_link_libraries(target_cut PRIVATE mixgrad_system)
  set_target_properties(target_cut PROPERTIES LINKER_LANGUAGE CXX)
endif()

file(GLOB benchmark_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*.cc)
foreach(source IN LISTS benchmark_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(bench_${name} PRIVATE mixgrad_objects)
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
  add_dependencies(benchmarks bench_${name})
endforeach()
# What travels between processes, beside plain TCP.
if(UNIX)
  add_executable(bench_transport EXCLUDE_FROM_ALL benchmarks/network/transport_bench.cc)
  target_link_libraries(bench_transport PRIVATE mixgrad_objects)
  set_target_properties(bench_transport PROPERTIES
    OUTPUT_NAME transport_bench RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
  add_dependencies(benchmarks bench_transport)
endif()
# The peer of one of them, where it is installed (pip install onednn-cpu-gomp onednn-devel-cpu-gomp).
find_package(dnnl CONFIG QUIET)
if(dnnl_FOUND)
  target_link_libraries(bench_conv_plan_bench PRIVATE DNNL::dnnl)
  target_compile_definitions(bench_conv_plan_bench PRIVATE BENCH_ONEDNN=1)
endif()
