#ifndef CWOFF2_H
#define CWOFF2_H

// A C interface to libwoff's decoder, which has one in C++ alone.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The length of the font in a WOFF2 file, as the file says it; 0 if it says none.
size_t cwoff2_final_size(const uint8_t *file, size_t length);

/// Decodes a WOFF2 file to at most `capacity` bytes. No exception leaves it.
///
/// - Returns: The length of the font, or 0 if the file is broken or the font longer.
size_t cwoff2_decode(const uint8_t *file, size_t length, uint8_t *font, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
