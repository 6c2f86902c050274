#include "kvstore/distributed/snapshot_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace mixgrad::kvstore {
namespace {

constexpr char kSlotPrefix[] = "slot-";

bool whole_text_number(const std::string& digits, uint64_t* number) {
  if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos)
    return false;
  *number = std::strtoull(digits.c_str(), nullptr, 10);
  return true;
}

}  // namespace

std::string slot_folder(uint32_t slot, uint64_t life) { return text(kSlotPrefix, slot, "-", life); }

bool is_slot_folder(const std::string& name, uint32_t* slot, uint64_t* life) {
  const size_t dash = name.rfind('-');
  const size_t begin = sizeof kSlotPrefix - 1;
  uint64_t number = 0;
  if (name.rfind(kSlotPrefix, 0) != 0 || dash == std::string::npos || dash < begin) return false;
  if (!whole_text_number(name.substr(begin, dash - begin), &number) || number >= protocol::kMaxSlots)
    return false;
  *slot = static_cast<uint32_t>(number);
  return whole_text_number(name.substr(dash + 1), life);
}

bool numbered(const std::string& name, const std::string& prefix, uint64_t* number) {
  return name.rfind(prefix, 0) == 0 && whole_text_number(name.substr(prefix.size()), number);
}

#if defined(__unix__) || defined(__APPLE__)

void make_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0777) == 0) return;
  const int error = errno;
  struct stat found = {};
  if (error == EEXIST && stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) return;
  fail(Status::io, "[kvstore server] cannot make the folder ", path, ": ",
       error == EEXIST ? "something else has that name" : std::strerror(error));
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* const stream = opendir(folder.c_str());
  if (!stream)
    fail(Status::io, "[kvstore server] cannot read the folder ", folder, ": ", std::strerror(errno));
  while (const dirent* const one = readdir(stream)) {
    if (std::strcmp(one->d_name, ".") != 0 && std::strcmp(one->d_name, "..") != 0)
      names.emplace_back(one->d_name);
  }
  closedir(stream);
  std::sort(names.begin(), names.end());
  return names;
}

void remove_folder(const std::string& path) {
  DIR* const stream = opendir(path.c_str());
  if (!stream) return;
  while (const dirent* const one = readdir(stream)) std::remove((path + "/" + one->d_name).c_str());
  closedir(stream);
  rmdir(path.c_str());
}

void cut_file(const std::string& path, uint64_t bytes) {
  if (truncate(path.c_str(), static_cast<off_t>(bytes)) != 0)
    fail(Status::io, "[kvstore server] cannot write ", path, ": ", std::strerror(errno));
}

void sync_file(std::FILE* file, const std::string& folder) {
#if defined(__APPLE__)
  const int result = fcntl(fileno(file), F_FULLFSYNC);
#else
  const int result = fdatasync(fileno(file));
#endif
  if (result != 0)
    fail(Status::io, "[kvstore server] the disk does not take a journal in ", folder, ": ",
         std::strerror(errno));
}

void sync_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool done = folder >= 0 && fsync(folder) == 0;
  const int error = errno;
  if (folder >= 0) close(folder);
  if (!done) fail(Status::io, "[kvstore server] the disk does not take ", path, ": ", std::strerror(error));
}

void sync_folder_and(const std::string& folder, const std::string& name) {
  const int file = open((folder + "/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;  // a later one took its place
  const bool done = fsync(file) == 0;
  const int error = errno;
  close(file);
  if (!done)
    fail(Status::io, "[kvstore server] the disk does not take ", folder, "/", name, ": ",
         std::strerror(error));
  sync_folder(folder);
}

int lock_folder(const std::string& folder) {
  const std::string path = folder + "/lock";
  const int lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) fail(Status::io, "[kvstore server] cannot write ", path, ": ", std::strerror(errno));
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  const int error = errno;
  close(lock);
  if (error != EWOULDBLOCK)
    fail(Status::io, "[kvstore server] cannot lock ", path, ": ", std::strerror(error));
  fail(Status::invalid_argument, "[kvstore server] another process keeps its snapshots in ", folder,
       "; expected a folder for each store");
}

void unlock_folder(int lock) {
  if (lock >= 0) close(lock);
}

#else

void make_folder(const std::string&) {
  fail(Status::unsupported, "[kvstore server] servers keep snapshots on Linux and macOS only");
}
std::vector<std::string> names_in(const std::string&) { return {}; }
void remove_folder(const std::string&) {}
void cut_file(const std::string&, uint64_t) {}
void sync_file(std::FILE*, const std::string&) {}
void sync_folder(const std::string&) {}
void sync_folder_and(const std::string&, const std::string&) {}
int lock_folder(const std::string&) { return -1; }
void unlock_folder(int) {}

#endif

}  // namespace mixgrad::kvstore
