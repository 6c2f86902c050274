// Pictures changed as the options say, with random numbers of their own: what a picture becomes follows from the numbers alone.
#pragma once

#include <vector>

#include "io/augment_options.h"
#include "io/picture_steps.h"

namespace mixgrad::io {

// ImageRecordIter's: afterwards the picture has the batch's height and width. Throws Status::shape where options and picture
// cannot meet.
void augment_picture(const AugmentOptions& options, const PictureShape& shape, ElementRandom& random,
                     PictureSteps& steps);

// ImageDetRecordIter's, with the boxes: a header of at least 2 numbers (how many there are, how many an object has), then objects of
// (class, left, top, right, bottom, ...) in parts of the picture's size. Afterwards the picture fits into the batch's.
void augment_detection(const DetectionOptions& options, const PictureShape& shape, ElementRandom& random,
                       PictureSteps& steps, std::vector<float>& label);

// The smallest size of the picture that the options need, from which on it may be decoded: 0 where any pixel counts. For both.
int64_t least_short_side(const AugmentOptions& options, const PictureShape& shape);
int64_t least_short_side(const DetectionOptions& options, const PictureShape& shape);

// Numbers of the batch from bytes of the picture, and whether it is mirrored.
struct ScaledPicture {
  bool mirrored = false;
  picture::Scaling scaling;
};
ScaledPicture choose_scaling(const ScalingOptions& options, const LightOptions& light, ElementRandom& random);

}  // namespace mixgrad::io
