import Glibc

extension JSONReader {
  /// Reads the next elements of the array that was opened last and appends them to a column.
  ///
  /// It works like ``readRows(fields:faults:)``, for an array whose elements are the values
  /// themselves. After the first block, the rest of a long column of plain numbers is read at once.
  ///
  /// - Parameter limit: The largest number of elements that the column may have. If the rest of the
  ///   array would exceed it, the rest is not read at once.
  /// - Returns: False at the end of the array, which is then closed. Nothing was appended.
  mutating func readColumn(
    _ column: inout JSONColumn, limit: Int, faults: inout JSONFaults
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
      scratch.clear(0, type, rows: row..<row + 1)
      let isThere = try readCell(
        row: row, field: 0, type: type, scratch, &strings.bytes, &faults)
      if isThere { isPresent = true }
      strings.endRows(1)
      row += 1
    }
    guard row > 0 else { return false }
    scratch.firstRow += row
    let rest = column.count == 0 && row == blockRows ? restOfArray(limit: limit - row) : nil
    if let rest { column.reserve(row + rest.count) }
    switch type {
    case .number, .numberOrAll:
      column.append(numbers: scratch.numbers(0, count: row), isPresent: isPresent)
    case .index: column.append(indexes: scratch.indexes(0, count: row), isPresent: isPresent)
    case .string: column.append(strings)
    case .values: preconditionFailure("values under names are no column")
    }
    if let rest, column.append(rest) {
      scratch.firstRow += rest.count
      try moveWindow(to: offset(cursor) + rest.byteCount)
    }
    return true
  }

  /// The rest of the array, if it may consist of plain numbers only. Such an array ends at the next
  /// bracket. The result is `nil` if it has more than `limit` elements or cannot be such a list.
  private func restOfArray(limit: Int) -> PlainList? {
    let start = text + offset(cursor)
    guard start.pointee == UInt8(ascii: ","),
      let bracket = memchr(start, Int32(UInt8(ascii: "]")), count - offset(cursor))
    else { return nil }
    let list = PlainList(
      UnsafeBufferPointer(start: start, count: bracket - UnsafeMutableRawPointer(start)))
    // Each value needs a comma and at least one digit.
    return list.count <= min(limit, list.byteCount / 2) ? list : nil
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
