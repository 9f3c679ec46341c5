import CHarfBuzz

extension TextWorkbench {
  /// Gives every cluster of the text its advance.
  func shape(_ style: PreparedStyle) {
    text.advances.removeAll(keepingCapacity: true)
    text.advances.append(contentsOf: repeatElement(0, count: text.units.count))
    for run in text.runs {
      if style.shapesWords, !run.isPicture {
        shapeWords(run, style)
      } else {
        shape(run.units, of: run, style)
      }
    }
    // A browser draws ☺︎ in a font of the system's, if all that have it draw it as a picture.
    if !text.isLatin, style.pictureFonts[0].file.tables.isColored, text.units.contains(0xfe0e) {
      text.isEstimated = true
    }
    if text.flags.contains(where: { $0.contains(.isMissing) }) { text.isEstimated = true }
  }

  /// Shapes units of a run, with the text around them.
  func shape(_ units: Range<Int>, of run: LaidOutText.Run, _ style: PreparedStyle) {
    let firstMissing = missing.count
    let fonts = run.isPicture ? style.pictureFonts : style.fonts
    shape(units, of: run, style, fonts[0])
    var piecesOfFont = firstMissing..<missing.count
    for font in fonts.dropFirst() where !piecesOfFont.isEmpty {
      let pieces = piecesOfFont
      for piece in pieces { shape(missing[piece], of: run, style, font) }
      piecesOfFont = pieces.upperBound..<missing.count
    }
    for piece in piecesOfFont {
      for unit in missing[piece] { text.flags[unit].insert(.isMissing) }
    }
    missing.removeSubrange(firstMissing...)
  }

  /// Shapes with one font, and adds the pieces that it lacks to `missing`.
  private func shape(
    _ units: Range<Int>, of run: LaidOutText.Run, _ style: PreparedStyle, _ font: ScaledFont
  ) {
    fillBuffer(units, of: run, font)
    hb_shape(font.font, buffer, style.features, UInt32(style.features.count))
    var (count, positionCount): (UInt32, UInt32) = (0, 0)
    guard let glyphs = hb_buffer_get_glyph_infos(buffer, &count),
      let positions = hb_buffer_get_glyph_positions(buffer, &positionCount)
    else { return }
    for unit in units { text.flags[unit].subtract([.beginsCluster, .isUnsafe]) }
    let spaced = style.letterSpacing != 0
    let firstPiece = missing.count
    // Clusters come in the order of the text, or in the reverse order.
    var glyph = 0
    var visualEdge = units.upperBound
    let glyphCount = Int(count)
    while glyph < glyphCount {
      let start = Int(glyphs[glyph].cluster)
      let isUnsafe = charfbuzz_is_unsafe_to_break(glyphs + glyph)
      var (advance, isMissing): (Int32, Bool) = (0, false)
      repeat {
        advance &+= positions[glyph].x_advance
        isMissing = isMissing || glyphs[glyph].codepoint == 0
        glyph += 1
      } while glyph < glyphCount && Int(glyphs[glyph].cluster) == start
      let end: Int
      if run.isRightToLeft {
        end = visualEdge
        visualEdge = start
      } else {
        end = glyph < glyphCount ? Int(glyphs[glyph].cluster) : units.upperBound
      }
      if !font.hasIdeographicSpace, text.units[start..<end].contains(0x3000) { isMissing = true }
      if spaced, isSpread(start, run) { advance &+= style.letterSpacing }
      text.advances[start] = advance
      for inside in start + 1..<max(end, start + 1) { text.advances[inside] = 0 }
      text.flags[start].insert(isUnsafe ? [.beginsCluster, .isUnsafe] : .beginsCluster)
      if isMissing { addMissing(start..<end, after: firstPiece) }
    }
  }

  private func addMissing(_ units: Range<Int>, after firstPiece: Int) {
    if missing.count > firstPiece {
      let last = missing[missing.count - 1]
      if last.upperBound == units.lowerBound || last.lowerBound == units.upperBound {
        missing[missing.count - 1] =
          min(last.lowerBound, units.lowerBound)..<max(last.upperBound, units.upperBound)
        return
      }
    }
    missing.append(units)
  }

  private func fillBuffer(_ units: Range<Int>, of run: LaidOutText.Run, _ font: ScaledFont) {
    shapedUnits += units.count
    hb_buffer_reset(buffer)
    text.units.withUnsafeBufferPointer {
      hb_buffer_add_utf16(
        buffer, $0.baseAddress, Int32($0.count), UInt32(units.lowerBound), Int32(units.count))
    }
    hb_buffer_set_direction(buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    hb_buffer_set_script(buffer, PreparedStyle.scripts[Int(run.script)])
    hb_buffer_set_language(buffer, font.language)
  }

  /// Whether letter spacing is added to the cluster that begins at a unit.
  private func isSpread(_ unit: Int, _ run: LaidOutText.Run) -> Bool {
    let character = text.character(at: unit)
    if PreparedStyle.joins[Int(run.script)] {
      return character == 0x20 || character == 0x09 || character == 0xa0
    }
    return !(character >= 0xad && CharacterTraits[character].isDefaultIgnorable)
  }

  /// The width of units of a run that are shaped by themselves, in 1/65536 px. What the text's
  /// clusters are does not change.
  func width(shapingAnew units: Range<Int>, of run: LaidOutText.Run, _ style: PreparedStyle)
    -> Int64
  {
    reshapingLeft -= units.count
    let (advances, flags) = (Array(text.advances[units]), Array(text.flags[units]))
    shape(units, of: run, style)
    let width = text.advances[units].reduce(Int64(0)) { $0 + Int64($1) }
    text.advances.replaceSubrange(units, with: advances)
    text.flags.replaceSubrange(units, with: flags)
    return width
  }
}

extension LaidOutText {
  /// Adds the advances up.
  mutating func findPositions() {
    positions.removeAll(keepingCapacity: true)
    positions.append(contentsOf: repeatElement(0, count: units.count + 1))
    var position: Int64 = 0
    for run in runs {
      var (clusterEnd, isFirst) = (position, true)
      for unit in run.units {
        if flags[unit].contains(.beginsCluster) || isFirst {
          position = clusterEnd
          clusterEnd += Int64(advances[unit])
          isFirst = false
          positions[unit] = position
        } else {
          positions[unit] = run.isRightToLeft ? clusterEnd : position
        }
      }
      position = clusterEnd
      positions[run.units.upperBound] = position
    }
  }
}
