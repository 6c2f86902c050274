/* Pictures and batches by the C header alone: headers and limits, a decoder of the program, records in memory to batches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, mg_last_error()); \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)

/* A format of the program: "DOTS", width, height, a byte per pixel. */
static mg_status probe_dots(void* context, const void* data, size_t bytes, mg_image_info* info) {
  const unsigned char* p = data;
  (void)context;
  if (bytes < 6 || memcmp(p, "DOTS", 4) != 0) return MG_STATUS_UNSUPPORTED;
  info->width = p[4];
  info->height = p[5];
  info->channels = 1;
  return MG_STATUS_OK;
}

static mg_status decode_dots(void* context, const void* data, size_t bytes, const mg_image_info* info,
                             int32_t channels, int32_t is_bgr, uint8_t* out) {
  const unsigned char* p = data;
  const int64_t pixels = info->width * info->height;
  (void)is_bgr;
  __atomic_fetch_add((int*)context, 1, __ATOMIC_RELAXED); /* by several threads */
  if (bytes < 6 || memcmp(p, "DOTS", 4) != 0) return MG_STATUS_UNSUPPORTED;
  if ((int64_t)bytes - 6 < pixels) {
    mg_set_error("dots are missing");
    return MG_STATUS_FORMAT;
  }
  for (int64_t i = 0; i < pixels; ++i)
    for (int32_t c = 0; c < channels; ++c) out[i * channels + c] = p[6 + i];
  return MG_STATUS_OK;
}

/* A record file in memory: pictures of 2 x 2 dots. */
struct file {
  unsigned char bytes[1024];
  size_t size;
};

static void add_record(struct file* file, uint64_t number, size_t dots) {
  const uint32_t head[2] = {0xced7230a, (uint32_t)(24 + 6 + dots)};
  const float label = (float)number;
  unsigned char* p = file->bytes + file->size;
  memset(p, 0, 64);
  memcpy(p, head, 8);
  memcpy(p + 12, &label, 4);
  memcpy(p + 16, &number, 8);
  memcpy(p + 32, "DOTS\2\2", 6);
  memset(p + 38, (int)(10 * number), dots);
  file->size += 8 + (head[1] + 3) / 4 * 4;
}

static mg_status read_memory(void* context, uint64_t offset, void* out, size_t bytes) {
  memcpy(out, ((struct file*)context)->bytes + offset, bytes);
  return MG_STATUS_OK;
}

static mg_value text(const char* string) {
  mg_value value;
  memset(&value, 0, sizeof value);
  value.kind = MG_VALUE_STRING;
  value.as.string = string;
  return value;
}

