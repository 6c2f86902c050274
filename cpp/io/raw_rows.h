// Records whose bytes are the numbers themselves, read straight into a batch.
#pragma once

#include "io/batch_maker.h"
#include "io/sample_order.h"

namespace mixgrad::io {

// Reads up to `count` records from `place` on, which moves behind them, into rows of row_bytes(), one after another, and their labels.
// Where records lie one after another as whole ones, a call of the system fills many rows at once. As SampleOrder::read;
// records of another size are thrown, or counted in `skipped`.
size_t read_raw_rows(SampleOrder& order, const BatchMaker& maker, SamplePlace* place, size_t count,
                     char* rows, float* labels, uint64_t* ids, RawRecords* room, Damage damage,
                     Skipped* skipped, const char* who);

}  // namespace mixgrad::io
