import CollectionLayout
import LayoutSessions
import Memory
import MicroHTTP
import WireFormat

extension LayoutService {
  /// Bodies and layouts up to this size are dealt with at once; larger ones go to the workers.
  static let smallBodyBytes = 4096
  static let smallLayoutCost = 1000
  /// Up to this size they are short work for the workers, of some milliseconds.
  static let shortBodyBytes = 256 << 10
  static let shortLayoutCost = 20_000

  func checkKind(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) {
    _ = try kind(parameters)
    try QueryString.checkEmpty(request.target)
  }

  private func kind(
    _ parameters: PathParameters
  ) throws(ServiceError) -> LayoutKind {
    let name = parameters.name(0)
    guard let kind = LayoutKind.named(name) else { throw .unknownKind(name) }
    return kind
  }

  func prepare(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let kind = try kind(parameters)
    let content = RequestContent(request)
    // A few bytes can stand for many nodes, which are put in order while they are read.
    guard content.isSmall(Self.smallBodyBytes), !kind.isForest else {
      var shortWork: (@Sendable () throws(ServiceError) -> Response?)?
      if content.isSmall(Self.shortBodyBytes) {
        shortWork = { () throws(ServiceError) in try self.shortly(content, kind) }
      }
      return deferring(shortly: shortWork) { () throws(ServiceError) in
        try self.checkMemory(content.count * Self.decodedBytesPerByte)
        let decoded = try self.decode(content, as: kind)
        content.discard()
        return try self.keep(decoded)
      }
    }
    let decoded = try decode(content, as: kind)
    guard decoded.layoutCost <= Self.smallLayoutCost else {
      return deferring { () throws(ServiceError) in try self.keep(decoded) }
    }
    return .respond(try keep(decoded))
  }

  private func decode(
    _ content: RequestContent, as kind: LayoutKind, maxItems: Int? = nil
  ) throws(ServiceError) -> PrepareRequest {
    try decoding(content) { bytes throws(BodyError) in
      try PrepareRequest(bytes, kind: kind, maxItems: maxItems ?? limits.maxItems)
    }
  }

  /// Prepares a layout if it has few items; `nil` if it may have more.
  private func shortly(
    _ content: RequestContent, _ kind: LayoutKind
  ) throws(ServiceError) -> Response? {
    let decoded: PrepareRequest
    do throws(ServiceError) {
      decoded = try decode(content, as: kind, maxItems: min(Self.shortLayoutCost, limits.maxItems))
    } catch {
      // Too many items, or what else is to be told: the worker's own limits decide.
      return nil
    }
    return decoded.layoutCost <= Self.shortLayoutCost ? try keep(decoded) : nil
  }

  /// Reads a request's body; a missing one is no JSON.
  func decoding<R>(
    _ content: RequestContent,
    _ read: (UnsafeMutableRawBufferPointer) throws(BodyError) -> R
  ) throws(ServiceError) -> R {
    let body = try content.unpacked(limit: limits.maxBodyBytes)
    do {
      guard let body else { throw BodyError.syntax(offset: 0) }
      return try body.withBytes { try read($0) }
    } catch let error as BodyError {
      throw .undecodable(error)
    } catch {
      preconditionFailure("an error of no known type: \(error)")
    }
  }

  /// Refuses work whose memory can't be had.
  private func checkMemory(_ bytes: Int) throws(ServiceError) {
    guard PagePool.hasRoom(for: bytes) else { throw .transport(.buffersFull) }
  }

  /// About what decoding takes, for each byte of text: `{},` becomes an item of two columns.
  private static let decodedBytesPerByte = 8
  /// About what a layout takes for each item while it is being made.
  private static let preparedBytesPerItem = 48

  private func keep(_ request: PrepareRequest) throws(ServiceError) -> Response {
    // What is more than may be stored is refused for that.
    try checkMemory(min(request.layoutCost, limits.maxItems) * Self.preparedBytesPerItem)
    let collection: PreparedCollection
    do {
      collection = try request.prepared()
    } catch {
      throw .undecodable(error)
    }
    let version: LayoutVersion
    do {
      version = try sessions.insert(collection)
    } catch {
      throw ServiceError(error)
    }
    let counts = collection.prepared.counts
    metrics?.countPrepared(elements: counts.cells + counts.supplementary + counts.decorations)
    var response = Response(
      status: .created, commonHeaders: LayoutHeaders.current[.created],
      entityTag: EntityTag(version: version.number).text, body: summary(of: version))
    response.headers.append(("Location", "/layouts/\(version.id)"))
    return response
  }

  /// Leaves an answer to the workers; an error of theirs becomes a problem document.
  ///
  /// - Parameters:
  ///   - heldBytes: What of the answer is there already.
  ///   - shortWork: Does it if that is short work, else nothing.
  func deferring(
    on object: (any AnyObject & Sendable)? = nil, holding heldBytes: Int = 0,
    shortly shortWork: (@Sendable () throws(ServiceError) -> Response?)? = nil,
    _ work: @escaping @Sendable () throws(ServiceError) -> Response
  ) -> Outcome {
    var deferred = DeferredWork(object: object, heldBytes: heldBytes) {
      do throws(ServiceError) {
        return try work()
      } catch {
        return self.response(to: error)
      }
    }
    if let shortWork {
      deferred.shortWork = {
        do throws(ServiceError) {
          return try shortWork()
        } catch {
          return self.response(to: error)
        }
      }
    }
    return .deferred(deferred)
  }

  func summary(
    of version: LayoutVersion, extra: (inout JSONWriter) -> Void = { _ in }
  ) -> [UInt8] {
    Summary(
      id: version.id.description, version: version.number, collection: version.collection,
      memoryBytes: version.memoryBytes, createdAt: version.createdUnixTime,
      expiresAt: sessions.expiryUnixTime()
    ).encoded(adding: extra)
  }

  /// The tag is the version's, for the conditions of changes: it stays where the summary changes
  /// with its expiry, or bounds that no element depends on. So no cache may keep the summary.
  func summary(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let version = try version(parameters)
    try QueryString.checkEmpty(request.target)
    let status = try Preconditions(request).statusOfAnswer(about: version.number)
    return .respond(
      Response(
        status: status, commonHeaders: LayoutHeaders.unstored[status],
        entityTag: EntityTag(version: version.number).text, body: summary(of: version)))
  }

  func delete(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    while true {
      let version = try version(parameters)
      try QueryString.checkEmpty(request.target)
      try Preconditions(request).checkChange(of: version.number)
      if sessions.remove(version) { return .respond(Response(status: .noContent)) }
    }
  }
}

extension ServiceError {
  init(_ error: SessionStoreError) {
    switch error {
    case .layoutTooLarge(let bytes, let limit):
      self = .layoutTooLarge(bytes: bytes, limit: limit)
    }
  }
}

extension PreparedCollection {
  /// How many sections and items a layout has to go over.
  var layoutCost: Int { prepared.counts.sections + storedItemCount }
}

extension PrepareRequest {
  /// How many sections and items a layout has to go over.
  fileprivate var layoutCost: Int { data.layoutCost(as: layout.kind) }
}
