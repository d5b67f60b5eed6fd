import Testing

@testable import Server

struct StoringSimulationTests {
  @Test(arguments: 0..<4)
  func `nothing that was told is lost, and nothing happens twice`(_ shard: UInt64) {
    for seed in stride(from: 1 + shard, through: 400, by: 4) {
      var life = StoringSimulation(seed: seed)
      if let finding = life.live(steps: 120) { Issue.record("seed \(seed), \(finding)") }
    }
  }
}
