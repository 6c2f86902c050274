// Records whose bytes are the numbers themselves, read straight into a batch.
#pragma once

#include <functional>
#include <vector>

#include "base/error.h"
#include "io/batch_maker.h"
#include "io/sample_order.h"

namespace mixgrad::io {

// Numbers that are still to be read: where they lie, and which row of the batch they are.
struct RawRow {
  uint64_t offset;
  size_t row;
};
// Whether read_raw_rows looks at the heads of records alone and leaves their numbers to tasks of several threads: of local files,
// where rows are so long that two calls of the system for each take no time beside copying.
bool leaves_rows(const ByteSource& source, const BatchMaker& maker);

// Told of a record that is left out, and its bytes in the file.
using UnfitRecord = std::function<void(const Error& error, uint64_t bytes)>;

// Reads records from `place` on, which moves behind them, into rows of row_bytes(), one after another, and their labels: from the
// row `*taken` on, which counts them, up to the row `count`; fewer at the end of the epoch. Where records lie one after another as
// whole ones, a call of the system fills many rows at once, or, with leaves_rows(), `left` gets them. Throws as SampleOrder::read,
// and what was taken before stays.
void read_raw_rows(SampleOrder& order, const BatchMaker& maker, SamplePlace* place, size_t count, char* rows,
                   float* labels, uint64_t* ids, size_t* taken, std::vector<RawRow>* left, RawRecords* room,
                   const UnfitRecord& unfit, const char* who);

}  // namespace mixgrad::io
