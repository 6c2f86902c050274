#include "base/file_writer.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <sys/random.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/checksum.h"
#include "base/error.h"

namespace mixgrad {
namespace {

constexpr size_t kBufferBytes = 64 * 1024;
constexpr int kMostLinks = 40;  // as the system follows
constexpr int kMostTries = 100;

// ".weights.params.0123abcd-0123456789abcdef.mgtmp": the target's name, the machine, a random number.
constexpr std::string_view kTail = ".mgtmp";
constexpr size_t kHostDigits = 8, kRandomDigits = 16;
constexpr size_t kMarkSize = 1 + kHostDigits + 1 + kRandomDigits + kTail.size();
constexpr size_t kShownName = 100;              // of the target's name, so that the longest names have room
constexpr int64_t kForeignSeconds = 24 * 3600;  // after which another machine's file is nobody's

[[noreturn]] void fail_writing(const StagedFile& staged, const char* doing, int reason) {
  fail(Status::io, "[", staged.who, "] cannot ", doing, " '", staged.path, "': ", std::strerror(reason));
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// Of "/dev/stdout", "/dev/fd/3" and the like, the number; else -1.
int own_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const size_t size = std::strlen(folder);
    if (path.compare(0, size, folder) != 0 || path.size() == size || path.size() > size + 9) continue;
    const char* const digits = path.c_str() + size;
    if (std::strspn(digits, "0123456789") == path.size() - size) return std::atoi(digits);
  }
  return -1;
}

// What the system itself does in such folders, where it opens links (protected_symlinks): anybody may put a link there.
bool is_planted(const std::string& link, const struct stat& info) {
  struct stat folder;
  if (stat(folder_of(link).c_str(), &folder) != 0) return false;
  const bool open_to_all = (folder.st_mode & S_ISVTX) && (folder.st_mode & S_IWOTH);
  return open_to_all && info.st_uid != geteuid() && info.st_uid != folder.st_uid;
}

// Where the links of a path end, which may be nothing yet.
std::string follow_links(const StagedFile& staged) {
  std::string path = staged.path;
  for (int links = 0; links <= kMostLinks; ++links) {
    struct stat info;
    if (own_descriptor(path) >= 0 || lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
    if (is_planted(path, info)) {
      fail(Status::io, "[", staged.who, "] '", path,
           "' is a link that another user made in a folder open to all; it is not followed");
    }
    char end[4096];
    const ssize_t size = readlink(path.c_str(), end, sizeof end);
    if (size <= 0 || size == sizeof end) fail_writing(staged, "follow", size < 0 ? errno : ENAMETOOLONG);
    const std::string next(end, static_cast<size_t>(size));
    path = next[0] == '/' ? next : folder_of(path) + next;
  }
  fail_writing(staged, "follow", ELOOP);
}

std::string hex_digits(uint64_t number, size_t digits) {
  std::string out(digits, '0');
  for (size_t i = digits; i-- > 0; number >>= 4) out[i] = "0123456789abcdef"[number & 15];
  return out;
}

std::string host_digits() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) name[0] = '\0';
  return hex_digits(checksum_of(name, std::strlen(name)), kHostDigits);
}

std::string temporary_name(const StagedFile& staged) {
  uint64_t random = 0;
  if (getentropy(&random, sizeof random) != 0) fail_writing(staged, "name a file beside", errno);
  return "." + staged.name.substr(0, kShownName) + "." + host_digits() + "-" +
         hex_digits(random, kRandomDigits) + std::string(kTail);
}

// Whether a name is one of temporary_name()'s; `host` gets its machine.
bool is_temporary(std::string_view name, std::string_view* host) {
  if (name.size() < kMarkSize + 2 || name[0] != '.') return false;
  const std::string_view mark = name.substr(name.size() - kMarkSize);
  *host = mark.substr(1, kHostDigits);
  const std::string_view random = mark.substr(2 + kHostDigits, kRandomDigits);
  const auto is_hex = [](std::string_view digits) {
    return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  return mark[0] == '.' && mark[1 + kHostDigits] == '-' && is_hex(*host) && is_hex(random) &&
         mark.substr(kMarkSize - kTail.size()) == kTail;
}

// A writer holds its file's lock as long as it lives, so what can be locked is nobody's. Where the file system has no locks
// nothing is removed.
void remove_if_left(int folder, const char* name) {
  const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  if (flock(file, LOCK_EX | LOCK_NB) == 0) unlinkat(folder, name, 0);
  close(file);
}

// Removes what dead processes left in a folder. `now` by the clock of the folder's machine.
void sweep(int folder, int64_t now) {
  const int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const list = listed >= 0 ? fdopendir(listed) : nullptr;
  if (!list) {
    if (listed >= 0) close(listed);
    return;  // a folder that may be written and not be listed
  }
  const std::string own = host_digits();
  while (const dirent* entry = readdir(list)) {
    std::string_view host;
    struct stat info;
    if (!is_temporary(entry->d_name, &host) ||
        fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode) ||
        info.st_uid != geteuid())
      continue;
    // Locks of other machines may not be seen here.
    if (host == own || now - static_cast<int64_t>(info.st_mtime) > kForeignSeconds)
      remove_if_left(folder, entry->d_name);
  }
  closedir(list);
}

