#include "io/sample_order.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "base/error.h"

namespace mixgrad::io {
namespace {

// Keys of permutations lie apart from those of augmentation by a bit of the seed.
constexpr uint64_t kOrderSeed = uint64_t{1} << 63;

class FileOrder final : public SampleOrder {
 public:
  FileOrder(SourceRef source, RecordRange range, Damage damage, const std::string& who)
      : SampleOrder(source, damage, who), reader_(source, range, damage, who) {}

  SamplePlace start(uint64_t epoch) const override {
    SamplePlace place = SampleOrder::start(epoch);
    place.offset = reader_.range().begin;
    return place;
  }

  // The last record of a part may end behind the part.
  bool has(const SamplePlace& place) const override {
    return place.offset >= reader_.range().begin && place.offset <= source_->bytes() && place.chunk == 0 &&
           place.inside == 0;
  }

  size_t read(SamplePlace* place, size_t count, RawRecords* out) override {
    size_t taken = 0;
    while (taken < count) {
      const size_t found = read_piece(place, count - taken, out);
      taken += found;
      if (taken == count) break;
      if (found > 0) continue;
      if (reader_.tell() != place->offset) reader_.seek(place->offset);
      reading_.store(reader_.tell(), std::memory_order_relaxed);
      Record record;
      bool there = false;
      try {
        there = reader_.next(&record);
      } catch (const Error&) {
        place->offset = reader_.tell();
        throw;
      }
      skipped_ = reader_.skipped();
      place->offset = reader_.tell();
      if (!there) break;
      std::memcpy(out->add(*place, record.offset, record.data.size()), record.data.data(),
                  record.data.size());
      ++place->sample;
      ++taken;
      usual_ = record.end - record.offset;
    }
    return taken;
  }

  std::vector<uint64_t> guess(const SamplePlace& place, size_t count, uint64_t stored) override {
    std::vector<uint64_t> offsets;
    const uint64_t end = reader_.range().end;
    for (uint64_t at = place.offset; offsets.size() < count && at + stored <= end; at += stored)
      offsets.push_back(at);
    return offsets;
  }
  void take(SamplePlace* place, size_t count, uint64_t stored) override {
    place->sample += count;
    place->offset += count * stored;
  }

 private:
  // Whole records where they lie in a piece of the file, which is read at once. None where something else comes first: that is
  // the reader's.
  size_t read_piece(SamplePlace* place, size_t count, RawRecords* out) {
    constexpr uint64_t kMostPiece = uint64_t{64} << 20;
    const uint64_t end = reader_.range().end;
    if (place->offset >= end || usual_ == 0) return 0;
    const uint64_t bytes =
        std::min({usual_ * count + usual_ / 4, kMostPiece, source_->bytes() - place->offset});
    reading_.store(place->offset, std::memory_order_relaxed);
    char* const piece = out->begin_piece(bytes);
    source_->read(place->offset, piece, static_cast<size_t>(bytes));
    uint64_t at = 0;
    size_t found = 0;
    PartHeader part;
    // What lies behind a record tells whether it has lost bytes, so its place is in the piece, too.
    const auto is_followed = [&](uint64_t behind) {
      PartHeader following;
      if (place->offset + behind >= end) return true;
      return bytes - behind >= kPartHeaderBytes && parse_part_header(piece + behind, &following) &&
             following.begins();
    };
    while (found < count && at < end - place->offset && bytes - at >= kPartHeaderBytes &&
           parse_part_header(piece + at, &part) && part.role == PartRole::whole &&
           part.stored() <= bytes - at && is_followed(at + part.stored())) {
      out->add_found(*place, place->offset + at, at + kPartHeaderBytes, part.bytes);
      ++place->sample;
      ++found;
      at += part.stored();
    }
    if (found > 0) usual_ = at / found;
    place->offset += at;
    out->end_piece(at);
    return found;
  }

  RecordReader reader_;
  uint64_t usual_ = 0;  // bytes of a record in the file, as the last ones had; 0: not known
};

class IndexOrder final : public SampleOrder {
 public:
  IndexOrder(SourceRef source, std::vector<uint64_t> offsets, bool shuffle, uint64_t seed, Damage damage,
             const std::string& who)
      : SampleOrder(source, damage, who),
        reader_(source, {0, source->bytes()}, damage, who),
        offsets_(std::move(offsets)),
        shuffle_(shuffle),
        seed_(seed) {
    reader_.set_places(&offsets_);
  }

