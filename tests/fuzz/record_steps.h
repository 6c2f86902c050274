// What the fuzzer of record files and the soak of mutated ones do with a file's bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuzz {

// Reads the bytes as a file of records, in every way there is. Ends the process where something is promised that does not hold: records
// and what is skipped cover the file, errors begin with who failed, parts of a whole file give each record once.
// `is_whole`: a writer made them.
void read_everything(const void* data, size_t bytes, bool is_whole);

}  // namespace fuzz
