import CollectionLayout

extension ItemsDecoder {
  /// Reads an array of sections.
  ///
  /// - Parameter kind: The kind of the layout. It decides which members a section may have.
  mutating func decodeSections(
    _ reader: inout JSONReader, of kind: LayoutKind
  ) throws(BodyError) -> [CollectionSection]? {
    guard try reader.openList() else { return nil }
    var sections: [CollectionSection] = []
    let maxSections = PrepareRequest.maxSections(forItems: maxItems)
    while try reader.nextInList() {
      guard sections.count < maxSections else {
        throw BodyError.tooManySections(limit: maxSections)
      }
      sections.append(try decodeSection(&reader, sections.count, of: kind))
    }
    return sections
  }

  private mutating func decodeSection(
    _ reader: inout JSONReader, _ index: Int, of kind: LayoutKind
  ) throws(BodyError) -> CollectionSection {
    var items: Items?
    var hasItems = false
    var hasKind = false
    var patch = SectionPatch()
    var options: OptionPatch?
    var kindName: String?
    let isObject = try reader.readObject(known: SectionMember.all(of: kind)) {
      (member, reader) throws(BodyError) in
      switch member {
      case .items:
        hasItems = true
        items = try decodeItems(&reader, section: index)
      case .options:
        if try !reader.readNullIfPresent() { options = try OptionsDecoder.decode(&reader) }
      case .id: try patch.readID(&reader)
      case .kind:
        hasKind = true
        try patch.readKind(&reader)
      case .orthogonal: try patch.readOrthogonal(&reader)
      }
    }
    guard isObject else { return CollectionSection() }
    if !hasItems { reader.refuse(at: ["items"], "must be given") }
    if case .set(let name) = patch.kind { kindName = name }
    if kind.isCompositional, !hasKind {
      reader.refuse(at: ["kind"], "must be given: \(SectionKinds.requirement)")
    }
    var given = GivenOptions()
    if let options, let table = kind.sectionTable(kind: kindName),
      let options = OptionsDecoder.checked(options, by: table, at: ["options"], &reader)
    {
      given = options.applied(to: given)
    }
    return CollectionSection(items: items ?? Items(), settings: patch.settings(options: given))
  }
}

/// A member of a section.
private enum SectionMember: String, CaseIterable, BodyMember {
  case id, options, kind, orthogonal, items

  /// The members that a section may have in a layout of a kind.
  static func all(of kind: LayoutKind) -> [Self] {
    kind.isCompositional ? allCases : [.id, .options, .items]
  }
}

extension SectionPatch {
  /// Reads the id. Null removes it.
  mutating func readID(_ reader: inout JSONReader) throws(BodyError) {
    if try reader.readNullIfPresent() {
      id = .remove
    } else if let given = try reader.readID() {
      id = .set(given)
    }
  }

  /// Reads the name of the kind.
  mutating func readKind(_ reader: inout JSONReader) throws(BodyError) {
    let name = try reader.readWord(SectionKinds.requirement) {
      SectionKinds.named($0) == nil ? nil : $0
    }
    if let name { kind = .set(name) }
  }

  /// Reads `{"height": …}`, for a section that scrolls across. Null removes it.
  mutating func readOrthogonal(_ reader: inout JSONReader) throws(BodyError) {
    if try reader.readNullIfPresent() {
      orthogonalHeight = .remove
      return
    }
    var height: Double?
    var isGiven = false
    let isObject = try reader.readObject(known: ["height"]) { (_, reader) throws(BodyError) in
      isGiven = true
      height = try reader.readNumber(in: .positive)
    }
    if isObject, !isGiven { reader.refuse(at: ["height"], "must be given") }
    if let height { orthogonalHeight = .set(height) }
  }

  /// The settings of a new section.
  fileprivate func settings(options: GivenOptions) -> SectionSettings? {
    func value<Value>(_ change: Change<Value>) -> Value? {
      if case .set(let value) = change { value } else { nil }
    }
    let (id, kind, height) = (value(id), value(kind), value(orthogonalHeight))
    if id == nil, kind == nil, height == nil, options.isEmpty { return nil }
    return SectionSettings(id: id, kind: kind, orthogonalHeight: height, options: options)
  }
}
