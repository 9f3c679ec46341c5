/// How a `Daemon` listens and what it permits; the defaults stand in the initializer.
public struct DaemonConfiguration: Sendable {
  /// Certificate chain and private key, both PEM.
  public struct TLS: Sendable {
    public var certificate: String
    public var privateKey: String

    public init(certificate: String, privateKey: String) {
      self.certificate = certificate
      self.privateKey = privateKey
    }
  }

  /// An IPv4 or IPv6 address, or a name that resolves to one. `::` listens for both families.
  public var host: String
  /// 0 takes any free port.
  public var port: UInt16
  /// Threads that read requests and send answers, 1 … 256; each has its own connections.
  public var threads: Int
  /// Threads that do deferred work, 1 … 256.
  public var workers: Int
  /// Deferred requests that may wait for a worker, beyond those that are being worked on,
  /// 0 … 1,000,000.
  public var queueLength: Int
  /// The greatest content of a request, ≥ 0; no more than fits into `maxBufferBytes`. A content
  /// whose length is not declared takes as much address space, and memory as it arrives.
  public var maxBodyBytes: Int
  /// What contents that are being received or sent may take together, beyond ``uncountedBytes``
  /// each, 0 … 2⁵⁰; where there is no more the answer is 503, unless it tells of a change that was
  /// made, or is the only one that takes memory.
  public var maxBufferBytes: Int
  /// What of each content is not counted.
  public static let uncountedBytes = 64 << 10
  /// Connections at the same time, 1 … 1,000,000; one more is closed, after a 503 unless over TLS.
  public var maxConnections: Int
  /// The same for each client address, ≥ 0; 0 for no such limit.
  public var maxConnectionsPerAddress: Int
  /// How long a connection may be without a request that has begun, since it was made or since the
  /// answer before, > 0; then it is closed. A request begins with the end of its first line.
  public var connectionTimeout: Duration
  /// The time that a request has to arrive, from the end of its first line to its last byte,
  /// however it drips, > 0. An answer has as long to be taken, and a second more for each 64 KiB.
  public var requestTimeout: Duration
  /// The most memory of its connection that a request's header section may take: its bytes, 64 more
  /// for each field, and for a `Cookie`, of which libmicrohttpd makes a copy, its value once more
  /// and 64 for each cookie in it. The trailers of chunked content count, too. 4 KiB … 16 MiB.
  ///
  /// A connection has 2 KiB more, for its answer's own header section, and uses all of it to
  /// receive. libmicrohttpd fills one and a half times as much with zeros for each request, which
  /// takes longer the more it is; with less than 16 KiB large bodies take longer to arrive.
  public var maxHeaderBytes: Int
  /// The longest request target, 1 … `maxHeaderBytes`.
  public var maxTargetBytes: Int
  /// What HTTPS is served with; `nil` for plain HTTP.
  public var tls: TLS?
  /// Called with what an operator should know, each message at most once a second: that descriptors
  /// or connections are short, that connections can't be accepted, that an answer went without a
  /// field. It is called on any thread.
  public var warn: @Sendable (String) -> Void

  public init(
    host: String = "127.0.0.1",
    port: UInt16 = 8080,
    threads: Int = 2,
    workers: Int = 2,
    queueLength: Int = 64,
    maxBodyBytes: Int = 64 << 20,
    maxBufferBytes: Int = 1 << 30,
    maxConnections: Int = 10_000,
    maxConnectionsPerAddress: Int = 0,
    connectionTimeout: Duration = .seconds(30),
    requestTimeout: Duration = .seconds(30),
    maxHeaderBytes: Int = 16 << 10,
    maxTargetBytes: Int = 8 << 10,
    tls: TLS? = nil,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.host = host
    self.port = port
    self.threads = threads
    self.workers = workers
    self.queueLength = queueLength
    self.maxBodyBytes = maxBodyBytes
    self.maxBufferBytes = maxBufferBytes
    self.maxConnections = maxConnections
    self.maxConnectionsPerAddress = maxConnectionsPerAddress
    self.connectionTimeout = connectionTimeout
    self.requestTimeout = requestTimeout
    self.maxHeaderBytes = maxHeaderBytes
    self.maxTargetBytes = maxTargetBytes
    self.tls = tls
    self.warn = warn
  }

  /// What libmicrohttpd is given for a connection.
  ///
  /// It makes an answer's header section in what the request's has left. Without room for that it
  /// would close the connection, after the operation and without an answer.
  var connectionMemoryBytes: Int { maxHeaderBytes + 2 << 10 }
}

extension DaemonConfiguration {
  /// - Throws: ``DaemonError/invalidConfiguration(_:)`` for a value out of its range.
  func validate() throws(DaemonError) {
    func require(_ condition: Bool, _ reason: String) throws(DaemonError) {
      if !condition { throw .invalidConfiguration(reason) }
    }
    try require((1...256).contains(threads), "threads must be 1 … 256, was \(threads)")
    try require((1...256).contains(workers), "workers must be 1 … 256, was \(workers)")
    try require(
      (0...1_000_000).contains(queueLength), "queueLength must be 0 … 1000000, was \(queueLength)")
    try require(maxBodyBytes >= 0, "maxBodyBytes must not be negative, was \(maxBodyBytes)")
    try require(
      (0...1 << 50).contains(maxBufferBytes),
      "maxBufferBytes must be 0 … \(1 << 50), was \(maxBufferBytes)")
    try require(
      (1...1_000_000).contains(maxConnections),
      "maxConnections must be 1 … 1000000, was \(maxConnections)")
    try require(
      maxConnectionsPerAddress >= 0,
      "maxConnectionsPerAddress must not be negative, was \(maxConnectionsPerAddress)")
    try require(
      connectionTimeout > .zero, "connectionTimeout must be positive, was \(connectionTimeout)")
    try require(requestTimeout > .zero, "requestTimeout must be positive, was \(requestTimeout)")
    try require(
      (4096...16 << 20).contains(maxHeaderBytes),
      "maxHeaderBytes must be 4096 … 16777216, was \(maxHeaderBytes)")
    try require(
      (1...maxHeaderBytes).contains(maxTargetBytes),
      "maxTargetBytes must be 1 … maxHeaderBytes, was \(maxTargetBytes)")
  }
}
