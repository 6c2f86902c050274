# What is installed for programs that use the library: it, the headers of C and C++, a CMake package (find_package(mixgrad),
# target mixgrad::mixgrad) and mixgrad.pc for pkg-config. In a wheel all of it lies inside the Python package. Nothing of it
# names a place: an installed tree may be moved.
if(NOT has_libraries)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
if(SKBUILD)
  set(library_dir mixgrad)
  set(include_dir mixgrad/include)
  set(cmake_dir mixgrad/cmake)
  set(pkgconfig_dir mixgrad/pkgconfig)
else()
  set(library_dir ${CMAKE_INSTALL_LIBDIR})
  set(include_dir ${CMAKE_INSTALL_INCLUDEDIR})
  set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mixgrad)
  set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

install(TARGETS mixgrad EXPORT mixgrad LIBRARY DESTINATION ${library_dir} INCLUDES DESTINATION ${include_dir})
install(DIRECTORY include/mixgrad include/mxnet languages/cpp/mixgrad DESTINATION ${include_dir}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES languages/cpp/mixgrad.hpp languages/c/mixgrad_ops.h languages/c/mixgrad_calls.h
        DESTINATION ${include_dir})

install(EXPORT mixgrad NAMESPACE mixgrad:: FILE mixgrad-config.cmake DESTINATION ${cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/install/mixgrad-config-version.cmake
                                 VERSION ${MIXGRAD_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/install/mixgrad-config-version.cmake DESTINATION ${cmake_dir})

# The folders as paths from mixgrad.pc's own. Who installs may have named them absolutely.
foreach(dir library_dir include_dir pkgconfig_dir)
  cmake_path(ABSOLUTE_PATH ${dir} BASE_DIRECTORY /prefix OUTPUT_VARIABLE ${dir}_from_root)
endforeach()
file(RELATIVE_PATH MIXGRAD_PC_LIBRARY ${pkgconfig_dir_from_root} ${library_dir_from_root})
file(RELATIVE_PATH MIXGRAD_PC_INCLUDE ${pkgconfig_dir_from_root} ${include_dir_from_root})
configure_file(cmake/mixgrad.pc.in ${CMAKE_CURRENT_BINARY_DIR}/install/mixgrad.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/install/mixgrad.pc DESTINATION ${pkgconfig_dir})
