import Foundation
import Sessions
import Testing

@Suite struct `Simulated lives of random forms` {
  /// So many lives each form has; compiling a form costs more than living.
  private static let livesPerForm = 10

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// Fixed seeds in CI; `FORMD_SIMULATION_SEED` and `FORMD_SIMULATION_RUNS` for others.
  @Test func `merged patches are the document, step by step is from scratch, and nothing is left under way`() {
    let first = Self.number("FORMD_SIMULATION_SEED") ?? 1
    let wanted = Int(Self.number("FORMD_SIMULATION_RUNS") ?? 10_000)
    let engine = Engine()
    var lives = 0
    var turns = 0
    var forms = 0
    var seed = first
    var findings = 0
    while lives < wanted, findings < 5 {
      defer { seed &+= 1 }
      guard let run = SimulationRun(formSeed: seed, on: engine) else { continue }
      forms += 1
      for life in 0..<Self.livesPerForm where lives < wanted {
        let steps = run.history(life: life)
        let (finding, count) = run.live(steps, life: life)
        lives += 1
        turns += count
        if let finding {
          findings += 1
          Issue.record("\(run.report(finding, steps, life: life))")
          break
        }
      }
    }
    print("simulation: \(lives) lives of \(forms) forms, \(turns) turns, seeds from \(first)")
    #expect(forms > 0)
  }
}
