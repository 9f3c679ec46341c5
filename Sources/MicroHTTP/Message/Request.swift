/// A request whose header section is complete.
///
/// A value; copying it costs one reference count.
public struct Request: Sendable {
  private let storage: RequestStorage

  public init(
    method: Method = .get, target: RequestTarget, headers: HeaderFields = HeaderFields(),
    body: RequestBody? = nil, remoteAddress: SocketAddress = SocketAddress(127, 0, 0, 1)
  ) {
    storage = RequestStorage()
    storage.method = method
    storage.target = target
    storage.headers = headers
    storage.body = body
    storage.remoteAddress = remoteAddress
  }

  init(_ storage: RequestStorage) {
    self.storage = storage
  }

  public var method: Method { storage.method }

  public var target: RequestTarget { storage.target }

  public var headers: HeaderFields { storage.headers }

  // One field, as `headers` has it. Most of those that are asked for were not sent, and to see that
  // takes no copy of the others, which would count references.

  public subscript(name: FieldName) -> String? {
    storage.headers.mayHave(name) ? storage.headers[name] : nil
  }

  public func value(of name: FieldName) -> ArraySlice<UInt8>? {
    storage.headers.mayHave(name) ? storage.headers.value(of: name) : nil
  }

  public func contains(_ name: FieldName) -> Bool {
    storage.headers.mayHave(name) && storage.headers.contains(name)
  }

  /// The content; `nil` without any or where the method has no use for it, and always `nil` in
  /// `Responder.rejection(of:)`.
  public var body: RequestBody? { storage.body }

  public var remoteAddress: SocketAddress { storage.remoteAddress }
}

/// What a `Request` is made of.
///
/// A connection fills the same one for each of its requests, unless somebody still holds the last.
///
/// `@unchecked Sendable`: while several refer to it, nobody changes it. A `Request` never does, and
/// a connection only while it is the only one to refer to it.
final class RequestStorage: @unchecked Sendable {
  // No setter calls anything while it has access; see `Connection`.
  @exclusivity(unchecked) var method = Method.get
  @exclusivity(unchecked) var target = RequestTarget([])
  @exclusivity(unchecked) var headers = HeaderFields()
  @exclusivity(unchecked) var body: RequestBody?
  @exclusivity(unchecked) var remoteAddress = SocketAddress(0, 0, 0, 0)

  func copy() -> RequestStorage {
    let new = RequestStorage()
    new.method = method
    new.target = target
    new.headers = headers
    new.body = body
    new.remoteAddress = remoteAddress
    return new
  }
}
