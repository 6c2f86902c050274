// From an exception to the error record that marks Vars.
#pragma once

#include "engine/error_record.h"

namespace mixgrad::engine {

// A reference to a record of the exception being handled. Does not fail: without memory for the text it
// returns a record made beforehand.
ErrorRecord* record_exception(const char* task_name) noexcept;

// A reference to the record of tasks that were not begun before the program ended.
ErrorRecord* record_dropped() noexcept;

}  // namespace mixgrad::engine
