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

  /// Continues an object that has a member.
  fileprivate init(continuing writer: consuming JSONWriter) {
    self.writer = writer
    isEmpty = false
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
    begin(name)
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

  /// Writes a member that is an array.
  ///
  /// - Parameters:
  ///   - name: Any name.
  ///   - elements: Appends the elements.
  mutating func array(_ name: String, _ elements: (inout JSONArray) -> Void) {
    begin(name)
    writer.array(elements)
  }

  private mutating func begin(_ name: StaticString) {
    separate()
    writer.write("\"")
    writer.write(name)
    writer.write("\":")
  }

  private mutating func begin(_ name: String) {
    separate()
    writer.write(string: name)
    writer.write(":")
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
  public static func text(
    capacity: Int = 512, precision: CoordinatePrecision = .readable,
    _ members: (inout JSONObject) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: capacity, precision: precision)
    writer.object(members)
    return writer.bytes
  }

  /// Writes an object.
  ///
  /// - Parameter members: Writes the members.
  public mutating func object(_ members: (inout JSONObject) -> Void) {
    var object = JSONObject(take())
    members(&object)
    self = object.finish()
  }

  /// Writes more members of an object that was begun and has one, and ends it.
  package mutating func endObject(_ members: (inout JSONObject) -> Void) {
    var object = JSONObject(continuing: take())
    members(&object)
    self = object.finish()
  }

  /// Writes an array.
  ///
  /// - Parameter write: Writes one element.
  public mutating func array<Elements: Sequence>(
    _ elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    array { array in
      for element in elements { array.append { write(&$0, element) } }
    }
  }

  /// Writes an array.
  ///
  /// - Parameter elements: Appends the elements.
  mutating func array(_ elements: (inout JSONArray) -> Void) {
    var array = JSONArray(take())
    elements(&array)
    self = array.finish()
  }

  /// Moves the text out. It has one owner, so it stays where it is in memory.
  private mutating func take() -> JSONWriter {
    var writer = JSONWriter(into: [])
    swap(&self, &writer)
    return writer
  }
}

// MARK: Values

/// A value that is written already.
struct JSONText: JSONWritable {
  let bytes: [UInt8]

  func write(to writer: inout JSONWriter) { writer.write(raw: bytes) }
}

extension Int: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Double: JSONWritable {
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension ItemKey: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .number(let number): writer.write(number)
    case .string(let text): writer.write(string: text)
    }
  }
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
  /// `[x, y, width, height]`, as the layout computed them.
  public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Size: JSONWritable {
  /// As the layout computed it.
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["width"] = Coordinate(value: width)
      $0["height"] = Coordinate(value: height)
    }
  }
}

/// A coordinate or length that the layout computed.
struct Coordinate: JSONWritable {
  let value: Double

  func write(to writer: inout JSONWriter) { writer.write(coordinate: value) }
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
