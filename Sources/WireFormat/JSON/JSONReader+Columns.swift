extension JSONReader {
  /// Reads the next elements of the array that was opened last and appends them to a column.
  ///
  /// It works like ``readRows(fields:faults:)``, for an array whose elements are the values
  /// themselves.
  ///
  /// - Returns: False at the end of the array, which is then closed. Nothing was appended.
  mutating func readColumn(
    _ column: inout JSONColumn, faults: inout JSONFaults
  ) throws(BodyError) -> Bool {
    if scratch.takeEnd() { return false }
    let scratch = scratch
    let type = column.type
    var strings = JSONStrings()
    var isPresent = false
    var row = 0
    while row < blockRows {
      if row > 0 {
        let fast = try readPlainValues(of: type, from: row, scratch)
        row += fast
        if fast > 0 {
          isPresent = true
          continue
        }
      }
      guard try nextElement() else {
        scratch.end(afterRows: row)
        break
      }
      scratch.clear(0, type, row..<row + 1)
      let isThere = try readCell(
        row: row, field: 0, type: type, scratch, &strings.bytes, &faults)
      if isThere { isPresent = true }
      strings.endRows(1)
      row += 1
    }
    guard row > 0 else { return false }
    scratch.firstRow += row
    switch type {
    case .number, .numberOrAll:
      column.append(numbers: scratch.numbers(0, count: row), isPresent: isPresent)
    case .index: column.append(indexes: scratch.indexes(0, count: row), isPresent: isPresent)
    case .string: column.append(strings)
    case .values: preconditionFailure("values under names are no column")
    }
    return true
  }

  /// Reads values while they are plain numbers.
  ///
  /// - Returns: How many values were read.
  private mutating func readPlainValues(
    of type: JSONColumnType, from first: Int, _ scratch: RowScratch
  ) throws(BodyError) -> Int {
    // Each value needs two tokens, comma and number, and the last one needs one more token as its
    // end.
    let end = min(blockRows, first + (tokenCount - cursor - 1) / 2)
    guard first < end else { return 0 }
    let count =
      switch type {
      case .number, .numberOrAll:
        Double.readPlain(
          end - first, at: tokens + cursor, in: window, into: scratch.numbers(0) + first)
      case .index:
        Int32.readPlain(
          end - first, at: tokens + cursor, in: window, into: scratch.indexes(0) + first)
      case .string, .values: 0
      }
    try advance(by: 2 * count)
    return count
  }
}
