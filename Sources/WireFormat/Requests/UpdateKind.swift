import CollectionLayout

/// A kind of update: its name in a body, its members, and the update that they make.
struct UpdateKind: BodyMember, Sendable {
  let name: String
  /// Reads the object. If it is wrong, faults are added, and the result is `nil`.
  let decode: Decoding

  typealias Decoding =
    @Sendable (inout UpdateValues, inout JSONReader) throws(BodyError) -> CollectionUpdate?

  /// All kinds of updates for a kind of layout.
  static func all(for kind: LayoutKind) -> [UpdateKind] { kind.isForest ? ofNodes : ofSections }

  private static let ofSections = [
    UpdateKind("insert", .place("at"), .items()) { .insertItems($1, at: $0) },
    UpdateKind("put", .place("at"), .itemsWithIDs()) { .putItems($1.0, areColumns: $1.1, at: $0) },
    UpdateKind("delete", .item("at"), .count(), .missing()) {
      .deleteItems(at: $0, count: $1).ignoringMissing($2)
    },
    UpdateKind("move", .item("from"), .place("to"), .missing()) {
      .moveItem(from: $0, to: $1).ignoringMissing($2)
    },
    UpdateKind("replace", .item("at"), .items(), .missing()) {
      .replaceItems($1, at: $0).ignoringMissing($2)
    },
    UpdateKind("set", .item("at"), .itemsPatch(), .missing()) {
      .setItems($1, at: $0).ignoringMissing($2)
    },
    UpdateKind("insertSections", .index("at", orEnd: true), .sections()) {
      .insertSections($1, at: $0)
    },
    UpdateKind("deleteSections", .index("at"), .count()) { .deleteSections(at: $0, count: $1) },
    UpdateKind("moveSection", .index("from"), .index("to", orEnd: true)) {
      .moveSection(from: $0, to: $1)
    },
    UpdateKind(name: "setSection") { (values, reader) throws(BodyError) in
      try values.decodeSectionPatch(&reader)
    },
  ]

  private static let ofNodes = [
    UpdateKind("insertNode", .parent(), .index("at", orEnd: true), .node()) {
      .insertNode($2, parent: $0, index: $1)
    },
    UpdateKind("deleteNode", .item("at")) { .deleteNode(at: $0) },
    UpdateKind("moveNode", .item("from"), .parent(), .index("at", orEnd: true)) {
      .moveNode(from: $0, parent: $1, index: $2)
    },
    UpdateKind(
      "setNode", .item("at"), .change(.field(.width)), .change(.field(.height)),
      .change(.values(.text)), .change(.values(.data))
    ) { at, width, height, text, data in
      .setNode([width, height, text, data].reduce(ItemsPatch(count: 1)) { $0.merging($1) }, at: at)
    },
  ]

  private init(name: String, decode: @escaping Decoding) {
    self.name = name
    self.decode = decode
  }

  private init<each Value: Sendable>(
    _ name: String, _ members: repeat UpdateMember<each Value>,
    makes update: @escaping @Sendable (repeat each Value) -> CollectionUpdate
  ) {
    self.name = name
    var names: [String] = []
    for member in repeat each members { names.append(member.name) }
    decode = { [names] (values, reader) throws(BodyError) in
      let given = (repeat GivenMember(each members))
      let isObject = try reader.readObject(known: names) { (name, reader) throws(BodyError) in
        for member in repeat each given {
          if member.name == name { try member.read(&values, &reader) }
        }
      }
      guard isObject else { return nil }
      for member in repeat each given {
        if member.isMissing { reader.refuse(at: [member.name], "must be given") }
      }
      for member in repeat each given {
        if member.value == nil { return nil }
      }
      return update(repeat (each given).value!)
    }
  }
}

extension CollectionUpdate {
  fileprivate func ignoringMissing(_ isIgnored: Bool) -> Self {
    isIgnored ? .unlessMissing(self) : self
  }
}

/// A member of an update whose object is being read.
private final class GivenMember<Value: Sendable> {
  private let member: UpdateMember<Value>
  private var isGiven = false
  /// The value; `nil` if it is not read yet, or wrong.
  private(set) var value: Value?

  init(_ member: UpdateMember<Value>) {
    self.member = member
    value = member.standard
  }

  var name: String { member.name }
  var isMissing: Bool { !isGiven && member.standard == nil }

  func read(_ values: inout UpdateValues, _ reader: inout JSONReader) throws(BodyError) {
    isGiven = true
    value = try member.read(&values, &reader)
  }
}
