import Forms
internal import Times

#if MUTANTS
  @testable import Sessions
#else
  import Sessions
#endif

/// An engine that a life is compared with. A mutant is a bug of the life's own engine, so it is off while this engine
/// works.
struct ReferenceEngine {
  private let engine: Engine

  init(_ wallClock: SimulatedWallClock) { engine = Engine(wallClock: { wallClock.time }) }

  func open(_ form: Form, options: OpenOptions, at now: Instant) -> Session {
    Self.pauseMutants(true)
    defer { Self.pauseMutants(false) }
    return engine.open(form, options: options, at: now).session
  }

  func restore(
    _ form: Form,
    from snapshot: SessionSnapshot,
    at now: Instant,
    migrates: Bool = false
  ) throws(SnapshotError) -> RestoredSession {
    Self.pauseMutants(true)
    defer { Self.pauseMutants(false) }
    return try engine.restore(form, from: snapshot, at: now, migrates: migrates)
  }

  func apply(_ input: Input, to session: Session, at now: Instant) {
    Self.pauseMutants(true)
    defer { Self.pauseMutants(false) }
    _ = engine.apply(input, to: session, at: now)
  }

  func recomputeFromScratch(_ session: Session, at now: Instant) -> Turn {
    Self.pauseMutants(true)
    defer { Self.pauseMutants(false) }
    return engine.recomputeFromScratch(session, at: now)
  }

  private static func pauseMutants(_ arePaused: Bool) {
    #if MUTANTS
      Sessions.Mutants.arePaused = arePaused
    #endif
  }
}
