import Foundation
import Sessions
import Testing

@Suite struct `Simulated lives of random forms` {
  /// So many lives each form has; compiling a form costs more than living.
  private static let livesPerForm = 10
  /// The seeds are dealt to so many tests, which run side by side.
  private static let shardCount = 4

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// Fixed seeds in CI; `FORMD_SIMULATION_SEED` and `FORMD_SIMULATION_RUNS` set other seeds and numbers of runs.
  @Test(arguments: 0..<shardCount)
  func `merged patches are the document, step by step is from scratch, and nothing is left under way`(_ shard: Int) {
    let first = Self.number("FORMD_SIMULATION_SEED") ?? 1
    let wanted = Int(Self.number("FORMD_SIMULATION_RUNS") ?? 6_000) / Self.shardCount
    let engine = SimulationRun.newEngine()
    var lives = 0
    var turns = 0
    var forms = 0
    var seed = first &+ UInt64(shard)
    var findings = 0
    var rarities: Set<String> = []
    while lives < wanted, findings < 3 {
      defer { seed &+= UInt64(Self.shardCount) }
      guard let run = SimulationRun(formSeed: seed, on: engine) else { continue }
      rarities.formUnion(run.plan.rarities)
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
    print(
      "simulation: \(lives) lives of \(forms) forms, \(turns) turns, every \(Self.shardCount)th seed from \(first) on"
    )
    #expect(forms > 0)
    // The compiler refuses many random forms. It must not refuse all of a kind.
    if lives > 1_000 { #expect(rarities.count == 6, "\(rarities)") }
  }
}
