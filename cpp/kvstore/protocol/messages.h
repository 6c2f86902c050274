// What the processes say to each other. Each struct is the fields of the message of its kind; some messages carry a payload.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kvstore/protocol/fields.h"
#include "kvstore/protocol/view.h"

namespace mixgrad::kvstore::protocol {

constexpr size_t kMaxAboutBytes = 4096;  // of what a first value says of itself

enum class Kind : uint16_t {
  // Nodes and the scheduler.
  heartbeat = 1,
  answer,
  report,
  view,
  filled,
  join,
  leave,
  left,
  barrier,
  barrier_passed,
  unfit,
  // Workers and servers.
  init = 20,
  init_done,
  push,
  push_done,
  pull,
  pulled,
  command,
  command_done,
  refused,
  waiting,
  // Servers among each other.
  entry = 40,
  entry_ack,
  commit,
  part,
  part_ack,
};

// --- Nodes and the scheduler. Each side shows that it lives by repeating a number which the other has just chosen.

struct Heartbeat {
  uint64_t incarnation = 0;  // of the node
  uint64_t beat = 0;         // counts
  uint64_t scheduler = 0;    // the incarnation whose `count` this repeats
  uint64_t count = 0;
  Epoch epoch;  // of the view that the node follows
  template <class F>
  void fields(F& f) {
    f(incarnation, beat, scheduler, count, epoch);
  }
};

struct Answer {
  uint64_t scheduler = 0;    // its incarnation
  uint64_t count = 0;        // counts
  uint64_t incarnation = 0;  // of the node that it answers, and its beat
  uint64_t beat = 0;
  bool wants_report = false;
  std::string waits_for;  // whom a scheduler without a view waits for
  template <class F>
  void fields(F& f) {
    f(scheduler, count, incarnation, beat, wants_report, waits_for);
  }
};

// A slot whose state a server has read from a snapshot.
struct Holding {
  uint32_t slot = 0;
  uint64_t snapshot = 0;
  // Where it writes down its log: where that ends, and the view in which a primary made the last step that it still has.
  uint64_t tail = 0;
  Epoch origin;
  template <class F>
  void fields(F& f) {
    f(slot, snapshot, tail, origin);
  }
};

// All that a node knows, for a scheduler that has just met it. The payload is the view that it follows, if any, or that it followed
// before it ended, where it writes that down.
struct Report {
  uint64_t scheduler = 0;  // to which incarnation
  uint64_t incarnation = 0;
  std::string contact;
  std::vector<Holding> holdings;  // of a server that has no view yet
  uint64_t disk = 0;              // the number of what it writes everything down on; 0: it does not
  std::vector<uint32_t> filled;   // slots that a server has got whole in the view that it follows
  Rounds rounds;                  // of a worker: as its program wants them
  uint64_t barriers = 0;          // that it has passed
  template <class F>
  void fields(F& f) {
    f(scheduler, incarnation, contact, holdings, disk, filled, rounds, barriers);
  }
};

// The payload is the view.
struct ViewIs {
  uint64_t scheduler = 0;
  uint64_t incarnation = 0;  // of the node that it is for
  template <class F>
  void fields(F& f) {
    f(scheduler, incarnation);
  }
};

// From a primary, or from the server itself: it has the slot's state, and each commit of this view waits for it.
struct Filled {
  Epoch epoch;
  uint32_t slot = 0;
  uint32_t server = 0;
  template <class F>
  void fields(F& f) {
    f(epoch, slot, server);
  }
};

// From a worker: rounds wait for it from this one on.
struct Join {
  uint64_t incarnation = 0;
  uint64_t from = 0;
  template <class F>
  void fields(F& f) {
    f(incarnation, from);
  }
};

// From a worker that is done, repeated until it is answered by `left`, which has the same fields: rounds and barriers do not wait
// for it any more.
struct Leave {
  uint64_t incarnation = 0;
  template <class F>
  void fields(F& f) {
    f(incarnation);
  }
};

// From a worker: it stands at this barrier. Answered by `waiting` or `barrier_passed`.
struct Barrier {
  uint64_t incarnation = 0;
  uint64_t number = 0;  // from 1 on
  template <class F>
  void fields(F& f) {
    f(incarnation, number);
  }
};

// All up to this one are passed.
struct BarrierPassed {
  uint64_t scheduler = 0;
  uint64_t number = 0;
  template <class F>
  void fields(F& f) {
    f(scheduler, number);
  }
};

// From the scheduler: why the node cannot take part.
struct Unfit {
  uint64_t incarnation = 0;
  std::string why;
  template <class F>
  void fields(F& f) {
    f(incarnation, why);
  }
};

// --- Workers and servers. A server answers what names its epoch.

// What a request and its answer have in common. `target` is a piece, or for commands a slot; `number` is the sequence of an
// update, or what tells a worker's pulls apart.
struct Request {
  Epoch epoch;
  uint64_t incarnation = 0;  // of the worker
  uint64_t target = 0;
  uint64_t number = 0;
  template <class F>
  void fields(F& f) {
    f(epoch, incarnation, target, number);
  }
};

// Payload: the first value, from rank 0.
struct Init {
  Request request;
  uint64_t round = 0;  // of the first value
  std::string about;   // name, shape and so on, as tables want them
  Format format;
  template <class F>
  void fields(F& f) {
    f(request, round, about, format);
  }
};

struct InitDone {
  Request request;
  uint64_t round = 0;  // of the present value
  uint64_t mark = 0;   // the last sequence of this rank that counted
  template <class F>
  void fields(F& f) {
    f(request, round, mark);
  }
};

// Payload: the update, unless it only asks what became of it.
struct Push {
  Request request;
  bool asks = false;
  Format format;
  template <class F>
  void fields(F& f) {
    f(request, asks, format);
  }
};

enum class Fate : uint8_t {
  applied = 0,  // all replicas have it
  late = 1,     // its round had closed without it
  unknown = 2,  // send it (again)
};

struct PushDone {
  Request request;
  Fate fate = Fate::applied;
  uint64_t round = 0;  // late: the last that is over
  template <class F>
  void fields(F& f) {
    f(request, round);
    f.choice(fate, Fate::unknown);
  }
};

// Payload: the rows that are wanted (int64), if format.encoding is rows.
struct Pull {
  Request request;
  uint64_t after = 0;  // the sequence of an update that the value must have in it
  bool exact = false;  // just this round
  Format format;
  template <class F>
  void fields(F& f) {
    f(request, after, exact, format);
  }
};

// Payload: the value.
struct Pulled {
  Request request;
  uint64_t round = 0;
  Format format;
  template <class F>
  void fields(F& f) {
    f(request, round, format);
  }
};

// Payload: the body. Number 0 asks for the last that counted.
struct Command {
  Request request;
  int32_t head = 0;
  template <class F>
  void fields(F& f) {
    f(request, head);
  }
};

struct CommandDone {
  Request request;
  uint64_t mark = 0;
  template <class F>
  void fields(F& f) {
    f(request, mark);
  }
};

// A server cannot do what a request wants. Without a reason: it follows another view, or is not the primary.
struct Refused {
  Request request;
  Kind kind = Kind::push;
  std::string why;
  template <class F>
  void fields(F& f) {
    uint16_t number = static_cast<uint16_t>(kind);
    f(request, number, why);
    if constexpr (std::is_same_v<F, FieldReader>) kind = static_cast<Kind>(number);
  }
};

// The request is there, and waits for others.
struct Waiting {
  Request request;
  Kind kind = Kind::push;
  std::string whom;  // "worker:2, worker:5"
  template <class F>
  void fields(F& f) {
    uint16_t number = static_cast<uint16_t>(kind);
    f(request, number, whom);
    if constexpr (std::is_same_v<F, FieldReader>) kind = static_cast<Kind>(number);
  }
};

// --- Servers among each other.

// One step of a slot's log.
enum class Step : uint8_t {
  init = 0,    // a first value
  update = 1,  // a round, or one update of async
  command = 2,
  opening = 3,  // the first of a view: when all replicas have it, their logs are one
};

// Payload: the value or body.
struct Entry {
  Epoch epoch;   // of the view in which it is sent
  Epoch origin;  // of the view in which a primary made it
  uint32_t slot = 0;
  uint64_t index = 0;
  uint64_t commit = 0;  // all up to this one are committed
  uint64_t trim = 0;    // all up to this one are applied by all
  Step step = Step::update;
  PieceId piece = 0;
  uint64_t round = 0;       // of the piece's value after it
  std::vector<Mark> marks;  // whose updates are in it
  int32_t head = 0;
  std::string about;
  Format format;
  template <class F>
  void fields(F& f) {
    f(epoch, origin, slot, index, commit, trim);
    f.choice(step, Step::opening);
    f(piece, round, marks, head, about, format);
  }
};

// From a replica: it has all up to `verified` as the primary has them, and has applied up to `applied`.
struct EntryAck {
  Epoch epoch;
  uint32_t slot = 0;
  uint64_t verified = 0;
  uint64_t applied = 0;
  template <class F>
  void fields(F& f) {
    f(epoch, slot, verified, applied);
  }
};

struct Commit {
  Epoch epoch;
  uint32_t slot = 0;
  uint64_t commit = 0;
  uint64_t trim = 0;
  template <class F>
  void fields(F& f) {
    f(epoch, slot, commit, trim);
  }
};

// A piece of a slot's state, for a server that is being filled. Number 0 has the ledger as payload, the others one part of a
// table's piece.
struct Part {
  Epoch epoch;
  uint32_t slot = 0;
  uint32_t number = 0;
  uint32_t count = 0;
  PieceId piece = 0;
  uint32_t part = 0;
  Format format;
  template <class F>
  void fields(F& f) {
    f(epoch, slot, number, count, piece, part, format);
  }
};

// It has all parts below `next`.
struct PartAck {
  Epoch epoch;
  uint32_t slot = 0;
  uint32_t next = 0;
  template <class F>
  void fields(F& f) {
    f(epoch, slot, next);
  }
};

}  // namespace mixgrad::kvstore::protocol
