/// Header fields that many responses share, stored once as C strings.
///
///     static let json: HeaderSet = ["Content-Type": "application/json"]
///
/// Adding a set to a response costs no allocation and no transcoding. It also counts no references,
/// for which threads would contend, because a set is never freed. So make sets once, as static
/// constants. Fields that differ between answers belong in `Response.headers`.
public struct HeaderSet: Sendable, ExpressibleByDictionaryLiteral {
  /// Retained by the initializer and never released.
  private let unmanaged: Unmanaged<Storage>?

  /// No fields.
  public static var empty: HeaderSet { HeaderSet() }

  private init() {
    unmanaged = nil
  }

  public init(_ fields: [(name: FieldName, value: String)]) {
    unmanaged = fields.isEmpty ? nil : Unmanaged.passRetained(Storage(fields))
  }

  public init(dictionaryLiteral elements: (FieldName, String)...) {
    self.init(elements.map { (name: $0.0, value: $0.1) })
  }

  /// These fields and more.
  public func adding(_ fields: [(name: FieldName, value: String)]) -> HeaderSet {
    HeaderSet(self.fields + fields)
  }

  /// The value of a field, or `nil`.
  public subscript(name: FieldName) -> String? {
    fields.first { $0.name == name }?.value
  }

  public var fields: [(name: FieldName, value: String)] {
    unmanaged?.takeUnretainedValue().fields ?? []
  }

  func forEachField(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void) {
    unmanaged?._withUnsafeGuaranteedRef { $0.forEachField(body) }
  }

  fileprivate final class Storage: Sendable {
    let fields: [(name: FieldName, value: String)]
    /// Name, NUL, value, NUL for each field.
    private let text: [CChar]
    private let offsets: [(name: Int, value: Int)]

    init(_ fields: [(name: FieldName, value: String)]) {
      self.fields = fields
      var bytes: [CChar] = []
      var offsets: [(name: Int, value: Int)] = []
      for (name, value) in fields {
        let nameStart = bytes.count
        bytes += name.rawName.utf8CString
        offsets.append((nameStart, bytes.count))
        bytes += value.utf8CString
      }
      self.offsets = offsets
      text = bytes
    }

    func forEachField(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void) {
      text.withUnsafeBufferPointer { text in
        guard let base = text.baseAddress else { return }
        for offset in offsets { body(base + offset.name, base + offset.value) }
      }
    }
  }
}
