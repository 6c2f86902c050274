/* A client of mixgrad.h that writes and reads record files: in files, in memory of its own, over damage. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mixgrad/mixgrad.h"

static int checks = 0;

static void fail(const char* what, int line) {
  fprintf(stderr, "records.c:%d: %s: %s\n", line, what, mg_last_error());
  exit(1);
}
#define CHECK(condition)                          \
  do {                                            \
    ++checks;                                     \
    if (!(condition)) fail(#condition, __LINE__); \
  } while (0)
#define OK(call) CHECK((call) == MG_STATUS_OK)

/* Bytes that this program keeps. */
typedef struct memory {
  char bytes[4096];
  size_t used;
  int released, refuses;
} memory;

static mg_status memory_write(void* context, const void* data, size_t bytes) {
  memory* const to = context;
  if (to->refuses || to->used + bytes > sizeof to->bytes) {
    mg_set_error("the memory is full");
    return MG_STATUS_IO;
  }
  memcpy(to->bytes + to->used, data, bytes);
  to->used += bytes;
  return MG_STATUS_OK;
}
static mg_status memory_read(void* context, uint64_t offset, void* out, size_t bytes) {
  const memory* const from = context;
  if (from->refuses) {
    mg_set_error("the memory is gone");
    return MG_STATUS_IO;
  }
  memcpy(out, from->bytes + offset, bytes);
  return MG_STATUS_OK;
}
static void memory_release(void* context) { ++((memory*)context)->released; }

static mg_source* source_of(memory* from) {
  mg_source_callbacks callbacks;
  mg_source* source = NULL;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.size = sizeof callbacks;
  callbacks.context = from;
  callbacks.read = memory_read;
  callbacks.release = memory_release;
  callbacks.name = "memory";
  callbacks.bytes = from->used;
  OK(mg_source_create(&callbacks, "test", &source));
  return source;
}

static int next_is(mg_record_reader* reader, const char* text) {
  const void* data = NULL;
  size_t bytes = 0;
  if (mg_record_reader_next(reader, NULL, &data, &bytes) != MG_STATUS_OK || !data) return 0;
  return bytes == strlen(text) && memcmp(data, text, bytes) == 0;
}

