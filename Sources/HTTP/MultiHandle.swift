internal import CCurl

/// libcurl's handle for many transfers and their connections.
///
/// `@unchecked Sendable`: the thread of the client uses the handle. Callers on other threads use it for
/// `curl_multi_wakeup(3)` alone, which is thread-safe, and with the inbox locked. The thread frees a handle after it
/// has taken it out of the inbox.
struct MultiHandle: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer

  /// Nil if the process has no memory or no file descriptor left.
  init?(connectionsMax: Int) {
    _ = Self.library
    guard let pointer = curl_multi_init() else { return nil }
    // libcurl makes a handle even if it has no descriptors by which it can be woken.
    guard curl_multi_wakeup(pointer) == CURLM_OK else {
      curl_multi_cleanup(pointer)
      return nil
    }
    self.pointer = pointer
    formd_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, connectionsMax)
  }

  /// Ends a wait of the client's thread; from any thread.
  func wake() { curl_multi_wakeup(pointer) }

  /// libcurl is set up once in a process (curl_global_init(3)).
  private static let library: Void = {
    let code = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    precondition(code == CURLE_OK, "libcurl cannot be set up: error \(code.rawValue)")
  }()
}
