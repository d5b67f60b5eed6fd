#if canImport(Glibc)
  internal import Glibc
#endif

/// The files that the process has open.
package enum OpenFiles {
  /// Raises the soft limit of the process, which is often 1,024, to the hard one.
  ///
  /// - Returns: how many files the process may have open.
  package static func raiseLimit() -> Int {
    let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    // If the limit cannot be raised, it stays unchanged.
    getrlimit(resource, &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
