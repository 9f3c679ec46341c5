public import CollectionLayout

/// The body of a PATCH: another kind or arrangement, and changes of bounds and options that are
/// merged (RFC 7396).
public struct PatchRequest: Sendable {
  /// What is changed.
  public enum Subject: Sendable {
    /// The layout that a collection was prepared with.
    case firstLayout
    /// A view of a collection whose own layout is of a kind.
    case view(of: LayoutKind, isBound: Bool)
    /// A view that is made of a layout.
    case newView(of: LayoutKind, isBound: Bool, mayBeReadOnly: Bool)
    /// A layout for which the body was checked before.
    case known
  }

  public let layout: GivenLayout
  public private(set) var isReadOnly = false
  /// What is folded; `nil` for what was before.
  private let folded: FoldsChange?
  /// The names of the options in the body.
  private let optionNames: Set<String>

  /// Reads a body and merges it.
  ///
  /// - Parameter body: The text, followed by ``PrepareRequest/padding`` bytes that may be
  ///   overwritten.
  /// - Throws: ``BodyError`` if the text is no JSON, or if bounds, options or kind are wrong.
  public init(
    _ body: UnsafeMutableRawBufferPointer, merging collection: PreparedCollection,
    of subject: Subject = .firstLayout, maxItems: Int = .max
  ) throws(BodyError) {
    self = try Self.decode(body, merging: collection.layout, subject, maxItems: maxItems)
  }

  /// Reads a body and merges it into what was given of a layout.
  public init(
    _ body: UnsafeMutableRawBufferPointer, merging given: GivenLayout
  ) throws(BodyError) {
    self = try Self.decode(body, merging: given, .known, maxItems: .max)
  }

  private init(_ layout: GivenLayout, _ folded: FoldsChange?, optionNames: [String]) {
    self.folded = folded
    self.layout = layout
    self.optionNames = Set(optionNames)
  }

  private enum Member: String, CaseIterable, BodyMember {
    case bounds, options, kind, arrange, folded, readOnly
  }

  private static func decode(
    _ body: UnsafeMutableRawBufferPointer, merging given: GivenLayout, _ subject: Subject,
    maxItems: Int
  ) throws(BodyError) -> PatchRequest {
    try BodyError.reading(body) { (reader) throws(BodyError) in
      var layout = given
      var patch: OptionPatch?
      var folded: FoldsChange?
      var (takesOptionsAway, isBound, hasArrangement, isReadOnly) = (false, false, false, false)
      var members = Member.allCases.dropLast()
      switch subject {
      case .newView(_, let bound, _): (isBound, members) = (bound, Member.allCases[...])
      case .view(_, let bound): isBound = bound
      case .firstLayout, .known: break
      }
      try reader.readObject(known: Array(members)) { (member, reader) throws(BodyError) in
        switch member {
        case .readOnly: isReadOnly = try readReadOnly(&reader, subject)
        case .arrange where isBound:
          hasArrangement = true
          try reader.skipValue()
        case .kind: layout.kind = try decodeKind(&reader, from: given.kind)
        case .options:
          if try reader.readNullIfPresent() {
            takesOptionsAway = true
          } else {
            patch = try reader.readOptions()
          }
        case .bounds: try decodeBounds(&reader, into: &layout)
        case .arrange:
          layout.arrangement =
            try reader.readNullIfPresent()
            ? nil : try ArrangementDecoder.decode(&reader, maxItems: maxItems)
        case .folded: folded = try FoldsRequest.decodeState(&reader)
        }
      }
      if hasArrangement {
        try reader.finish()
        throw .boundArrangement
      }
      if layout.kind.isForest, layout.kind.needsWidth, layout.bounds?.width == nil,
        reader.faults.isEmpty
      {
        reader.refuse(at: ["bounds", "width"], "must be given for this kind")
      }
      checkArrangement(of: layout, subject, from: given.kind, &reader)
      let table = layout.kind.optionTable
      if let given = patch {
        patch = OptionsDecoder.checked(given, by: table, at: ["options"], &reader)
      }
      guard reader.faults.isEmpty else { return nil }
      if layout.kind != given.kind { layout.options = layout.options.kept(by: table) }
      if takesOptionsAway { layout.options = GivenOptions() }
      if let patch { layout.options = patch.applied(to: layout.options) }
      var request = PatchRequest(layout, folded, optionNames: patch?.names ?? [])
      request.isReadOnly = isReadOnly
      return request
    }
  }

  private static func readReadOnly(
    _ reader: inout JSONReader, _ subject: Subject
  ) throws(BodyError) -> Bool {
    let isReadOnly = try reader.readNullIfPresent() ? false : try reader.readFlag() ?? false
    if isReadOnly, case .newView(_, _, mayBeReadOnly: false) = subject {
      reader.refuse("must be left out: there are too many read-only views above this one")
    }
    return isReadOnly
  }

