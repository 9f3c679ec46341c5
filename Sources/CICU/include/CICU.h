#ifndef CICU_H
#define CICU_H

// The parts of ICU that laying out texts needs, under names of their own.
//
// ICU renames its functions by macros (`ubrk_open` is `ubrk_open_72`), which Swift cannot see. And
// no header of ICU may be part of a module: Foundation has an ICU of its own, of another version,
// whose types have the same names, and the compiler refuses a program that sees both. So this header
// includes none. Errors become NULL, false or 0.

#include <stdbool.h>
#include <stdint.h>

const char *cicu_version(void);

// MARK: Boundaries

typedef struct cicu_boundaries cicu_boundaries;

/// Finds where lines may break (with a locale as "en@lb=normal"), or where graphemes end.
cicu_boundaries *cicu_boundaries_open(bool of_lines, const char *locale);

/// The iterator keeps the pointer.
bool cicu_boundaries_set(
  cicu_boundaries *boundaries, const uint16_t *text, int32_t length);

/// The next boundary after the current one; -1 at the end.
int32_t cicu_boundaries_next(cicu_boundaries *boundaries);

/// The last boundary before an offset; it becomes the current one. -1 if there is none.
int32_t cicu_boundaries_before(cicu_boundaries *boundaries, int32_t offset);

/// The first boundary after an offset; it becomes the current one. -1 if there is none.
int32_t cicu_boundaries_after(cicu_boundaries *boundaries, int32_t offset);

void cicu_boundaries_close(cicu_boundaries *boundaries);

// MARK: Directions

typedef struct cicu_bidi cicu_bidi;

cicu_bidi *cicu_bidi_open(void);
void cicu_bidi_close(cicu_bidi *bidi);

/// The level of each unit of a paragraph whose direction is that of its first strong character, or
/// from left to right. The object keeps the text, and the levels until the next call. NULL if there
/// is no memory.
const uint8_t *cicu_bidi_levels(cicu_bidi *bidi, const uint16_t *text, int32_t length);

// MARK: Properties of characters

/// Writes a text composed (NFC) or decomposed (NFD), and returns its length; 0 if there is no room.
int32_t cicu_normalize(
  bool composes, const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity);

/// All codes of languages, up to NULL.
const char *const *cicu_languages(void);

/// The classes of UAX 14 that rules of ours name.
typedef enum {
  CICU_OTHER, CICU_AL, CICU_BA, CICU_CL, CICU_CP, CICU_CM, CICU_CB, CICU_EX, CICU_GL, CICU_HL,
  CICU_HY, CICU_IS, CICU_IN, CICU_BK, CICU_NS, CICU_OP, CICU_QU, CICU_SP, CICU_SY, CICU_WJ,
  CICU_ZWJ, CICU_ZW, CICU_SA, CICU_AI, CICU_NU, CICU_PO, CICU_PR
} cicu_line_break;

cicu_line_break cicu_line_break_class(int32_t character);

bool cicu_is_letter_or_number(int32_t character);
// Whether its general category is one of marks.
bool cicu_combines(int32_t character);
/// East Asian width F, W or H.
bool cicu_is_east_asian(int32_t character);

bool cicu_is_initial_quote(int32_t character);

bool cicu_is_final_quote(int32_t character);

bool cicu_is_default_ignorable(int32_t character);

bool cicu_is_emoji(int32_t character);

// What a character becomes by simple case folding.
int32_t cicu_fold_case(int32_t character);

bool cicu_is_emoji_presentation(int32_t character);

bool cicu_is_emoji_modifier(int32_t character);

bool cicu_is_regional_indicator(int32_t character);

/// A mark, a modifier symbol, a Vedic sign, what is ignored by default, or a letter that extends a
/// grapheme.
bool cicu_is_mark(int32_t character);

/// Has the combining class of viramas.
bool cicu_is_linker(int32_t character);

/// 0: no bracket, 1: opening, 2: closing.
int32_t cicu_bracket_type(int32_t character);

int32_t cicu_paired_bracket(int32_t character);

/// Scripts that are named here, as ICU numbers them.
enum {
  CICU_COMMON = 0, CICU_INHERITED = 1, CICU_HIRAGANA = 20, CICU_KATAKANA = 22, CICU_LATIN = 25
};

int32_t cicu_script(int32_t character);

/// The scripts in which a character is used; its own alone where it has no extensions.
int32_t cicu_script_extensions(
  int32_t character, int32_t *scripts, int32_t capacity);

/// The four letters of a script in ISO 15924.
const char *cicu_script_name(int32_t script);

/// How many scripts there are.
int32_t cicu_script_count(void);

#endif
