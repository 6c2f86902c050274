// From an exception to the error record that marks Vars.
#pragma once

#include <string>

#include "base/intrusive.h"
#include "engine/error_record.h"

namespace mixgrad::engine {

// A reference to a record of the exception being handled. Does not fail: without memory for the text it
// returns a record made beforehand.
ErrorRecord* record_exception(const char* task_name) noexcept;

// What to add when a user sees a failure once more, and whether that is of use: it takes memory.
bool repeats(const ErrorRecord& error);
std::string message_again(const ErrorRecord& error);

// For tasks that are not run, since they were pushed on what is missing after so many tellings, of which one told why: a record of
// their own, so that this is told as well. Takes over the reference and returns one; that of a record made beforehand where there
// is no memory.
ErrorRecord* record_again(ErrorRecord* seen, std::uint64_t told) noexcept;

// A reference to the record of tasks that were not begun before the program ended.
ErrorRecord* record_dropped() noexcept;

}  // namespace mixgrad::engine
