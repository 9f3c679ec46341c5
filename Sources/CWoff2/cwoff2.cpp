#include "CWoff2.h"

#include <woff2/decode.h>

#include <exception>

size_t cwoff2_final_size(const uint8_t *file, size_t length) {
  return woff2::ComputeWOFF2FinalSize(file, length);
}

size_t cwoff2_decode(const uint8_t *file, size_t length, uint8_t *font, size_t capacity) {
  try {
    woff2::WOFF2MemoryOut out(font, capacity);
    return woff2::ConvertWOFF2ToTTF(file, length, &out) ? out.Size() : 0;
  } catch (const std::exception &) {
    return 0;
  }
}
