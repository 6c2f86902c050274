// Any bytes as a symbol file, given with the parameters of the repository's small network to a file cut to it and two others.
// What it accepts the whole file accepts, and gives the same numbers, to 1e-3. Its functions are called cut_MX...
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "steps.h"

#ifndef FUZZ_DATA
#define FUZZ_DATA "tests/data"
#endif

extern "C" {
decltype(MXGetLastError) cut_MXGetLastError;
decltype(MXPredCreate) cut_MXPredCreate;
decltype(MXPredReshape) cut_MXPredReshape;
decltype(MXPredSetInput) cut_MXPredSetInput;
decltype(MXPredForward) cut_MXPredForward;
decltype(MXPredGetOutputShape) cut_MXPredGetOutputShape;
decltype(MXPredGetOutputType) cut_MXPredGetOutputType;
decltype(MXPredGetOutput) cut_MXPredGetOutput;
decltype(MXPredFree) cut_MXPredFree;
}

namespace {

const fuzz::Functions kCut = {cut_MXGetLastError,      cut_MXPredCreate,    cut_MXPredReshape,
                              cut_MXPredSetInput,      cut_MXPredForward,   cut_MXPredGetOutputShape,
                              cut_MXPredGetOutputType, cut_MXPredGetOutput, cut_MXPredFree};

std::string parameters() {
  std::ifstream file(FUZZ_DATA "/predict/small.params", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  fuzz::demand(!bytes.empty());
  return bytes;
}

// Sums in another order differ; of numbers beyond the range of floats nothing is said.
bool near(float a, float b, float largest) {
  return !std::isfinite(a) || !std::isfinite(b) || std::fabs(a - b) <= 1e-3f * (1 + largest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string params = parameters();
  fuzz::prepare();
  const std::string json(reinterpret_cast<const char*>(data), size);
  for (const size_t bytes : {size_t{0}, params.size()}) {
    const fuzz::Outcome whole = fuzz::predict(json, params.data(), bytes);
    if (whole.refused_memory) continue;  // the cut file knows of no limit
    const fuzz::Outcome cut = fuzz::predict(json, params.data(), bytes, kCut);
    fuzz::demand(whole.made || !cut.made);
    if (!whole.ran || !cut.ran) continue;
    fuzz::demand(whole.values.size() == cut.values.size());
    float largest = 0;
    for (const float value : whole.values)
      largest = std::isfinite(value) ? std::max(largest, std::fabs(value)) : largest;
    for (size_t i = 0; i < whole.values.size(); ++i)
      fuzz::demand(near(whole.values[i], cut.values[i], largest));
  }
  return 0;
}