// Creates the file and its lock; false where another process took it for a dead one's before it was locked.
bool create_locked(StagedFile& staged) {
  staged.process = getpid();
  staged.temporary = temporary_name(staged);
  staged.file = openat(staged.folder, staged.temporary.c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, staged.replaces ? 0600 : 0666);
  if (staged.file < 0) {
    if (errno == EEXIST) return false;
    const int reason = errno;
    staged.temporary.clear();
    fail_writing(staged, "create a file beside", reason);
  }
  struct stat info;
  const bool others = flock(staged.file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!others && fstat(staged.file, &info) == 0 && info.st_nlink > 0) {
    sweep(staged.folder, static_cast<int64_t>(info.st_mtime));
    return true;
  }
  close(std::exchange(staged.file, -1));
  return false;
}

// As far as the process may: what it may not give away stays its own, and then nobody gets more rights than before.
void take_owner_and_mode(const StagedFile& staged) {
  struct stat made;
  if (fstat(staged.file, &made) != 0) return;
  const bool owner =
      made.st_uid == staged.owner || fchown(staged.file, staged.owner, static_cast<gid_t>(-1)) == 0;
  const bool group =
      made.st_gid == staged.group || fchown(staged.file, static_cast<uid_t>(-1), staged.group) == 0;
  mode_t mode = static_cast<mode_t>(staged.mode);
  if (!owner || !group) mode &= 0777;
  if (!group) mode = (mode & 0707) | ((mode & 07) << 3);
  (void)!fchmod(staged.file, mode);  // some file systems have none
}

// What the file system cannot bring there, or a folder that may not be listed, is as good as it can be.
bool is_on_disk(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF;
}

void rename_staged(const StagedFile& staged) {
  if (renameat(staged.folder, staged.temporary.c_str(), staged.folder, staged.name.c_str()) != 0)
    fail_writing(staged, "replace", errno);
}

void put_in_place(StagedFile& staged) {
  rename_staged(staged);
  const bool closed = close(std::exchange(staged.file, -1)) == 0;
  if (!closed || !is_on_disk(staged.folder)) fail_writing(staged, "bring to the disk", errno);
}

struct FilesTogether {
  int depth = 0;
  bool abandoned = false;
  std::vector<StagedFile> files;
};
FilesTogether& files_together() {
  static thread_local FilesTogether together;
  return together;
}

}  // namespace

StagedFile::StagedFile(StagedFile&& other) noexcept
    : who(std::move(other.who)),
      path(std::move(other.path)),
      name(std::move(other.name)),
      temporary(std::move(other.temporary)),
      folder(std::exchange(other.folder, -1)),
      file(std::exchange(other.file, -1)),
      process(other.process),
      replaces(other.replaces),
      owner(other.owner),
      group(other.group),
      mode(other.mode) {}

StagedFile::~StagedFile() {
  if (file >= 0 && !temporary.empty() && process == getpid()) unlinkat(folder, temporary.c_str(), 0);
  if (file >= 0) close(file);
  if (folder >= 0) close(folder);
}

FileWriter::FileWriter(const std::string& path, const char* who) {
  staged_.who = who;
  staged_.path = path;
  if (path.empty() || path.back() == '/')
    fail(Status::io, "[", who, "] '", path, "' is no file's name; it ",
         path.empty() ? "is empty" : "ends in '/'");
  const std::string target = follow_links(staged_);
  struct stat info;
  const bool there = own_descriptor(target) >= 0 || stat(target.c_str(), &info) == 0;
  if (own_descriptor(target) >= 0 || (there && (S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode)))) {
    open_direct(target);
    return;
  }
  if (!there && errno != ENOENT) fail_writing(staged_, "create", errno);
  if (there && !S_ISREG(info.st_mode)) {
    fail(Status::io, "[", who, "] '", path, "' is ",
         S_ISDIR(info.st_mode) ? "a directory" : "a socket or a disk", "; expected a file");
  }
  if (there) {
    if (faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) fail_writing(staged_, "replace", errno);
    staged_.replaces = true;
    staged_.owner = static_cast<uint32_t>(info.st_uid);
    staged_.group = static_cast<uint32_t>(info.st_gid);
    staged_.mode = static_cast<uint32_t>(info.st_mode & 07777);
  }
  open_staged(target);
}

