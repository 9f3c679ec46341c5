import MicroHTTP

/// What an EventSource gets instead of 503.
///
/// At any status but 200 it gives up for good (WHATWG HTML, section 9.2.3). An empty stream makes
/// it come back after a while.
enum EventSourceRefusal {
  /// Makes the answer 200 if it is 503 and an EventSource asks for a stream.
  static func soften(_ response: inout Response, to request: borrowing Request) {
    guard response.status == .serviceUnavailable, request.method == .get,
      let accept = request[.accept], accept.contains(MediaType.eventStream),
      Route.numbers(at: request.target).contains(where: {
        Route.all[$0].answerTypes == [MediaType.eventStream]
      })
    else { return }
    let seconds = response["Retry-After"].flatMap { Int($0) } ?? 1
    // Those that are refused together come back one after another.
    let milliseconds = seconds * 1000 + Int.random(in: 0..<seconds * 1000)
    response = Response(
      status: .ok, commonHeaders: LayoutService.streamHeaders,
      body: Array("retry: \(milliseconds)\n\n".utf8))
  }
}
