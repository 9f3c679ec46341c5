import CMicroHTTPD
import Glibc

/// A listening TCP socket.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  /// The address to which it is bound. The port is the real one if 0 was requested.
  let address: SocketAddress

  /// Resolves the host and binds to the first of its addresses that works.
  init(host: String, port: UInt16) throws(DaemonError) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let number = getaddrinfo(host, "\(port)", &hints, &found)
    guard number == 0 else {
      throw .hostNotFound(host: host, reason: String(cString: gai_strerror(number)))
    }
    defer { freeaddrinfo(found) }
    var failure = DaemonError.hostNotFound(host: host, reason: "it has no address")
    var candidate = found
    while let info = candidate {
      do throws(DaemonError) {
        descriptor = try Self.listen(on: info.pointee, host: host, port: port)
        address = Self.boundAddress(of: descriptor)
        return
      } catch {
        failure = error
      }
      candidate = info.pointee.ai_next
    }
    throw failure
  }

  private static func listen(
    on info: addrinfo, host: String, port: UInt16
  ) throws(DaemonError) -> Int32 {
    let descriptor = micro_stream_socket(info.ai_family, info.ai_protocol)
    guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    var isListening = false
    defer { if !isListening { close(descriptor) } }

    var on: Int32 = 1
    var off: Int32 = 0
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
    if info.ai_family == AF_INET6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size)
    }
    guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
      switch errno {
      case EADDRINUSE: throw .addressInUse(host: host, port: port)
      case EADDRNOTAVAIL: throw .addressNotAvailable(host: host)
      case EACCES: throw .permissionDenied(host: host, port: port)
      default: throw .system(call: "bind", errno: errno)
      }
    }
    guard Glibc.listen(descriptor, 1024) == 0 else {
      if errno == EADDRINUSE { throw .addressInUse(host: host, port: port) }
      throw .system(call: "listen", errno: errno)
    }
    isListening = true
    return descriptor
  }

  private static func boundAddress(of descriptor: Int32) -> SocketAddress {
    withSocketAddress { address, length in
      _ = getsockname(descriptor, address, length)
      return SocketAddress(address)
    }
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
