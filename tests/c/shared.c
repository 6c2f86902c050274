/* Arrays that several processes have at once. */
#define _POSIX_C_SOURCE 200809L
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
#define OK(call) CHECK((call) == MG_STATUS_OK)

#if defined(__linux__)
#include <sys/wait.h>
#include <unistd.h>

static const mg_device cpu = {MG_DEVICE_CPU, 0};

static float first_of(mg_array* array) {
  float values[6];
  OK(mg_array_copy_to(array, values, sizeof values));
  return values[0];
}

int main(void) {
  const int64_t shape[2] = {2, 3}, rows[1] = {3}, many[2] = {5, 5};
  const float zeros[6] = {0}, ones[3] = {1, 1, 1};
  mg_array *x, *second_row, *other, *wrapped, *same;
  OK(mg_array_create_from(zeros, shape, 2, MG_DTYPE_FLOAT32, cpu, &x));
  OK(mg_array_slice(x, 1, 2, &second_row));
  int32_t fd = -1;
  uint64_t offset = 0;
  CHECK(!mg_array_is_shared(x) && !mg_array_is_shared(NULL));
  CHECK(mg_array_get_shared_place(x, &fd, &offset) == MG_STATUS_INVALID_ARGUMENT && fd == -1);
  OK(mg_array_share_memory(1, &x));
  CHECK(mg_array_is_shared(x) && mg_array_is_shared(second_row));
  OK(mg_array_get_shared_place(second_row, &fd, &offset));
  CHECK(fd >= 0 && offset == 12);
  OK(mg_array_share_memory(1, &x)); /* stays where it is */
  OK(mg_array_get_shared_place(x, &fd, &offset));
  CHECK(offset == 0);

  /* A child writes the first row, by an array of its own. */
  const pid_t child = fork();
  if (child == 0) {
    if (mg_array_attach_shared(fd, 0, rows, 1, MG_DTYPE_FLOAT32, cpu, &other)) _exit(1);
    if (mg_array_copy_from(other, ones, sizeof ones)) _exit(2);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(first_of(x) == 1);

  OK(mg_array_attach_shared(fd, 0, shape, 2, MG_DTYPE_FLOAT32, cpu, &same));
  mg_array_destroy(x);
  CHECK(first_of(same) == 1); /* the memory stays as long as somebody has it */
  CHECK(mg_array_attach_shared(fd, 0, many, 2, MG_DTYPE_FLOAT32, cpu, &other) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(mg_last_error(), "100 bytes from 0"));
  CHECK(mg_array_attach_shared(0, 0, rows, 1, MG_DTYPE_FLOAT32, cpu, &other) != MG_STATUS_OK);

  OK(mg_array_wrap((void*)ones, rows, 1, MG_DTYPE_FLOAT32, cpu, NULL, NULL, &wrapped));
  CHECK(mg_array_share_memory(1, &wrapped) == MG_STATUS_UNSUPPORTED);
  CHECK(strstr(mg_last_error(), "was given out"));
  mg_array_destroy(wrapped);
  mg_array_destroy(same);
  mg_array_destroy(second_row);

  const mg_device shared = {MG_DEVICE_CPU_SHARED, 0};
  OK(mg_array_create(rows, 1, MG_DTYPE_FLOAT32, shared, &x));
  CHECK(mg_array_is_shared(x));
  mg_array_destroy(x);
  puts("shared: ok");
  return 0;
}

#else

int main(void) {
  const int64_t rows[1] = {3};
  mg_array* x = NULL;
  OK(mg_array_create(rows, 1, MG_DTYPE_FLOAT32, (mg_device){MG_DEVICE_CPU, 0}, &x));
  CHECK(mg_array_share_memory(1, &x) == MG_STATUS_UNSUPPORTED && !mg_array_is_shared(x));
  mg_array_destroy(x);
  return 0;
}

#endif
