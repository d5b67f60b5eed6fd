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

  @Test(arguments: OwnershipSimulation.Fault.all)
  func `planted faults are found`(_ fault: OwnershipSimulation.Fault) {
    let found = (1...UInt64(2_000)).contains { seed in
      var life = OwnershipSimulation(seed: seed, fault: fault)
      return life.live(steps: 250) != nil
    }
    #expect(found, "nobody notices \(fault)")
  }
}
