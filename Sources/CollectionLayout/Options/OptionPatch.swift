/// A change of options (RFC 7396): objects are merged member by member, and null removes an option.
public struct OptionPatch: Equatable, Sendable {
  /// The change of one option.
  public enum Change: Equatable, Sendable {
    /// Replace the value; null removes the option.
    case set(OptionValue)
    /// Merge the members of an object.
    case merge(OptionPatch)
  }

  private struct Member: Equatable, Sendable {
    let name: String
    let change: Change
  }

  private var members: [Member] = []

  /// The options that are replaced as a whole although they are objects.
  public static var atomicNames: Set<String> { SectionKinds.atomicOptions }

  public init() {}

  /// A patch that sets all of `options`.
  public init(_ options: GivenOptions) {
    for member in options.members {
      if case .object(let inner) = member.value, !Self.atomicNames.contains(member.name) {
        add(member.name, .merge(OptionPatch(inner)))
      } else {
        add(member.name, .set(member.value))
      }
    }
  }

  /// Adds a change, which is applied after the others.
  public mutating func add(_ name: String, _ change: Change) {
    members.append(Member(name: name, change: change))
  }

  /// The names of the changed options.
  public var names: [String] { members.map(\.name) }

  /// The options after the change. Of two options that exclude each other, one that is set here
  /// displaces the other. If both are, they stay: that is an error.
  public func applied(to options: GivenOptions) -> GivenOptions {
    var result = options
    for member in members {
      switch member.change {
      case .set(let value):
        result[member.name] = value
        if value != .null, let rival = GivenOptions.rival(of: member.name), !sets(rival) {
          result[rival] = nil
        }
      case .merge(let patch):
        var target = GivenOptions()
        if case .object(let object) = result[member.name] { target = object }
        result[member.name] = .object(patch.applied(to: target))
      }
    }
    return result
  }

  /// Whether it sets an option to a value.
  private func sets(_ name: String) -> Bool {
    members.contains { $0.name == name && $0.change != .set(.null) }
  }

  /// An error in one value of a change.
  public struct Fault: Sendable {
    /// The place, as reference tokens from the object of options on.
    public let path: [String]
    /// The end of a sentence: "must be an integer, was 3.5".
    public let detail: String
  }

  /// The errors of this change according to a table, at most `limit` of them.
  public func faults(by table: OptionTable, limit: Int) -> [Fault] {
    var faults: [Fault] = []
    collectFaults(by: table, prefix: "", at: [], limit: limit, into: &faults)
    return faults
  }

  private func collectFaults(
    by table: OptionTable, prefix: String, at path: [String], limit: Int,
    into faults: inout [Fault]
  ) {
    for member in members {
      guard faults.count < limit else { return }
      let name = prefix + member.name
      let path = path + [member.name]
      let isPlainName = !member.name.contains(".")
      if isPlainName, table.hasOptions(inside: name) {
        switch member.change {
        case .merge(let patch):
          patch.collectFaults(by: table, prefix: name + ".", at: path, limit: limit, into: &faults)
        case .set(.null): break
        case .set(let value):
          faults.append(Fault(path: path, detail: "must be an object, was \(value.messageText)"))
        }
      } else if isPlainName, let option = table.option(named: name) {
        let value: OptionValue
        switch member.change {
        case .set(.null): continue
        case .set(let given): value = given
        case .merge: value = .object(GivenOptions())
        }
        do throws(OptionFault) {
          try option.check(value)
        } catch {
          let was = error.path.isEmpty ? ", was \(value.messageText)" : ""
          faults.append(
            Fault(path: path + error.path, detail: "must be \(error.requirement)\(was)"))
        }
      } else {
        let known = table.members(inside: prefix).joined(separator: ", ")
        faults.append(Fault(path: path, detail: "is unknown; known: \(known)"))
      }
    }
  }
}

extension OptionValue {
  /// The value as a message shows it.
  public var messageText: String {
    switch self {
    case .number(let number): number.isFinite ? number.messageText : "beyond all doubles"
    case .string(let string): "\"" + string.prefix(40) + (string.count > 40 ? "…\"" : "\"")
    case .boolean(let boolean): boolean ? "true" : "false"
    case .null: "null"
    case .object: "an object"
    case .array: "an array"
    }
  }
}
