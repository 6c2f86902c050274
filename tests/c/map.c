#define _POSIX_C_SOURCE 200809L
/* Arrays in the pages of their file: equal to loaded ones, writable without changing the file, alive after their list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "mixgrad/mixgrad.h"

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      fprintf(stderr, "%s:%d: %s; %s\n", __FILE__, __LINE__, #condition, mg_last_error()); \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

enum { kRows = 64, kColumns = 100, kBytes = kRows * kColumns * 4 };
static float values[kRows * kColumns];
static float got[kRows * kColumns];

static void write_file(const char* path) {
  const int64_t shape[] = {kRows, kColumns}, short_shape[] = {3};
  const mg_device cpu = {MG_DEVICE_CPU, 0};
  const char* names[] = {"arg:large", "aux:small", "arg:again"};
  mg_array* arrays[3];
  int i;
  for (i = 0; i < kRows * kColumns; ++i) values[i] = (float)i / 7;
  CHECK(mg_array_create_from(values, shape, 2, MG_DTYPE_FLOAT32, cpu, &arrays[0]) == MG_STATUS_OK);
  CHECK(mg_array_create_from(values, short_shape, 1, MG_DTYPE_FLOAT32, cpu, &arrays[1]) == MG_STATUS_OK);
  CHECK(mg_array_create_from(values, shape, 2, MG_DTYPE_FLOAT32, cpu, &arrays[2]) == MG_STATUS_OK);
  CHECK(mg_arrays_save(path, "params", 3, arrays, names) == MG_STATUS_OK);
  for (i = 0; i < 3; ++i) mg_array_destroy(arrays[i]);
}

/* Whether a part of the file is mapped into this process. */
static int is_mapped(const char* path) {
  char line[4096];
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) found |= strstr(line, name) != NULL;
  if (maps) fclose(maps);
  return found;
}

/* Whoever may write to a file may shorten it: what was loaded from it stays. */
static void check_shortened(const char* path) {
  mg_array_list* list = NULL;
  mg_array* large = NULL;
  mg_model* model = NULL;
  const char *name = "arg:w", *text_name = "symbol", *text = "{}";
  const size_t bytes = 2;
  write_file(path);
  CHECK(mg_mapping_get() == MG_MAPPING_FIXED);
  CHECK(mg_arrays_map(path, &list) == MG_STATUS_OK && mg_array_list_get(list, 0, &large) == MG_STATUS_OK);
  CHECK(truncate(path, 100) == 0);
  CHECK(mg_array_copy_to(large, got, kBytes) == MG_STATUS_OK && memcmp(got, values, kBytes) == 0);
  CHECK(mg_model_save(path, 1, &text_name, &text, &bytes, 1, &large, &name, "float32") == MG_STATUS_OK);
  mg_array_destroy(large);
  mg_array_list_destroy(list);
  CHECK(mg_model_load(path, &model) == MG_STATUS_OK && mg_model_get_array(model, 0, &large) == MG_STATUS_OK);
  CHECK(truncate(path, 100) == 0);
  CHECK(mg_array_copy_to(large, got, kBytes) == MG_STATUS_OK && memcmp(got, values, kBytes) == 0);
  mg_array_destroy(large);
  mg_model_destroy(model);
}

static void check_choice(const char* path) {
  const int all[] = {MG_MAPPING_NEVER, MG_MAPPING_FIXED, MG_MAPPING_ALWAYS};
  mg_array_list* list = NULL;
  int i, fixed;
  write_file(path);
  for (fixed = 0; fixed < 2; ++fixed) {
    CHECK(chmod(path, fixed ? 0444 : 0644) == 0);
    for (i = 0; i < 3; ++i) {
      CHECK(mg_mapping_set(all[i]) == MG_STATUS_OK && mg_mapping_get() == all[i]);
      CHECK(mg_arrays_map(path, &list) == MG_STATUS_OK);
      if (access("/proc/self/maps", R_OK) == 0) CHECK(is_mapped(path) == (i == 2 || (i == 1 && fixed)));
      mg_array_list_destroy(list);
    }
  }
  CHECK(mg_mapping_set(3) == MG_STATUS_INVALID_ARGUMENT && mg_mapping_set(-1) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_mapping_get() == MG_MAPPING_ALWAYS);
  CHECK(remove(path) == 0);
}

int main(int argc, char** argv) {
  char path[1024];
  mg_array_list *list = NULL, *second = NULL;
  mg_array *large = NULL, *again = NULL;
  FILE* file;
  snprintf(path, sizeof path, "%s.map.params", argc > 0 ? argv[0] : "test");
  check_shortened(path);
  CHECK(remove(path) == 0);
  check_choice(path); /* and map always from here on */
  write_file(path);
  CHECK(mg_arrays_map(path, &list) == MG_STATUS_OK && mg_array_list_get_num_arrays(list) == 3);
  CHECK(strcmp(mg_array_list_get_name(list, 2), "arg:again") == 0);
  CHECK(mg_array_list_get(list, 0, &large) == MG_STATUS_OK &&
        mg_array_list_get(list, 2, &again) == MG_STATUS_OK);
  mg_array_list_destroy(list);
  CHECK(mg_array_copy_to(large, got, kBytes) == MG_STATUS_OK && memcmp(got, values, kBytes) == 0);
  memset(got, 0, kBytes);
  CHECK(mg_array_copy_from(large, got, kBytes) == MG_STATUS_OK); /* this process's copy only */
  CHECK(mg_array_copy_to(again, got, kBytes) == MG_STATUS_OK && memcmp(got, values, kBytes) == 0);
  mg_array_destroy(large);
  CHECK(mg_arrays_map(path, &second) == MG_STATUS_OK && mg_array_list_get(second, 0, &large) == MG_STATUS_OK);
  CHECK(mg_array_copy_to(large, got, kBytes) == MG_STATUS_OK && memcmp(got, values, kBytes) == 0);
  mg_array_destroy(large);
  mg_array_list_destroy(second);
  /* The file may be replaced while arrays of the old one live. */
  CHECK(remove(path) == 0);
  CHECK(mg_array_copy_to(again, got, kBytes) == MG_STATUS_OK && memcmp(got, values, kBytes) == 0);
  mg_array_destroy(again);
  list = NULL;
  CHECK(mg_arrays_map(path, &list) == MG_STATUS_NOT_FOUND && list == NULL);
  CHECK(mg_arrays_map("/", &list) == MG_STATUS_IO && list == NULL);
  file = fopen(path, "wb");
  CHECK(file != NULL);
  fclose(file);
  CHECK(mg_arrays_map(path, &list) == MG_STATUS_FORMAT && list == NULL); /* empty */
  file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(values, 1, 1000, file) == 1000);
  fclose(file);
  CHECK(mg_arrays_map(path, &list) == MG_STATUS_FORMAT && list == NULL);
  CHECK(mg_arrays_map(NULL, &list) == MG_STATUS_INVALID_ARGUMENT);
  remove(path);
  puts("1 passed");
  return 0;
}
