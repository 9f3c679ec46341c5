import CMicroHTTPD
import Glibc

/// A listening socket.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  /// The address to which it is bound. The port is the real one if 0 was requested.
  let address: SocketAddress
  /// The path of a Unix socket.
  private let path: String?
  /// The file of a Unix socket that this process made, to be removed at the end.
  private let file: FileIdentity?

  private struct FileIdentity: Equatable {
    let device: UInt
    let inode: UInt

    init?(at path: String) {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
      (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    }
  }

  /// All sockets on which a daemon listens.
  static func all(_ configuration: DaemonConfiguration) throws(DaemonError) -> [ListeningSocket] {
    if !configuration.inheritedSockets.isEmpty {
      var sockets: [ListeningSocket] = []
      for descriptor in configuration.inheritedSockets {
        sockets.append(try ListeningSocket(inheriting: descriptor))
      }
      return sockets
    }
    if let path = configuration.socketPath { return [try ListeningSocket(path: path)] }
    // If any free port will do, the one that the first address has may be in use at another.
    for _ in 0..<20 where configuration.port == 0 {
      do throws(DaemonError) {
        return try all(host: configuration.host, port: 0)
      } catch {
        guard case .addressInUse = error else { throw error }
      }
    }
    return try all(host: configuration.host, port: configuration.port)
  }

  func close() {
    Glibc.close(descriptor)
    // Another process may have put its own there.
    if let path, let file, FileIdentity(at: path) == file { unlink(path) }
  }

  private init(descriptor: Int32, path: String? = nil, file: FileIdentity? = nil) {
    self.descriptor = descriptor
    self.path = path
    self.file = file
    address = withSocketAddress { address, length in
      _ = getsockname(descriptor, address, length)
      return SocketAddress(address)
    }
  }

  // MARK: TCP

  /// Binds to all addresses that a host has. `localhost` has two, and clients may use either.
  private static func all(host: String, port: UInt16) throws(DaemonError) -> [ListeningSocket] {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let number = getaddrinfo(host, "\(port)", &hints, &found)
    guard number == 0 else {
      throw .hostNotFound(host: host, reason: String(cString: gai_strerror(number)))
    }
    defer { freeaddrinfo(found) }
    var sockets: [ListeningSocket] = []
    var hosts: Set<SocketAddress> = []
    var failure = DaemonError.hostNotFound(host: host, reason: "it has no address")
    var candidate = found
    while let info = candidate {
      candidate = info.pointee.ai_next
      guard hosts.insert(SocketAddress(info.pointee.ai_addr).withoutPort).inserted else { continue }
      do throws(DaemonError) {
        let port = sockets.first?.address.port ?? port
        sockets.append(try ListeningSocket(info.pointee, host: host, port: port))
      } catch {
        failure = error
        // The machine may not have one of the families.
        switch error {
        case .addressNotAvailable, .system(call: "socket", errno: _): continue
        default:
          for socket in sockets { socket.close() }
          throw error
        }
      }
    }
    guard !sockets.isEmpty else { throw failure }
    return sockets
  }

  private init(_ info: addrinfo, host: String, port: UInt16) throws(DaemonError) {
    let descriptor = micro_stream_socket(info.ai_family, info.ai_protocol)
    guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    var isListening = false
    defer { if !isListening { Glibc.close(descriptor) } }

    setOption(SO_REUSEADDR, of: SOL_SOCKET, to: Int32(1), at: descriptor)
    if info.ai_family == AF_INET6 {
      setOption(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), to: Int32(0), at: descriptor)
    }
    // Both families have the port at the same place.
    info.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      $0.pointee.sin_port = port.bigEndian
    }
    guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
      switch errno {
      case EADDRINUSE: throw .addressInUse(host: host, port: port)
      case EADDRNOTAVAIL: throw .addressNotAvailable(host: host)
      case EACCES: throw .permissionDenied(host: host, port: port)
      default: throw .system(call: "bind", errno: errno)
      }
    }
    guard Glibc.listen(descriptor, Self.backlog) == 0 else {
      if errno == EADDRINUSE { throw .addressInUse(host: host, port: port) }
      throw .system(call: "listen", errno: errno)
    }
    isListening = true
    self.init(descriptor: descriptor)
  }

  private static let backlog: Int32 = 1024

  // MARK: Unix sockets

  /// Makes a Unix socket. All users of the machine may connect, as they may to a port.
  private init(path: String) throws(DaemonError) {
    let descriptor = micro_stream_socket(AF_UNIX, 0)
    guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    var isListening = false
    defer { if !isListening { Glibc.close(descriptor) } }
    var number = Self.call(bind, descriptor, path)
    // A server that was killed leaves its file behind.
    if number == EADDRINUSE, FileIdentity(at: path) != nil, Self.isAbandoned(path) {
      unlink(path)
      number = Self.call(bind, descriptor, path)
    }
    guard number == 0 else { throw .system(call: "bind to \(path)", errno: number) }
    chmod(path, 0o666)
    guard Glibc.listen(descriptor, Self.backlog) == 0 else {
      throw .system(call: "listen", errno: errno)
    }
    isListening = true
    self.init(descriptor: descriptor, path: path, file: FileIdentity(at: path))
  }

  private static func isAbandoned(_ path: String) -> Bool {
    let client = micro_stream_socket(AF_UNIX, 0)
    guard client >= 0 else { return false }
    defer { Glibc.close(client) }
    return call(connect, client, path) == ECONNREFUSED
  }

  /// - Returns: 0, or the error number.
  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
    _ path: String
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      // A zero follows.
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    guard fits else { return ENAMETOOLONG }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
  }

  // MARK: Sockets of systemd

  private init(inheriting descriptor: Int32) throws(DaemonError) {
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0,
      isListening != 0
    else {
      throw .invalidConfiguration("descriptor \(descriptor) is not a socket that listens")
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    self.init(descriptor: descriptor, path: Self.path(of: descriptor))
  }

  private static func path(of descriptor: Int32) -> String? {
    withSocketAddress { address, length in
      guard getsockname(descriptor, address, length) == 0,
        Int32(address.pointee.sa_family) == AF_UNIX
      else { return nil }
      let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
      let bytes = UnsafeRawBufferPointer(start: address, count: Int(length.pointee)).dropFirst(
        start)
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

extension ListeningSocket: CustomStringConvertible {
  /// Such as `127.0.0.1:8080` or `unix:/run/layoutd.sock`.
  var description: String { path.map { "unix:\($0)" } ?? address.description }
}

/// Sets an option of a socket, if the system has it.
func setOption(
  _ option: Int32, of level: Int32, to value: some BitwiseCopyable, at descriptor: Int32
) {
  _ = withUnsafeBytes(of: value) {
    setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
  }
}

/// Calls `body` with memory for a socket address of any family.
func withSocketAddress<R>(
  _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> R
) -> R {
  var storage = sockaddr_storage()
  var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
  return withUnsafeMutablePointer(to: &storage) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
  }
}
