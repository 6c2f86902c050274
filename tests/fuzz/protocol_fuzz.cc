// Any bytes as messages to a server, a worker or a scheduler of a store in the middle of its work.
//
// The first byte chooses the role. Then come messages: who sends it and what kind it is, a length, and bytes. One bit of the
// kind's byte puts the present view's epoch, and the sender's incarnation, in front of them: they pass the fences.
#include <algorithm>

#include "protocol_target.h"

using namespace protocol_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  Target target;
  switch (data[0] % 4) {
    case 0: begin_worker(target); break;
    case 1: begin_scheduler(target); break;
    default: begin_server(target);
  }
  static const char* const names[] = {"scheduler", "server:0", "server:1", "server:2",
                                      "worker:0",  "worker:1", "worker:9", "nobody"};
  for (size_t at = 1; at + 4 <= size;) {
    const uint8_t who = data[at], kind = data[at + 1];
    const size_t fields = std::min<size_t>(data[at + 2], size - at - 4);
    const size_t payload = std::min<size_t>(data[at + 3], size - at - 4 - fields);
    at += 4;
    mixgrad::net::Message message;
    message.kind = kind & 63;
    if (kind & 64) {
      proto::FieldWriter writer;
      const bool is_worker = (who & 7) >= 4;
      writer(proto::kProtocolVersion);
      if (is_worker || !target.scheduler) writer(view_of_three().epoch);
      if (is_worker) writer(kWorker);
      message.fields = writer.take();
    }
    message.fields.append(reinterpret_cast<const char*>(data + at), fields);
    at += fields;
    message.payload = mixgrad::net::Payload::copy_of(data + at, payload);
    at += payload;
    target.take(names[who & 7], std::move(message));
  }
  return 0;
}
