/* Predicts with a network's files through MXNet's predict functions, as a program on a phone or in a browser would.
 * tools/targets.py builds it with the single file for every target.
 * predict SYMBOL PARAMS NAME EXTENT,EXTENT,... INPUT OUTPUT [RUNS]: INPUT and OUTPUT are files of float32. With RUNS the time
 * of one prediction is printed, the least of so many. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mixgrad-all.h"

#define MOST_AXES 8

static void fail(const char* what, const char* why) {
  fprintf(stderr, "predict: %s: %s\n", what, why);
  exit(1);
}

static void check(int status, const char* what) {
  if (status != 0) fail(what, MXGetLastError());
}

/* The whole file, with a zero byte behind it. */
static char* content(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  char* data;
  long size = 0;
  if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) fail(path, "cannot be read");
  rewind(file);
  data = malloc((size_t)size + 1);
  if (!data || fread(data, 1, (size_t)size, file) != (size_t)size) fail(path, "cannot be read");
  fclose(file);
  data[size] = 0;
  *bytes = (size_t)size;
  return data;
}

int main(int argc, char** argv) {
  size_t symbol_bytes, params_bytes, input_bytes;
  char *symbol, *params, *input;
  mx_uint shape[MOST_AXES], starts[2] = {0, 0}, *out_shape, out_ndim, count = 1, i;
  const char* names[1];
  float* output;
  PredictorHandle predictor;
  FILE* file;
  char* at;
  int runs, run;
  if (argc != 7 && argc != 8) fail("usage", "SYMBOL PARAMS NAME EXTENT,EXTENT,... INPUT OUTPUT [RUNS]");
  symbol = content(argv[1], &symbol_bytes);
  params = content(argv[2], &params_bytes);
  input = content(argv[5], &input_bytes);
  names[0] = argv[3];
  for (at = argv[4]; *at && starts[1] < MOST_AXES; at += *at == ',')
    shape[starts[1]++] = (mx_uint)strtoul(at, &at, 10);
  check(MXPredCreate(symbol, params, (int)params_bytes, 1, 0, 1, names, starts, shape, &predictor), argv[1]);
  check(MXPredSetInput(predictor, argv[3], (const float*)input, (mx_uint)(input_bytes / sizeof(float))),
        argv[5]);
  check(MXPredForward(predictor), "the first prediction");
  check(MXPredGetOutputShape(predictor, 0, &out_shape, &out_ndim), "the output's shape");
  for (i = 0; i < out_ndim; ++i) count *= out_shape[i];
  output = malloc((count + 1) * sizeof(float));
  if (!output) fail("memory", "none left");
  check(MXPredGetOutput(predictor, 0, output, count), "the output");
  file = fopen(argv[6], "wb");
  if (!file || fwrite(output, sizeof(float), count, file) != count || fclose(file) != 0)
    fail(argv[6], "cannot be written");

  runs = argc == 8 ? atoi(argv[7]) : 0;
  if (runs > 0) {
    double least = 1e30;
    for (run = 0; run < runs; ++run) {
      struct timespec begin, end;
      double seconds;
      timespec_get(&begin, TIME_UTC);
      check(MXPredForward(predictor), "a prediction");
      check(MXPredGetOutput(predictor, 0, output, count), "the output");
      timespec_get(&end, TIME_UTC);
      seconds = difftime(end.tv_sec, begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
      if (seconds < least) least = seconds;
    }
    printf("%.3f ms\n", 1e3 * least);
  }
  check(MXPredFree(predictor), "the end");
  free(output);
  free(input);
  free(params);
  free(symbol);
  return 0;
}
