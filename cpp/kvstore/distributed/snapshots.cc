#include "kvstore/distributed/snapshots.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "base/error.h"
#include "base/file_writer.h"
#include "base/service_thread.h"
#include "base/warning.h"
#include "kvstore/protocol/fields.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Epoch;

constexpr char kWhoSnapshots[] = "kvstore server";
// A journal that is so much longer than the state is replaced early.
constexpr uint64_t kJournalOverState = 2, kLeastJournal = uint64_t{64} << 20;

}  // namespace

std::string FileStart::bytes() const { return protocol::encoded(*this); }

Snapshots::Snapshots(const std::string& folder, uint32_t server, double seconds, DiskSync sync)
    : folder_(folder + text("/server-", server)), server_(server), interval_(seconds), sync_(sync) {
  make_folder(folder);
  make_folder(folder_);
  lock_ = lock_folder(folder_);
  for (const std::string& name : names_in(folder_)) {
    if (name.rfind(kGonePrefix, 0) == 0) remove_folder(folder_ + "/" + name);
  }
  try {
    begin_disk();
    thread_ = service_thread(kWhoSnapshots, [this] { run(); });
  } catch (const Error&) {
    unlock_folder(lock_);
    throw;
  }
}

Snapshots::~Snapshots() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  unlock_folder(lock_);
}

std::shared_ptr<Snapshots::SlotFiles> Snapshots::new_life(uint32_t slot) {
  auto files = std::make_shared<SlotFiles>();
  files->folder = folder_ + "/" + slot_folder(slot, ++lives_);
  make_folder(files->folder);
  if (sync_ == DiskSync::step) sync_folder(folder_);
  slots_[slot] = files;
  return files;
}

// Of a slot whose steps begin here.
Snapshots::SlotFiles& Snapshots::files_of(uint32_t slot) {
  const auto at = slots_.find(slot);
  if (at != slots_.end()) return *at->second;
  const auto files = new_life(slot);
  open_journal(slot, *files, false);
  return *files;
}

std::string Snapshots::start_of(uint32_t slot, const SlotFiles& files, bool has_base) const {
  FileStart start;
  start.format = kSnapshotFormat;
  start.server = server_;
  start.slot = slot;
  start.generation = files.generation;
  start.has_base = has_base;
  start.origin = files.origin;
  return start.bytes();
}

// In the journal of the present generation.
void Snapshots::go_on_in(SlotFiles& files, const char* mode) {
  const std::string path = files.folder + "/" + kJournalPrefix + std::to_string(files.generation);
  files.journal.reset(std::fopen(path.c_str(), mode));
  if (!files.journal)
    fail(Status::io, "[", kWhoSnapshots, "] cannot write ", path, ": ", std::strerror(errno));
  std::setvbuf(files.journal.get(), nullptr, _IONBF, 0);  // what is written is the system's
  files.written = Clock::now();
}

void Snapshots::open_journal(uint32_t slot, SlotFiles& files, bool has_base) {
  go_on_in(files, "wb");
  files.journal_bytes = 0;
  append(files, {RecordKind::start, start_of(slot, files, has_base), {}});
  if (sync_ == DiskSync::step) sync_folder(files.folder);
}

void Snapshots::append(SlotFiles& files, const FileRecord& record) {
  const std::string head = record_head(record), tail = record_tail(record);
  std::FILE* const to = files.journal.get();
  const auto put = [&](const void* data, size_t bytes) {
    return bytes == 0 || std::fwrite(data, 1, bytes, to) == bytes;
  };
  if (!put(head.data(), head.size()) || !put(record.payload.data, record.payload.bytes) ||
      !put(tail.data(), tail.size())) {
    fail(Status::io, "[", kWhoSnapshots, "] cannot write a journal in ", files.folder, ": ",
         std::strerror(errno));
  }
  files.journal_bytes += head.size() + record.payload.bytes + tail.size();
}

