/// A Markdown table whose columns are also aligned as plain text.
struct MarkdownTable {
  private let title: String
  private let columns: [String]
  private var rows: [[String]] = []

  /// - Parameter columns: The headings. The first column has text, the others have figures.
  init(_ title: String, columns: [String]) {
    self.title = title
    self.columns = columns
  }

  mutating func append(_ row: [String]) {
    precondition(row.count == columns.count, "\(row.count) cells for \(columns.count) columns")
    rows.append(row)
  }

  var text: String {
    let widths = columns.indices.map { column in
      rows.reduce(max(columns[column].count, 4)) { max($0, $1[column].count) }
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - cells[column].count)
        return column == 0 ? cells[column] + space : space + cells[column]
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = columns.indices.map { column in
      String(repeating: "-", count: widths[column] - 1) + (column == 0 ? "-" : ":")
    }
    return (["### \(title)", "", line(columns), line(rule)] + rows.map(line))
      .joined(separator: "\n")
  }
}
