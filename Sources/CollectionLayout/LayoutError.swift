public import System

/// An error in a layout's input, with what a person needs to repair it.
public enum LayoutError: Error, Equatable, Sendable {
  /// An option, by its path (`insets.top`); the section for which it was checked; and what its
  /// value must be. The option may be the section's or the layout's. If neither has it, its default
  /// is at fault.
  case invalidOption(String, section: Int?, requirement: String)
  /// The collection view's bounds: `width` or `height`, and what it must be.
  case invalidBounds(String, requirement: String)
  /// A field of an item, and what it must be.
  case invalidItem(IndexPath, field: String, requirement: String)
  /// A member of a section, and what it must be.
  case invalidSection(Int, member: String, requirement: String)
  /// A node, by its index in the list, and what its parent must be.
  case invalidParent(node: Int, requirement: String)
  /// The content would be longer than 2⁴³ points along the scroll direction, or reach beyond 10³⁰⁰
  /// in another way.
  case contentTooLarge
  /// There are more items than the caller's limit, or than index arithmetic allows.
  case tooManyItems(limit: Int)
  /// An arrangement has more groups than a collection may have sections.
  case tooManySections(limit: Int)
  /// An arrangement has more conditions than may be asked of so many items.
  case tooManyConditions(limit: Int)
  /// The work was not done: nobody waits for it, or there is no memory for it.
  case refused(WorkRefusal)
  /// The kind cannot lay out this form of data.
  case unsupportedData(expected: String)
  /// An update, by its index in the sequence; the member at fault; and what it must be.
  case invalidUpdate(Int, member: String, requirement: String)
  /// What is to be folded or unfolded: the list, the index there, and what it must be.
  case invalidFold(list: String, Int, requirement: String)
  /// An update, by its index in the sequence, with a wrong option in it. The path has the reference
  /// tokens from the update on. The detail is a sentence without its subject.
  case invalidUpdateOption(Int, path: [String], detail: String)
}

extension LayoutError {
  /// See ``CurrentWork/reserve(_:)``.
  static func reserve(_ bytes: Int) throws(LayoutError) {
    do { try CurrentWork.reserve(bytes) } catch { throw .refused(error) }
  }

  /// See ``CurrentWork/checkFits(_:)``.
  static func checkFits(_ bytes: Int) throws(LayoutError) {
    do { try CurrentWork.checkFits(bytes) } catch { throw .refused(error) }
  }

  /// See ``CurrentWork/check()``.
  static func check() throws(LayoutError) {
    do { try CurrentWork.check() } catch { throw .refused(error) }
  }
}

extension Double {
  /// The number as ECMAScript writes it, with the fewest digits that read back to it, and the
  /// nearest of those: `5`, `0.000001`, `1e-7`, `10000000000000000`, `1e+21`. −0 is `0`.
  public var messageText: String {
    let text = (self + 0).description
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[mark...].dropFirst()) else {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let digits = text[..<mark].filter { $0 != "-" && $0 != "." }
    func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
    let sign = self < 0 ? "-" : ""
    switch exponent {
    case 0..<21: return sign + digits + zeros(exponent + 1 - digits.count)
    case -6..<0: return sign + "0." + zeros(-exponent - 1) + digits
    default: return text[..<mark] + "e" + (exponent < 0 ? "\(exponent)" : "+\(exponent)")
    }
  }
}
