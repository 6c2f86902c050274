// Batches of record files behind the C header.
#include "io/batches.h"

#include <algorithm>

#include "c_api/sized.h"

namespace api = mixgrad::c_api;
namespace io = mixgrad::io;
using mixgrad::Status;

namespace {

struct BatchesHandle {
  std::unique_ptr<io::Batches> batches;
  int64_t label_width = 0;
  size_t batch_size = 0;
};

BatchesHandle& unwrap_batches(const mg_batches* batches, const char* function) {
  api::require(batches, function, "batches");
  return *reinterpret_cast<BatchesHandle*>(const_cast<mg_batches*>(batches));
}

template <class P>
P options_from(mixgrad::Span<const mixgrad::NamedValue> given, const char* who) {
  const mixgrad::Schema& schema = mixgrad::schema_of<P>();
  P params;
  api::vector<bool> seen(schema.fields.size(), false);
  for (const mixgrad::NamedValue& option : given) {
    const int at = schema.index_of(option.name);
    if (at < 0) mixgrad::fail(Status::invalid_argument, "[", who, "] has no option '", option.name, "'");
    schema.fields[static_cast<size_t>(at)].set(&params, option.value, who);
    seen[static_cast<size_t>(at)] = true;
  }
  for (size_t i = 0; i < seen.size(); ++i) {
    if (schema.fields[i].required && !seen[i])
      mixgrad::fail(Status::invalid_argument, "[", who, "] option '", schema.fields[i].name, "' (",
                    schema.fields[i].type_str(), ") must be given");
  }
  return params;
}

io::LabelList list_from(const mg_batches_data& data, int64_t width, const char* who) {
  io::LabelList list;
  if (data.label_ids_bytes == 0) return list;
  api::require(data.label_ids, who, "label_ids");
  api::require(data.labels, who, "labels");
  if (width < 1)
    mixgrad::fail(Status::invalid_argument, "[", who, "] label_width=", width,
                  "; expected at least 1 with a list of labels");
  const size_t ids = data.label_ids_bytes / sizeof(uint64_t);
  list.labels.assign(data.labels, data.labels + ids * static_cast<size_t>(width));
  for (size_t i = 0; i < ids; ++i) list.rows.emplace(data.label_ids[i], i);
  return list;
}

io::BatchExtras extras_from(const mg_batches_data& data, const io::BatchOptions& options, const char* who) {
  io::BatchExtras extras;
  extras.list = list_from(data, options.label_width, who);
  if (data.mean_bytes > 0) {
    api::require(data.mean, who, "mean");
    extras.mean.assign(data.mean, data.mean + data.mean_bytes / sizeof(float));
  }
  return extras;
}

io::Damage damage_of(const io::BatchOptions& options) {
  return options.damaged == io::BatchOptions::Damaged::skip ? io::Damage::skip : io::Damage::raise;
}

// Records of an index, cut into parts as MXNet cuts them: so many to each but the last ones.
api::vector<uint64_t> offsets_from(const mg_batches_data& data, const io::BatchOptions& options,
                                   const char* who) {
  api::require(data.offsets, who, "offsets");
  api::vector<uint64_t> offsets(data.offsets, data.offsets + data.offsets_bytes / sizeof(uint64_t));
  std::sort(offsets.begin(), offsets.end());
  const auto parts = static_cast<size_t>(options.num_parts), part = static_cast<size_t>(options.part_index);
  const size_t step = (offsets.size() + parts - 1) / parts;
  const size_t begin = std::min(offsets.size(), step * part), end = std::min(offsets.size(), begin + step);
  return api::vector<uint64_t>(offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                               offsets.begin() + static_cast<std::ptrdiff_t>(end));
}

struct Plan {
  const mg_batches_data& data;
  const io::SourceRef source;
  const char* who;

  io::RecordRange range(const io::BatchOptions& options) const {
    return options.num_parts == 1 ? io::RecordRange{0, source->bytes()}
                                  : io::part_of(*source, options.part_index, options.num_parts, who);
  }
  // Holds the labels of the part: parts of an index are not parts of the bytes.
  io::RecordRange label_range(const io::BatchOptions& options) const {
    return data.offsets || data.offsets_bytes > 0 ? io::RecordRange{0, source->bytes()} : range(options);
  }
  std::unique_ptr<io::SampleOrder> order(const io::BatchOptions& options) const {
    const auto seed = static_cast<uint64_t>(options.seed);
    if (data.offsets || data.offsets_bytes > 0)
      return io::index_order(source, offsets_from(data, options, who), options.shuffle, seed,
                             damage_of(options), who);
    if (!options.shuffle) return io::file_order(source, range(options), damage_of(options), who);
    constexpr uint64_t kMegabyte = 1 << 20, kUsualChunk = 64;
    const uint64_t chunk =
        options.shuffle_chunk_size > 0 ? static_cast<uint64_t>(options.shuffle_chunk_size) : kUsualChunk;
    return io::chunk_order(source, range(options), chunk * kMegabyte, seed, damage_of(options), who);
  }
  std::unique_ptr<BatchesHandle> make(const io::BatchOptions& options,
                                      std::unique_ptr<io::BatchMaker> maker) const {
    auto handle = api::make_unique<BatchesHandle>();
    handle->label_width = maker->label_width();
    handle->batch_size = static_cast<size_t>(options.batch_size);
    handle->batches = api::make_unique<io::Batches>(order(options), std::move(maker), options, who);
    return handle;
  }
};

std::unique_ptr<BatchesHandle> make_batches(int32_t kind, const Plan& plan,
                                            mixgrad::Span<const mixgrad::NamedValue> given) {
  const char* const who = plan.who;
  if (kind == MG_BATCHES_PICTURES) {
    const auto options = options_from<io::PictureBatchOptions>(given, who);
    return plan.make(options, io::picture_maker(options, extras_from(plan.data, options, who), who));
  }
  if (kind == MG_BATCHES_BOXES) {
    const auto options = options_from<io::DetectionBatchOptions>(given, who);
    int64_t width = options.label_pad_width;
    if (width <= 0)
      width = options.label_width > 0
                  ? options.label_width
                  : io::widest_label(plan.source, plan.label_range(options), damage_of(options), who);
    return plan.make(options, io::detection_maker(options, extras_from(plan.data, options, who), width, who));
  }
  if (kind == MG_BATCHES_RAW) {
    const auto options = options_from<io::RawBatchOptions>(given, who);
    return plan.make(options, io::raw_maker(options, extras_from(plan.data, options, who), who));
  }
  mixgrad::fail(Status::invalid_argument, "[", who, "] kind=", kind, " of batches; expected 0 to 2");
}

}  // namespace

