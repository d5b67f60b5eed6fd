/// A simulation that must find the mutants of its file.
enum MutantHunt: String {
  case engine, ownership, providers, sharing, storing

  /// The number of lives in which each mutant must be found.
  var livesMax: Int {
    switch self {
    case .engine: 12_000
    case .ownership: 2_000
    case .providers: 100
    case .sharing, .storing: 200
    }
  }

  /// The first violation in so many lives, and the life that shows it.
  func firstViolation(in lives: Int) -> (life: Int, violation: String)? {
    switch self {
    case .engine: firstViolationOfTheEngine(in: lives)
    case .ownership:
      firstViolation(in: lives) { seed in
        var life = OwnershipSimulation(seed: seed, machines: seed.isMultiple(of: 3) ? 3 : 2)
        return life.live(steps: 250)
      }
    case .providers:
      firstViolation(in: lives) { seed in
        var life = ProviderSimulation(seed: seed)
        return life.live(steps: 120)?.description
      }
    case .sharing:
      firstViolation(in: lives) { seed in
        var life = SharingSimulation(seed: seed)
        return life.live(steps: 120)?.description
      }
    case .storing:
      firstViolation(in: lives) { seed in
        var life = StoringSimulation(seed: seed)
        return life.live(steps: 120)
      }
    }
  }

  private func firstViolation(in lives: Int, _ live: (UInt64) -> String?) -> (life: Int, violation: String)? {
    for life in 1...lives {
      if let violation = live(UInt64(life)) { return (life, violation) }
    }
    return nil
  }

  /// Ten lives of each form, because compiling a form costs more than living.
  private func firstViolationOfTheEngine(in lives: Int) -> (life: Int, violation: String)? {
    var lived = 0
    var seed: UInt64 = 1
    while lived < lives {
      defer { seed += 1 }
      guard let run = SimulationRun(formSeed: seed) else { continue }
      for life in 0..<10 where lived < lives {
        lived += 1
        if let finding = run.live(run.history(life: life), life: life).finding {
          return (lived, "\(finding) (seed \(seed), life \(life))")
        }
      }
    }
    return nil
  }
}
