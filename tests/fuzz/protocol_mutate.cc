// protocol_mutate COUNT [SEED]: so many mutated messages, of such as honest peers send, to a server, a worker and a scheduler of a store in
// the middle of its work. They must be taken, or counted as nonsense. Built and run by tests/fuzz/protocol.sh mutate.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mutations.h"
#include "protocol_target.h"

namespace {

using namespace protocol_fuzz;
using fuzz::below;
using fuzz::mutate;
using fuzz::Random;
using mixgrad::net::Payload;

struct Letter {
  NodeId from;
  Kind kind = Kind::push;
  std::string fields, payload;
};

class Honest {
 public:
  explicit Honest(Random& random) : random_(random) {}

  Letter to_server() {
    const proto::View view = view_of_three();
    const NodeId worker = NodeId::worker(small(2)), server = NodeId::server(1 + small(2));
    const PieceId piece = 1 + small(9);
    const proto::Request request{view.epoch, kWorker, piece, small(6)};
    const std::string value = numbers();
    const uint32_t slot = small(4);
    switch (random_() % 13) {
      case 0: return letter(worker, Kind::init, proto::Init{request, small(3), "numbers", {}}, value);
      case 1:
      case 2: return letter(worker, Kind::push, proto::Push{request, small(4) == 0, {}}, value);
      case 3: return letter(worker, Kind::pull, proto::Pull{request, small(4), small(2) == 0, {}}, "");
      case 4:
        return letter(worker, Kind::command,
                      proto::Command{{view.epoch, kWorker, slot, small(4)}, small(2) ? 1 : -1},
                      std::string(8, static_cast<char>(small(5))));
      case 5:
      case 6: {
        proto::Entry entry;
        entry.epoch = entry.origin = view.epoch;
        entry.slot = slot;
        entry.index = small(20);
        entry.commit = small(20);
        entry.trim = small(20);
        entry.step = static_cast<proto::Step>(small(4));
        entry.piece = piece;
        entry.round = small(9);
        entry.marks = {{small(2), small(9)}};
        entry.about = "numbers";
        return letter(server, Kind::entry, entry, value);
      }
      case 7:
        return letter(server, Kind::entry_ack, proto::EntryAck{view.epoch, slot, small(20), small(20)}, "");
      case 8: return letter(server, Kind::commit, proto::Commit{view.epoch, slot, small(20), small(20)}, "");
      case 9:
        return letter(server, Kind::part, proto::Part{view.epoch, 2, small(4), 3, piece, small(3), {}},
                      value);
      case 10: return letter(server, Kind::part_ack, proto::PartAck{view.epoch, 3, small(8)}, "");
      default: return of_scheduler(kServer);
    }
  }
  Letter to_worker() {
    const proto::View view = view_of_three();
    const NodeId server = NodeId::server(small(3));
    const proto::Request request{view.epoch, kWorker, 1 + small(4), small(3)};
    switch (random_() % 8) {
      case 0: return letter(server, Kind::init_done, proto::InitDone{request, small(4), small(4)}, "");
      case 1:
        return letter(server, Kind::push_done, proto::PushDone{request, static_cast<proto::Fate>(small(3))},
                      "");
      case 2: return letter(server, Kind::pulled, proto::Pulled{request, small(4), {}}, numbers());
      case 3: return letter(server, Kind::command_done, proto::CommandDone{request, small(4)}, "");
      case 4:
        return letter(server, Kind::refused, proto::Refused{request, any_request(), small(2) ? "why" : ""},
                      "");
      case 5: return letter(server, Kind::waiting, proto::Waiting{request, any_request(), "worker:1"}, "");
      case 6:
        return letter(NodeId::scheduler(), Kind::barrier_passed, proto::BarrierPassed{kScheduler, small(4)},
                      "");
      default: return of_scheduler(kWorker);
    }
  }
  Letter to_scheduler() {
    const bool is_worker = small(2);
    const NodeId from = is_worker ? NodeId::worker(small(2)) : NodeId::server(small(3));
    const uint64_t incarnation = is_worker ? kWorker : kServer;
    switch (random_() % 6) {
      case 0:
        return letter(
            from, Kind::heartbeat,
            proto::Heartbeat{incarnation + small(2), small(50), kScheduler, small(50), {1, kScheduler}}, "");
      case 1: {
        proto::Report report;
        report.scheduler = kScheduler;
        report.incarnation = incarnation;
        report.contact = "there";
        report.holdings = {{small(4), 1, small(9), {1, kScheduler}}};
        report.disk = small(2);
        report.filled = {small(4)};
        return letter(from, Kind::report, report, small(2) ? proto::encoded(view_of_three()) : "");
      }
      case 2: return letter(from, Kind::filled, proto::Filled{{1, kScheduler}, small(4), small(3)}, "");
      case 3: return letter(from, Kind::join, proto::Join{incarnation, small(4)}, "");
      case 4: return letter(from, Kind::barrier, proto::Barrier{incarnation, small(4)}, "");
      default: return letter(from, Kind::leave, proto::Leave{incarnation}, "");
    }
  }

