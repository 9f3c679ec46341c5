import CHarfBuzz
import CICU

extension TextWorkbench {
  /// The segments of a word of ``LatinCharacters``, or of some words with a space between them.
  ///
  /// - Parameters:
  ///   - hash: That of ``WordSegments/hash(_:)``.
  ///   - place: Where it stands. Beside it are spaces, or the ends of the text.
  @inline(__always)
  func segments(
    of word: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ place: WordSegments.Place,
    _ style: PreparedStyle
  ) -> WordSegments.Word {
    wordSegments.find(style.number, place, word, hash) ?? packedWord(word, hash, place, style)
  }

  /// The segments of words that are joined.
  func segments(
    of bytes: Range<Int>, of text: UnsafeBufferPointer<UInt8>, _ place: WordSegments.Place,
    _ style: PreparedStyle
  ) -> WordSegments.Word {
    let words = UnsafeBufferPointer(rebasing: text[bytes])
    return segments(of: words, WordSegments.hash(words), place, style)
  }

  private func packedWord(
    _ word: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ place: WordSegments.Place,
    _ style: PreparedStyle
  ) -> WordSegments.Word {
    var (packed, last): ([UInt64], Int) = ([], 0)
    begin(utf8: word, style, asLatin: true)
    let looks = shapeAmidSpaces(place, style)
    if looks == [] { finish() }
    if looks == [], !isEstimated, pack(into: &packed, style) {
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
    return wordSegments.insert(
      style.number, place, word, hash, packed, last: last, looks: looks ?? [])
  }

  /// Shapes what is prepared, which is a run of Latin, with the spaces beside it.
  ///
  /// HarfBuzz tells each cluster at whose beginning a change on one side may change the other side.
  /// One space in front is enough: if the word does not look at it, it looks at nothing beyond.
  /// Behind are two, for most fonts look whether the first one is kerned: if nothing looks at the
  /// second, nothing looks beyond the first.
  ///
  /// - Returns: Over which spaces it looks; `nil` if its font lacks a character.
  private func shapeAmidSpaces(
    _ place: WordSegments.Place, _ style: PreparedStyle
  ) -> WordSegments.Looks? {
    let before = place.contains(.beginsText) ? 0 : 1
    let after = place.contains(.endsText) ? 0 : 2
    let wordEnd = text.units.count
    let units =
      repeatElement(0x20 as UInt16, count: before) + text.units
      + repeatElement(0x20 as UInt16, count: after)
    shapedUnits += units.count
    hb_buffer_reset(buffer)
    hb_buffer_set_flags(buffer, HB_BUFFER_FLAG_PRODUCE_UNSAFE_TO_CONCAT)
    hb_buffer_add_utf16(buffer, units, Int32(units.count), 0, Int32(units.count))
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR)
    hb_buffer_set_script(buffer, PreparedStyle.scripts[Int(CICU_LATIN)])
    hb_buffer_set_language(buffer, style.fonts[0].language)
    hb_shape(style.fonts[0].font, buffer, style.features, UInt32(style.features.count))
    var (count, positionCount): (UInt32, UInt32) = (0, 0)
    guard let glyphs = hb_buffer_get_glyph_infos(buffer, &count),
      let positions = hb_buffer_get_glyph_positions(buffer, &positionCount)
    else { return nil }
    text.advances.removeAll(keepingCapacity: true)
    text.advances.append(contentsOf: repeatElement(0, count: wordEnd))
    var looks: WordSegments.Looks = []
    var (glyph, spacesBefore, spacesAfter) = (0, 0, 0)
    while glyph < Int(count) {
      let cluster = Int(glyphs[glyph].cluster)
      let isUnsafe = charfbuzz_is_unsafe_to_break(glyphs + glyph)
      let isDependent = charfbuzz_is_unsafe_to_concat(glyphs + glyph)
      var advance = style.letterSpacing
      repeat {
        advance &+= positions[glyph].x_advance
        if glyphs[glyph].codepoint == 0 { return nil }
        glyph += 1
      } while glyph < Int(count) && Int(glyphs[glyph].cluster) == cluster
      let unit = cluster - before
      if unit < 0 {
        spacesBefore += 1
        if Int64(advance) != style.spaceAdvance { looks.insert(.back) }
      } else if unit < wordEnd {
        if unit == 0, before > 0, isDependent { looks.insert(.back) }
        text.advances[unit] = advance
        text.flags[unit].insert(isUnsafe ? [.beginsCluster, .isUnsafe] : .beginsCluster)
      } else {
        spacesAfter += 1
        if Int64(advance) != style.spaceAdvance || unit > wordEnd && isDependent {
          looks.insert(.ahead)
        }
      }
    }
    // A space that joins with the word has no cluster of its own.
    if spacesBefore < before || !text.flags[0].contains(.beginsCluster) { looks.insert(.back) }
    if spacesAfter < after { looks.insert(.ahead) }
    return looks
  }
}
