/// The configuration of a `Daemon`. The defaults are in the initializer.
public struct DaemonConfiguration: Sendable {
  /// The certificate chain and the private key, both as PEM.
  public struct TLS: Sendable {
    public var certificate: String
    public var privateKey: String

    public init(certificate: String, privateKey: String) {
      self.certificate = certificate
      self.privateKey = privateKey
    }
  }

  /// An IPv4 or IPv6 address, or a name. Of a name, all addresses are used that this machine has.
  /// `::` listens on both families.
  public var host = "127.0.0.1"
  /// 0 takes any free port.
  public var port: UInt16 = 8080
  /// The path of a Unix socket on which to listen, instead of `host` and `port`.
  public var socketPath: String?
  /// Sockets that listen already, instead of all these.
  public var inheritedSockets: [Int32] = []
  /// The number of threads that read requests and send answers, 1 … 256. Each has its own
  /// connections.
  public var threads = 2
  /// The number of threads that do deferred work, 1 … 256.
  public var workers = 2
  /// The number of deferred requests that may wait for a worker, and of those that may wait for the
  /// thread for short work, 0 … 1,000,000.
  public var queueLength = 64
  /// The largest content of a request in bytes, ≥ 0, but at most what fits into `maxBufferBytes`.
  /// Content without a declared length reserves this much address space. It needs memory only as it
  /// arrives.
  public var maxBodyBytes = 64 << 20
  /// The memory of all contents that are being received or sent, 0 … 2⁵⁰ bytes. The first
  /// ``uncountedBytes`` of each do not count. If there is no more, the answer is 503, except for
  /// the answer to a change that was made, and for an answer that is the only one with counted
  /// memory.
  public var maxBufferBytes = 1 << 30
  /// The bytes of each content that do not count.
  public static let uncountedBytes = 64 << 10
  /// The largest number of open connections, 1 … 1,000,000. One more gets 503 (nothing over TLS)
  /// and is closed.
  public var maxConnections = 10_000
  /// The largest number of open streams of events, 0 … 1,000,000. They do not count as connections.
  /// One more gets 503.
  public var maxStreams = 10_000
  /// The longest life of a stream, > 0. It ends after its last event at that age, or up to a tenth
  /// earlier, so that streams that began together do not end together.
  public var streamLifetime: Duration = .seconds(3600)
  /// The largest number of open connections and streams of one client address, ≥ 0; 0 for no limit.
  public var maxConnectionsPerAddress = 0
  /// The time that a connection may be without a request, since it was accepted or since the last
  /// answer, > 0. Then it is closed. A request begins with the end of its first line.
  public var connectionTimeout: Duration = .seconds(30)
  /// The time for a header section to arrive, from the end of its first line, > 0. Progress does
  /// not extend it.
  ///
  /// Content has as long, and one more second for each ``slowestBytesPerSecond`` that have come. No
  /// pause in it may be longer. An answer has as long to be sent, and one more second for each
  /// 64 KiB.
  public var requestTimeout: Duration = .seconds(30)
  /// The speed of the slowest line on which content of any length arrives.
  public static let slowestBytesPerSecond = 16 << 10
  /// The memory of its connection that a request's header section may need, 4 KiB … 16 MiB. It
  /// counts the bytes, and 64 more for each field. For a `Cookie`, which libmicrohttpd copies, it
  /// counts the value twice, and 64 more for each cookie. The trailers of chunked content count
  /// too.
  ///
  /// A connection has 2 KiB more, for the header section of its answer, and uses all of it to
  /// receive. For each request, libmicrohttpd fills one and a half times as much with zeros, which
  /// takes longer the more it is. With less than 16 KiB, large bodies arrive more slowly.
  public var maxHeaderBytes = 16 << 10
  /// The longest request target, 1 … `maxHeaderBytes`.
  public var maxTargetBytes = 8 << 10
  /// The certificate and key for HTTPS; `nil` for plain HTTP.
  public var tls: TLS?
  /// Is called with messages for the operator, each at most once a second: descriptors or
  /// connections are short, connections cannot be accepted, or an answer lacked a field. It is
  /// called on any thread.
  public var warn: @Sendable (String) -> Void = { _ in }

  /// The defaults.
  public static let standard = Self()

  /// The memory that libmicrohttpd gets for a connection, in bytes.
  ///
  /// libmicrohttpd writes the header section of an answer into the memory that the request's left
  /// free. Without room for it, it would close the connection after the operation, without an
  /// answer.
  var connectionMemoryBytes: Int { maxHeaderBytes + 2 << 10 }
}

extension DaemonConfiguration {
  /// - Throws: ``DaemonError/invalidConfiguration(_:)`` if a value is out of range.
  func validate() throws(DaemonError) {
    func require(_ condition: Bool, _ reason: String) throws(DaemonError) {
      if !condition { throw .invalidConfiguration(reason) }
    }
    func check(_ value: Int, _ name: String, _ range: ClosedRange<Int>) throws(DaemonError) {
      try require(
        range.contains(value),
        "\(name) must be \(range.lowerBound) … \(range.upperBound), was \(value)")
    }
    func checkNotNegative(_ value: Int, _ name: String) throws(DaemonError) {
      try require(value >= 0, "\(name) must not be negative, was \(value)")
    }
    func checkPositive(_ value: Duration, _ name: String) throws(DaemonError) {
      try require(value > .zero, "\(name) must be positive, was \(value)")
    }
    try check(threads, "threads", 1...256)
    try check(workers, "workers", 1...256)
    try check(queueLength, "queueLength", 0...1_000_000)
    try checkNotNegative(maxBodyBytes, "maxBodyBytes")
    try check(maxBufferBytes, "maxBufferBytes", 0...1 << 50)
    try check(maxConnections, "maxConnections", 1...1_000_000)
    try check(maxStreams, "maxStreams", 0...1_000_000)
    try checkPositive(streamLifetime, "streamLifetime")
    try checkNotNegative(maxConnectionsPerAddress, "maxConnectionsPerAddress")
    try checkPositive(connectionTimeout, "connectionTimeout")
    try checkPositive(requestTimeout, "requestTimeout")
    try check(maxHeaderBytes, "maxHeaderBytes", 4096...16 << 20)
    try require(
      (1...maxHeaderBytes).contains(maxTargetBytes),
      "maxTargetBytes must be 1 … maxHeaderBytes, was \(maxTargetBytes)")
  }
}
