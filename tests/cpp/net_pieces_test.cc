// Pieces of messages: what the queue of a peer cuts, the wire carries and an assembly joins.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "net/assembly.h"
#include "net/outbox.h"
#include "net/piece.h"

using namespace mixgrad::net;

namespace {

Message message_of(uint16_t kind, int32_t priority, const std::string& fields, const std::string& payload) {
  Message message;
  message.kind = kind;
  message.priority = priority;
  message.fields = fields;
  message.payload = Payload::copy_of(payload.data(), payload.size());
  return message;
}

Taken take(Assembly* assembly, const Piece& piece, Message* message) {
  PieceHead head;
  const char* reason = decode_piece(piece.head.data(), piece.head.size(), &head);
  CHECK_EQ(std::string(reason ? reason : ""), "");
  const Taken taken = assembly->take(head, piece.body, message, &reason);
  if (taken == Taken::nonsense) CHECK_EQ(std::string(reason), "");
  return taken;
}

std::string random_bytes(std::mt19937_64* random, size_t count) {
  std::string bytes(count, ' ');
  for (char& byte : bytes) byte = static_cast<char>((*random)());
  return bytes;
}

TEST(net_pieces_say_what_they_were_told) {
  PieceHead head;
  head.number = 0x1234567890abcdef;
  head.kind = 0xfedc;
  head.priority = -2147483647;
  head.payload_bytes = 3;
  head.from = "worker:1";
  head.to = "server:0";
  head.fields = "fields";
  head.inlined = "abc";
  const std::string frame = encode_piece(head);
  PieceHead read;
  CHECK(decode_piece(frame.data(), frame.size(), &read) == nullptr);
  CHECK_EQ(read.number, head.number);
  CHECK_EQ(read.kind, head.kind);
  CHECK_EQ(read.priority, head.priority);
  CHECK(read.first && read.from == head.from && read.to == head.to && read.fields == head.fields);
  CHECK(read.inlined == head.inlined && read.payload_bytes == 3);
  // Whatever is cut off is missed, and what is added is seen.
  for (size_t bytes = 0; bytes < frame.size(); ++bytes)
    CHECK(decode_piece(frame.data(), bytes, &read) != nullptr || read.inlined.empty());
  CHECK_EQ(std::string(decode_piece((frame + "d").data(), frame.size() + 1, &read)),
           "another payload than a header says");
  for (const size_t at : {0, 1, 2, 3}) {
    std::string changed = frame;
    changed[at] ^= 0x40;
    CHECK(decode_piece(changed.data(), changed.size(), &read) != nullptr);
  }
}

TEST(net_pieces_of_the_wire_do_not_change) {
  PieceHead head;
  head.number = 7;
  head.kind = 0x0102;
  head.priority = -2;
  head.payload_bytes = 0x10000;
  head.from = "a";
  head.to = "bc";
  head.fields = "f";
  const unsigned char first[] = {'m',  'g',  1, 1, 7, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1,   2,   0xfe, 0xff,
                                 0xff, 0xff, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 'a', 'b', 'c',  'f'};
  CHECK(encode_piece(head) == std::string(reinterpret_cast<const char*>(first), sizeof first));
  head.first = false;
  head.offset = 0x8000;
  const unsigned char further[] = {'m', 'g', 1, 2, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0};
  CHECK(encode_piece(head) == std::string(reinterpret_cast<const char*>(further), sizeof further));
}

TEST(net_urgent_messages_overtake_large_ones) {
  Outbox outbox("a", "b");
  outbox.push(message_of(1, 0, "", std::string(100000, 'x')));
  CHECK(outbox.next(30000).first);
  outbox.push(message_of(2, 5, "urgent", ""));
  const Piece urgent = outbox.next(30000);
  CHECK(urgent.first && urgent.last);
  CHECK_EQ(urgent.message_bytes, 6u);
  outbox.push(message_of(3, -5, "late", ""));
  for (int i = 1; i < 4; ++i) CHECK_EQ(outbox.next(30000).last, i == 3);
  CHECK_EQ(outbox.messages(), 1u);
  CHECK(outbox.next(30000).first);
  CHECK(outbox.empty() && outbox.bytes() == 0);
}

TEST(net_few_messages_are_incomplete_at_a_time) {
  Outbox outbox("a", "b");
  size_t begun = 0, most = 0;
  for (int i = 0; i < 60; ++i) {
    outbox.push(message_of(1, i, "", std::string(20000, 'x')));
    const Piece piece = outbox.next(8000);
    begun += piece.first ? 1 : 0;
    begun -= piece.last ? 1 : 0;
    most = std::max(most, begun);
  }
  CHECK_EQ(most, kMaxIncomplete);
}

// Random messages, each checked whole, in order among those of a priority.
TEST(net_random_messages_arrive_whole_and_in_order) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    const size_t piece_bytes = kMaxInlineBytes + random() % 9000;
    Outbox outbox("a", "b");
    AssemblyRoom room{AssemblyLimits()};
    Assembly assembly(&room);
    std::vector<Message> sent[5];
    size_t next[5] = {}, complete = 0, pushed = 0;
    while (complete < 200) {
      for (; pushed < 200 && random() % 3 != 0; ++pushed) {
        const size_t bytes = random() % 4 ? random() % 50000 : random() % 6000;
        const auto priority = static_cast<int32_t>(random() % 5);
        const Message message =
            message_of(static_cast<uint16_t>(pushed), priority, random_bytes(&random, random() % 100),
                       random_bytes(&random, bytes));
        sent[priority].push_back(message);
        outbox.push(message);
      }
      if (outbox.empty()) continue;
      Message received;
      if (take(&assembly, outbox.next(piece_bytes), &received) != Taken::complete) continue;
      ++complete;
      const Message& expected = sent[received.priority][next[received.priority]++];
      CHECK_EQ(received.kind, expected.kind);
      CHECK(received.fields == expected.fields);
      CHECK(received.payload.text() == expected.payload.text());
      CHECK_EQ(reinterpret_cast<uintptr_t>(received.payload.data) % 8, 0u);
    }
    CHECK(outbox.empty() && assembly.incomplete() == 0 && room.used() == 0);
  }
}

