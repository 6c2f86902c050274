// Symbols: read from files, their outputs and names.
#include "c_api/symbol.h"

#include <cstdlib>

#include "files/byte_stream.h"
#include "graph/symbol_json.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::Symbol;

namespace mixgrad::c_api {

char* copy_text(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

const Symbol& symbol_of(const mg_symbol* symbol, const char* function) {
  require(symbol, function, "symbol");
  return symbol->symbol;
}

mg_symbol* give(Symbol symbol) { return new mg_symbol{std::move(symbol), {}}; }

void check_list(int32_t count, const void* items, const char* function, const char* what) {
  if (count < 0 || (count > 0 && !items))
    fail(Status::invalid_argument, "[", function, "] ", count, " ", what, items ? "" : ", NULL");
}

}  // namespace mixgrad::c_api

extern "C" {

int32_t mg_string_list_get_num_strings(const mg_string_list* list) {
  return list ? static_cast<int32_t>(list->items.size()) : 0;
}

const char* mg_string_list_get(const mg_string_list* list, int32_t index) {
  if (!list || index < 0 || static_cast<size_t>(index) >= list->items.size()) return nullptr;
  return list->items[static_cast<size_t>(index)].c_str();
}

void mg_string_list_destroy(mg_string_list* list) { delete list; }

void mg_symbol_destroy(mg_symbol* symbol) { delete symbol; }

int32_t mg_symbol_get_num_outputs(const mg_symbol* symbol) {
  return symbol ? static_cast<int32_t>(symbol->symbol.size()) : 0;
}

mg_status mg_symbol_get_output(const mg_symbol* symbol, int32_t index, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_get_output", "out");
    const Symbol& s = api::symbol_of(symbol, "mg_symbol_get_output");
    if (index < 0)
      mixgrad::fail(Status::index, "[mg_symbol_get_output] output ", index, " of a symbol with ", s.size());
    *out = api::give(s.output(static_cast<size_t>(index)));
  });
}

mg_status mg_symbol_get_internals(const mg_symbol* symbol, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_get_internals", "out");
    *out = api::give(api::symbol_of(symbol, "mg_symbol_get_internals").internals());
  });
}

const char* mg_symbol_get_name(const mg_symbol* symbol) {
  if (!symbol || symbol->symbol.size() == 0) return nullptr;
  const auto& outputs = symbol->symbol.outputs();
  for (const mixgrad::Entry& e : outputs) {
    if (e.node != outputs[0].node) return nullptr;
  }
  return outputs[0].node->name.c_str();
}

mg_status mg_symbol_list(const mg_symbol* symbol, int32_t part, mg_string_list** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_list", "out");
    const Symbol& s = api::symbol_of(symbol, "mg_symbol_list");
    switch (part) {
      case MG_PART_ARGUMENTS: *out = new mg_string_list{s.list_arguments()}; return;
      case MG_PART_OUTPUTS: *out = new mg_string_list{s.list_outputs()}; return;
      case MG_PART_AUXILIARY_STATES: *out = new mg_string_list{s.list_auxiliary_states()}; return;
      case MG_PART_INPUTS: *out = new mg_string_list{s.list_inputs()}; return;
      default: mixgrad::fail(Status::invalid_argument, "[mg_symbol_list] part ", part, "; expected 0 to 3");
    }
  });
}

mg_status mg_symbol_from_json(const char* text, size_t bytes, const char* source, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_from_json", "out");
    if (bytes > 0) api::require(text, "mg_symbol_from_json", "text");
    *out = api::give(mixgrad::read_symbol({text, bytes}, source ? source : "the text"));
  });
}

mg_status mg_symbol_load(const char* path, mg_symbol** out) {
  return api::guard([&] {
    api::require(path, "mg_symbol_load", "path");
    api::require(out, "mg_symbol_load", "out");
    const auto source = mixgrad::open_file(path);
    // So that a hole of a file, however large, is refused before memory is taken for it.
    api::string text(std::min<uint64_t>(source->remaining(), 4096), '\0');
    source->peek(text.data(), text.size());
    if (text.find('\0') != api::string::npos)
      mixgrad::fail(Status::format, "[mg_symbol_load] ", path, " holds a zero byte; expected JSON");
    text.resize(static_cast<size_t>(source->remaining()), '\0');
    source->read(text.data(), text.size());
    *out = api::give(mixgrad::read_symbol(text, path));
  });
}

}  // extern "C"
