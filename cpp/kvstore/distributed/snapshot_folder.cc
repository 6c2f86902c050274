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
int lock_folder(const std::string&) { return -1; }
void unlock_folder(int) {}

#endif

}  // namespace mixgrad::kvstore