int main(void) {
  int calls = 0;
  const mg_image_decoder decoder = {sizeof decoder, "dots", &calls, probe_dots, decode_dots, NULL};
  CHECK(mg_image_decoder_register(&decoder) == MG_STATUS_OK);
  CHECK(mg_image_decoder_register(NULL) == MG_STATUS_INVALID_ARGUMENT);

  mg_image_info info;
  memset(&info, 0, sizeof info);
  info.size = sizeof info;
  CHECK(mg_image_probe("DOTS\3\2abcdef", 12, &info) == MG_STATUS_OK);
  CHECK(info.format == MG_IMAGE_FORMAT_UNKNOWN && info.width == 3 && info.height == 2 && !info.can_scale);
  CHECK(mg_image_probe("no picture at all", 17, &info) == MG_STATUS_FORMAT);
  CHECK(mg_image_probe(NULL, 4, &info) == MG_STATUS_INVALID_ARGUMENT);

  mg_array* pixels = NULL;
  unsigned char read[18];
  CHECK(mg_image_decode("DOTS\3\2abcdef", 12, NULL, &pixels) == MG_STATUS_OK);
  CHECK(mg_array_copy_to(pixels, read, sizeof read) == MG_STATUS_OK);
  CHECK(memcmp(read, "aaabbbcccdddeeefff", 18) == 0);
  mg_array_destroy(pixels);
  const mg_image_options named = {sizeof named, 1, 0, 0, 0, "short.dots"};
  CHECK(mg_image_decode("DOTS\3\2abc", 9, &named, &pixels) == MG_STATUS_OK); /* the header is fine */
  CHECK(mg_array_copy_to(pixels, read, 6) == MG_STATUS_FORMAT);
  CHECK(strstr(mg_last_error(), "[image] short.dots: dots: dots are missing"));
  mg_array_destroy(pixels);

  struct file file = {{0}, 0};
  for (uint64_t i = 0; i < 5; ++i) add_record(&file, i, i == 3 ? 2 : 4); /* number 3 lacks dots */
  const mg_source_callbacks callbacks = {sizeof callbacks, &file, read_memory, "memory.rec", file.size, NULL};
  mg_source* source = NULL;
  CHECK(mg_source_create(&callbacks, "test", &source) == MG_STATUS_OK);
  mg_batches_data data;
  memset(&data, 0, sizeof data);
  data.size = sizeof data;
  data.source = source;
  const char* names[] = {"data_shape", "batch_size", "damaged"};
  mg_value values[] = {text("(1, 2, 2)"), text("2"), text("skip")};
  mg_batches* batches = NULL;
  CHECK(mg_batches_create(MG_BATCHES_PICTURES, "test", &data, 1, names, values, &batches) ==
        MG_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(mg_last_error(), "'batch_size'"));
  CHECK(mg_batches_create(MG_BATCHES_PICTURES, "test", &data, 3, names, values, &batches) == MG_STATUS_OK);
  mg_source_destroy(source);
  CHECK(mg_batches_get_label_width(batches) == 1);

  mg_batches_place start;
  memset(&start, 0, sizeof start);
  start.size = sizeof start;
  CHECK(mg_batches_get_place(batches, &start) == MG_STATUS_OK);
  for (int run = 0; run < 2; ++run) {
    mg_array* labels = NULL;
    int64_t pad = -1;
    uint64_t ids[2];
    float numbers[8], label[2];
    CHECK(mg_batches_next(batches, &pixels, &labels, &pad, ids) == MG_STATUS_OK && pad == 0 && ids[1] == 1);
    CHECK(mg_array_copy_to(pixels, numbers, sizeof numbers) == MG_STATUS_OK && numbers[7] == 10);
    mg_array_destroy(pixels);
    mg_array_destroy(labels);
    CHECK(mg_batches_next(batches, &pixels, &labels, &pad, ids) == MG_STATUS_OK &&
          pad == 1); /* 2, and 3 left out */
    CHECK(mg_array_copy_to(labels, label, sizeof label) == MG_STATUS_OK && label[0] == 2 && label[1] == 2);
    mg_array_destroy(pixels);
    mg_array_destroy(labels);
    CHECK(mg_batches_next(batches, &pixels, &labels, &pad, ids) == MG_STATUS_OK && pad == 1 && ids[0] == 4);
    mg_array_destroy(pixels);
    mg_array_destroy(labels);
    CHECK(mg_batches_next(batches, &pixels, &labels, &pad, NULL) == MG_STATUS_OK && !pixels);
    mg_record_skipped skipped;
    memset(&skipped, 0, sizeof skipped);
    skipped.size = sizeof skipped;
    CHECK(mg_batches_get_skipped(batches, &skipped) == MG_STATUS_OK && skipped.records == (uint64_t)run + 1);
    CHECK(mg_batches_set_place(batches, &start) == MG_STATUS_OK);
  }
  CHECK(mg_batches_reset(batches) == MG_STATUS_OK);
  mg_batches_destroy(batches);
  mg_batches_destroy(NULL);
  CHECK(calls > 0);

  /* Two lines of two pixels of two bytes: differences to the left, then to above. */
  uint8_t lines[] = {1, 10, 20, 1, 2, 2, 5, 250, 0, 1}, rows[8];
  const uint8_t expected[] = {10, 20, 11, 22, 15, 14, 11, 23};
  CHECK(mg_image_unfilter_png(lines, 2, 4, 2, rows) == MG_STATUS_OK && memcmp(rows, expected, 8) == 0);
  CHECK(mg_image_unfilter_png(NULL, 0, 4, 2, NULL) == MG_STATUS_OK);
  CHECK(mg_image_unfilter_png(lines, 2, 4, 3, rows) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_image_unfilter_png(NULL, 2, 4, 2, rows) == MG_STATUS_INVALID_ARGUMENT);
  lines[5] = 9;
  CHECK(mg_image_unfilter_png(lines, 2, 4, 2, rows) == MG_STATUS_FORMAT);
  CHECK(strstr(mg_last_error(), "filter 9; expected 0 to 4"));
  printf("pictures by the C header: passed\n");
  return 0;
}
