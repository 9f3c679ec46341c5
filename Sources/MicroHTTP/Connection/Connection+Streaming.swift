import CMicroHTTPD
import Glibc

extension Connection {
  /// Begins a stream of events. The connection is used for nothing else afterwards.
  func stream(
    _ head: Response, _ source: any EventSource, _ handle: OpaquePointer
  ) -> MHD_Result {
    if exchange.isHead { return send(head, on: handle, isStreamHead: true) }
    let request = Request(storage)
    let isDraining = core.isDraining.load(ordering: .acquiring)
    guard !isDraining, core.streams.reserve() else {
      return send(answer(to: isDraining ? .stopping : .tooManyStreams, request), on: handle)
    }
    guard let socket = takeSocket(handle) else {
      core.streams.cancelReservation()
      core.log.warn("no descriptor left for a stream")
      return send(answer(to: .tooManyStreams, request), on: handle)
    }
    core.table.admitStream(socket.descriptor, from: storage.remoteAddress)
    phase = .streaming
    isBusy.store(false, ordering: .releasing)
    let isChunked = !exchange.isHTTP10
    let (core, bytesReceived, startedAt) = (core, exchange.bytesReceived, exchange.startedAt)
    core.streams.add(
      socket, from: source, isChunked: isChunked, head: head.streamHead(isChunked: isChunked)
    ) { bytesSent, isComplete in
      if !core.isEncrypted { core.table.remove(socket.descriptor) }
      core.responder.requestCompleted(
        RequestRecord(
          request: request, requestID: head.requestID, operation: head.operation,
          status: head.status,
          isComplete: isComplete, bytesReceived: bytesReceived, bytesSent: bytesSent,
          nanoseconds: Int(core.now() - startedAt)))
    }
    // Without TLS, libmicrohttpd ends its part now.
    if !core.isEncrypted { MHD_resume_connection(handle) }
    return .YES
  }

  /// Takes the socket out of libmicrohttpd, or over TLS suspends the connection; `nil` if there is
  /// no descriptor for it.
  ///
  /// libmicrohttpd 0.9.75 gives a socket away only with status 101, and it ends the output of a
  /// socket that it closes. But it does not look at the socket of a suspended connection. So the
  /// descriptor is duplicated, and a dead socket takes its place. Only then the connection is
  /// resumed and closed.
  private func takeSocket(_ handle: OpaquePointer) -> StreamSocket? {
    guard !core.isEncrypted else {
      guard let socket = StreamSocket(suspended: handle, descriptor) else { return nil }
      MHD_suspend_connection(handle)
      return socket
    }
    guard core.deadSocket >= 0 else { return nil }
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { return nil }
    // This also takes the socket out of libmicrohttpd's epoll set.
    MHD_suspend_connection(handle)
    let result = dup2(core.deadSocket, descriptor)
    precondition(result == descriptor, "dup2: \(errno)")
    return StreamSocket(taking: own)
  }
}
