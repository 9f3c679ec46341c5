import MicroHTTP

extension LayoutService.Limits {
  /// The limits under which a content can be kept waiting for memory, but not for ever.
  ///
  /// It may have half of the memory. The other half is for what it came from: a compressed body is
  /// there until it is unpacked. Of an answer, which ends behind the element that exceeds its
  /// limit, the other half is for that element.
  ///
  /// - Parameter bufferBytes: What contents that are being received or sent may take together.
  public func fitting(into bufferBytes: Int) -> Self {
    var limits = self
    limits.maxBodyBytes = min(maxBodyBytes, DaemonConfiguration.uncountedBytes + bufferBytes / 2)
    limits.maxResponseBytes = min(maxResponseBytes, bufferBytes / 2)
    return limits
  }
}
