/// A request whose header section is complete.
///
/// It is a value. Copying it counts one reference.
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

  /// The same request with another target.
  public func with(target: RequestTarget) -> Request {
    let storage = storage.copy()
    storage.target = target
    return Request(storage)
  }

  public var method: Method { storage.method }

  public var target: RequestTarget { storage.target }

  public var headers: HeaderFields { storage.headers }

  // These read one field without copying `headers`, which would count references. Most fields that
  // are read here were not sent.

  public subscript(name: FieldName) -> String? {
    storage.headers.mayHave(name) ? storage.headers[name] : nil
  }

  public func value(of name: FieldName) -> ArraySlice<UInt8>? {
    storage.headers.mayHave(name) ? storage.headers.value(of: name) : nil
  }

  public func contains(_ name: FieldName) -> Bool {
    storage.headers.mayHave(name) && storage.headers.contains(name)
  }

  /// The content. It is `nil` if there is none, if the method does not use it, and always in
  /// `Responder.rejection(of:)`.
  public var body: RequestBody? { storage.body }

  public var remoteAddress: SocketAddress { storage.remoteAddress }
}

/// The storage of a `Request`.
///
/// A connection reuses its storage for the next request, unless somebody still holds the last
/// request.
///
/// `@unchecked Sendable`: while it has several references, nobody changes it. A `Request` never
/// changes it. A connection only changes it while it has the only reference.
final class RequestStorage: @unchecked Sendable {
  // No setter calls other code during its access; see `Connection`.
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
