import Testing

@testable import Server

struct OwnershipSimulationTests {
  @Test(arguments: 0..<4)
  func `whatever happens to daemons, one has the session, and nothing acknowledged is lost`(_ shard: UInt64) {
    for seed in stride(from: 1 + shard, through: 800, by: 4) {
      var life = OwnershipSimulation(seed: seed, machines: seed % 3 == 0 ? 3 : 2)
      if let finding = life.live(steps: 250) { Issue.record("seed \(seed), \(finding)") }
    }
  }
}
