import System

/// A stream that the thread of the streams does not have yet.
struct ArrivingStream: Sendable {
  let stream: EventStream
  let socket: StreamSocket
  let source: any EventSource
  let isChunked: Bool
  let head: [UInt8]
  /// When the stream is to end, at the next heartbeat.
  let endsAt: Nanoseconds
  let ended: @Sendable (_ bytes: Int, _ isComplete: Bool) -> Void
}

/// What the thread of the streams knows of a stream: what is to be sent, and how far that is.
final class OpenStream {
  let arrival: ArrivingStream
  /// What was not sent yet begins at `start`.
  private var unsent: [UInt8]
  private var start = 0
  /// Since when the client has not taken all that was sent; `nil` if it has.
  var blockedSince: Nanoseconds?
  /// Whether the stream ends when there is nothing more to send.
  var isDraining = false
  /// Whether the stream ends when all is sent.
  private(set) var isEnding = false
  /// With the header section.
  private(set) var bytesSent = 0

  init(_ arrival: ArrivingStream) {
    self.arrival = arrival
    unsent = arrival.head
  }

  var serial: UInt64 { arrival.stream.serial }

  /// Adds content to what is to be sent.
  func put(_ bytes: [UInt8]) {
    // An empty chunk would be the end.
    guard !bytes.isEmpty else { return }
    guard arrival.isChunked else {
      unsent += bytes
      return
    }
    unsent += "\(String(bytes.count, radix: 16))\r\n".utf8
    unsent += bytes
    unsent += "\r\n".utf8
  }

  /// Adds the end of the content.
  func putEnd() {
    isEnding = true
    if arrival.isChunked { unsent += "0\r\n\r\n".utf8 }
  }

  enum Sent {
    case all
    case wouldBlock
    case broken
  }

  /// Sends until all is sent or the client takes no more.
  func send() -> Sent {
    while start < unsent.count {
      switch arrival.socket.send(unsent[start...]) {
      case .bytes(let count):
        start += count
        bytesSent += count
      case .wouldBlock: return .wouldBlock
      case .broken: return .broken
      }
    }
    // The memory of a large batch is given back.
    if unsent.capacity > 1024 {
      unsent = []
    } else {
      unsent.removeAll(keepingCapacity: true)
    }
    start = 0
    return .all
  }
}
