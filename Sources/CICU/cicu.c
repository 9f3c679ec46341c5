#include "CICU.h"

#include <unicode/ubidi.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uversion.h>

_Static_assert(CICU_COMMON == USCRIPT_COMMON, "scripts");
_Static_assert(CICU_INHERITED == USCRIPT_INHERITED, "scripts");
_Static_assert(CICU_HIRAGANA == USCRIPT_HIRAGANA, "scripts");
_Static_assert(CICU_KATAKANA == USCRIPT_KATAKANA, "scripts");
_Static_assert(CICU_LATIN == USCRIPT_LATIN, "scripts");

const char *cicu_version(void) { return U_ICU_VERSION; }

cicu_boundaries *cicu_boundaries_open(bool of_lines, const char *locale) {
  UErrorCode error = U_ZERO_ERROR;
  UBreakIterator *made =
    ubrk_open(of_lines ? UBRK_LINE : UBRK_CHARACTER, locale, NULL, 0, &error);
  return U_SUCCESS(error) ? (cicu_boundaries *)made : NULL;
}

bool cicu_boundaries_set(
  cicu_boundaries *boundaries, const uint16_t *text, int32_t length) {
  UErrorCode error = U_ZERO_ERROR;
  ubrk_setText((UBreakIterator *)boundaries, (const UChar *)text, length, &error);
  return U_SUCCESS(error);
}

int32_t cicu_boundaries_next(cicu_boundaries *boundaries) {
  return ubrk_next((UBreakIterator *)boundaries);
}

int32_t cicu_boundaries_before(cicu_boundaries *boundaries, int32_t offset) {
  return ubrk_preceding((UBreakIterator *)boundaries, offset);
}

int32_t cicu_boundaries_after(cicu_boundaries *boundaries, int32_t offset) {
  return ubrk_following((UBreakIterator *)boundaries, offset);
}

void cicu_boundaries_close(cicu_boundaries *boundaries) { ubrk_close((UBreakIterator *)boundaries); }

cicu_bidi *cicu_bidi_open(void) { return (cicu_bidi *)ubidi_open(); }

void cicu_bidi_close(cicu_bidi *bidi) { ubidi_close((UBiDi *)bidi); }

const uint8_t *cicu_bidi_levels(cicu_bidi *bidi, const uint16_t *text, int32_t length) {
  UErrorCode error = U_ZERO_ERROR;
  ubidi_setPara((UBiDi *)bidi, (const UChar *)text, length, UBIDI_DEFAULT_LTR, NULL, &error);
  const UBiDiLevel *levels = ubidi_getLevels((UBiDi *)bidi, &error);
  return U_SUCCESS(error) ? levels : NULL;
}

cicu_line_break cicu_line_break_class(int32_t character) {
  switch ((ULineBreak)u_getIntPropertyValue(character, UCHAR_LINE_BREAK)) {
  case U_LB_ALPHABETIC: return CICU_AL;
  case U_LB_AMBIGUOUS: return CICU_AI;
  case U_LB_BREAK_AFTER: return CICU_BA;
  case U_LB_CLOSE_PUNCTUATION: return CICU_CL;
  case U_LB_CLOSE_PARENTHESIS: return CICU_CP;
  case U_LB_COMBINING_MARK: return CICU_CM;
  case U_LB_CONTINGENT_BREAK: return CICU_CB;
  case U_LB_EXCLAMATION: return CICU_EX;
  case U_LB_GLUE: return CICU_GL;
  case U_LB_HEBREW_LETTER: return CICU_HL;
  case U_LB_HYPHEN: return CICU_HY;
  case U_LB_INFIX_NUMERIC: return CICU_IS;
  case U_LB_INSEPARABLE: return CICU_IN;
  case U_LB_MANDATORY_BREAK: return CICU_BK;
  case U_LB_NONSTARTER: return CICU_NS;
  case U_LB_NUMERIC: return CICU_NU;
  case U_LB_OPEN_PUNCTUATION: return CICU_OP;
  case U_LB_POSTFIX_NUMERIC: return CICU_PO;
  case U_LB_PREFIX_NUMERIC: return CICU_PR;
  case U_LB_QUOTATION: return CICU_QU;
  case U_LB_SPACE: return CICU_SP;
  case U_LB_BREAK_SYMBOLS: return CICU_SY;
  case U_LB_WORD_JOINER: return CICU_WJ;
  case U_LB_ZWJ: return CICU_ZWJ;
  case U_LB_ZWSPACE: return CICU_ZW;
  case U_LB_COMPLEX_CONTEXT: return CICU_SA;
  default: return CICU_OTHER;
  }
}

