// Names and folders of what a server keeps on disk, and what stands at the beginning of its files.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "kvstore/protocol/view.h"

namespace mixgrad::kvstore {

constexpr char kGonePrefix[] = "gone-", kSnapshotPrefix[] = "snapshot-", kJournalPrefix[] = "journal-",
               kViewFile[] = "view";

constexpr uint32_t kSnapshotFormat = 2;

struct FileStart {
  uint32_t format = 0, server = 0, slot = 0;
  uint64_t generation = 0;
  bool has_base = false;   // steps follow the snapshot of this generation, or an earlier one and its journal
  protocol::Epoch origin;  // of the last step that was logged before

  template <class F>
  void fields(F& f) {
    f(format, server, slot, generation, has_base, origin);
  }
  std::string bytes() const;
};

// Of the view's file; the view is the payload.
struct ViewStart {
  uint32_t format = 0, server = 0;
  uint64_t disk = 0;  // drawn when the folder was made

  template <class F>
  void fields(F& f) {
    f(format, server, disk);
  }
};

struct PartFields {
  protocol::PieceId piece = 0;
  uint32_t part = 0;
  protocol::Format format;
  template <class F>
  void fields(F& f) {
    f(piece, part, format);
  }
};

// Throw Status::io. A folder that is there already is fine.
void make_folder(const std::string& path);
std::vector<std::string> names_in(const std::string& folder);
// With the files in it. Does not throw: what is left is removed at the next start.
void remove_folder(const std::string& path);
void cut_file(const std::string& path, uint64_t bytes);
// Wait until what was written is on the disk: of a file in that folder; names in a folder.
void sync_file(std::FILE* file, const std::string& folder);
void sync_folder(const std::string& path);
void sync_folder_and(const std::string& folder, const std::string& name);  // a file in it, which may be gone

// Until the process ends, or unlocked. Throws Status::invalid_argument where another process has it.
int lock_folder(const std::string& folder);
void unlock_folder(int lock);

std::string slot_folder(uint32_t slot, uint64_t life);
bool is_slot_folder(const std::string& name, uint32_t* slot, uint64_t* life);
// "snapshot-12", of that prefix.
bool numbered(const std::string& name, const std::string& prefix, uint64_t* number);

}  // namespace mixgrad::kvstore
