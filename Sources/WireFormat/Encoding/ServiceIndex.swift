/// The index of the service: its kinds and operations.
public struct ServiceIndex {
  /// One operation that clients can call.
  public struct Operation {
    let method: String
    let path: String
    let summary: String

    public init(method: String, path: String, summary: String) {
      self.method = method
      self.path = path
      self.summary = summary
    }
  }

  private let name: String
  private let kinds: [String]
  private let operations: [Operation]

  public init(name: String, kinds: [String], operations: [Operation]) {
    self.name = name
    self.kinds = kinds
    self.operations = operations
  }

  /// The index as JSON text in UTF-8.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.write("{\"name\":")
    writer.write(string: name)
    writer.write(",\"kinds\":[")
    for (index, kind) in kinds.enumerated() {
      if index > 0 { writer.write(",") }
      writer.write(string: kind)
    }
    writer.write("],\"operations\":[")
    for (index, operation) in operations.enumerated() {
      if index > 0 { writer.write(",") }
      writer.write("{\"method\":")
      writer.write(string: operation.method)
      writer.write(",\"path\":")
      writer.write(string: operation.path)
      writer.write(",\"summary\":")
      writer.write(string: operation.summary)
      writer.write("}")
    }
    writer.write("]}")
    return writer.bytes
  }
}
