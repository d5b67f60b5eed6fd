import Testing

@testable import Server

struct ProviderSimulationTests {
  @Test(arguments: 0..<4)
  func `each question is at one provider, and comes to what that one says`(_ shard: UInt64) {
    for seed in stride(from: 1 + shard, through: 100, by: 4) {
      var life = ProviderSimulation(seed: seed)
      if let finding = life.live(steps: 120) { Issue.record("seed \(seed), \(finding)") }
    }
  }
}
