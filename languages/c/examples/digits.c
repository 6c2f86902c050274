/* Trains two dense layers on the digits and tells what they learned. Usage: digits FOLDER (languages/data) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad_ops.h"

enum { BATCH = 50, TRAINED = 1500, ALL = 1750, HIDDEN = 64, WEIGHTS = 4 };

static void check(mg_status status) {
  if (status == MG_STATUS_OK) return;
  fprintf(stderr, "digits: %s\n", mg_last_error());
  exit(1);
}

/* An array of a file, as float32. */
static mg_array* load(const mg_array_list* list, const char* name) {
  const mx_Cast_options to_float = {.dtype = MX_TEXT("float32")};
  mg_array *found = NULL, *floats = NULL;
  int32_t i;
  for (i = 0; i < mg_array_list_get_num_arrays(list) && !found; ++i) {
    if (strcmp(mg_array_list_get_name(list, i), name) == 0) check(mg_array_list_get(list, i, &found));
  }
  check(mx_Cast(found, &to_float, &floats));
  mg_array_destroy(found);
  return floats;
}

/* A variable with small random numbers: weights of so many rows, or, for 0 columns, biases. */
static mg_array* variable(int64_t rows, int64_t columns) {
  const mg_value shape = columns ? MX_SIZES(rows, columns) : MX_TUPLE(MX_INT(rows));
  const mx_random_normal_options small = {.scale = MX_REAL(0.1), .shape = shape};
  mg_array* made = NULL;
  check(mx_random_normal(&small, &made));
  check(mg_array_attach_grad(made, NULL, MG_GRAD_REQ_WRITE));
  return made;
}

/* Shares of the ten digits for each row of images; w: weights and biases. */
static mg_array* network(mg_array* images, mg_array* labels, mg_array* const* w) {
  const mx_FullyConnected_options first = {.num_hidden = MX_INT(HIDDEN)}, second = {.num_hidden = MX_INT(10)};
  const mx_SoftmaxOutput_options mean = {.normalization = MX_TEXT("batch")};
  mg_array *hidden = NULL, *active = NULL, *scores = NULL, *shares = NULL;
  check(mx_FullyConnected(images, w[0], w[1], &first, &hidden));
  check(mx_relu(hidden, NULL, &active));
  check(mx_FullyConnected(active, w[2], w[3], &second, &scores));
  check(mx_SoftmaxOutput(scores, labels, &mean, &shares));
  mg_array_destroy(hidden);
  mg_array_destroy(active);
  mg_array_destroy(scores);
  return shares;
}

static void learn(mg_array* shares, mg_array* const* w) {
  const mx_sgd_update_options rate = {.lr = MX_REAL(0.2)};
  int i;
  check(mg_autograd_backward(1, &shares, NULL, 0, 0));
  for (i = 0; i < WEIGHTS; ++i) {
    mg_array *gradient = NULL, *weight = w[i];
    check(mg_array_get_grad(weight, &gradient));
    check(mx_sgd_update(weight, gradient, &rate, &weight)); /* in place */
    mg_array_destroy(gradient);
  }
}

static int count_right(mg_array* shares, mg_array* labels) {
  const mx_argmax_options rows = {.axis = MX_INT(1)};
  float guesses[BATCH], truth[BATCH];
  mg_array* best = NULL;
  int i, right = 0;
  check(mx_argmax(shares, &rows, &best));
  check(mg_array_copy_to(best, guesses, sizeof guesses));
  check(mg_array_copy_to(labels, truth, sizeof truth));
  for (i = 0; i < BATCH; ++i) right += guesses[i] == truth[i];
  mg_array_destroy(best);
  return right;
}

int main(int argc, char** argv) {
  char path[1024];
  mg_array_list* digits = NULL;
  mg_array *images, *labels, *pixels = NULL, *w[WEIGHTS];
  int epoch, i, right = 0;
  int64_t at;
  snprintf(path, sizeof path, "%s/digits.params", argc > 1 ? argv[1] : "../data");
  check(mg_arrays_load(path, &digits));
  images = load(digits, "images");
  labels = load(digits, "labels");
  mg_array_list_destroy(digits);
  check(mx_scalar("_div_scalar", images, 16, &pixels));
  check(mg_random_seed(1));
  for (i = 0; i < WEIGHTS; ++i) w[i] = variable(i < 2 ? HIDDEN : 10, i % 2 ? 0 : 64);
  for (epoch = 1; epoch <= 10; ++epoch) {
    right = 0;
    for (at = 0; at < ALL; at += BATCH) {
      const int training = at < TRAINED;
      mg_array *some = NULL, *named = NULL, *shares;
      check(mg_array_slice(pixels, at, at + BATCH, &some));
      check(mg_array_slice(labels, at, at + BATCH, &named));
      check(mg_autograd_set_recording(training, NULL));
      shares = network(some, named, w);
      check(mg_autograd_set_recording(0, NULL));
      if (training) learn(shares, w);
      if (!training) right += count_right(shares, named);
      mg_array_destroy(shares);
      mg_array_destroy(named);
      mg_array_destroy(some);
    }
    printf("epoch %d: %d of %d digits held out are named rightly\n", epoch, right, ALL - TRAINED);
  }
  for (i = 0; i < WEIGHTS; ++i) mg_array_destroy(w[i]);
  mg_array_destroy(pixels);
  mg_array_destroy(labels);
  mg_array_destroy(images);
  return 0;
}
