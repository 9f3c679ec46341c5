import MicroHTTP

extension FuzzTarget {
  /// A body of which the request says that it is gzip.
  static let gzip = FuzzTarget("gzip") { bytes in
    FuzzService().send(
      .post, RequestTarget("/layouts/grid/prepare"),
      headers: [(.contentType, "application/json"), (.contentEncoding, "gzip")], body: bytes)
  }
}
