#if canImport(Glibc)
  internal import Glibc
#endif

/// Work that goes deeper than the stack of the main thread.
enum DeepStack {
  /// What `body` makes on a thread with a stack of that many bytes, which is waited for.
  ///
  /// - Throws: ``CommandFailure`` when the system has no room for such a stack.
  static func result<Value>(bytes: Int, of body: () -> Value) throws(CommandFailure) -> Value {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    var value: Value?
    func run() { value = body() }
    let code = withoutActuallyEscaping(run) { escaping in
      let work = Work(body: escaping)
      var thread = pthread_t()
      var code = pthread_attr_setstacksize(&attributes, bytes)
      if code == 0 {
        code = pthread_create(&thread, &attributes, Work.run, Unmanaged.passUnretained(work).toOpaque())
      }
      if code == 0 { pthread_join(thread, nil) }
      return code
    }
    guard let value else {
      throw CommandFailure(message: "there is no stack of \(bytes >> 20) MiB: \(String(cString: strerror(code)))")
    }
    return value
  }

  private final class Work {
    let body: () -> Void

    init(body: @escaping () -> Void) { self.body = body }

    /// What the thread begins with.
    static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
      if let context { Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body() }
      return nil
    }
  }
}
