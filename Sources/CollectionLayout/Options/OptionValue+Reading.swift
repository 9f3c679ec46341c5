// Reads objects that are values of options, such as groups and cards.

extension OptionValue {
  /// The members of an object.
  ///
  /// - Parameter requirement: What the value must be, as the end of a sentence.
  func object(_ requirement: String) throws(OptionFault) -> GivenOptions {
    guard case .object(let members) = self else { throw OptionFault(requirement: requirement) }
    return members
  }
}

extension GivenOptions {
  /// Refuses members that nobody knows.
  func check(known: [String]) throws(OptionFault) {
    for member in members where !known.contains(member.name) {
      throw OptionFault(
        path: [member.name], requirement: "left out; known: " + known.joined(separator: ", "))
    }
  }

  /// A number; `nil` if it is not given.
  ///
  /// - Parameters:
  ///   - requirement: What it must be, as the end of a sentence.
  ///   - isRight: Whether it is.
  func number(
    _ name: String, _ requirement: String, where isRight: (Double) -> Bool
  ) throws(OptionFault) -> Double? {
    guard let value = self[name] else { return nil }
    guard case .number(let number) = value, isRight(number) else {
      throw OptionFault(path: [name], requirement: requirement)
    }
    return number + 0
  }

  /// A length, in points, ≥ 0; 0 if it is not given.
  func length(_ name: String) throws(OptionFault) -> Double {
    let range = NumberRange.nonNegative
    return try number(name, range.requirement, where: range.contains) ?? 0
  }

  /// An integer; `nil` if it is not given.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(OptionFault) -> Int? {
    try number(name, "an integer from \(range.lowerBound) to \(range.upperBound)") {
      JSONInteger.exactly($0).map { range ~= $0 } ?? false
    }.map { Int($0) }
  }

  /// Lengths at four edges, which are members of a member; 0 where they are not given.
  ///
  /// - Parameter requirement: What the member must be, as the end of a sentence.
  func insets(_ name: String, _ requirement: String) throws(OptionFault) -> EdgeInsets {
    guard let value = self[name] else { return EdgeInsets(all: 0) }
    do throws(OptionFault) {
      let edges = try value.object(requirement)
      try edges.check(known: ["top", "left", "bottom", "right"])
      return EdgeInsets(
        top: try edges.length("top"), left: try edges.length("left"),
        bottom: try edges.length("bottom"), right: try edges.length("right"))
    } catch {
      throw error.inside(name)
    }
  }

  /// A list, which must be given.
  ///
  /// - Parameters:
  ///   - thing: What an element is called.
  ///   - limit: The most elements.
  func list<Element>(
    _ name: String, of thing: String, upTo limit: Int,
    _ read: (OptionValue) throws(OptionFault) -> Element
  ) throws(OptionFault) -> [Element] {
    guard case .array(let values) = self[name], !values.isEmpty else {
      throw OptionFault(path: [name], requirement: "an array of at least one \(thing)")
    }
    guard values.count <= limit else {
      throw OptionFault(path: [name], requirement: "an array of at most \(limit) \(thing)s")
    }
    var list: [Element] = []
    for (index, value) in values.enumerated() {
      do throws(OptionFault) {
        list.append(try read(value))
      } catch {
        throw error.inside(name, "\(index)")
      }
    }
    return list
  }
}

extension OptionFault {
  /// The same fault, with its path relative to the surrounding value.
  func inside(_ path: String...) -> OptionFault {
    OptionFault(path: path + self.path, requirement: requirement)
  }
}
