import CollectionLayout

extension ItemsDecoder {
  /// Reads an array of sections.
  ///
  /// - Parameter kind: The kind of the layout. It decides which members a section may have.
  mutating func decodeSections(
    _ reader: inout JSONReader, of kind: LayoutKind, faults: inout InvalidMembers,
    at pointer: String = "/sections"
  ) throws(BodyError) -> [CollectionSection]? {
    guard try reader.openArray(at: pointer, faults: &faults) else { return nil }
    var sections: [CollectionSection] = []
    let maxSections = PrepareRequest.maxSections(forItems: maxItems)
    while try reader.nextElement() {
      guard sections.count < maxSections else {
        throw BodyError.tooManySections(limit: maxSections)
      }
      sections.append(
        try decodeSection(
          &reader, sections.count, of: kind, at: "\(pointer)/\(sections.count)", faults: &faults))
    }
    return sections
  }

  private mutating func decodeSection(
    _ reader: inout JSONReader, _ index: Int, of kind: LayoutKind, at pointer: String,
    faults: inout InvalidMembers
  ) throws(BodyError) -> CollectionSection {
    var items: Items?
    var hasItems = false
    var hasKind = false
    var patch = SectionPatch()
    var options: OptionPatch?
    var kindName: String?
    let isObject = try reader.readObject(
      at: pointer, known: SectionMember.all(of: kind), faults: &faults
    ) { (member, reader, faults) throws(BodyError) in
      let place = "\(pointer)/\(member.name)"
      switch member {
      case .items:
        hasItems = true
        items = try decodeItems(&reader, section: index, at: place, faults: &faults)
      case .options:
        if try !reader.readNullIfPresent() {
          options = try OptionsDecoder.decode(&reader, at: place, faults: &faults)
        }
      case .id: try patch.readID(&reader, at: place, faults: &faults)
      case .kind:
        hasKind = true
        try patch.readKind(&reader, at: place, faults: &faults)
      case .orthogonal: try patch.readOrthogonal(&reader, at: place, faults: &faults)
      }
    }
    guard isObject else { return CollectionSection() }
    if !hasItems { faults.add("\(pointer)/items", "must be given") }
    if case .set(let name) = patch.kind { kindName = name }
    if kind.isCompositional, !hasKind {
      faults.add("\(pointer)/kind", "must be given: \(SectionKinds.requirement)")
    }
    var given = GivenOptions()
    if let options, let table = kind.sectionTable(kind: kindName),
      let options = OptionsDecoder.checked(
        options, by: table, at: "\(pointer)/options", faults: &faults)
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
  mutating func readID(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) {
    if try reader.readNullIfPresent() {
      id = .remove
    } else if let given = try reader.readID(at: pointer, faults: &faults) {
      id = .set(given)
    }
  }

  /// Reads the name of the kind.
  mutating func readKind(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) {
    let name = try reader.readWord(at: pointer, SectionKinds.requirement, faults: &faults) {
      SectionKinds.named($0) == nil ? nil : $0
    }
    if let name { kind = .set(name) }
  }

  /// Reads `{"height": …}`, for a section that scrolls across. Null removes it.
  mutating func readOrthogonal(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) {
    if try reader.readNullIfPresent() {
      orthogonalHeight = .remove
      return
    }
    var height: Double?
    var isGiven = false
    let isObject = try reader.readObject(at: pointer, known: ["height"], faults: &faults) {
      (_, reader, faults) throws(BodyError) in
      isGiven = true
      height = try reader.readNumber(in: .positive, at: "\(pointer)/height", faults: &faults)
    }
    if isObject, !isGiven { faults.add("\(pointer)/height", "must be given") }
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
