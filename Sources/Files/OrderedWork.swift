internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Work on many things at a time whose results come in the order of the things.
package enum OrderedWork {
  /// How many processors there are.
  package static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The number of things for each thread that may begin before a result is taken. It bounds the results that wait.
  private static let aheadMax = 32
  /// The stack size of the main thread on most systems, or more. The system's own default for others may be a quarter
  /// of it.
  private static let usualStackBytes = 16 << 20

  /// Does the work on each thing.
  ///
  /// - Parameters:
  ///   - things: the things to work on.
  ///   - threads: how many threads work.
  ///   - stackBytes: how large a stack the work needs; nil if the stack of the caller's thread is large enough.
  ///   - work: makes a result; called on any of the threads.
  ///   - take: gets the results in the order of the things, on the caller's thread.
  /// - Throws: ``SystemError`` when the system has no thread with such a stack.
  package static func perform<Thing: Sendable, Result: Sendable>(
    on things: [Thing],
    threads: Int,
    stackBytes: Int? = nil,
    _ work: @Sendable (Thing) -> Result,
    take: (Result) -> Void
  ) throws(SystemError) {
    if things.count == 1 || threads == 1, stackBytes == nil {
      for thing in things { take(work(thing)) }
      return
    }
    let next = Atomic(0)
    let results = Mutex([Int: Result]())
    // Counts the things that may begin.
    let room = DispatchSemaphore(value: threads * aheadMax)
    // Counts the results that have come.
    let made = DispatchSemaphore(value: 0)
    func run() {
      while true {
        room.wait()
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < things.count else {
          // The next thread needs the room to end, too.
          room.signal()
          return
        }
        let result = work(things[index])
        results.withLock { $0[index] = result }
        made.signal()
      }
    }
    try withoutActuallyEscaping(run) { body throws(SystemError) in
      let team = Team(body: body)
      var members: [pthread_t] = []
      var refusal: SystemError?
      while members.count < min(threads, things.count), refusal == nil {
        do throws(SystemError) {
          members.append(try team.start(stackBytes: stackBytes ?? usualStackBytes))
        } catch {
          refusal = error
        }
      }
      // Fewer threads do it, too.
      if members.isEmpty, let refusal { throw refusal }
      for index in things.indices {
        while true {
          if let result = results.withLock({ $0.removeValue(forKey: index) }) {
            take(result)
            break
          }
          made.wait()
        }
        room.signal()
      }
      for member in members { pthread_join(member, nil) }
    }
  }

  /// The work of several threads.
  private final class Team {
    private let body: () -> Void

    init(body: @escaping () -> Void) { self.body = body }

    /// Starts a thread; the caller waits for its end before the team is released.
    func start(stackBytes: Int) throws(SystemError) -> pthread_t {
      let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
      defer { attributes.deallocate() }
      pthread_attr_init(attributes)
      defer { pthread_attr_destroy(attributes) }
      var code = pthread_attr_setstacksize(attributes, stackBytes)
      var thread = pthread_t()
      if code == 0 { code = pthread_create(&thread, attributes, Self.run, Unmanaged.passUnretained(self).toOpaque()) }
      guard code == 0 else { throw SystemError(code: code) }
      return thread
    }

    /// The function that the thread begins with.
    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
      if let context { Unmanaged<Team>.fromOpaque(context).takeUnretainedValue().body() }
      return nil
    }
  }
}
