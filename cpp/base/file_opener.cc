#include "base/file_opener.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace mixgrad {
namespace {

const char* kind_of_file(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "something else";
}

[[noreturn]] void refuse_kind(const std::string& path, const char* who, mode_t mode) {
  fail(Status::io, "[", who, "] '", path, "' is not a regular file but ", kind_of_file(mode));
}

[[noreturn]] void refuse_open(const std::string& path, const char* who, int reason) {
  fail(reason == ENOENT ? Status::not_found : Status::io, "[", who, "] cannot open '", path,
       "': ", std::strerror(reason));
}

constexpr mode_t kAnyWriter = S_IWUSR | S_IWGRP | S_IWOTH;

}  // namespace

OpenedFile::OpenedFile(const std::string& path, const char* who) {
  // Opening a device may already do something, so it is looked at first, and again once nobody can exchange it.
  struct stat info;
  if (stat(path.c_str(), &info) != 0) refuse_open(path, who, errno);
  if (!S_ISREG(info.st_mode)) refuse_kind(path, who, info.st_mode);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) refuse_open(path, who, errno);
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(file);
    refuse_kind(path, who, info.st_mode);
  }
  struct statvfs system;
  const bool fixed = fstatvfs(file, &system) == 0 && (system.f_flag & ST_RDONLY);
  may_change_ = !fixed && (info.st_mode & kAnyWriter);
  bytes_ = static_cast<uint64_t>(info.st_size);
  descriptor_ = file;
}

OpenedFile::~OpenedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

int OpenedFile::release() {
  const int file = descriptor_;
  descriptor_ = -1;
  return file;
}

}  // namespace mixgrad