  bool has(const SamplePlace& place) const override {
    return place.sample <= offsets_.size() && place.offset == 0 && place.chunk == 0 && place.inside == 0;
  }

  size_t read(SamplePlace* place, size_t count, RawRecords* out) override {
    size_t taken = 0;
    while (taken < count && place->sample < offsets_.size()) {
      const uint64_t offset = offset_of(*place);
      reading_.store(offset, std::memory_order_relaxed);
      try {
        const Record record = reader_.read_at(offset);
        std::memcpy(out->add(*place, record.offset, record.data.size()), record.data.data(),
                    record.data.size());
        ++taken;
      } catch (const Error& error) {
        if (damage_ == Damage::raise || error.status() != Status::format) {
          ++place->sample;
          throw;
        }
        note_damage(error.message(), 0);
      }
      ++place->sample;
    }
    return taken;
  }

  std::vector<uint64_t> guess(const SamplePlace& place, size_t count, uint64_t) override {
    std::vector<uint64_t> found;
    SamplePlace at = place;
    for (; found.size() < count && at.sample < offsets_.size(); ++at.sample) found.push_back(offset_of(at));
    return found;
  }
  void take(SamplePlace* place, size_t count, uint64_t) override { place->sample += count; }

 private:
  uint64_t offset_of(const SamplePlace& place) {
    const auto at = static_cast<size_t>(place.sample);
    if (!shuffle_) return offsets_[at];
    if (!known_ || known_epoch_ != place.epoch) {
      order_ = permutation({seed_ ^ kOrderSeed, place.epoch}, offsets_.size());
      known_epoch_ = place.epoch;
      known_ = true;
    }
    return offsets_[order_[at]];
  }

  RecordReader reader_;
  const std::vector<uint64_t> offsets_;
  const bool shuffle_;
  const uint64_t seed_;
  bool known_ = false;
  uint64_t known_epoch_ = 0;
  std::vector<uint32_t> order_;
};

class ChunkOrder final : public SampleOrder {
 public:
  ChunkOrder(SourceRef source, RecordRange range, uint64_t chunk_bytes, uint64_t seed, Damage damage,
             const std::string& who)
      : SampleOrder(std::move(source), damage, who),
        range_(range),
        chunk_bytes_(std::max<uint64_t>(4, chunk_bytes / 4 * 4)),
        chunks_((range.end - range.begin + chunk_bytes_ - 1) / chunk_bytes_),
        seed_(seed) {}

  // A piece's records are counted when it is read.
  bool has(const SamplePlace& place) const override {
    return place.offset == 0 && place.chunk <= chunks_ && place.inside <= place.sample &&
           place.inside <= chunk_bytes_ / kPartHeaderBytes + 1;
  }

  size_t read(SamplePlace* place, size_t count, RawRecords* out) override {
    size_t taken = 0;
    while (taken < count && place->chunk < chunks_) {
      load(*place);
      if (!damaged_.empty()) {
        const Error damaged = damaged_.front();
        damaged_.pop_front();
        throw damaged;
      }
      if (place->inside >= records_.size()) {
        ++place->chunk;
        place->inside = 0;
        continue;
      }
      const Place& at = records_[order_[static_cast<size_t>(place->inside)]];
      std::memcpy(out->add(*place, at.offset, at.bytes), memory_.data() + at.begin, at.bytes);
      ++place->inside;
      ++place->sample;
      ++taken;
    }
    return taken;
  }

 private:
  struct Place {
    uint64_t offset, begin, bytes;
  };

  // The pieces' borders are fixed, whatever their order: a record belongs to the piece in which it begins.
  uint64_t border(uint64_t chunk) const {
    if (chunk == 0) return range_.begin;
    if (chunk >= chunks_) return range_.end;
    return find_record(*source_, range_.begin + chunk * chunk_bytes_, range_.end);
  }

