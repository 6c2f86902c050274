// Reading what a server kept.
#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/warning.h"
#include "kvstore/distributed/snapshots.h"
#include "kvstore/protocol/fields.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Ledger;

// The protocol numbers snapshots that servers take together. What journals bring up to date is one.
constexpr uint64_t kPresentState = 1;

template <class T>
T read_fields(const RecordReader& reader, const FileRecord& record, const char* what) {
  T fields;
  if (!protocol::decode(record.fields.data(), record.fields.size(), fields))
    reader.damaged(text(what, " that makes no sense"));
  return fields;
}

// What was appended last and never came to the disk.
void warn_of_zeros(const RecordReader& reader) {
  if (reader.is_zeroed()) {
    warn(text("[kvstore server] ", reader.path(), " has only zeros where a record is expected at byte ",
              reader.at(), ", as a machine that ends leaves them; its steps from there on are lost"));
  }
}

}  // namespace

FileStart Snapshots::read_start(RecordReader& reader, uint32_t slot, uint64_t generation,
                                const FileRecord& record) const {
  const auto start = read_fields<FileStart>(reader, record, "a beginning");
  if (record.kind != RecordKind::start || start.format != kSnapshotFormat || start.server != server_ ||
      start.slot != slot || start.generation != generation) {
    reader.damaged(text("it begins as number ", start.generation, " of slot ", start.slot,
                        " of server:", start.server, ", format ", start.format));
  }
  return start;
}

void Snapshots::read_snapshot(uint32_t slot, const Install& install, SlotFiles& files, Ledger& ledger) const {
  RecordReader reader(files.folder + "/" + kSnapshotPrefix + std::to_string(files.generation));
  FileRecord record;
  if (!reader.next(record)) reader.damaged("it is cut short");
  const FileStart start = read_start(reader, slot, files.generation, record);
  files.origin = start.origin;
  if (!reader.next(record) || record.kind != RecordKind::ledger ||
      !ledger.read(record.payload.data, record.payload.bytes))
    reader.damaged("it has no ledger");
  for (;;) {
    if (!reader.next(record)) reader.damaged("it is cut short");
    if (record.kind == RecordKind::end) return;
    if (record.kind != RecordKind::part) reader.damaged("a record of another file");
    const auto fields = read_fields<PartFields>(reader, record, "a part");
    const protocol::PieceRecord* const piece = ledger.find(fields.piece);
    if (!piece && fields.piece != protocol::kSlotItself) reader.damaged("a part of an unknown piece");
    files.state_bytes += record.payload.bytes;
    if (!install(slot, {fields.piece, fields.part, {fields.format, record.payload}},
                 piece ? piece->about : ""))
      reader.damaged("a part that makes no sense to this server, which may lack the optimizer");
  }
}

bool Snapshots::read_journal(uint32_t slot, uint64_t generation, const Reading& reading, const Apply& apply,
                             SlotFiles& files, protocol::Replay& replay, uint64_t* end) const {
  RecordReader reader(files.folder + "/" + kJournalPrefix + std::to_string(generation));
  FileRecord record;
  *end = 0;
  if (!reader.next(record)) {  // the process ended before the file had begun
    if (!reading.is_last) reader.damaged("it is cut short");
    warn_of_zeros(reader);
    return reading.has_snapshot || generation == 0;
  }
  const FileStart start = read_start(reader, slot, generation, record);
  if (start.has_base && !reading.has_snapshot) return false;
  const auto apply_next = [&](const protocol::LogStep& next) {
    const protocol::Entry& entry = next.entry;
    if (entry.step == protocol::Step::opening || protocol::is_snapshot(entry)) return true;
    return apply(protocol::as_applied(entry, {entry.format, next.payload}));
  };
  while (reader.next(record)) {
    if (record.kind != RecordKind::step) reader.damaged("a record of another file");
    protocol::LogStep step;
    step.entry = read_fields<protocol::Entry>(reader, record, "a step");
    step.payload = record.payload;
    if (step.entry.slot != slot) reader.damaged("a step of another slot");
    if (!replay.take(std::move(step), apply_next))
      reader.damaged(
          "a step that does not follow, or makes no sense to this server, which may lack the optimizer");
  }
  if (reader.is_cut() && !reading.is_last) reader.damaged("it is cut short");
  warn_of_zeros(reader);
  *end = reader.at();
  return true;
}

// False where nothing was complete: the server was just being given the slot.
bool Snapshots::restore_slot(uint32_t slot, SlotFiles& files, const Install& install, const Apply& apply,
                             protocol::Restored& restored) {
  std::set<uint64_t> snapshots, journals;
  for (const std::string& name : names_in(files.folder)) {
    uint64_t number = 0;
    if (numbered(name, kSnapshotPrefix, &number)) snapshots.insert(number);
    if (numbered(name, kJournalPrefix, &number)) journals.insert(number);
  }
  if (journals.empty()) return false;
  const uint64_t first = snapshots.empty() ? *journals.begin() : *snapshots.rbegin();
  const uint64_t last = std::max(first, *journals.rbegin());
  for (uint64_t i = first; i <= last; ++i) {
    if (!journals.count(i)) {
      fail(Status::format, "[kvstore server] ", files.folder, " has no ", kJournalPrefix, i,
           "; expected all from ", first, " to ", last, ". Move the folder away to begin without it");
    }
  }
  files.generation = first;
  Ledger ledger;
  if (!snapshots.empty()) read_snapshot(slot, install, files, ledger);
  protocol::Replay replay(ledger, files.origin);
  uint64_t end = 0;
  for (uint64_t i = first; i <= last; ++i) {
    const Reading reading{!snapshots.empty() || i > first, i == last};
    if (!read_journal(slot, i, reading, apply, files, replay, &end)) return false;
  }
  files.generation = last;
  files.origin = replay.origin();
  restored = {slot, kPresentState, ledger.bytes(), replay.rest(), replay.origin()};
  files.first_open = ledger.index + 1;
  for (const protocol::LogStep& step : restored.steps)
    files.open.push_back({RecordKind::step, protocol::encoded(step.entry), step.payload});
  if (end == 0) {
    open_journal(slot, files, last > 0);
    return true;
  }
  cut_file(files.folder + "/" + kJournalPrefix + std::to_string(last), end);
  go_on_in(files, "ab");
  files.journal_bytes = end;
  return true;
}

std::vector<protocol::Restored> Snapshots::restore(const Install& install, const Apply& apply) {
  std::vector<protocol::Restored> all;
  for (const std::string& name : names_in(folder_)) {
    uint32_t slot = 0;
    uint64_t life = 0;
    if (!is_slot_folder(name, &slot, &life)) continue;
    lives_ = std::max(lives_, life);
    if (slots_.count(slot)) {
      fail(Status::format, "[kvstore server] ", folder_, "/", name,
           " is not the only folder of its slot; expected one of each");
    }
    const auto files = std::make_shared<SlotFiles>();
    files->folder = folder_ + "/" + name;
    protocol::Restored restored;
    if (!restore_slot(slot, *files, install, apply, restored)) {
      warn(text("[kvstore server] ", files->folder, " was not complete, and is not used"));
      give_away(files->folder);
      continue;
    }
    slots_[slot] = files;
    all.push_back(std::move(restored));
  }
  return all;
}

}  // namespace mixgrad::kvstore
