#if DEBUG
  import Forms
  import Sessions
  import Testing

  @Suite struct `The simulation finds what is broken on purpose` {
    private static let livesMax = 12_000

    @Test(arguments: Mutation.allCases)
    func `every fault that can be put into the engine`(_ mutation: Mutation) {
      var lives = 0
      var seed: UInt64 = 1
      while lives < Self.livesMax {
        defer { seed += 1 }
        guard let run = SimulationRun(formSeed: seed) else { continue }
        for life in 0..<10 {
          lives += 1
          if run.live(run.history(life: life), life: life, mutation: mutation.rawValue).finding != nil { return }
        }
      }
      Issue.record("\(mutation) was not found in \(lives) lives")
    }
  }
#endif
