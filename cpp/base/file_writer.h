// The one way files are written.
//
// The bytes go into a file beside the target whose name nobody can guess and which no link redirects; commit() brings it to
// the disk and renames it over the target. So at any moment, whatever happens to the process or the disk, the target is the
// old file or the new one. A process that is killed leaves its file behind, unlocked: the next one that writes into that folder
// removes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mixgrad {

// A file that is written but not in its place yet; it goes with its owner.
struct StagedFile {
  std::string who, path;        // for messages
  std::string name, temporary;  // in the folder; no temporary: `file` is the target itself
  int folder = -1, file = -1;   // descriptors
  int process = 0;              // whose file it is; one that was forked off leaves it alone
  bool replaces = false;        // a file whose owner and mode it takes
  uint32_t owner = 0, group = 0, mode = 0;

  StagedFile() = default;
  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&&) = delete;
  ~StagedFile();
};

// What a path may lead to: nothing or a regular file, which is replaced, keeping its mode and as far as possible its owner; a
// link, which stays and whose end is written; a terminal or device such as /dev/null, a pipe that somebody reads, or a
// descriptor of this process such as /dev/stdout, which are written as they are. Folders, sockets, disks, loops of links, files without
// permission to write and links that others planted in a folder open to all are refused. Throws Status::io for them and
// for what goes wrong; messages begin with [who] and name the path.
class FileWriter {
 public:
  FileWriter(const std::string& path, const char* who);

  // Without commit() nothing is left behind.
  void write(const void* src, uint64_t bytes);
  // Puts the file into its place, or between begin_files() and commit_files() keeps it until then.
  void commit();
  // Puts it there at once, and leaves it to the system when it comes to the disk: what outlives the process, and not always the machine.
  void hand_over();

 private:
  void open_direct(const std::string& path);
  void open_staged(const std::string& path);
  void flush();
  void put(const char* src, uint64_t bytes);

  bool is_direct() const { return staged_.temporary.empty(); }

  StagedFile staged_;
  std::vector<char> buffer_;
  uint64_t written_ = 0;
};

// Files that belong together: those which this thread writes from begin_files() on appear when commit_files() has all of them on
// the disk, in the order in which they were written, or not at all where abandon_files() is called instead. Inside of one another
// only the outermost pair counts, and abandoning an inner one abandons all.
void begin_files();
void commit_files();
void abandon_files();

}  // namespace mixgrad
