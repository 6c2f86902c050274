// One of two single files in a process: NAME(), which says what the file answers about an operator that it lacks.
#include "mixgrad-all.h"

extern "C" __attribute__((visibility("default"))) const char* NAME(void) {
  static const char network[] =
      "{\"nodes\": [{\"op\": \"no_such_operator\", \"name\": \"a\", \"inputs\": []}], \"arg_nodes\": [], "
      "\"heads\": [[0, 0, 0]]}";
  PredictorHandle predictor = nullptr;
  const char* keys[] = {"data"};
  const mx_uint starts[] = {0, 1}, extents[] = {1};
  return MXPredCreate(network, "", 0, 1, 0, 1, keys, starts, extents, &predictor) == -1 ? MXGetLastError()
                                                                                        : "";
}
