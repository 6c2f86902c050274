// A server, a worker or a scheduler of a store in the middle of its work, and how any message gets to it.
#pragma once

#include <cstdlib>
#include <memory>

#include "kvstore/protocol/scheduler.h"
#include "kvstore/protocol/server.h"
#include "kvstore_protocol_program.h"

namespace protocol_fuzz {

using namespace protocol_test;
using proto::Kind;
using proto::NodeId;

constexpr uint64_t kScheduler = 0x51, kServer = 0x52, kWorker = 0x53;

inline proto::View view_of_three() {
  proto::View view;
  view.epoch = {1, kScheduler};
  for (uint32_t i = 0; i < 3; ++i) {
    view.servers.push_back({i, kServer, 0, true, 0, "s"});
    if (i < 2) view.workers.push_back({i, kWorker, 0, true, 0, "w"});
  }
  // Server 0 leads, follows, is filled, and fills.
  view.slots.resize(4);
  view.slots[0].full = {0, 1};
  view.slots[1].full = {1, 0};
  view.slots[2].full = {1};
  view.slots[2].filling = {0};
  view.slots[3].full = {0};
  view.slots[3].filling = {2};
  return view;
}

// A machine and how messages get to it.
struct Target {
  Truth truth;
  std::unique_ptr<VectorTable> table;
  std::unique_ptr<proto::Server> server;
  std::unique_ptr<proto::Worker> worker;
  std::unique_ptr<proto::Scheduler> scheduler;
  Time now = 1;

  void take(const std::string& from, mixgrad::net::Message message) {
    Actions actions;
    now += 500;
    if (server) server->on_message(now, from, message, actions), server->on_time(now, actions);
    if (worker) worker->on_message(now, from, message, actions), worker->on_time(now, actions);
    if (scheduler) scheduler->on_message(now, from, message, actions), scheduler->on_time(now, actions);
    // What it says must be sound itself.
    for (const proto::Outgoing& out : actions.messages) {
      if (out.message.fields.empty() || out.message.fields[0] != proto::kProtocolVersion) std::abort();
    }
  }
  template <class T>
  void take(NodeId from, Kind kind, const T& fields, mixgrad::net::Payload payload = {}) {
    mixgrad::net::Message message;
    message.kind = static_cast<uint16_t>(kind);
    message.fields = proto::encoded(fields);
    message.payload = std::move(payload);
    take(from.str(), std::move(message));
  }
};

// Through the messages of an honest scheduler, into its view.
inline void introduce(Target& target, uint64_t incarnation) {
  for (uint64_t beat = 1; beat < 4; ++beat) {
    proto::Answer answer;
    answer.scheduler = kScheduler;
    answer.count = answer.beat = beat;
    answer.incarnation = incarnation;
    answer.wants_report = beat == 3;
    target.take(NodeId::scheduler(), Kind::answer, answer);
  }
  target.take(NodeId::scheduler(), Kind::view, proto::ViewIs{kScheduler, incarnation},
              mixgrad::net::Payload::of(proto::encoded(view_of_three())));
}

inline void begin_server(Target& target) {
  target.table = std::make_unique<VectorTable>(target.truth, "server");
  target.server = std::make_unique<proto::Server>(0, kServer, "s", proto::Timing(), *target.table);
  introduce(target, kServer);
  const proto::View view = view_of_three();
  for (PieceId piece = 1; piece < 9; ++piece) {
    proto::Init init;
    init.request = {view.epoch, kWorker, piece, 0};
    init.about = "numbers";
    target.take(NodeId::worker(0), Kind::init, init, payload_of(first_value(piece)));
    target.take(NodeId::server(1), Kind::entry_ack, proto::EntryAck{view.epoch, 0, piece, piece});
  }
}

inline void begin_worker(Target& target) {
  target.worker = std::make_unique<proto::Worker>(0, kWorker, "w", proto::Rounds(), proto::Timing());
  introduce(target, kWorker);
  Actions actions;
  for (PieceId piece = 1; piece < 5; ++piece) {
    target.worker->init(target.now, piece, "numbers", {{}, payload_of(first_value(piece))}, actions);
    proto::InitDone done;
    done.request = {view_of_three().epoch, kWorker, piece, 0};
    target.take(NodeId::server(0), Kind::init_done, done);
    const proto::PushRequest update{piece, {{}, payload_of(first_value(piece))}, 0};
    target.worker->push(target.now, {&update, 1}, actions);
    target.worker->pull(target.now, {piece, 0, false, 0, {}, {}}, actions);
  }
  target.worker->barrier(target.now, actions);
  target.worker->command(target.now, 1, payload_of({1}), actions);
}

inline void begin_scheduler(Target& target) {
  proto::Membership members;
  members.servers = 3;
  members.workers = 2;
  members.slots = 4;
  target.scheduler = std::make_unique<proto::Scheduler>(kScheduler, members, proto::Timing());
  for (const NodeId id :
       {NodeId::server(0), NodeId::server(1), NodeId::server(2), NodeId::worker(0), NodeId::worker(1)}) {
    const uint64_t incarnation = id.role == proto::Role::server ? kServer : kWorker;
    for (uint64_t beat = 0; beat < 2; ++beat) {
      target.take(id, Kind::heartbeat, proto::Heartbeat{incarnation, beat + 1, kScheduler, beat, {}});
    }
    proto::Report report;
    report.scheduler = kScheduler;
    report.incarnation = incarnation;
    target.take(id, Kind::report, report);
  }
}

}  // namespace protocol_fuzz
