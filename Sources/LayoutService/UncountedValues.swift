/// Values in a fixed order that are used without counting references. Otherwise threads that use
/// the same values would contend for the counts.
///
/// With counts, `swift_retain` and `swift_release` took 8 % of a query of a gallery instead of 6 %
/// (perf, two threads). A count of instructions does not show it.
final class UncountedValues<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  /// Retained by `init` and released by `deinit`.
  private let boxes: [Unmanaged<Box>]

  init(_ values: [Value]) {
    boxes = values.map { .passRetained(Box($0)) }
  }

  deinit {
    for box in boxes { box.release() }
  }

  var indices: Range<Int> { boxes.indices }

  /// Calls `body` with a value.
  func use<R, E: Error>(_ index: Int, _ body: (Value) throws(E) -> R) throws(E) -> R {
    try boxes[index]._withUnsafeGuaranteedRef { box in
      do throws(E) {
        return Result<R, E>.success(try body(box.value))
      } catch {
        return .failure(error)
      }
    }.get()
  }
}