  private static func decodeKind(
    _ reader: inout JSONReader, from old: LayoutKind
  ) throws(BodyError) -> LayoutKind {
    let requirement = old.isForest ? LayoutKind.requirementOfForests : SectionKinds.requirement
    let name = try reader.readWord(requirement) {
      $0 == old.name || LayoutKind.named($0)?.isForest == old.isForest ? $0 : nil
    }
    return name.flatMap { LayoutKind.named($0) } ?? old
  }

  /// Refuses an arrangement of what cannot be arranged, and a kind that does not go with it.
  private static func checkArrangement(
    of layout: GivenLayout, _ subject: Subject, from old: LayoutKind, _ reader: inout JSONReader
  ) {
    let isArranged = layout.arrangement != nil
    let source: LayoutKind
    switch subject {
    case .known: return
    case .firstLayout: source = old
    case .view(let kind, _), .newView(let kind, _, _): source = kind
    }
    if isArranged, case .firstLayout = subject {
      reader.refuse(at: ["arrange"], "must be left out: it is for views")
    } else if isArranged, source.isForest {
      reader.refuse(at: ["arrange"], "must be left out: the nodes of a tree are not arranged")
    }
    switch (source.form, layout.kind.form) {
    case (.compositional, .sections) where !isArranged:
      reader.refuse(
        at: ["kind"],
        "must stay \"\(source.name)\": layouts of this kind keep it unless they are arranged")
    case (_, .compositional) where isArranged:
      reader.refuse(
        at: ["kind"], "must be \(SectionKinds.requirement) where a view is arranged")
    case (.sections, .compositional):
      reader.refuse(
        at: ["kind"], "must be \(SectionKinds.requirement), was \"\(layout.kind.name)\"")
    default: break
    }
  }

  private static func decodeBounds(
    _ reader: inout JSONReader, into layout: inout GivenLayout
  ) throws(BodyError) {
    // Of a hierarchy, it is the kind in the end that counts.
    let needsWidth = !layout.kind.isForest
    guard try reader.readNullIfPresent() else {
      return try BoundsDecoder.decode(&reader, over: &layout.bounds, needsWidth: needsWidth)
    }
    if needsWidth {
      reader.refuse("must not be null for this kind")
    } else {
      layout.bounds = nil
    }
  }

  /// The collection after the change.
  ///
  /// - Parameters:
  ///   - source: The collection of which `collection` is a view, if it is one.
  ///   - maxItems: The largest number of items that may be stored.
  /// - Throws: ``BodyError`` if the data cannot be laid out with the new kind, bounds and options.
  public func applied(
    to collection: PreparedCollection, from source: PreparedCollection? = nil,
    maxItems: Int = .max
  ) throws(BodyError) -> (collection: PreparedCollection, change: CollectionChange?) {
    do {
      let made = try collection.changing(layout, from: source, itemLimit: maxItems)
      guard let folded else { return made }
      let folds = try made.collection.folds(after: folded)
      return try collection.changing(layout, from: source, folds: folds, itemLimit: maxItems)
    } catch {
      throw fault(error, of: collection)
    }
  }

  /// What is folded in a view that is made of a collection: what is there, or what is said.
  ///
  /// - Parameter source: The collection of which this is a view, if it is one.
  /// - Throws: ``BodyError`` if what is said does not fit.
  public func folds(
    inViewOf collection: PreparedCollection, from source: PreparedCollection?, maxItems: Int = .max
  ) throws(BodyError) -> Folds {
    guard folded != nil else { return collection.folds }
    return try applied(to: collection, from: source, maxItems: maxItems).collection.folds
  }

  /// The error as an error of the body. The layout was valid before, so a member of the body caused
  /// the error.
  public func fault(_ error: LayoutError, of collection: PreparedCollection) -> BodyError {
    let old = collection.layout
    if case .invalidOption(let name, let section, let requirement) = error {
      let member = String(name.prefix { $0 != "." })
      if optionNames.contains(member) {
        let owner = section.map { " (for section \($0))" } ?? ""
        return .invalid([
          InvalidMember(
            pointer: JSONPointer.option(name), detail: "must be \(requirement)\(owner)")
        ])
      }
      if layout.bounds != old.bounds {
        var layout = layout
        layout.bounds = old.bounds
        do {
          _ = try collection.changing(layout)
          return BodyError(
            error,
            madeAt: "/bounds/"
              + (layout.bounds?.width != self.layout.bounds?.width ? "width" : "height")
          )
        } catch {}
      }
      if layout.kind != old.kind { return BodyError(error, madeAt: "/kind") }
    }
    return BodyError(error, madeAt: "/options")
  }
}
