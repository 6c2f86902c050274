// Parameters of _full, for those who call it without names and values.
#pragma once

#include <string>

#include "base/fields.h"

namespace mixgrad {

struct FullParams {
  Shape shape;
  std::string ctx;
  DType dtype = DType::float32;
  double value = 0;
  static void fields(Fields<FullParams>& f) {
    f.required("shape", &FullParams::shape, "Extents of the output; in a graph 0 or -1 is one that follows.",
               at_least(-1))
        .add("ctx", &FullParams::ctx,
             "Device such as 'cpu(0)'; only stored in files, calls use the current device.")
        .add("dtype", &FullParams::dtype, "Element type.")
        .required("value", &FullParams::value, "Every element.");
  }
};

}  // namespace mixgrad
