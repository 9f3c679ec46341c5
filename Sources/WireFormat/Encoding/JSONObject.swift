public import CollectionLayout

/// A value that has a JSON text.
public protocol JSONWritable {
  func write(to writer: inout JSONWriter)
}

/// An object that is being written, with its names and commas:
///
///     writer.object {
///       $0["version"] = version
///       $0.object("counts") { $0["cells"] = cells }
///     }
///
/// It is for what is short: elements of a list are not written with it.
public struct JSONObject {
  fileprivate var writer: JSONWriter
  private var isEmpty = true

  fileprivate init(_ writer: consuming JSONWriter) {
    self.writer = writer
    self.writer.write("{")
  }

  fileprivate consuming func finish() -> JSONWriter {
    writer.write("}")
    return writer
  }

  /// Sets a member, behind those that were set before. `nil` writes nothing.
  ///
  /// An object is only written: to read a member gives `nil`.
  ///
  /// - Precondition: The name needs no escaping, and no member has it yet.
  public subscript<Value: JSONWritable>(name: StaticString) -> Value? {
    get { nil }
    set {
      guard let newValue else { return }
      begin(name)
      newValue.write(to: &writer)
    }
  }

  /// Writes a member with any name.
  public mutating func write(_ name: String, _ value: some JSONWritable) {
    separate()
    writer.write(string: name)
    writer.write(":")
    value.write(to: &writer)
  }

  /// Writes a member that is null.
  public mutating func writeNull(_ name: StaticString) {
    begin(name)
    writer.write("null")
  }

  /// Writes a member that is an object.
  public mutating func object(_ name: StaticString, _ members: (inout JSONObject) -> Void) {
    begin(name)
    writer.object(members)
  }

  /// Writes a member that is an array.
  ///
  /// - Parameter write: Writes one element.
  public mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements,
    _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    begin(name)
    writer.array(elements, write)
  }

  private mutating func begin(_ name: StaticString) {
    separate()
    writer.write("\"")
    writer.write(name)
    writer.write("\":")
  }

  private mutating func separate() {
    if !isEmpty { writer.write(",") }
    isEmpty = false
  }
}

extension JSONWriter {
  /// The text of an object in UTF-8.
  ///
  /// - Parameter members: Writes the members.
  public static func text(capacity: Int = 512, _ members: (inout JSONObject) -> Void) -> [UInt8] {
    var writer = JSONWriter(capacity: capacity)
    writer.object(members)
    return writer.bytes
  }

  /// Writes an object.
  ///
  /// - Parameter members: Writes the members.
  public mutating func object(_ members: (inout JSONObject) -> Void) {
    var object = JSONObject(self)
    // The bytes have one owner, so they stay where they are.
    self = JSONWriter(into: [])
    members(&object)
    self = object.finish()
  }

  /// Writes an array.
  ///
  /// - Parameter write: Writes one element.
  public mutating func array<Elements: Sequence>(
    _ elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    self.write("[")
    var isFirst = true
    for element in elements {
      if !isFirst { self.write(",") }
      isFirst = false
      write(&self, element)
    }
    self.write("]")
  }
}

// MARK: Values

/// An array that is written already.
public struct JSONList: JSONWritable {
  private let bytes: [UInt8]

  /// - Parameter bytes: The elements, with commas between them.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  public func write(to writer: inout JSONWriter) {
    writer.write("[")
    writer.write(raw: bytes)
    writer.write("]")
  }
}

extension Int: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Bool: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension String: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.write(string: self) }
}

extension Array: JSONWritable where Element: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.array(self) { $1.write(to: &$0) }
  }
}

extension ItemID: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Rect: JSONWritable {
  /// `[x, y, width, height]`.
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Size: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["width"] = width
      $0["height"] = height
    }
  }
}

extension Bounds: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["width"] = width
      $0["height"] = height
    }
  }
}

extension GivenOptions: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object { object in
      for member in members { object.write(member.name, member.value) }
    }
  }
}

extension OptionValue: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .number(let number): writer.write(number)
    case .string(let string): writer.write(string: string)
    case .boolean(let boolean): writer.write(boolean)
    case .null: writer.write("null")
    case .object(let options): options.write(to: &writer)
    case .array(let values): values.write(to: &writer)
    }
  }
}
