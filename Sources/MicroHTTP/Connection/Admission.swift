/// Whether a request is wanted, as far as its header section says: decided once, before any content
/// is read.
enum Admission {
  /// Its content is received. So many bytes of it are stored at most; `nil` stores none of it.
  case receive(storing: Int?)
  /// It has its answer already. So many bytes of content may come before that.
  case refuse(Response, patience: Int)
  /// It is not certain where the next request begins.
  case malformed(reason: String)
  /// Its header section takes too much of the connection's memory.
  case headerFieldsTooLarge

  /// Content of a refused request that is read to its end, so that the client sees the answer and
  /// can use the connection again.
  static let patience = 8 << 20

  /// - Parameter headerBytes: What the header section takes of the connection's memory.
  static func of(
    _ request: borrowing Request, _ reader: borrowing HeaderSectionReader, headerBytes: Int,
    _ core: DaemonCore, _ responder: Unmanaged<ResponderBox>
  ) -> Admission {
    let configuration = core.configuration
    if headerBytes > configuration.maxHeaderBytes { return .headerFieldsTooLarge }
    if let defect = reader.defect ?? request.target.defect(for: request.method) {
      return .malformed(reason: defect)
    }
    func refuse(_ problem: TransportProblem, patience: Int = patience) -> Admission {
      let request = copy request
      let response = responder._withUnsafeGuaranteedRef {
        $0.response(to: problem, request: request)
      }
      return .refuse(response, patience: patience)
    }
    if request.target.bytes.count > configuration.maxTargetBytes {
      return refuse(.targetTooLong(limit: configuration.maxTargetBytes))
    }
    if let response = responder._withUnsafeGuaranteedRef({ $0.rejection(of: request) }) {
      return .refuse(response, patience: patience)
    }
    // The content of a method that has no use for it is dropped.
    let expectsContent = request.method.expectsContent
    switch reader.contentLength {
    case .none:
      return expectsContent && !reader.hasDeclaredLength
        ? refuse(.lengthRequired) : .receive(storing: nil)
    case .known(let length):
      return length > core.bodyLimit
        ? refuse(.contentTooLarge(limit: core.bodyLimit), patience: core.bodyLimit + patience)
        : .receive(storing: expectsContent ? length : nil)
    case .chunked:
      return .receive(storing: expectsContent ? core.bodyLimit : nil)
    }
  }
}
