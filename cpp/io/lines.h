// Text cut at line ends into pieces that threads read at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "array/array.h"

namespace mixgrad::io {

// Borrowed text and what messages call it.
struct Text {
  const char* data;
  size_t bytes;
  std::string name;
};

// Whole lines of the text. Lines of nothing but blanks are no rows.
struct Piece {
  const char* begin;
  const char* end;
  int64_t first_line;  // counted from 1
  int64_t first_row;   // counted from 0
  int64_t rows;
};
// A byte-order mark at the start is left out.
std::vector<Piece> cut_lines(const Text& text);
int64_t count_rows(const std::vector<Piece>& pieces);

// One row without its line end and the blanks around it.
struct Line {
  const char* begin;
  const char* end;
  int64_t row;
};

// Runs read(line) for all rows on the engine's threads and waits; `outs` are the arrays it fills, whose memory is there when
// it runs. `read` returns what is wrong with a line, or "": the first such line of the text is reported with
// Status::format.
void read_lines(const Text& text, const std::vector<Piece>& pieces, const char* function,
                const std::vector<ArrayRef>& outs, const std::function<std::string(const Line&)>& read);

// A field of a line for a message: shortened, without what a terminal would not print.
std::string shown(const char* begin, const char* end);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace mixgrad::io
