internal import Times

/// Memory is freed on other threads, and given back to the system.
extension FormServer {
  /// Some large memory may have been freed. The allocator keeps freed memory. So a moment later, when all of it is
  /// freed, it is asked to give it back to the system.
  @inline(__always)
  func memoryWasFreed() {
    if !isTrimScheduled { scheduleTrim() }
  }

  private func scheduleTrim() {
    isTrimScheduled = true
    // Some callers have not entered, and an old time would be due already.
    _ = schedule(.trim, at: environment.now() + .milliseconds(500))
  }

  /// Does work on another thread, then calls the completion, even if the work was given up. The work may take so long
  /// that the allocator was asked to give memory back before the work freed any. So it is asked again.
  ///
  /// - Parameter definition: the definition that the work compiles; nil: it compiles none.
  func offload(
    _ work: @escaping @Sendable () -> Void,
    compiling definition: BroughtDefinition? = nil,
    _ completion: @escaping () -> Void = {}
  ) {
    let definitions = definition == nil ? 0 : 1
    let bytes = definition?.memoryBytes ?? 0
    counts.compiling += definitions
    memory.sessions += bytes
    environment.offload(definition == nil ? .parsing : .compiling, work) { [weak self] in
      self?.counts.compiling -= definitions
      self?.memory.sessions -= bytes
      completion()
      self?.memoryWasFreed()
    }
  }

  /// Frees a large value on another thread, when the entry under way has let go of it.
  func letGo(_ value: some Sendable) {
    let last = LastReference(value)
    environment.beforePoll { [weak self, environment] in
      guard let self else { return environment.offload(.parsing, last.release) {} }
      offload(last.release)
    }
  }
}
