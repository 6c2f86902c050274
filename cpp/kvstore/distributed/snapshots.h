// What a server keeps on disk, so that it goes on where it ended: the view that it follows, of each slot a snapshot, and the steps that
// were logged since then.
//
//   server-0/view             the folder's number, and the view
//   server-0/slot-7-2/        the slot's second life on this server: a slot that it gives up goes with its folder
//     snapshot-4              the state, of one moment
//     journal-4, journal-5    steps since snapshots 4 and 5; snapshot 5 is being written
//
// A step is in the journal before it is acknowledged, so what was acknowledged survives the end of the process, however that comes. What
// survives the end of the machine is what the system has brought to the disk; DiskSync says what waits for that.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kvstore/distributed/cluster.h"
#include "kvstore/distributed/record_file.h"
#include "kvstore/distributed/snapshot_folder.h"
#include "kvstore/protocol/replay.h"
#include "kvstore/protocol/table.h"

namespace mixgrad::kvstore {

// A slot at one moment: nobody changes the payloads any more.
struct SlotState {
  struct Part {
    protocol::PieceId piece = 0;
    uint32_t part = 0;
    protocol::Value value;
  };
  std::string ledger;
  std::vector<Part> parts;  // in the order in which a table installs them
};

// Functions are called in one thread at a time. They throw Status::io where the disk takes nothing, which must end the server.
class Snapshots {
 public:
  // Makes the folder of this server inside of `folder`, or takes it over. Throws Status::io, and Status::invalid_argument where a
  // living process has it.
  Snapshots(const std::string& folder, uint32_t server, double seconds, DiskSync sync = DiskSync::snapshot);
  // Waits for what is being written.
  ~Snapshots();
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  // Gives a table all that is there; once, before anything else. Throws Status::format for damaged files, naming them.
  using Install = std::function<bool(uint32_t slot, const SlotState::Part& part, const std::string& about)>;
  using Apply = std::function<bool(const protocol::Applied& step)>;
  std::vector<protocol::Restored> restore(const Install& install, const Apply& apply);

  uint64_t disk() const { return disk_; }  // not 0
  const std::string& last_view() const { return last_view_; }
  void follows(const protocol::View& view);
  void logged(const protocol::Entry& entry, const net::Payload& payload);
  // All up to there are in the state that write() would be given.
  void applied(uint32_t slot, uint64_t index);
  // Begins a slot's life here anew, with a state that another server gave. It is written when this returns, since the server then counts
  // as one that has the slot.
  void filled(uint32_t slot, const protocol::Epoch& epoch, SlotState state);
  // Brings to the disk what must be there before steps are acknowledged.
  void settle();
  // Whether its journal is long or old enough for a new snapshot.
  bool is_due(uint32_t slot);
  // In the background. Where it fails, the files before go on to be what the slot is read from, and a warning says so.
  void write(uint32_t slot, SlotState state);
  void clear(uint32_t slot);
  // Until nothing is being written.
  void wait();

 private:
  using Clock = std::chrono::steady_clock;
  struct SlotFiles {
    std::string folder;
    uint64_t generation = 0;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> journal{nullptr, &std::fclose};
    uint64_t journal_bytes = 0, state_bytes = 0;
    Clock::time_point written;
    protocol::Epoch origin;       // of the last step that was logged
    std::deque<FileRecord> open;  // steps that are not known to be applied, from this one on
    uint64_t first_open = 0;
    // Guarded by mutex_.
    bool is_writing = false, is_gone = false;
  };
  struct Reading {
    bool has_snapshot = false, is_last = false;
  };
  struct Job {
    std::shared_ptr<SlotFiles> files;
    uint32_t slot = 0;
    uint64_t generation = 0;
    std::string start;
    SlotState state;
    bool is_written = false;  // only the disk has to be waited for
  };

  SlotFiles& files_of(uint32_t slot);
  std::shared_ptr<SlotFiles> new_life(uint32_t slot);
  void open_journal(uint32_t slot, SlotFiles& files, bool has_base);
  void go_on_in(SlotFiles& files, const char* mode);
  static void append(SlotFiles& files, const FileRecord& record);
  void begin_disk();
  void write_view(const std::string& view);
  std::string start_of(uint32_t slot, const SlotFiles& files, bool has_base) const;
  Job next_generation(uint32_t slot, SlotState state);
  void give_away(const std::string& folder);
  void run();
  static void write_now(const Job& job, bool waits_for_disk);
  void note_unsettled(const std::shared_ptr<SlotFiles>& files);

  // snapshots_restore.cc
  bool restore_slot(uint32_t slot, SlotFiles& files, const Install& install, const Apply& apply,
                    protocol::Restored& restored);
  FileStart read_start(RecordReader& reader, uint32_t slot, uint64_t generation,
                       const FileRecord& record) const;
  void read_snapshot(uint32_t slot, const Install& install, SlotFiles& files, protocol::Ledger& ledger) const;
  // Returns false where the file follows a snapshot and there is none.
  bool read_journal(uint32_t slot, uint64_t generation, const Reading& reading, const Apply& apply,
                    SlotFiles& files, protocol::Replay& replay, uint64_t* end) const;

  const std::string folder_;
  const uint32_t server_;
  const std::chrono::duration<double> interval_;
  const DiskSync sync_;
  uint64_t disk_ = 0;
  std::string last_view_;
  std::vector<std::shared_ptr<SlotFiles>> unsettled_;  // have steps that may not be on the disk
  int lock_ = -1;                                      // descriptor
  std::map<uint32_t, std::shared_ptr<SlotFiles>> slots_;
  uint64_t lives_ = 0, gone_ = 0;  // numbers that were given

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool is_stopping_ = false, is_busy_ = false;
  std::thread thread_;
};

}  // namespace mixgrad::kvstore
