internal import NIOPosix
package import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// The threads for work that would keep the event loop from its connections: two for each kind of work.
package final class OffloadedWorkers: Sendable {
  private let compilers = NIOThreadPool(numberOfThreads: 2)
  private let parsers = NIOThreadPool(numberOfThreads: 2)

  package init() {
    compilers.start()
    parsers.start()
  }

  /// Does work of that kind on one of its threads.
  package func perform(_ kind: OffloadedKind, _ work: @escaping @Sendable () -> Void) {
    let pool = kind == .compiling ? compilers : parsers
    pool.submit { _ in
      Self.yieldToEventLoop()
      work()
    }
  }

  /// Ends the threads; waiting work is given up.
  package func shutDown() async {
    try? await compilers.shutdownGracefully()
    try? await parsers.shutdownGracefully()
  }

  /// Makes the calling thread nicer than the event loop's, in case both share a core. Linux keeps this per
  /// thread (setpriority(2)).
  private static func yieldToEventLoop() {
    #if os(Linux)
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #endif
  }
}
