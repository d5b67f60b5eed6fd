import Testing

@testable import Server

struct SharingSimulationTests {
  @Test(arguments: 0..<4)
  func `whoever has read all has the document, the values and each event once`(_ shard: UInt64) {
    for seed in stride(from: 1 + shard, through: 200, by: 4) {
      var life = SharingSimulation(seed: seed)
      if let finding = life.live(steps: 120) { Issue.record("seed \(seed), \(finding)") }
    }
  }
}
