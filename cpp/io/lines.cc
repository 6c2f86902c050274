#include "io/lines.h"

#include <atomic>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"

namespace mixgrad::io {
namespace {

constexpr size_t kPieceBytes = 256 * 1024;

const char* line_end(const char* p, const char* end) {
  const void* found = std::memchr(p, '\n', static_cast<size_t>(end - p));
  return found ? static_cast<const char*>(found) : end;
}

// The line's text without blanks around it.
Line trimmed(const char* begin, const char* end) {
  while (begin < end && is_blank(*begin)) ++begin;
  while (end > begin && is_blank(end[-1])) --end;
  return {begin, end, 0};
}

std::string read_piece(const Piece& piece, const std::function<std::string(const Line&)>& read) {
  int64_t number = piece.first_line, row = piece.first_row;
  for (const char* p = piece.begin; p < piece.end; ++number) {
    const char* const stop = line_end(p, piece.end);
    Line line = trimmed(p, stop);
    p = stop < piece.end ? stop + 1 : stop;
    if (line.begin == line.end) continue;
    line.row = row++;
    const std::string wrong = read(line);
    if (!wrong.empty()) return mixgrad::text(number, ": ", wrong);
  }
  return "";
}

}  // namespace

std::vector<Piece> cut_lines(const Text& text) {
  const char* p = text.data;
  const char* const end = p + text.bytes;
  if (text.bytes >= 3 && std::memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3;
  std::vector<Piece> pieces;
  int64_t line = 1, row = 0;
  while (p < end) {
    Piece piece{p, p, line, row, 0};
    while (p < end && static_cast<size_t>(p - piece.begin) < kPieceBytes) {
      const char* const stop = line_end(p, end);
      const Line content = trimmed(p, stop);
      if (content.begin < content.end) ++piece.rows;
      ++line;
      p = stop < end ? stop + 1 : stop;
    }
    piece.end = p;
    row += piece.rows;
    pieces.push_back(piece);
  }
  return pieces;
}

int64_t count_rows(const std::vector<Piece>& pieces) {
  return pieces.empty() ? 0 : pieces.back().first_row + pieces.back().rows;
}

void read_lines(const Text& text, const std::vector<Piece>& pieces, const char* function,
                const std::vector<ArrayRef>& outs, const std::function<std::string(const Line&)>& read) {
  std::vector<engine::Var*> writes;
  for (const ArrayRef& out : outs) writes.push_back(&out->chunk());
  std::vector<std::string> wrong(pieces.size());
  engine::TaskInfo info;
  info.name = "read_text";
  info.parallel = true;
  info.bytes = text.bytes;
  engine::Engine& engine = engine::Engine::get();
  // The task borrows from this frame, which waits for it, also when the user interrupts the wait: then not for long.
  std::atomic<bool> given_up{false};
  engine.push(
      [&] {
        for (const ArrayRef& out : outs) out->chunk().ensure();
        parallel_for(static_cast<int64_t>(pieces.size()), 1, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end && !given_up.load(std::memory_order_relaxed); ++i) {
            const size_t at = static_cast<size_t>(i);
            wrong[at] = read_piece(pieces[at], read);
          }
        });
      },
      {}, Span<engine::Var* const>(writes), info);
  try {
    engine.wait_for_var(writes[0]);
  } catch (...) {
    given_up.store(true, std::memory_order_relaxed);
    engine.wait_for_turn(writes[0], engine::Wait::to_read, engine::Interrupts::ignored);
    throw;
  }
  for (const std::string& message : wrong) {
    if (!message.empty()) fail(Status::format, "[", function, "] '", text.name, "' line ", message);
  }
}

std::string shown(const char* begin, const char* end) {
  constexpr std::ptrdiff_t kShown = 24;
  std::string out(begin, end - begin > kShown ? begin + kShown : end);
  for (char& c : out) {
    if (c < 32 || c > 126) c = '?';
  }
  return "'" + out + (end - begin > kShown ? "...'" : "'");
}

}  // namespace mixgrad::io
