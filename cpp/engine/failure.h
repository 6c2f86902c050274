// From an exception to the error record that marks Vars.
#pragma once

#include "engine/error_record.h"

namespace mixgrad::engine {

// A reference to a record of the exception being handled. Does not fail: without memory for the text it
// returns a record made beforehand.
ErrorRecord* record_exception(const char* task_name) noexcept;

}  // namespace mixgrad::engine
