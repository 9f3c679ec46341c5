public import CollectionLayout

// The answer to a query in CBOR.
extension ElementColumns {
  /// What an answer says beside its elements.
  public struct Frame {
    /// The session's id as text.
    public var id: [UInt8]
    /// The version, counted from 1.
    public var version: Int
    /// Of the version's history, 24 bits.
    public var hash: UInt32
    /// The rect of the query, in points; `nil` if the elements are those of ids.
    public var rect: Rect?
    /// Whether the client must drop the elements that it knows.
    public var isReset = false
    /// The link to the rest of the list.
    public var next: String?
    /// The ids that no item has; `nil` if none were asked for.
    public var missing: [String]?
    /// The transitions, as JSON text; `nil` if none were asked for.
    public var transitions: [UInt8]?

    public init(id: [UInt8], version: Int, hash: UInt32) {
      self.id = id
      self.version = version
      self.hash = hash
    }
  }

  /// The answer with the elements of this list.
  ///
  /// - Parameter buffer: Memory for the answer.
  /// - Complexity: O(*bytes*).
  public func encoded(
    in frame: borrowing Frame, into buffer: consuming [UInt8] = []
  ) -> [UInt8] {
    var bytes = buffer
    let missingBytes = frame.missing?.reduce(0) { $0 + $1.utf8.count + 3 } ?? 0
    let room = 256 + frame.id.count + (frame.next?.utf8.count ?? 0) + missingBytes + columnsRoom
    bytes.appendItems(room) { start in
      var end = CBORItem.write(
        .map,
        4 + (frame.next == nil ? 0 : 1) + (frame.rect == nil ? 0 : 1) + (frame.isReset ? 1 : 0)
          + (frame.missing == nil ? 0 : 1) + (frame.transitions == nil ? 0 : 1),
        at: start)
      // By the bytes of the keys: the shorter first, of equal ones by the alphabet.
      end = CBORItem.write("id", at: end)
      end = frame.id.withUnsafeBufferPointer { CBORItem.write(text: $0, at: end) }
      if let next = frame.next {
        end = CBORItem.write("next", at: end)
        end = CBORItem.write(text: next, at: end)
      }
      if let rect = frame.rect {
        end = CBORItem.write("rect", at: end)
        end = CBORItem.write(rect, at: end)
      }
      if frame.isReset {
        end = CBORItem.write("reset", at: end)
        end = CBORItem.write(CBORItem.yes, at: end)
      }
      if let missing = frame.missing {
        end = CBORItem.write("missing", at: end)
        end = CBORItem.write(.array, missing.count, at: end)
        for id in missing { end = CBORItem.write(text: id, at: end) }
      }
      end = CBORItem.write("version", at: end)
      end = CBORItem.write(frame.version, at: end)
      end = CBORItem.write("elements", at: end)
      end = writeColumns(at: end)
      end = CBORItem.write("versionTag", at: end)
      return CBORItem.write(
        text: VersionTagText.text(frame.version, frame.hash), at: end)
    }
    if let transitions = frame.transitions {
      bytes.appendItems(32) { CBORItem.write("transitions", at: $0) }
      bytes += CBORText.encoded(json: transitions)
    }
    return bytes
  }
}