bool cicu_is_letter_or_number(int32_t character) {
  return U_MASK(u_charType(character)) & (U_GC_L_MASK | U_GC_N_MASK);
}

bool cicu_combines(int32_t character) { return U_MASK(u_charType(character)) & U_GC_M_MASK; }

bool cicu_is_east_asian(int32_t character) {
  int32_t width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_FULLWIDTH || width == U_EA_WIDE || width == U_EA_HALFWIDTH;
}

bool cicu_is_initial_quote(int32_t character) {
  return u_charType(character) == U_INITIAL_PUNCTUATION;
}

bool cicu_is_final_quote(int32_t character) {
  return u_charType(character) == U_FINAL_PUNCTUATION;
}

bool cicu_is_default_ignorable(int32_t character) {
  return u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

int32_t cicu_normalize(
  bool composes, const uint16_t *text, int32_t length, uint16_t *result, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2 *form =
    composes ? unorm2_getNFCInstance(&error) : unorm2_getNFDInstance(&error);
  int32_t count = unorm2_normalize(form, text, length, result, capacity, &error);
  return U_SUCCESS(error) ? count : 0;
}

int32_t cicu_fold_case(int32_t character) {
  return u_foldCase(character, U_FOLD_CASE_DEFAULT);
}

bool cicu_is_emoji(int32_t character) {
  return u_hasBinaryProperty(character, UCHAR_EMOJI);
}

bool cicu_is_emoji_presentation(int32_t character) {
  return u_hasBinaryProperty(character, UCHAR_EMOJI_PRESENTATION);
}

bool cicu_is_emoji_modifier(int32_t character) {
  return u_hasBinaryProperty(character, UCHAR_EMOJI_MODIFIER);
}

bool cicu_is_regional_indicator(int32_t character) {
  return u_hasBinaryProperty(character, UCHAR_REGIONAL_INDICATOR);
}

bool cicu_is_mark(int32_t character) {
  return U_MASK(u_charType(character)) & (U_GC_M_MASK | U_GC_SK_MASK)
    || cicu_is_default_ignorable(character) || (character >= 0x1cd0 && character < 0x1d00)
    || u_getIntPropertyValue(character, UCHAR_GRAPHEME_CLUSTER_BREAK) == U_GCB_SPACING_MARK;
}

bool cicu_is_linker(int32_t character) { return u_getCombiningClass(character) == 9; }

int32_t cicu_bracket_type(int32_t character) {
  return u_getIntPropertyValue(character, UCHAR_BIDI_PAIRED_BRACKET_TYPE);
}

int32_t cicu_paired_bracket(int32_t character) {
  return u_getBidiPairedBracket(character);
}

int32_t cicu_script(int32_t character) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t script = uscript_getScript(character, &error);
  return U_SUCCESS(error) ? script : USCRIPT_COMMON;
}

int32_t cicu_script_extensions(
  int32_t character, int32_t *scripts, int32_t capacity) {
  UErrorCode error = U_ZERO_ERROR;
  UScriptCode found[64];
  int32_t count = uscript_getScriptExtensions(character, found, 64, &error);
  if (U_FAILURE(error)) return 0;
  if (count > capacity) count = capacity;
  for (int32_t i = 0; i < count; i++) scripts[i] = found[i];
  return count;
}

const char *const *cicu_languages(void) { return uloc_getISOLanguages(); }

const char *cicu_script_name(int32_t script) {
  return uscript_getShortName((UScriptCode)script);
}

int32_t cicu_script_count(void) {
  return u_getIntPropertyMaxValue(UCHAR_SCRIPT) + 1;
}