static void in_memory(void) {
  static memory store;
  mg_record_sink sink;
  mg_record_writer* writer = NULL;
  mg_record_reader* reader = NULL;
  mg_record_batch* batch = NULL;
  mg_record_options options;
  mg_record_skipped skipped;
  mg_source* source;
  const void* data = NULL;
  void* sums = NULL;
  size_t bytes = 0, sum_bytes = 0, offset_bytes = 0;
  uint64_t offset = 99, *offsets = NULL;
  char seven[7];

  memset(&sink, 0, sizeof sink);
  sink.size = sizeof sink;
  sink.context = &store;
  sink.write = memory_write;
  sink.release = memory_release;
  OK(mg_record_writer_create(&sink, "test", &writer));
  OK(mg_record_writer_keep_checksums(writer));
  OK(mg_record_writer_write(writer, "one", 3, &offset));
  CHECK(offset == 0 && mg_record_writer_tell(writer) == 12);
  OK(mg_record_writer_write(writer, NULL, 0, &offset));
  OK(mg_record_writer_write(writer, "three", 5, NULL));
  CHECK(store.used == 0);
  OK(mg_record_writer_flush(writer));
  CHECK(store.used == 36);
  OK(mg_record_writer_commit(writer));
  CHECK(mg_record_writer_write(writer, "x", 1, NULL) == MG_STATUS_IO);
  OK(mg_record_writer_get_checksums(writer, &sums, &sum_bytes));
  mg_record_writer_destroy(writer);
  CHECK(store.released == 1);

  source = source_of(&store);
  CHECK(mg_source_get_bytes(source) == 36 && strcmp(mg_source_get_name(source), "memory") == 0);
  OK(mg_source_read(source, 8, seven, 3));
  CHECK(memcmp(seven, "one", 3) == 0);
  CHECK(mg_source_read(source, 30, seven, 7) == MG_STATUS_IO);
  CHECK(strcmp(mg_last_error(), "[test] cannot read 7 bytes at 30 of 'memory': it has 36 bytes") == 0);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.checksums = sums;
  options.checksums_bytes = sum_bytes;
  OK(mg_record_reader_create(source, "test", &options, &reader));
  CHECK(next_is(reader, "one") && next_is(reader, "") && mg_record_reader_tell(reader) == 20);
  CHECK(next_is(reader, "three"));
  OK(mg_record_reader_next(reader, &offset, &data, &bytes));
  CHECK(data == NULL && bytes == 0);
  OK(mg_record_reader_read_at(reader, 20, &data, &bytes));
  CHECK(bytes == 5 && memcmp(data, "three", 5) == 0);
  OK(mg_record_reader_seek(reader, 0));
  CHECK(next_is(reader, "one"));
  CHECK(mg_record_reader_read_at(reader, 4, &data, &bytes) == MG_STATUS_FORMAT);
  OK(mg_record_reader_scan(reader, &offsets, &offset_bytes));
  CHECK(offset_bytes == 24 && offsets[0] == 0 && offsets[1] == 12 && offsets[2] == 20);
  OK(mg_record_reader_read_batch(reader, 3, offsets, &batch));
  mg_record_reader_destroy(reader);
  mg_source_destroy(source);
  OK(mg_record_batch_get(batch, 2, &data, &bytes)); /* outlives what it came from */
  CHECK(bytes == 5 && memcmp(data, "three", 5) == 0);
  OK(mg_record_batch_get(batch, 1, &data, &bytes));
  CHECK(bytes == 0 && data != NULL);
  CHECK(mg_record_batch_get(batch, 3, &data, &bytes) == MG_STATUS_INDEX);
  mg_record_batch_destroy(batch);
  mg_buffer_destroy(offsets);
  mg_buffer_destroy(sums);
  CHECK(store.released == 2);

  store.bytes[12] = 'x'; /* the empty record's header */
  source = source_of(&store);
  OK(mg_record_reader_create(source, "test", NULL, &reader));
  CHECK(mg_record_reader_next(reader, NULL, &data, &bytes) == MG_STATUS_FORMAT);
  CHECK(strcmp(mg_last_error(),
               "[test] 'memory' is damaged at 0: a record of 3 bytes, but none begins behind it, at 12") ==
        0);
  CHECK(next_is(reader, "three"));
  mg_record_reader_destroy(reader);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.damaged = MG_DAMAGED_SKIP;
  OK(mg_record_reader_create(source, "test", &options, &reader));
  CHECK(next_is(reader, "three"));
  memset(&skipped, 0, sizeof skipped);
  skipped.size = sizeof skipped;
  OK(mg_record_reader_get_skipped(reader, &skipped));
  CHECK(skipped.records == 1 && skipped.bytes == 20 && strncmp(skipped.first, "at 0: ", 6) == 0);
  store.refuses = 1;
  OK(mg_record_reader_seek(reader, 0));
  CHECK(mg_source_read(source, 0, seven, 7) == MG_STATUS_IO);
  CHECK(strcmp(mg_last_error(), "[test] cannot read 7 bytes at 0 of 'memory': the memory is gone") == 0);
  mg_record_reader_destroy(reader);
  mg_source_destroy(source);

  sink.release = NULL;
  OK(mg_record_writer_create(&sink, "test", &writer));
  OK(mg_record_writer_write(writer, "lost", 4, NULL));
  CHECK(mg_record_writer_flush(writer) == MG_STATUS_IO);
  CHECK(strcmp(mg_last_error(), "[test] cannot write records: the memory is full") == 0);
  CHECK(mg_record_writer_commit(writer) == MG_STATUS_IO);
  mg_record_writer_destroy(writer);
}

static void in_a_file(void) {
  char path[] = "records-XXXXXX";
  mg_record_writer* writer = NULL;
  mg_record_reader* reader = NULL;
  mg_source* source = NULL;
  const void* data = NULL;
  size_t bytes = 0;
  const int file = mkstemp(path);
  CHECK(file >= 0 && close(file) == 0 && unlink(path) == 0);
  OK(mg_record_writer_open(path, "test", &writer));
  OK(mg_record_writer_write(writer, "abc", 3, NULL));
  CHECK(access(path, F_OK) != 0);
  OK(mg_record_writer_commit(writer));
  mg_record_writer_destroy(writer);
  OK(mg_source_open(path, "test", &source));
  OK(mg_record_reader_create(source, "test", NULL, &reader));
  mg_source_destroy(source); /* the reader keeps it */
  CHECK(next_is(reader, "abc"));
  mg_record_reader_destroy(reader);
  CHECK(unlink(path) == 0);
  CHECK(mg_source_open(path, "test", &source) == MG_STATUS_NOT_FOUND);
  CHECK(mg_record_reader_next(NULL, NULL, &data, &bytes) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_record_writer_open(NULL, "test", &writer) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_record_writer_tell(NULL) == 0 && mg_record_reader_tell(NULL) == 0 &&
        mg_source_get_bytes(NULL) == 0);
  mg_record_writer_destroy(NULL);
  mg_record_reader_destroy(NULL);
  mg_record_batch_destroy(NULL);
  mg_source_destroy(NULL);
}

int main(void) {
  in_memory();
  in_a_file();
  printf("records.c: %d checks\n", checks);
  return 0;
}
