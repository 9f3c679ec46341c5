extension TextWorkbench {
  /// Shapes a run word by word; words that were shaped before are looked up.
  ///
  /// Only in styles whose fonts neither kern nor join with the space.
  func shapeWords(_ run: LaidOutText.Run, _ style: PreparedStyle) {
    let key = WordCache.Key(
      style: style.number, script: run.script, isRightToLeft: run.isRightToLeft)
    var start = run.units.lowerBound
    while start < run.units.upperBound {
      var end = start + 1
      if text.units[start] != 0x20 {
        while end < run.units.upperBound, text.units[end] != 0x20 { end += 1 }
      }
      shapeWord(start..<end, of: run, key, style)
      start = end
    }
  }

  private func shapeWord(
    _ word: Range<Int>, of run: LaidOutText.Run, _ key: WordCache.Key, _ style: PreparedStyle
  ) {
    guard word.count <= WordCache.maxWord, isAlone(word) else {
      return shape(word, of: run, style)
    }
    let hash = WordCache.hash(key, text.units[word])
    if let found = words.find(key, text.units[word], hash) {
      for index in 0..<word.count {
        text.advances[word.lowerBound + index] = words.advances[found + index]
        text.flags[word.lowerBound + index].formUnion(words.flags[found + index])
      }
      return
    }
    shape(word, of: run, style)
    let ofGlyphs: LaidOutText.Flags = [.beginsCluster, .isUnsafe, .isMissing]
    let flags = text.flags[word].map { $0.intersection(ofGlyphs) }
    words.insert(key, text.units[word], hash, text.advances[word], flags[...])
  }

  /// Whether blanks or ends of the text are around a word, so that it looks the same everywhere.
  private func isAlone(_ word: Range<Int>) -> Bool {
    func isBlank(_ unit: Int) -> Bool { text.units[unit] == 0x20 || text.units[unit] == 0x0a }
    return isBlank(word.lowerBound)
      || (word.lowerBound == 0 || isBlank(word.lowerBound - 1))
        && (word.upperBound == text.units.count || isBlank(word.upperBound))
  }
}