void Snapshots::note_unsettled(const std::shared_ptr<SlotFiles>& files) {
  if (sync_ != DiskSync::step) return;
  if (std::find(unsettled_.begin(), unsettled_.end(), files) == unsettled_.end()) unsettled_.push_back(files);
}

void Snapshots::logged(const protocol::Entry& entry, const net::Payload& payload) {
  SlotFiles& files = files_of(entry.slot);
  FileRecord record{RecordKind::step, protocol::encoded(entry), payload};
  append(files, record);
  files.origin = entry.origin;
  if (files.open.empty()) files.first_open = entry.index;
  while (!files.open.empty() && files.first_open + files.open.size() > entry.index) files.open.pop_back();
  if (files.open.empty()) files.first_open = entry.index;
  files.open.push_back(std::move(record));
  note_unsettled(slots_.at(entry.slot));
}

void Snapshots::applied(uint32_t slot, uint64_t index) {
  const auto at = slots_.find(slot);
  if (at == slots_.end()) return;
  SlotFiles& files = *at->second;
  for (; !files.open.empty() && files.first_open <= index; ++files.first_open) files.open.pop_front();
}

void Snapshots::filled(uint32_t slot, const Epoch& epoch, SlotState state) {
  clear(slot);
  new_life(slot)->origin = epoch;
  Job job = next_generation(slot, std::move(state));
  try {
    write_now(job, sync_ == DiskSync::step);
  } catch (const Error& error) {
    fail(error.status(), "[", kWhoSnapshots, "] server:", server_, " was given slot ", slot,
         " and cannot keep it in ", job.files->folder, ": ", error.message());
  }
  if (sync_ != DiskSync::snapshot) return;
  // In the background: 64 slots that each wait for a busy disk would stop the training for minutes.
  job.state = {};
  job.is_written = true;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void Snapshots::settle() {
  for (const std::shared_ptr<SlotFiles>& files : unsettled_) {
    if (files->journal) sync_file(files->journal.get(), files->folder);
  }
  unsettled_.clear();
}

// The folder's number, and the view that was followed.
void Snapshots::begin_disk() {
  const std::string path = folder_ + "/" + kViewFile;
  const std::vector<std::string> names = names_in(folder_);
  if (std::find(names.begin(), names.end(), kViewFile) != names.end()) {
    RecordReader reader(path);
    FileRecord record;
    ViewStart start;
    if (reader.next(record)) {
      if (record.kind != RecordKind::view ||
          !protocol::decode(record.fields.data(), record.fields.size(), start) ||
          start.format != kSnapshotFormat || start.server != server_ || start.disk == 0)
        reader.damaged(text("it is the view of server:", start.server, ", format ", start.format));
      disk_ = start.disk;
      last_view_ = record.payload.text();
      return;
    }
    // A machine that ended may have left it so. What there is of slots is told as that of another folder.
    warn(text("[", kWhoSnapshots, "] ", path, " was not written to its end, and is not used"));
  }
  std::random_device random;
  while (disk_ == 0) disk_ = uint64_t{random()} << 32 | random();
  write_view("");
}

void Snapshots::write_view(const std::string& view) {
  FileRecord record;
  record.kind = RecordKind::view;
  record.fields = protocol::encoded(ViewStart{kSnapshotFormat, server_, disk_});
  record.payload = net::Payload(view.data(), view.size(), nullptr);
  const std::string head = record_head(record), tail = record_tail(record);
  FileWriter writer(folder_ + "/" + kViewFile, kWhoSnapshots);
  writer.write(head.data(), head.size());
  if (!view.empty()) writer.write(view.data(), view.size());
  writer.write(tail.data(), tail.size());
  if (sync_ == DiskSync::none)
    writer.hand_over();
  else
    writer.commit();
}

void Snapshots::follows(const protocol::View& view) { write_view(protocol::encoded(view)); }

bool Snapshots::is_due(uint32_t slot) {
  const auto at = slots_.find(slot);
  if (at == slots_.end()) return false;
  const SlotFiles& files = *at->second;
  const bool is_long = files.journal_bytes > std::max(kLeastJournal, kJournalOverState * files.state_bytes);
  if (!is_long && Clock::now() - files.written < interval_) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  return !files.is_writing;
}

// Steps go into its journal from now on.
Snapshots::Job Snapshots::next_generation(uint32_t slot, SlotState state) {
  files_of(slot);
  const std::shared_ptr<SlotFiles> files = slots_.at(slot);
  ++files->generation;
  open_journal(slot, *files, true);
  for (const FileRecord& record : files->open) append(*files, record);
  note_unsettled(files);
  files->state_bytes = state.ledger.size();
  for (const SlotState::Part& part : state.parts) files->state_bytes += part.value.payload.bytes;
  return {files, slot, files->generation, start_of(slot, *files, true), std::move(state)};
}

void Snapshots::write(uint32_t slot, SlotState state) {
  Job job = next_generation(slot, std::move(state));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    job.files->is_writing = true;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void Snapshots::clear(uint32_t slot) {
  const auto at = slots_.find(slot);
  if (at == slots_.end()) return;
  const std::shared_ptr<SlotFiles> files = at->second;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    files->is_gone = true;
  }
  files->journal.reset();
  files->open.clear();
  slots_.erase(at);
  give_away(files->folder);
}

// In one step, so that a slot is there or not.
void Snapshots::give_away(const std::string& folder) {
  const std::string gone = folder_ + "/" + kGonePrefix + std::to_string(++gone_);
  if (std::rename(folder.c_str(), gone.c_str()) != 0)
    fail(Status::io, "[", kWhoSnapshots, "] cannot remove ", folder, ": ", std::strerror(errno));
  remove_folder(gone);
}

void Snapshots::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.empty() && !is_busy_; });
}

