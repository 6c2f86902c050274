// Symbols as MXNet's JSON: what -symbol.json files hold.
#pragma once

#include <string_view>

#include "graph/symbol.h"

namespace mixgrad {

// The text MXNet 1.9.1 writes: the same layout, keys in order, and only parameters that were given.
std::string write_symbol(const Symbol& symbol);
// How graphs inside of operators become text. Set by the file that such operators share; null in builds without them.
extern std::string (*write_subgraph)(const Symbol& symbol);

// Reads files of MXNet 0.7 to 1.9, bringing old ones up to date: parameters under "param", "attr" or "attrs", entries of
// two numbers, plain keys such as lr_mult, states that old files leave out. Whatever is wrong with the text throws
// Status::format, Status::not_found or Status::invalid_argument naming `source` and the node. An unknown operator or
// parameter names the nearest known ones.
Symbol read_symbol(std::string_view text, const std::string& source);

}  // namespace mixgrad
