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
    JSONWriter.text {
      $0["name"] = name
      $0["kinds"] = kinds
      $0["operations"] = operations
    }
  }
}

extension ServiceIndex.Operation: JSONWritable {
  public func write(to writer: inout JSONWriter) {
    writer.object {
      $0["method"] = method
      $0["path"] = path
      $0["summary"] = summary
    }
  }
}
