/* The version of mixgrad. CMake and pyproject.toml read it from here. */
#ifndef MIXGRAD_VERSION_H
#define MIXGRAD_VERSION_H

#define MG_VERSION_MAJOR 0
#define MG_VERSION_MINOR 1
#define MG_VERSION_PATCH 0

#define MG_VERSION_QUOTE_(x) #x
#define MG_VERSION_JOIN_(a, b, c) MG_VERSION_QUOTE_(a) "." MG_VERSION_QUOTE_(b) "." MG_VERSION_QUOTE_(c)
/* The three numbers as text: "major.minor.patch". */
#define MG_VERSION MG_VERSION_JOIN_(MG_VERSION_MAJOR, MG_VERSION_MINOR, MG_VERSION_PATCH)

#endif
