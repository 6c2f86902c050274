// Turning pictures as EXIF says.
#pragma once

#include <cstdint>

namespace mixgrad::io {

// src: height x width pixels of `channels` bytes, as stored. dst: the picture as it is to be looked at; width and height change
// places for orientations 5 to 8.
void orient_picture(const uint8_t* src, int64_t width, int64_t height, int channels, int orientation,
                    uint8_t* dst);

}  // namespace mixgrad::io
