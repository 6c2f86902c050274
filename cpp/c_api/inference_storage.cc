// Storage types that follow for the arrays of a symbol.
#include "c_api/inference.h"
#include "exec/sparse/graph_storage.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::Storage;

extern "C" {

mg_status mg_inference_list_storages(const mg_inference* inference, int32_t part, int32_t num_known,
                                     const char* const* names, const int32_t* storages, int32_t* out) {
  return api::guard([&] {
    const char* function = "mg_inference_list_storages";
    const mg_inference& from = api::inference_of(inference, function);
    api::check_list(num_known, names, function, "names");
    api::check_list(num_known, storages, function, "storage types");
    if (part < MG_PART_ARGUMENTS || part > MG_PART_GRADIENTS || part == MG_PART_INPUTS)
      mixgrad::fail(Status::invalid_argument, "[", function, "] part ", part, "; expected 0, 1, 2 or 4");
    mixgrad::sparse::GraphStorage found(from.graph);
    for (int32_t i = 0; i < num_known; ++i) {
      api::require(names[i], function, "a name");
      if (storages[i] < MG_STORAGE_DENSE || storages[i] > MG_STORAGE_CSR)
        mixgrad::fail(Status::invalid_argument, "[", function, "] storage ", storages[i], " of '", names[i],
                      "'; expected 0 (default), 1 (row_sparse) or 2 (csr)");
      found.declare(names[i], static_cast<Storage>(storages[i]));
    }
    if (part == MG_PART_OUTPUTS || part == MG_PART_GRADIENTS) {
      if (!from.has_shapes || !from.has_dtypes)
        mixgrad::fail(Status::shape, "[", function,
                      "] some shapes or dtypes are not known, from which the "
                      "storage types of outputs and gradients follow");
      found.infer();
    }
    std::vector<Storage> list;
    if (part == MG_PART_GRADIENTS) {
      list = found.gradients();
    } else if (part == MG_PART_OUTPUTS) {
      for (const mixgrad::ValueId v : from.graph.heads) list.push_back(found.of(v));
    } else {
      const auto& variables = part == MG_PART_ARGUMENTS ? from.graph.arguments : from.graph.auxiliaries;
      for (const mixgrad::NodeId n : variables) list.push_back(found.declared(n));
    }
    if (!list.empty()) api::require(out, function, "out");
    for (size_t i = 0; i < list.size(); ++i) out[i] = static_cast<int32_t>(list[i]);
  });
}

}  // extern "C"