 private:
  uint32_t small(uint32_t limit) { return static_cast<uint32_t>(below(random_, limit)); }
  std::string numbers() {
    const Numbers value = first_value(small(9));
    return std::string(reinterpret_cast<const char*>(value.data()), value.size() * 8);
  }
  Kind any_request() {
    static const Kind kinds[] = {Kind::init, Kind::push, Kind::pull, Kind::command, Kind::barrier};
    return kinds[small(5)];
  }
  Letter of_scheduler(uint64_t incarnation) {
    switch (random_() % 3) {
      case 0: {
        proto::Answer answer;
        answer.scheduler = kScheduler + small(2);
        answer.count = answer.beat = small(50);
        answer.incarnation = incarnation;
        answer.wants_report = small(2);
        return letter(NodeId::scheduler(), Kind::answer, answer, "");
      }
      case 1: {
        proto::View view = view_of_three();
        view.epoch.number += small(3);
        view.slots[small(4)].full = {small(3)};
        view.slots[small(4)].filling = {small(3)};
        return letter(NodeId::scheduler(), Kind::view, proto::ViewIs{kScheduler, incarnation},
                      proto::encoded(view));
      }
      default: return letter(NodeId::scheduler(), Kind::unfit, proto::Unfit{incarnation + 1, "why"}, "");
    }
  }
  template <class T>
  static Letter letter(NodeId from, Kind kind, const T& fields, std::string payload) {
    return {from, kind, proto::encoded(fields), std::move(payload)};
  }
  Random& random_;
};

}  // namespace

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  Random random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  Honest honest(random);
  Letter other;
  uint64_t done = 0, of_servers = 0;
  while (done < count) {
    Target target;
    // A server half of the time.
    const size_t role = random() % 4;
    if (role < 2)
      begin_server(target);
    else if (role == 2)
      begin_worker(target);
    else
      begin_scheduler(target);
    for (int i = 0; i < 100; ++i) {
      Letter letter = role < 2 ? honest.to_server() : role == 2 ? honest.to_worker() : honest.to_scheduler();
      if (random() % 4) {
        mutate(random, random() % 5 == 0 ? letter.payload : letter.fields, other.fields);
        if (random() % 6 == 0) letter.kind = static_cast<Kind>(random() % 64);
        if (random() % 6 == 0) letter.from = other.from;
        ++done;
        of_servers += role < 2;
      }
      if (random() % 8 == 0) other = letter;
      mixgrad::net::Message message;
      message.kind = static_cast<uint16_t>(letter.kind);
      message.fields = letter.fields;
      message.payload = Payload::copy_of(letter.payload.data(), letter.payload.size());
      target.take(letter.from.str(), std::move(message));
    }
  }
  std::printf("%" PRIu64 " mutated messages, %" PRIu64 " of them to servers\n", done, of_servers);
  return 0;
}
