/// Objects in a fixed order that are used without counting references. Otherwise threads that use
/// the same objects would contend for the counts.
final class UncountedObjects<Object: AnyObject & Sendable>: Sendable {
  /// Retained by `init` and released by `deinit`.
  private let objects: [Unmanaged<Object>]

  init(_ objects: [Object]) {
    self.objects = objects.map { .passRetained($0) }
  }

  deinit {
    for object in objects { object.release() }
  }

  /// Calls `body` with an object.
  func use<R, E: Error>(
    _ index: Int, _ body: (Object) throws(E) -> R
  ) throws(E) -> R {
    try objects[index]._withUnsafeGuaranteedRef { object in
      do throws(E) {
        return Result<R, E>.success(try body(object))
      } catch {
        return .failure(error)
      }
    }.get()
  }
}
