// How operations travel: from everybody to everybody where that is soonest over, else around a ring.
#include <algorithm>
#include <cstring>
#include <utility>

#include "kvstore/collective/group.h"
#include "kvstore/collective/operation.h"
#include "kvstore/collective/sum.h"

namespace mixgrad::kvstore::collective {
namespace {

std::vector<uint32_t> all_but(uint32_t one, uint32_t size) {
  std::vector<uint32_t> others;
  for (uint32_t i = 0; i < size; ++i) {
    if (i != one) others.push_back(i);
  }
  return others;
}

// Everybody sends its array to all, or to the one that wants the sum. Who wants it adds what it has of a piece when all of it is there.
class DirectSum final : public Operation {
 public:
  DirectSum(std::shared_ptr<Group> group, Given given, const void* own, void* out)
      : Operation(std::move(group), std::move(given)), own_(own), out_(out), sent_(size()) {
    if (!adds()) return;
    parts_.resize(size_t{pieces()} * size());
    arrived_.resize(pieces());
    left_ = pieces();
  }

 private:
  bool is_for_one() const { return about().step == Step::reduce; }
  bool adds() const { return !is_for_one() || rank() == about().root; }

  bool do_begin() override {
    while (!adds() && sent_[about().root] < pieces()) send_next(about().root);
    for (uint32_t piece = 0; !is_for_one() && piece < std::min(window(), pieces()); ++piece) {
      for (uint32_t step = 1; step < size(); ++step) send_next((rank() + step) % size());
    }
    for (uint32_t piece = 0; size() == 1 && piece < pieces(); ++piece) add(piece);
    return left_ == 0;
  }

  void send_next(uint32_t to) {
    const uint32_t piece = sent_[to]++;
    send(to, piece, false, lent_piece(own_, piece));
  }

  bool do_take(uint32_t from, const Part& part, net::Payload payload, bool* fits) override {
    const uint64_t bytes = count_of(part.piece) * size_of(dtype());
    if (!adds() || from == rank() || part.is_final || payload.bytes != bytes) return *fits = false;
    std::pair<bool, net::Payload>& place = parts_[size_t{part.piece} * size() + from];
    if (place.first) return *fits = false;
    place = {true, std::move(payload)};
    if (!is_for_one() && sent_[from] < pieces()) send_next(from);  // it sends as many as it gets
    if (++arrived_[part.piece] == size() - 1) add(part.piece);
    return left_ == 0;
  }

  void add(uint32_t piece) {
    std::vector<const void*> data;
    for (uint32_t i = 0; i < size(); ++i)
      data.push_back(i == rank() ? at(own_, piece) : parts_[size_t{piece} * size() + i].second.data);
    sum_in_order(dtype(), data[0], dtype(), Span<const void* const>(data).subspan(1, data.size() - 1),
                 at(out_, piece), dtype(), static_cast<int64_t>(count_of(piece)));
    for (uint32_t i = 0; i < size(); ++i) parts_[size_t{piece} * size() + i].second = {};
    --left_;
  }

  std::vector<uint32_t> do_awaited() override {
    std::vector<uint32_t> missing;
    for (const uint32_t other : all_but(rank(), size())) {
      for (uint32_t piece = 0; piece < arrived_.size(); ++piece) {
        if (parts_[size_t{piece} * size() + other].first) continue;
        missing.push_back(other);
        break;
      }
    }
    return missing;
  }

  const void* const own_;
  void* const out_;
  std::vector<std::pair<bool, net::Payload>> parts_;  // of a piece, by rank
  std::vector<uint32_t> arrived_;                     // by piece
  std::vector<uint32_t> sent_;                        // pieces, to each worker
  uint32_t left_ = 0;                                 // pieces
};

// Each piece goes around a ring twice: from worker 0 to the last one, where each adds its own, then from there to all others.
class RingSum final : public Operation {
 public:
  RingSum(std::shared_ptr<Group> group, Given given, const void* own, void* out)
      : Operation(std::move(group), std::move(given)), own_(own), out_(out), left_(pieces()) {}

 private:
  uint32_t last() const { return size() - 1; }
  uint32_t next() const { return rank() == last() ? 0 : rank() + 1; }
  uint32_t previous() const { return rank() == 0 ? last() : rank() - 1; }

  bool do_begin() override {
    if (rank() != 0) return false;
    // Some for each worker that they pass on their way.
    const uint32_t first = std::min(window() + 4 * size(), pieces());
    while (sent_ < first) send_next();
    return false;
  }

  void send_next() {
    const uint32_t piece = sent_++;
    send(next(), piece, false, lent_piece(own_, piece));
  }

  bool do_take(uint32_t from, const Part& part, net::Payload payload, bool* fits) override {
    const uint32_t piece = part.piece;
    const uint64_t count = count_of(piece);
    if (from != previous()) return *fits = false;
    if (part.is_final) {
      if (rank() == last() || payload.bytes != count * size_of(dtype())) return *fits = false;
      if (count > 0) std::memcpy(at(out_, piece), payload.data, payload.bytes);
      if (next() != last()) send(next(), piece, true, std::move(payload));
      if (rank() == 0 && sent_ < pieces()) send_next();
      return --left_ == 0;
    }
    const DType partial = sum_dtype(dtype()), first = from == 0 ? dtype() : partial;
    if (rank() == 0 || payload.bytes != count * size_of(first)) return *fits = false;
    const void* const own[] = {at(own_, piece)};
    const auto add_into = [&](void* out, DType out_dtype) {
      sum_in_order(dtype(), payload.data, first, own, out, out_dtype, static_cast<int64_t>(count));
    };
    if (rank() == last()) {
      add_into(at(out_, piece), dtype());
      send(next(), piece, true, lent_piece(out_, piece));
      return --left_ == 0;
    }
    if (partial == dtype()) {
      // The place is free: what will stand there in the end comes when these bytes have been used.
      add_into(at(out_, piece), dtype());
      send(next(), piece, false, lent_piece(out_, piece));
    } else {
      const std::shared_ptr<float[]> sum(new float[count + 1]);
      add_into(sum.get(), partial);
      send(next(), piece, false, net::Payload(sum.get(), count * sizeof(float), sum));
    }
    return false;
  }

