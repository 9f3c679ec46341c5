#pragma once

#include <hb-ot.h>
#include <hb.h>
#include <stdbool.h>

// Glyph flags are kept in a field whose accessor is a macro, which Swift cannot import.
static inline bool charfbuzz_is_unsafe_to_break(const hb_glyph_info_t *info) {
  return hb_glyph_info_get_glyph_flags(info) & HB_GLYPH_FLAG_UNSAFE_TO_BREAK;
}

// Whether what is on one side of the glyph's beginning may be another when the other side changes.
static inline bool charfbuzz_is_unsafe_to_concat(const hb_glyph_info_t *info) {
  return hb_glyph_info_get_glyph_flags(info) & HB_GLYPH_FLAG_UNSAFE_TO_CONCAT;
}
