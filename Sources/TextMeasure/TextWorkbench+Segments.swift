import CHarfBuzz
import CICU

extension TextWorkbench {
  /// The segments of a word of ``LatinCharacters``.
  @inline(__always)
  func segments(
    of word: UnsafeBufferPointer<UInt8>, _ hash: UInt32, _ style: PreparedStyle
  ) -> WordSegments.Word {
    wordSegments.find(style.number, word, hash) ?? packedWord(word, hash, style)
  }

  private func packedWord(
    _ word: UnsafeBufferPointer<UInt8>, _ hash: UInt32, _ style: PreparedStyle
  ) -> WordSegments.Word {
    var (packed, last): ([UInt64], Int) = ([], 0)
    prepare(utf8: word, style, asLatin: true)
    if !isEstimated, isAlike(amidSpaces: style), pack(into: &packed, style) {
      var unitsBefore = 0
      packed.withUnsafeBufferPointer { entries in
        var place = 0
        while place < entries.count {
          let segment = Segment(entries, place, space: style.spaceAdvance)
          last = place
          place = segment.next
          if place < entries.count { unitsBefore += Int(segment.units) }
        }
      }
      packed[last] = Segment.inside(packed[last], units: text.units.count - unitsBefore)
    } else {
      packed = []
    }
    return wordSegments.insert(style.number, word, hash, packed, last: last)
  }

  /// Whether the word that was prepared looks the same between spaces, and whatever is beyond them
  /// changes nothing in it. Some fonts kern or join with the space, or over it.
  private func isAlike(amidSpaces style: PreparedStyle) -> Bool {
    // Two on each side: if what begins with the inner two does not depend on the outer two, it
    // depends on nothing beyond.
    let margin = 2
    let spaces = [UInt16](repeating: 0x20, count: margin)
    let units = spaces + text.units + spaces
    hb_buffer_reset(buffer)
    hb_buffer_set_flags(buffer, HB_BUFFER_FLAG_PRODUCE_UNSAFE_TO_CONCAT)
    hb_buffer_add_utf16(buffer, units, Int32(units.count), 0, Int32(units.count))
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR)
    hb_buffer_set_script(buffer, PreparedStyle.scripts[Int(CICU_LATIN)])
    hb_buffer_set_language(buffer, style.language)
    hb_shape(style.fonts[0].font, buffer, style.features, UInt32(style.features.count))
    var (count, positionCount): (UInt32, UInt32) = (0, 0)
    guard let glyphs = hb_buffer_get_glyph_infos(buffer, &count),
      let positions = hb_buffer_get_glyph_positions(buffer, &positionCount)
    else { return false }
    let (wordStart, wordEnd) = (margin, units.count - margin)
    var (glyph, unit) = (0, 0)
    while glyph < Int(count) {
      let start = Int(glyphs[glyph].cluster)
      // Each unit of a cluster but its first is without an advance, as in the word by itself.
      while unit < start {
        if wordStart..<wordEnd ~= unit, text.flags[unit - margin].contains(.beginsCluster) {
          return false
        }
        unit += 1
      }
      let isUnsafe = charfbuzz_is_unsafe_to_break(glyphs + glyph)
      if start == wordStart || start == units.count - 1,
        charfbuzz_is_unsafe_to_concat(glyphs + glyph)
      {
        return false
      }
      var advance = Int64(style.letterSpacing)
      repeat {
        advance += Int64(positions[glyph].x_advance)
        if glyphs[glyph].codepoint == 0 { return false }
        glyph += 1
      } while glyph < Int(count) && Int(glyphs[glyph].cluster) == start
      if wordStart..<wordEnd ~= start {
        let (flags, own) = (text.flags[start - margin], text.advances[start - margin])
        guard flags.contains(.beginsCluster), Int64(own) == advance,
          start == wordStart || flags.contains(.isUnsafe) == isUnsafe
        else { return false }
      } else if advance != style.spaceAdvance {
        return false
      }
      unit = start + 1
    }
    return unit == units.count
  }
}