  std::vector<uint32_t> do_awaited() override { return {previous()}; }

  const void* const own_;
  void* const out_;
  uint32_t sent_ = 0;  // pieces, by worker 0
  uint32_t left_;      // pieces whose sum is not here
};

// From the root to everybody, or from each to the next; of data that are handed over, to one alone.
class Broadcast final : public Operation {
 public:
  Broadcast(std::shared_ptr<Group> group, Given given, void* data, bool is_ring)
      : Operation(std::move(group), std::move(given)), data_(data), left_(pieces()), is_ring_(is_ring) {}

 private:
  bool do_begin() override {
    if (rank() != about().root) return is_handed_over() && rank() != about().to;
    for (uint32_t piece = 0; piece < pieces(); ++piece) {
      if (is_handed_over()) {
        send(about().to, piece, true, lent_piece(data_, piece));
        continue;
      }
      for (uint32_t step = 1; step < (is_ring_ ? 2 : size()); ++step)
        send((rank() + step) % size(), piece, true, lent_piece(data_, piece));
    }
    return true;
  }

  bool is_handed_over() const { return about().step == Step::hand_over; }
  uint32_t source() const { return is_ring_ ? (rank() + size() - 1) % size() : about().root; }

  bool do_take(uint32_t from, const Part& part, net::Payload payload, bool* fits) override {
    const uint64_t bytes = count_of(part.piece) * size_of(dtype());
    if (rank() == about().root || from != source() || !part.is_final || payload.bytes != bytes)
      return *fits = false;
    if (bytes > 0) std::memcpy(at(data_, part.piece), payload.data, bytes);
    const uint32_t next = (rank() + 1) % size();
    if (is_ring_ && next != about().root) send(next, part.piece, true, std::move(payload));
    return --left_ == 0;
  }

  std::vector<uint32_t> do_awaited() override { return {source()}; }

  void* const data_;
  uint32_t left_;
  const bool is_ring_;
};

class Gather final : public Operation {
 public:
  Gather(std::shared_ptr<Group> group, Given given, const std::string& own,
         std::shared_ptr<std::vector<std::string>> all)
      : Operation(std::move(group), std::move(given)), all_(std::move(all)), arrived_(size()) {
    all_->assign(size(), "");
    (*all_)[rank()] = own;
    arrived_[rank()] = true;
  }

 private:
  bool do_begin() override {
    const net::Payload own = net::Payload::of((*all_)[rank()]);
    for (const uint32_t to : all_but(rank(), size())) send(to, 0, false, own);
    return is_complete();
  }
  bool do_take(uint32_t from, const Part&, net::Payload payload, bool* fits) override {
    if (arrived_[from] || payload.bytes > kMaxGathered) return *fits = false;
    arrived_[from] = true;
    (*all_)[from] = payload.text();
    return is_complete();
  }
  std::vector<uint32_t> do_awaited() override {
    std::vector<uint32_t> missing;
    for (uint32_t i = 0; i < size(); ++i) {
      if (!arrived_[i]) missing.push_back(i);
    }
    return missing;
  }
  bool is_complete() const { return std::find(arrived_.begin(), arrived_.end(), false) == arrived_.end(); }

  const std::shared_ptr<std::vector<std::string>> all_;
  std::vector<bool> arrived_;
};

// Of two workers each sends the array once in either way; of more, one that sends to all sends it size - 1 times, around the ring twice.
bool is_soonest_direct(const Group& group, const Operation::Given& given) {
  const uint64_t bytes = given.about.elements * size_of(static_cast<DType>(given.about.dtype));
  return group.size() <= 2 || bytes <= group.settings().direct_bytes / (group.size() - 2);
}

}  // namespace

std::shared_ptr<Operation> make_sum(std::shared_ptr<Group> group, Operation::Given given, const void* own,
                                    void* out) {
  if (is_soonest_direct(*group, given))
    return std::make_shared<DirectSum>(std::move(group), std::move(given), own, out);
  return std::make_shared<RingSum>(std::move(group), std::move(given), own, out);
}

// Keys have different roots: each worker sends and gets as much as around a ring.
std::shared_ptr<Operation> make_reduce(std::shared_ptr<Group> group, Operation::Given given, const void* own,
                                       void* out) {
  return std::make_shared<DirectSum>(std::move(group), std::move(given), own, out);
}

std::shared_ptr<Operation> make_broadcast(std::shared_ptr<Group> group, Operation::Given given, void* data) {
  const bool is_ring = given.about.step != Step::hand_over && !is_soonest_direct(*group, given);
  return std::make_shared<Broadcast>(std::move(group), std::move(given), data, is_ring);
}

std::shared_ptr<Operation> make_gather(std::shared_ptr<Group> group, Operation::Given given,
                                       const std::string& own,
                                       std::shared_ptr<std::vector<std::string>> all) {
  return std::make_shared<Gather>(std::move(group), std::move(given), own, std::move(all));
}

}  // namespace mixgrad::kvstore::collective