  void load(const SamplePlace& place) {
    if (loaded_ && loaded_epoch_ == place.epoch && loaded_chunk_ == place.chunk) return;
    if (!ordered_ || ordered_epoch_ != place.epoch) {
      chunk_order_ = permutation({seed_ ^ kOrderSeed, place.epoch}, static_cast<size_t>(chunks_));
      ordered_epoch_ = place.epoch;
      ordered_ = true;
    }
    const uint64_t chunk = chunk_order_[static_cast<size_t>(place.chunk)];
    const RecordRange range{border(chunk), border(chunk + 1)};
    reading_.store(range.begin, std::memory_order_relaxed);
    loaded_ = false;
    records_.clear();
    damaged_.clear();
    uint64_t used = 0;
    RecordReader reader(source_, range, damage_, who_);
    for (Record record;;) {
      try {
        if (!reader.next(&record)) break;
      } catch (const Error& error) {
        if (error.status() != Status::format) throw;
        damaged_.push_back(error);
        continue;
      }
      reading_.store(record.end, std::memory_order_relaxed);
      char* const memory = memory_.reserve(used + record.data.size(), used);
      std::memcpy(memory + used, record.data.data(), record.data.size());
      records_.push_back({record.offset, used, record.data.size()});
      used += record.data.size();
    }
    if (reader.skipped().records > 0) {
      note_damage(reader.skipped().first, reader.skipped().bytes);
      skipped_.records += reader.skipped().records - 1;
    }
    // One stream of numbers for each piece of each epoch.
    order_ = permutation({seed_ ^ kOrderSeed, (chunk + 1) << 24 ^ place.epoch}, records_.size());
    loaded_epoch_ = place.epoch;
    loaded_chunk_ = place.chunk;
    loaded_ = true;
    if (place.inside > 0) damaged_.clear();  // who goes on from there has seen them
  }

  const RecordRange range_;
  const uint64_t chunk_bytes_, chunks_, seed_;
  bool ordered_ = false, loaded_ = false;
  uint64_t ordered_epoch_ = 0, loaded_epoch_ = 0, loaded_chunk_ = 0;
  std::vector<uint32_t> chunk_order_, order_;
  std::vector<Place> records_;
  std::deque<Error> damaged_;  // places of the piece that are still to be thrown, before its records
  ReusedMemory memory_;
};

}  // namespace

char* RawRecords::add(const SamplePlace& place, uint64_t offset, uint64_t bytes) {
  const uint64_t needed = used_ + bytes;
  char* const memory = memory_.reserve(needed + needed / 8, used_);
  samples_.push_back({place.epoch, place.sample, offset, used_, bytes});
  char* const out = memory + used_;
  used_ = needed;
  return out;
}

SamplePlace SampleOrder::start(uint64_t epoch) const {
  SamplePlace place;
  place.epoch = epoch;
  return place;
}

std::vector<uint64_t> SampleOrder::guess(const SamplePlace&, size_t, uint64_t) { return {}; }
void SampleOrder::take(SamplePlace*, size_t, uint64_t) {}

void SampleOrder::note_damage(const std::string& what, uint64_t bytes) {
  if (skipped_.records == 0) skipped_.first = what;
  ++skipped_.records;
  skipped_.bytes += bytes;
}

std::unique_ptr<SampleOrder> file_order(SourceRef source, RecordRange range, Damage damage,
                                        const std::string& who) {
  return std::make_unique<FileOrder>(std::move(source), range, damage, who);
}
std::unique_ptr<SampleOrder> index_order(SourceRef source, std::vector<uint64_t> offsets, bool shuffle,
                                         uint64_t seed, Damage damage, const std::string& who) {
  return std::make_unique<IndexOrder>(std::move(source), std::move(offsets), shuffle, seed, damage, who);
}
std::unique_ptr<SampleOrder> chunk_order(SourceRef source, RecordRange range, uint64_t chunk_bytes,
                                         uint64_t seed, Damage damage, const std::string& who) {
  return std::make_unique<ChunkOrder>(std::move(source), range, chunk_bytes, seed, damage, who);
}

std::vector<uint32_t> permutation(const RandomKey& key, size_t size) {
  std::vector<uint32_t> order(size);
  for (size_t i = 0; i < size; ++i) order[i] = static_cast<uint32_t>(i);
  ElementRandom random(key, 0);
  for (size_t i = size; i > 1; --i) std::swap(order[i - 1], order[static_cast<size_t>(random.below(i))]);
  return order;
}

}  // namespace mixgrad::io
