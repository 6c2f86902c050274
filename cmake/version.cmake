# Reads the version from the public header, the one place that states it.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/mixgrad/version.h version_lines
     REGEX "^#define MG_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${CMAKE_CURRENT_LIST_DIR}/../include/mixgrad/version.h)
set(MIXGRAD_VERSION "")
foreach(part MAJOR MINOR PATCH)
  if(NOT "${version_lines}" MATCHES "MG_VERSION_${part} ([0-9]+)")
    message(FATAL_ERROR "include/mixgrad/version.h has no line '#define MG_VERSION_${part} <number>'")
  endif()
  list(APPEND MIXGRAD_VERSION ${CMAKE_MATCH_1})
endforeach()
list(JOIN MIXGRAD_VERSION "." MIXGRAD_VERSION)
