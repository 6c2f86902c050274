// What the fuzzers do with networks and parameters, by the functions that programs call. Everything either works or fails with
// a message; a failure without one, or an answer that contradicts another, is a find.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mixgrad-all.h"

namespace fuzz {

// Ends the program when a call contradicts itself.
inline void demand(bool holds) {
  if (!holds) __builtin_trap();
}

// Serial engine, one thread, and few enough megabytes that arrays of absurd shapes are refused. Once is enough.
void prepare();

// Whether a call succeeded; a failure must have a message of the usual form, "[operator] ...".
bool worked(mg_status status);
bool predicted(int status, decltype(&MXGetLastError) last_error = MXGetLastError);

// All arrays of a list: extents, names, elements. Destroys the list.
void read_all(mg_array_list* list);

// MXNet's predict functions, of this file or of another.
struct Functions {
  decltype(&MXGetLastError) last_error;
  decltype(&MXPredCreate) create;
  decltype(&MXPredReshape) reshape;
  decltype(&MXPredSetInput) set_input;
  decltype(&MXPredForward) forward;
  decltype(&MXPredGetOutputShape) output_shape;
  decltype(&MXPredGetOutputType) output_type;
  decltype(&MXPredGetOutput) output;
  decltype(&MXPredFree) free;
};
extern const Functions kOwn;

// What came of a network.
struct Outcome {
  bool refused_memory = false;  // a call failed for want of memory
  bool made = false, ran = false;
  std::vector<float> values;  // outputs of all runs
};
// A network by those functions: inference with each of a few input shapes and by the shapes in the file, a predictor for
// the first that fits, and a run of it where the arrays are small.
Outcome predict(const std::string& json, const void* params, size_t bytes, const Functions& functions = kOwn);

// A file that lives in memory, for functions that take a path.
class MemoryFile {
 public:
  MemoryFile(const void* data, size_t bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  const char* path() const { return path_.c_str(); }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace fuzz
