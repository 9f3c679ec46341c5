import Glibc

extension JSONReader {
  /// Reads the next elements of the array that was opened last and appends them to a column.
  ///
  /// As ``readRows(fields:faults:)``, for an array whose elements are the values themselves.
  ///
  /// - Returns: False at the end of the array, which closes it; nothing has been appended then.
  mutating func readColumn(
    _ column: inout JSONColumn, faults: inout JSONFaults
  ) throws -> Bool {
    if scratch.takeEnd() { return false }
    let scratch = scratch
    let type = column.type
    let start = offset(cursor)
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
    if column.count == 0 && row == blockRows {
      column.reserve(expectedCount(after: row, from: start))
    }
    switch type {
    case .number: column.append(numbers: scratch.numbers(0, count: row), isPresent: isPresent)
    case .index: column.append(indexes: scratch.indexes(0, count: row), isPresent: isPresent)
    case .string: column.append(strings)
    }
    return true
  }

  /// How many values the column will have if it goes on as its first ones; where it is likely to
  /// end, the next bracket tells.
  ///
  /// An array that grows by doubling instead is copied as often, into memory that is new each time.
  private func expectedCount(after rows: Int, from start: Int) -> Int {
    let here = offset(cursor)
    guard let bracket = memchr(text + here, Int32(UInt8(ascii: "]")), count - here) else {
      return rows
    }
    let rest = bracket - UnsafeMutableRawPointer(text + here)
    // Every value takes two bytes or more, so this is no more than half of what the text has.
    return rows + rest * rows / (here - start) * 33 / 32
  }

  /// Reads values as long as they are plain numbers; how many.
  private mutating func readPlainValues(
    of type: JSONColumnType, from first: Int, _ scratch: RowScratch
  ) throws(JSONError) -> Int {
    // A comma and a number each, and one token more, where the last number ends.
    let end = min(blockRows, first + (tokenCount - cursor - 1) / 2)
    guard first < end else { return 0 }
    var row = first
    var token = tokens + cursor
    let window = window
    switch type {
    case .number:
      let numbers = scratch.numbers(0)
      while row < end, window[Int(token[0])] == UInt8(ascii: ","),
        let value = plainNumber(from: token[1], to: token[2])
      {
        numbers[row] = value
        row += 1
        token += 2
      }
    case .index:
      let indexes = scratch.indexes(0)
      while row < end, window[Int(token[0])] == UInt8(ascii: ","),
        let value = plainIndex(from: token[1])
      {
        indexes[row] = value
        row += 1
        token += 2
      }
    case .string: break
    }
    try advance(by: 2 * (row - first))
    return row - first
  }
}