TEST(net_a_new_connection_begins_messages_anew) {
  Outbox outbox("a", "b");
  AssemblyRoom room{AssemblyLimits()};
  const std::string payload(30000, 'y');
  outbox.push(message_of(1, 0, "f", payload));
  Message received;
  {
    Assembly assembly(&room);
    CHECK(take(&assembly, outbox.next(8000), &received) == Taken::incomplete);
    CHECK_EQ(room.used(), payload.size());
  }
  CHECK_EQ(room.used(), 0u);
  // Its sender did not notice: the pieces are of nothing, and told of once.
  Assembly assembly(&room);
  CHECK(take(&assembly, outbox.next(8000), &received) == Taken::broken);
  CHECK(take(&assembly, outbox.next(8000), &received) == Taken::incomplete);
  outbox.restart_begun();
  Taken taken = Taken::incomplete;
  while (taken == Taken::incomplete) taken = take(&assembly, outbox.next(8000), &received);
  CHECK(taken == Taken::complete && received.payload.text() == payload && outbox.empty());
}

TEST(net_room_for_incomplete_messages_is_limited) {
  AssemblyLimits limits;
  limits.message_bytes = 50000;
  limits.peer_bytes = 70000;
  limits.all_bytes = 100000;
  AssemblyRoom room(limits);
  Assembly one(&room), other(&room);
  Outbox to_one("a", "b"), to_other("c", "b");
  Message received;
  for (Outbox* const outbox : {&to_one, &to_other}) {
    for (int priority = 0; priority < 2; ++priority)
      outbox->push(message_of(1, priority, "", std::string(40000, 'x')));
  }
  CHECK(take(&one, to_one.next(8000), &received) == Taken::incomplete);
  to_one.push(message_of(1, 9, "", std::string(40000, 'x')));
  CHECK(take(&one, to_one.next(8000), &received) == Taken::crowded);
  CHECK(take(&one, to_one.next(8000), &received) == Taken::incomplete);  // of the same
  CHECK(take(&other, to_other.next(8000), &received) == Taken::incomplete);
  CHECK_EQ(room.used(), 80000u);
  CHECK_EQ(one.give_up_idle() + other.give_up_idle(), 0u);
  CHECK_EQ(one.give_up_idle() + other.give_up_idle(), 2u);
  CHECK_EQ(room.used(), 0u);
}

TEST(net_nonsense_is_named) {
  AssemblyLimits limits;
  limits.message_bytes = 50000;
  AssemblyRoom room(limits);
  const std::string bytes(20000, 'x');
  const auto refused = [&](PieceHead head, size_t body, const char* expected) {
    Assembly assembly(&room);
    Message received;
    const char* reason = "";
    PieceHead begin;
    begin.number = 5;
    begin.payload_bytes = 20000;
    CHECK(assembly.take(begin, Payload(bytes.data(), 8000, nullptr), &received, &reason) ==
          Taken::incomplete);
    CHECK(assembly.take(head, Payload(bytes.data(), body, nullptr), &received, &reason) == Taken::nonsense);
    CHECK_EQ(std::string(reason), expected);
  };
  PieceHead head;
  head.number = 5;
  refused(head, 0, "a message with the number of another");
  head.number = 6;
  head.payload_bytes = 50001;
  refused(head, 8000, "a larger payload than the limit");
  head.payload_bytes = uint64_t{1} << 63;
  refused(head, 8000, "a larger payload than the limit");
  head.payload_bytes = 7999;
  refused(head, 8000, "more bytes than a payload has");
  head.payload_bytes = 10;
  refused(head, 0, "a payload without bytes");
  head.first = false;
  head.number = 5;
  head.offset = 8000;
  refused(head, 0, "a further piece without bytes");
  refused(head, 12001, "more bytes than a payload has");
  head.offset = 8001;
  refused(head, 100, "a piece out of its order");
  CHECK_EQ(room.used(), 0u);
}

}  // namespace
