// Messages of failures, warnings, and memory that functions of the header lend.
#include <cstdlib>

#include "base/warning.h"
#include "c_api/handle.h"

extern "C" {

const char* mg_last_error(void) { return mixgrad::c_api::last_error(); }
void mg_set_error(const char* message) { mixgrad::c_api::set_last_error(message ? message : ""); }

mg_status mg_warning_set_handler(void (*handler)(const char* message)) {
  return mixgrad::c_api::guard([&] { mixgrad::set_warning_handler(handler); });
}

void mg_buffer_destroy(void* data) { std::free(data); }

}  // extern "C"
