#if DEBUG
  /// A way to break the engine on purpose. The simulation must find each; nothing of it is in a release build.
  package enum Mutation: String, CaseIterable, Sendable {
    /// The first formula that reads a changed cell is not computed again.
    case skipDependent
    /// An answer that nobody waits for any more is taken all the same.
    case forgetGeneration
    /// What one turn changed is told with the next.
    case swapTurns
    /// Every seventh change of a cell is not noted.
    case dropNote
    /// A check that ends is still counted as pending.
    case wrongCounter
    /// A cell keeps its old value for formulas, though those that read it are computed again.
    case staleSlot
    /// An effect gets no timeout.
    case forgetTimeout
    /// A tap does not let through what throttled fields hold back.
    case skipFlush
    /// A secret's own names stand in messages and paths.
    case leakSecret
    /// A hidden field's errors count.
    case countHidden
    /// Reset leaves effects in flight.
    case keepEffects
    /// A queued run is forgotten when it would be its turn.
    case loseQueued
    /// A value that takes the place of a larger one is not counted.
    case miscountValues
    /// What an object-level keyword of the schema says is not found out again.
    case skipPart
  }

  extension Engine {
    /// Whether that fault is in.
    @inline(__always)
    func has(_ fault: Mutation) -> Bool { mutation == fault }
  }
#endif