void Snapshots::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    is_busy_ = true;
    const bool is_gone = job.files->is_gone;
    lock.unlock();
    std::string wrong;
    try {
      if (!is_gone && job.is_written)
        sync_folder_and(job.files->folder, kSnapshotPrefix + std::to_string(job.generation));
      else if (!is_gone)
        write_now(job, sync_ != DiskSync::none);
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    job.state = {};  // what arrays it holds may go
    lock.lock();
    is_busy_ = false;
    if (!job.is_written) job.files->is_writing = false;
    // The journals before go on to be what the slot is read from.
    if (!wrong.empty() && !job.files->is_gone)
      warn(text("[", kWhoSnapshots, "] a snapshot was not written: ", wrong));
    changed_.notify_all();
  }
}

void Snapshots::write_now(const Job& job, bool waits_for_disk) {
  const std::string number = std::to_string(job.generation);
  FileWriter writer(job.files->folder + "/" + kSnapshotPrefix + number, kWhoSnapshots);
  const auto put = [&](const FileRecord& record) {
    const std::string head = record_head(record), tail = record_tail(record);
    writer.write(head.data(), head.size());
    if (record.payload.bytes > 0) writer.write(record.payload.data, record.payload.bytes);
    writer.write(tail.data(), tail.size());
  };
  put({RecordKind::start, job.start, {}});
  put({RecordKind::ledger, {}, net::Payload(job.state.ledger.data(), job.state.ledger.size(), nullptr)});
  for (const SlotState::Part& part : job.state.parts) {
    const PartFields fields{part.piece, part.part, part.value.format};
    put({RecordKind::part, protocol::encoded(fields), part.value.payload});
  }
  put({RecordKind::end, {}, {}});
  if (waits_for_disk)
    writer.commit();
  else
    writer.hand_over();
  // What came before is in it.
  for (const std::string& name : names_in(job.files->folder)) {
    uint64_t generation = 0;
    if ((numbered(name, kSnapshotPrefix, &generation) || numbered(name, kJournalPrefix, &generation)) &&
        generation < job.generation)
      std::remove((job.files->folder + "/" + name).c_str());
  }
}

}  // namespace mixgrad::kvstore
