// Messages of failures, and memory that functions of the header lend.
#include <cstdlib>

#include "c_api/handle.h"

extern "C" {

const char* mg_last_error(void) { return mixgrad::c_api::last_error(); }
void mg_set_error(const char* message) { mixgrad::c_api::set_last_error(message ? message : ""); }

void mg_buffer_destroy(void* data) { std::free(data); }

}  // extern "C"
