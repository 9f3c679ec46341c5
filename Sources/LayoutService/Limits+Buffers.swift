import MicroHTTP

extension LayoutService.Limits {
  /// The limits lowered so that a content may have to wait for memory, but never for ever.
  ///
  /// A content may use half of the memory. The other half is for its source: a compressed body
  /// stays in memory until it is decompressed. For an answer, which ends after the element that
  /// exceeds its limit, the other half is for that element.
  ///
  /// - Parameter bufferBytes: The memory of all contents that are being received or sent, in bytes.
  public func fitting(into bufferBytes: Int) -> Self {
    var limits = self
    limits.maxBodyBytes = min(maxBodyBytes, DaemonConfiguration.uncountedBytes + bufferBytes / 2)
    limits.maxResponseBytes = min(maxResponseBytes, bufferBytes / 2)
    limits.maxWorkBytes = bufferBytes
    return limits
  }
}
