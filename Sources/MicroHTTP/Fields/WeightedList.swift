/// The members of a field such as Accept, each with its weight (RFC 9110, section 12.4.2).
package enum WeightedList {
  package struct Weight {
    /// 0 means that the member is not acceptable.
    package var quality = 1.0
    /// Whether the member has parameters other than its weight.
    package var isParameterized = false
  }

  /// Calls `body` with the name of each member, without parameters and as it was sent.
  ///
  /// It reads bytes instead of strings, because browsers send such fields with every request.
  package static func forEachMember(
    of field: Span<UInt8>, _ body: (_ name: Span<UInt8>, _ weight: Weight) -> Void
  ) {
    forEachPart(of: field, separatedBy: UInt8(ascii: ",")) { member in
      let nameEnd = member.firstIndex(of: UInt8(ascii: ";")) ?? member.count
      let name = member.extracting(member.rangeWithoutBlanks(0..<nameEnd))
      guard !name.isEmpty else { return }
      body(name, weight(of: member.extracting(min(nameEnd + 1, member.count)...)))
    }
  }

  private static func weight(of parameters: Span<UInt8>) -> Weight {
    var weight = Weight()
    var hasQuality = false
    forEachPart(of: parameters, separatedBy: UInt8(ascii: ";")) { part in
      let parameter = part.extracting(part.rangeWithoutBlanks(part.indices))
      if parameter.count > 2, parameter[0] | 0x20 == UInt8(ascii: "q"),
        parameter[1] == UInt8(ascii: "=")
      {
        if !hasQuality { weight.quality = quality(parameter.extracting(2...)) ?? 1 }
        hasQuality = true
      } else if !parameter.isEmpty {
        weight.isParameterized = true
      }
    }
    return weight
  }

  /// A qvalue, which may end with a point; `nil` if the text is none.
  private static func quality(_ text: Span<UInt8>) -> Double? {
    let isOpen = text[text.count - 1] == UInt8(ascii: ".")
    return Decimal.number(text.extracting(..<(isOpen ? text.count - 1 : text.count)))
  }

  private static func forEachPart(
    of text: Span<UInt8>, separatedBy separator: UInt8, _ body: (Span<UInt8>) -> Void
  ) {
    var start = 0
    while start < text.count {
      let end = text.firstIndex(of: separator, from: start) ?? text.count
      body(text.extracting(start..<end))
      start = end + 1
    }
  }
}
