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

  @Test(arguments: SharingFault.allCases)
  func `planted faults are found`(_ fault: SharingFault) {
    let found = (1...UInt64(200)).contains { seed in
      var life = SharingSimulation(seed: seed, fault: fault)
      return life.live(steps: 120) != nil
    }
    #expect(found, "nobody notices \(fault)")
  }
}
