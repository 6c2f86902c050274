// One file that holds a whole model: a network, its parameters, and what belongs to them. docs/model-file.md describes
// the bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "files/weights.h"

namespace mixgrad {

inline constexpr uint32_t kModelFileVersion = 1;

struct ModelFile {
  // By name, in the file's order: "symbol" (JSON), and whatever else its maker added, such as "labels" and "input".
  std::vector<std::pair<std::string, std::string>> texts;
  NamedArrays arrays;
  WeightForm form = WeightForm::float32;  // in which the file holds, or is to hold, the weights

  // Null where there is none of that name.
  const std::string* text(const std::string& name) const;
};

// Throws Status::invalid_argument for names that are empty, too long or given twice. The caller commits.
void write_model(ByteSink& sink, const ModelFile& model);

// True for the first bytes of a model file.
bool looks_like_model(const void* data, uint64_t bytes);

// Weights come back as float32, on `device`; those that the file holds so stay in it where the source lends its bytes. Never allocates more than the file's size justifies. Throws Status::format
// naming the section at fault: for files of a later version, sections out of order or bounds, wrong checksums.
ModelFile read_model(ByteSource& source, Device device);

}  // namespace mixgrad
