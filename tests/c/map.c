/* Arrays in the pages of their file: equal to loaded ones, writable without changing the file, alive after their list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  const mg_device cpu = {MG_CPU, 0};
  const char* names[] = {"arg:large", "aux:small", "arg:again"};
  mg_array* arrays[3];
  int i;
  for (i = 0; i < kRows * kColumns; ++i) values[i] = (float)i / 7;
  CHECK(mg_array_create_from(values, shape, 2, MG_FLOAT32, cpu, &arrays[0]) == MG_OK);
  CHECK(mg_array_create_from(values, short_shape, 1, MG_FLOAT32, cpu, &arrays[1]) == MG_OK);
  CHECK(mg_array_create_from(values, shape, 2, MG_FLOAT32, cpu, &arrays[2]) == MG_OK);
  CHECK(mg_arrays_save(path, "params", 3, arrays, names) == MG_OK);
  for (i = 0; i < 3; ++i) mg_array_destroy(arrays[i]);
}

int main(int argc, char** argv) {
  char path[1024];
  mg_array_list *list = NULL, *second = NULL;
  mg_array *large = NULL, *again = NULL;
  FILE* file;
  snprintf(path, sizeof path, "%s.map.params", argc > 0 ? argv[0] : "test");
  write_file(path);
  CHECK(mg_arrays_map(path, &list) == MG_OK && mg_array_list_count(list) == 3);
  CHECK(strcmp(mg_array_list_get_name(list, 2), "arg:again") == 0);
  CHECK(mg_array_list_get(list, 0, &large) == MG_OK && mg_array_list_get(list, 2, &again) == MG_OK);
  mg_array_list_destroy(list);
  CHECK(mg_array_copy_to(large, got, kBytes) == MG_OK && memcmp(got, values, kBytes) == 0);
  memset(got, 0, kBytes);
  CHECK(mg_array_copy_from(large, got, kBytes) == MG_OK); /* this process's copy only */
  CHECK(mg_array_copy_to(again, got, kBytes) == MG_OK && memcmp(got, values, kBytes) == 0);
  mg_array_destroy(large);
  CHECK(mg_arrays_map(path, &second) == MG_OK && mg_array_list_get(second, 0, &large) == MG_OK);
  CHECK(mg_array_copy_to(large, got, kBytes) == MG_OK && memcmp(got, values, kBytes) == 0);
  mg_array_destroy(large);
  mg_array_list_destroy(second);
  /* The file may be replaced while arrays of the old one live. */
  CHECK(remove(path) == 0);
  CHECK(mg_array_copy_to(again, got, kBytes) == MG_OK && memcmp(got, values, kBytes) == 0);
  mg_array_destroy(again);
  list = NULL;
  CHECK(mg_arrays_map(path, &list) == MG_NOT_FOUND && list == NULL);
  CHECK(mg_arrays_map("/", &list) == MG_IO && list == NULL);
  file = fopen(path, "wb");
  CHECK(file != NULL);
  fclose(file);
  CHECK(mg_arrays_map(path, &list) == MG_FORMAT && list == NULL); /* empty */
  file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(values, 1, 1000, file) == 1000);
  fclose(file);
  CHECK(mg_arrays_map(path, &list) == MG_FORMAT && list == NULL);
  CHECK(mg_arrays_map(NULL, &list) == MG_INVALID_ARGUMENT);
  remove(path);
  puts("1 passed");
  return 0;
}
