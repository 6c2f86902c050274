// What travels: written and read back, cut short, changed, and too large; names of nodes, placements, introductions.
#include <random>

#include "check.h"
#include "kvstore/protocol/acquaintance.h"
#include "kvstore/protocol/placement.h"
#include "kvstore_protocol_cluster.h"

namespace {

using namespace protocol_test;
using proto::decode;
using proto::encoded;

// The bytes say the same again after a way there and back, and no shorter or longer ones are accepted.
template <class T>
void there_and_back(const T& value) {
  const std::string bytes = encoded(value);
  T read;
  CHECK(decode(bytes.data(), bytes.size(), read));
  CHECK(encoded(read) == bytes);
  for (size_t size = 0; size < bytes.size(); ++size) {
    T cut;
    CHECK(!decode(bytes.data(), size, cut));
  }
  T longer;
  const std::string more = bytes + '\0';
  CHECK(!decode(more.data(), more.size(), longer));
  std::string other_version = bytes;
  other_version[0] = static_cast<char>(proto::kProtocolVersion + 1);
  CHECK(!decode(other_version.data(), other_version.size(), longer));
}

proto::View some_view() {
  proto::View view;
  view.epoch = {7, 1234567890123u};
  view.rounds = {Policy::first, 3};
  view.servers = {{0, 5, 0, true, 77, "10.0.0.1:9000"}, {2, 6, 0, false, 0, ""}};
  view.workers = {{1, 8, proto::kNotYet, true, 0, "w"}};
  view.slots.resize(2);
  view.slots[0].full = {2, 0};
  view.slots[1].full = {0};
  view.slots[1].filling = {2};
  return view;
}

}  // namespace

TEST(kvstore_protocol_fields) {
  const proto::Request request{{3, 4}, 5, 6, UINT64_MAX};
  proto::Entry entry;
  entry.marks = {{1, 2}, {3, 4}};
  entry.about = "weight";
  entry.format = {proto::Encoding::two_bit, 2, 0x3f000000, 1000, 0};
  there_and_back(entry);
  there_and_back(some_view());
  there_and_back(proto::Heartbeat{1, 2, 3, 4, {5, 6}});
  there_and_back(proto::Answer{1, 2, 3, 4, true, "worker:1"});
  there_and_back(proto::Report{1, 2, "here", {{1, 2, 3, {4, 5}}}, 6, {7}, {Policy::async, 0}, 3});
  there_and_back(proto::Init{request, 1, "about", {}});
  there_and_back(proto::InitDone{request, 1, 2});
  there_and_back(proto::Push{request, true, {}});
  there_and_back(proto::PushDone{request, proto::Fate::late, 4});
  there_and_back(proto::Pull{request, 9, true, {proto::Encoding::rows, 0, 0, 8, 2}});
  there_and_back(proto::Pulled{request, 9, {}});
  there_and_back(proto::Command{request, -1});
  there_and_back(proto::CommandDone{request, 1});
  there_and_back(proto::Refused{request, proto::Kind::pull, "why"});
  there_and_back(proto::Waiting{request, proto::Kind::push, "worker:1"});
  there_and_back(proto::Part{{1, 2}, 3, 4, 5, 6, 7, {}});
}

TEST(kvstore_protocol_fields_have_bounds) {
  // A list of four thousand million items in few bytes takes no memory.
  proto::FieldWriter writer;
  writer(proto::kProtocolVersion, uint64_t{1}, uint32_t{0xffffffff});
  const std::string bytes = writer.take();
  struct Long {
    uint64_t index = 0;
    std::vector<proto::Mark> marks;
    void fields(proto::FieldReader& f) { f(index, marks); }
  } read;
  CHECK(!decode(bytes.data(), bytes.size(), read));
  CHECK(read.marks.capacity() < 16);
  // Enumerations and truth values have no others than theirs.
  const std::string push = encoded(proto::PushDone{{}, proto::Fate::unknown});
  std::string other = push;
  other.back() = 3;
  proto::PushDone done;
  CHECK(decode(push.data(), push.size(), done));
  CHECK(!decode(other.data(), other.size(), done));
  // Changed bytes are read, or refused; nothing else happens.
  std::mt19937 random(3);
  const std::string view = encoded(some_view());
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string changed = view;
    for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    proto::View out;
    accepted += decode(changed.data(), changed.size(), out) && out.is_sound();
  }
  CHECK(accepted > 0 && accepted < 20000);
}

TEST(kvstore_protocol_views_are_sound) {
  const auto sound = [](auto change) {
    proto::View view = some_view();
    change(view);
    return view.is_sound();
  };
  CHECK(sound([](proto::View&) {}));
  CHECK(!sound([](proto::View& view) { view.slots[0].full = {1}; }));
  CHECK(!sound([](proto::View& view) { view.slots[0].full = {0, 0}; }));
  CHECK(!sound([](proto::View& view) { view.slots[1].filling = {0}; }));
  CHECK(!sound([](proto::View& view) { std::swap(view.servers[0], view.servers[1]); }));
  CHECK(!sound([](proto::View& view) { view.workers[0].number = proto::kMaxNumber + 1; }));
  CHECK(!sound([](proto::View& view) { view.slots.clear(); }));
  CHECK(!sound([](proto::View& view) { view.epoch = {}; }));
}

TEST(kvstore_protocol_names_of_nodes) {
  for (const NodeId id : {NodeId::scheduler(), NodeId::server(0), NodeId::worker(4095)}) {
    NodeId read;
    CHECK(NodeId::parse(id.str(), read));
    CHECK(read == id);
  }
  for (const char* name : {"", "server", "server:", "server:01", "server:-1", "server:4096", "worker:1x",
                           "Worker:1", "scheduler:0", "worker:99999999999"}) {
    NodeId read;
    CHECK(!NodeId::parse(name, read));
  }
}

// A server that goes takes only its own slots with it.
TEST(kvstore_protocol_placement_moves_little) {
  std::set<uint32_t> servers = {0, 1, 2, 3, 4};
  size_t held = 0, moved = 0;
  for (uint32_t slot = 0; slot < 1000; ++slot) {
    const auto before = proto::heaviest(slot, servers, 2);
    auto fewer = servers;
    fewer.erase(3);
    const auto after = proto::heaviest(slot, fewer, 2);
    for (const uint32_t server : before) {
      held += server == 3;
      moved += server != 3 && std::find(after.begin(), after.end(), server) == after.end();
    }
  }
  CHECK(held > 300 && held < 500);
  CHECK_EQ(moved, size_t{0});
}

TEST(kvstore_protocol_acquaintance) {
  proto::Acquaintance peer;
  CHECK(!peer.meets(0, 5, 5));
  CHECK(!peer.meets(11, 0, 1));  // seen, at count 1
  CHECK(!peer.meets(11, 1, 2));  // repeats what is as old as that
  CHECK(peer.meets(11, 2, 2));
  CHECK_EQ(peer.incarnation(), uint64_t{11});
  CHECK(!peer.meets(12, 2, 3));
  CHECK(peer.meets(12, 4, 4));
  CHECK(!peer.meets(11, 5, 5));  // replaced for ever
  CHECK(!peer.meets(11, 9, 9));
  CHECK_EQ(peer.incarnation(), uint64_t{12});
}
