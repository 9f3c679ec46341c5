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
    var given: Set<SectionMember> = []
    var patch = SectionPatch()
    let members = SectionMember.ofSettings(of: kind) + [.items]
    let isObject = try reader.readObject(known: members) { (member, reader) throws(BodyError) in
      given.insert(member)
      if member == .items {
        items = try decodeItems(&reader, section: index)
      } else {
        try patch.read(member, &reader)
      }
    }
    guard isObject else { return CollectionSection() }
    if !given.contains(.items) { reader.refuse(at: ["items"], "must be given") }
    if kind.isCompositional, !given.contains(.kind) {
      reader.refuse(at: ["kind"], "must be given: \(SectionKinds.requirement)")
    }
    var options = GivenOptions()
    if let given = patch.options.value, let table = kind.sectionTable(kind: patch.kind.value),
      let checked = OptionsDecoder.checked(given, by: table, at: ["options"], &reader)
    {
      options = checked.applied(to: options)
    }
    return CollectionSection(items: items ?? Items(), settings: patch.settings(options: options))
  }
}

/// A member of a section, or of a change of its settings.
enum SectionMember: String, BodyMember {
  case at, id, options, kind, orthogonal, data, items

  /// The settings that a section may have in a layout of a kind.
  static func ofSettings(of kind: LayoutKind) -> [Self] {
    [.id, .options] + (kind.isCompositional ? [.kind, .orthogonal] : []) + [.data]
  }
}

extension SectionPatch {
  /// Reads a setting. Null removes it.
  mutating func read(_ member: SectionMember, _ reader: inout JSONReader) throws(BodyError) {
    if member != .kind, try reader.readNullIfPresent() { return remove(member) }
    switch member {
    case .id: if let given = try reader.readID(of: ItemID.lengthsOfSections) { id = .set(given) }
    case .options: if let given = try reader.readOptions() { options = .set(given) }
    case .kind:
      let name = try reader.readWord(SectionKinds.requirement) {
        SectionKinds.named($0) == nil ? nil : $0
      }
      if let name { kind = .set(name) }
    case .orthogonal: try readOrthogonal(&reader)
    case .data:
      let (start, requirement) = (reader.position, reader.requirement(of: .data))
      var json: [UInt8] = []
      if try reader.readData(appendingTo: &json) {
        data = .set(ItemData(json))
      } else {
        reader.refuse(from: start, requirement)
      }
    case .at, .items: preconditionFailure("\(member) is no setting")
    }
  }

  private mutating func remove(_ member: SectionMember) {
    switch member {
    case .id: id = .remove
    case .options: options = .remove
    case .orthogonal: orthogonalHeight = .remove
    case .data: data = .remove
    case .at, .items, .kind: preconditionFailure("\(member) is no setting that can be removed")
    }
  }

  /// Reads `{"height": …}`, for a section that scrolls across.
  private mutating func readOrthogonal(_ reader: inout JSONReader) throws(BodyError) {
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
    let (id, kind, height) = (id.value, kind.value, orthogonalHeight.value)
    let settings = SectionSettings(
      id: id, kind: kind, orthogonalHeight: height, options: options, data: data.value)
    return settings == SectionSettings() ? nil : settings
  }
}

extension SectionPatch.Change {
  /// The value that is set; `nil` if none is.
  fileprivate var value: Value? { if case .set(let value) = self { value } else { nil } }
}