extern "C" {

mg_status mg_batches_create(int32_t kind, const char* who, const mg_batches_data* data, int32_t num_options,
                            const char* const* names, const mg_value* values, mg_batches** out) {
  return api::guard([&] {
    api::require(who, "mg_batches_create", "who");
    api::require(out, who, "out");
    const auto full = api::read_struct(data, "mg_batches_data", &mg_batches_data::source, who);
    api::require(full.source, who, "source");
    api::vector<mixgrad::NamedValue> storage;
    const auto given = api::named_values(num_options, names, values, storage, who);
    const Plan plan{full, io::SourceRef(reinterpret_cast<io::ByteSource*>(full.source)), who};
    *out = reinterpret_cast<mg_batches*>(make_batches(kind, plan, given).release());
  });
}

void mg_batches_destroy(mg_batches* batches) { delete reinterpret_cast<BatchesHandle*>(batches); }

int64_t mg_batches_get_label_width(const mg_batches* batches) {
  return batches ? reinterpret_cast<const BatchesHandle*>(batches)->label_width : 0;
}

mg_status mg_batches_next(mg_batches* batches, mg_array** data, mg_array** labels, int64_t* pad,
                          uint64_t* ids) {
  return api::guard([&] {
    BatchesHandle& handle = unwrap_batches(batches, "mg_batches_next");
    api::require(data, "mg_batches_next", "data");
    api::require(labels, "mg_batches_next", "labels");
    api::require(pad, "mg_batches_next", "pad");
    io::PlacedBatch batch;
    if (!handle.batches->next(&batch)) {
      *data = *labels = nullptr;
      *pad = 0;
      return;
    }
    if (ids) std::copy(batch.ids.begin(), batch.ids.end(), ids);
    *pad = static_cast<int64_t>(batch.pad);
    *data = api::give(std::move(batch.data));
    *labels = api::give(std::move(batch.labels));
  });
}

mg_status mg_batches_reset(mg_batches* batches) {
  return api::guard([&] { unwrap_batches(batches, "mg_batches_reset").batches->reset(); });
}

mg_status mg_batches_get_place(const mg_batches* batches, mg_batches_place* place) {
  return api::guard([&] {
    api::require(place, "mg_batches_get_place", "place");
    const io::BatchPlace at = unwrap_batches(batches, "mg_batches_get_place").batches->place();
    const mg_batches_place full{sizeof full,    at.epoch,      at.next.epoch,  at.next.sample,
                                at.next.offset, at.next.chunk, at.next.inside, at.taken};
    api::write_struct(place, full, "mg_batches_place", &mg_batches_place::inside, "mg_batches_get_place");
  });
}

mg_status mg_batches_set_place(mg_batches* batches, const mg_batches_place* place) {
  return api::guard([&] {
    BatchesHandle& handle = unwrap_batches(batches, "mg_batches_set_place");
    const auto full =
        api::read_struct(place, "mg_batches_place", &mg_batches_place::inside, "mg_batches_set_place");
    if (full.next_epoch != full.epoch && full.next_epoch != full.epoch + 1)
      mixgrad::fail(Status::invalid_argument, "[mg_batches_set_place] the next example is of epoch ",
                    full.next_epoch, "; expected epoch ", full.epoch, " or the one behind it");
    io::SamplePlace next;
    next.epoch = full.next_epoch;
    next.sample = full.sample;
    next.offset = full.offset;
    next.chunk = full.chunk;
    next.inside = full.inside;
    handle.batches->set_place({full.epoch, next, full.is_begun != 0});
  });
}

mg_status mg_batches_get_skipped(const mg_batches* batches, mg_record_skipped* skipped) {
  return api::guard([&] {
    api::require(skipped, "mg_batches_get_skipped", "skipped");
    const io::Skipped& counts = unwrap_batches(batches, "mg_batches_get_skipped").batches->skipped();
    const mg_record_skipped full{sizeof full, counts.records, counts.bytes, counts.first.c_str()};
    api::write_struct(skipped, full, "mg_record_skipped", &mg_record_skipped::records,
                      "mg_batches_get_skipped");
  });
}

}  // extern "C"
