extension StringProtocol {
  /// The text without spaces and tabs at both ends.
  package func withoutBlanksAround() -> Substring {
    var text = Substring(self)
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