void FileWriter::open_direct(const std::string& path) {
  const int own = own_descriptor(path);
  // A pipe that nobody reads is an error instead of a long wait.
  staged_.file = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0)
                          : open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (staged_.file < 0 && errno == ENXIO)
    fail(Status::io, "[", staged_.who, "] '", staged_.path, "' is a pipe that nobody reads");
  if (staged_.file < 0) fail_writing(staged_, "open", errno);
  if (own < 0) fcntl(staged_.file, F_SETFL, fcntl(staged_.file, F_GETFL) & ~O_NONBLOCK);
}

void FileWriter::open_staged(const std::string& path) {
  const std::string folder = folder_of(path);
  staged_.name = path.substr(path.rfind('/') == std::string::npos ? 0 : folder.size());
  staged_.folder = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#if defined(O_PATH)
  if (staged_.folder < 0 && errno == EACCES)  // one that may be written and not be listed
    staged_.folder = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
#endif
  if (staged_.folder < 0) fail_writing(staged_, "create", errno);
  for (int tries = 0; tries < kMostTries; ++tries) {
    if (create_locked(staged_)) return;
  }
  fail_writing(staged_, "create a file beside", EEXIST);
}

void FileWriter::put(const char* src, uint64_t bytes) {
  while (bytes > 0) {
    const ssize_t now = ::write(staged_.file, src, static_cast<size_t>(std::min<uint64_t>(bytes, 1 << 30)));
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) {
      const int reason = errno;
      fail(Status::io, "[", staged_.who, "] writing '", staged_.path, "' failed after ", written_,
           " bytes: ", std::strerror(reason));
    }
    src += now;
    bytes -= static_cast<uint64_t>(now);
    written_ += static_cast<uint64_t>(now);
  }
}

void FileWriter::flush() {
  put(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void FileWriter::write(const void* src, uint64_t bytes) {
  const char* const from = static_cast<const char*>(src);
  if (buffer_.size() + bytes > kBufferBytes) flush();
  if (bytes > kBufferBytes)
    put(from, bytes);
  else
    buffer_.insert(buffer_.end(), from, from + bytes);
}

void FileWriter::commit() {
  flush();
  if (is_direct()) {
    if (close(std::exchange(staged_.file, -1)) != 0) fail_writing(staged_, "write", errno);
    return;
  }
  if (staged_.replaces) take_owner_and_mode(staged_);
  if (!is_on_disk(staged_.file)) {
    const int reason = errno;
    fail(Status::io, "[", staged_.who, "] bringing '", staged_.path, "' to the disk failed after ", written_,
         " bytes: ", std::strerror(reason));
  }
  FilesTogether& together = files_together();
  if (together.depth == 0) {
    put_in_place(staged_);
    return;
  }
  together.files.push_back(std::move(staged_));
}

void FileWriter::hand_over() {
  flush();
  if (!is_direct()) {
    if (staged_.replaces) take_owner_and_mode(staged_);
    rename_staged(staged_);
  }
  if (close(std::exchange(staged_.file, -1)) != 0) fail_writing(staged_, "write", errno);
}

void begin_files() {
  FilesTogether& together = files_together();
  if (together.depth++ == 0) together.abandoned = false;
}

void abandon_files() {
  FilesTogether& together = files_together();
  if (together.depth == 0) fail(Status::invalid_argument, "[abandon_files] no files were begun");
  together.abandoned = true;
  together.files.clear();
  --together.depth;
}

void commit_files() {
  FilesTogether& together = files_together();
  if (together.depth == 0) fail(Status::invalid_argument, "[commit_files] no files were begun");
  if (--together.depth > 0) return;
  std::vector<StagedFile> files;
  files.swap(together.files);
  if (together.abandoned)
    fail(Status::io, "[commit_files] one of the files that belong together failed; none was written");
  for (StagedFile& staged : files) put_in_place(staged);
}

}  // namespace mixgrad
