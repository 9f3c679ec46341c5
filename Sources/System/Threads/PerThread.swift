public import Glibc

/// An object for each thread that uses it. It is made at the first use and released when the thread
/// ends.
///
/// `@unchecked Sendable`: each thread only sees its own object, and the key is constant.
public struct PerThread<Object: AnyObject>: @unchecked Sendable {
  @usableFromInline let key: pthread_key_t
  private let make: @Sendable () -> Object

  public init(_ make: @escaping @Sendable () -> Object) {
    var key = pthread_key_t()
    let error = pthread_key_create(&key) { Unmanaged<AnyObject>.fromOpaque($0!).release() }
    precondition(error == 0, "pthread_key_create: \(error)")
    self.key = key
    self.make = make
  }

  /// Calls `body` with the object of the calling thread.
  @inlinable @inline(__always)
  public func callAsFunction<R>(_ body: (Object) -> R) -> R {
    guard let known = pthread_getspecific(key) else { return body(add()) }
    return Unmanaged<Object>.fromOpaque(known)._withUnsafeGuaranteedRef(body)
  }

  @usableFromInline
  func add() -> Object {
    let new = make()
    // This retains the object. It is released when the thread ends.
    pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
    return new
  }
}
