// What the handles of symbols are, for the files of the C header that take them.
#pragma once

#include "c_api/handle.h"
#include "graph/symbol.h"

struct mg_symbol {
  mixgrad::Symbol symbol;
  mixgrad::c_api::string text;  // what mg_symbol_get_attribute lends
};
struct mg_string_list {
  mixgrad::Strings items;
};

namespace mixgrad::c_api {

// Text that mg_buffer_destroy frees.
char* copy_text(const std::string& text);
// Throws Status::invalid_argument for NULL.
const Symbol& symbol_of(const mg_symbol* symbol, const char* function);
mg_symbol* give(Symbol symbol);
// Throws for a count below 0 or pointers that are missing.
void check_list(int32_t count, const void* items, const char* function, const char* what);

}  // namespace mixgrad::c_api
