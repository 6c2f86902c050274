#include "kvstore/distributed/key_ring.h"

#include <fstream>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "kvstore/protocol/node.h"
#include "net/zeromq.h"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#endif

namespace mixgrad::kvstore {
namespace {

constexpr char kWhoKeys[] = "keys";
constexpr char kPublicFile[] = "public.txt";

std::string secret_path(const std::string& folder, const net::NodeName& name) {
  std::string file = name;
  for (char& c : file) {
    if (c == ':') c = '-';
  }
  return folder + "/" + file + ".secret";
}

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  if (!in || !(all << in.rdbuf()))
    fail(Status::not_found, '[', kWhoKeys, "] cannot read ", path,
         "; expected a folder as `mixgrad keys` makes");
  return all.str();
}

#if defined(__unix__) || defined(__APPLE__)
// Whoever may change the file, or the folder that it is in, may put other keys there; whoever may read a secret has it.
void check_owner(const std::string& path, mode_t refused, const char* who_may, const char* expected) {
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0) return;  // reading says what is wrong
  const bool is_sticky_folder = S_ISDIR(about.st_mode) && (about.st_mode & S_ISVTX) != 0;
  if ((about.st_mode & refused) != 0 && !is_sticky_folder) {
    fail(Status::invalid_argument, '[', kWhoKeys, "] ", path, " may be ", who_may,
         " by others; expected mode ", expected, ", as `mixgrad keys` makes it");
  }
  if (about.st_uid != geteuid() && about.st_uid != 0) {
    fail(Status::invalid_argument, '[', kWhoKeys, "] ", path, " belongs to user ", about.st_uid,
         "; expected one of this user (", geteuid(), ") or of root");
  }
}
void check_folder(const std::string& folder) { check_owner(folder, 022, "changed", "700"); }
void check_list(const std::string& path) { check_owner(path, 022, "changed", "644"); }
void check_secret(const std::string& path) { check_owner(path, 077, "read", "600"); }

// A new file: none that is there is changed.
void write_file(const std::string& path, const std::string& content, int mode) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) fail(Status::io, '[', kWhoKeys, "] cannot make ", path, ": ", std::strerror(errno));
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t count = write(descriptor, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int reason = errno;
      close(descriptor);
      fail(Status::io, '[', kWhoKeys, "] cannot write ", path, ": ", std::strerror(reason));
    }
    done += static_cast<size_t>(count);
  }
  if (close(descriptor) != 0)
    fail(Status::io, '[', kWhoKeys, "] cannot write ", path, ": ", std::strerror(errno));
}

void make_key_folder(const std::string& folder) {
  if (mkdir(folder.c_str(), 0700) == 0) return;
  if (errno == EEXIST) return check_folder(folder);
  fail(Status::io, '[', kWhoKeys, "] cannot make the folder ", folder, ": ", std::strerror(errno));
}
#else
void check_folder(const std::string&) {}
void check_list(const std::string&) {}
void check_secret(const std::string&) {}
void write_file(const std::string& path, const std::string&, int) {
  fail(Status::unsupported, '[', kWhoKeys, "] ", path,
       ": this system has no modes of files that keep secrets");
}
void make_key_folder(const std::string&) {}
#endif

std::string first_word(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  return word;
}

}  // namespace

net::PublicKey KeyRing::of(const net::NodeName& name) const {
  if (empty()) return {};
  const auto at = known.find(name);
  if (at == known.end()) fail(Status::not_found, '[', kWhoKeys, "] there is no public key of ", name);
  return at->second;
}

KeyRing read_keys(const std::string& folder, const net::NodeName& self) {
  KeyRing ring;
  const std::string list = folder + "/" + kPublicFile, secret = secret_path(folder, self);
  check_folder(folder);
  check_list(list);
  std::istringstream lines(text_of_file(list));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string name, key, more;
    words >> name >> key;
    protocol::NodeId id;
    if (name.empty() || name[0] == '#') continue;
    if (!protocol::NodeId::parse(name, id) || key.empty() || words >> more) {
      fail(Status::format, '[', kWhoKeys, "] line ", number, " of ", list,
           " makes no sense; expected a node such as server:0 and its public key");
    }
    ring.known[name] = net::parse_public_key(key, kWhoKeys);
  }
  check_secret(secret);
  ring.own.secret_key = net::parse_secret_key(first_word(text_of_file(secret)), kWhoKeys);
  const auto own = ring.known.find(self);
  if (own == ring.known.end()) fail(Status::not_found, '[', kWhoKeys, "] ", list, " has no line of ", self);
  ring.own.public_key = own->second;
  return ring;
}

void write_keys(const std::string& folder, uint32_t workers, uint32_t servers) {
  using protocol::NodeId;
  std::vector<NodeId> nodes = {NodeId::scheduler()};
  for (uint32_t i = 0; i < servers; ++i) nodes.push_back(NodeId::server(i));
  for (uint32_t i = 0; i < workers; ++i) nodes.push_back(NodeId::worker(i));
  make_key_folder(folder);
  std::string list;
  for (const NodeId& node : nodes) {
    const net::KeyPair pair = net::make_key_pair();
    write_file(secret_path(folder, node.str()), pair.secret_key.revealed() + "\n", 0600);
    list += node.str() + " " + pair.public_key.str() + "\n";
  }
  write_file(folder + "/" + kPublicFile, list, 0644);
}

}  // namespace mixgrad::kvstore
