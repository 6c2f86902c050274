/* Where programs written for MXNet look for its predict functions. */
#ifndef MIXGRAD_MXNET_C_PREDICT_API_H_
#define MIXGRAD_MXNET_C_PREDICT_API_H_

#include "mixgrad/c_predict_api.h"

#endif /* MIXGRAD_MXNET_C_PREDICT_API_H_ */
