/// The decision about a request, made once from its header section, before any content is read.
enum Admission {
  /// The content is received and up to `storing` bytes of it are stored; `nil` stores nothing.
  case receive(storing: Int?)
  /// The request has its answer. Up to `drainLimit` bytes of content are read before the answer is
  /// sent.
  case refuse(Response, drainLimit: Int)
  /// It is not certain where the next request begins.
  case malformed(reason: String)
  /// The header section needs too much of the connection's memory.
  case headerFieldsTooLarge

  /// The content of a refused request that is read, so that the client sees the answer and can
  /// reuse the connection. In bytes.
  static let drainLimit = 8 << 20

  /// - Parameter headerBytes: The memory of the connection that the header section needs, in bytes.
  static func of(
    _ request: borrowing Request, _ reader: borrowing HeaderSectionReader, headerBytes: Int,
    _ core: DaemonCore
  ) -> Admission {
    let configuration = core.configuration
    if headerBytes > configuration.maxHeaderBytes { return .headerFieldsTooLarge }
    if let defect = reader.defect ?? request.target.defect(for: request.method) {
      return .malformed(reason: defect)
    }
    func refuse(_ problem: TransportProblem, drainLimit: Int = drainLimit) -> Admission {
      .refuse(
        core.responder.response(to: problem, request: copy request), drainLimit: drainLimit)
    }
    if request.target.bytes.count > configuration.maxTargetBytes {
      return refuse(.targetTooLong(limit: configuration.maxTargetBytes))
    }
    if let response = core.responder.rejection(of: request) {
      return .refuse(response, drainLimit: drainLimit)
    }
    // The content is dropped if the method does not use it.
    let expectsContent = request.method.expectsContent
    switch reader.contentLength {
    case .none:
      return expectsContent && !reader.hasDeclaredLength
        ? refuse(.lengthRequired) : .receive(storing: nil)
    case .known(let length):
      return length > core.bodyLimit
        ? refuse(.contentTooLarge(limit: core.bodyLimit), drainLimit: core.bodyLimit + drainLimit)
        : .receive(storing: expectsContent ? length : nil)
    case .chunked:
      return .receive(storing: expectsContent ? core.bodyLimit : nil)
    }
  }
}
