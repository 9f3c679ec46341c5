#ifndef CSIMDJSON_H
#define CSIMDJSON_H

// A C interface to the two parts of simdjson that the reader of JSON bodies uses: the vectorised
// scan that finds the starts of tokens, and the exact conversion of numbers.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number of bytes that must follow a text in memory.
#define CSIMDJSON_PADDING 64

/// Memory for the token positions of one text. Only one thread may use it at a time.
typedef struct csimdjson_index csimdjson_index;

/// Makes an empty index; NULL if there is no memory. The caller must destroy it.
csimdjson_index *csimdjson_index_create(void);
void csimdjson_index_destroy(csimdjson_index *index);

/// Finds the start of each token of a text, in ascending order: every `{ } [ ] : ,`, and the first
/// byte of every string, number and literal.
///
/// It checks that the text is UTF-8, that every string ends, and that no string has a control
/// character. Otherwise it does not check the inside of tokens.
///
/// - text: `length` bytes, followed by `CSIMDJSON_PADDING` readable bytes.
/// - positions: Is set to the positions, followed by the length. They belong to the index and are
///   valid until it is built again.
/// - Returns: False if there is an error or no token, or if there is no memory.
/// - Complexity: O(length).
bool csimdjson_index_build(
  csimdjson_index *index, const uint8_t *text, size_t length, const uint32_t **positions,
  size_t *count);

/// Converts the number that begins here to the nearest double.
///
/// - Returns: Whether it is a finite number as in RFC 8259 and ends where a token can end.
bool csimdjson_number(const uint8_t *text, double *value);

#ifdef __cplusplus
}
#endif

#endif
