import FormProtocol
import JSON
import Testing

@testable import formctl

struct TopViewTests {
  private func statistics(_ change: (inout ServerStatistics) -> Void = { _ in }) throws -> ServerStatistics {
    var statistics = ServerStatsParams.example.answer
    statistics.process.uptimeMs = 10_000
    change(&statistics)
    return statistics
  }

  @Test
  func `clients stand below each other, with the name of their program`() throws {
    let now = try statistics { $0.topClients[0].microseconds = 2_500 }
    let lines = TopView(now: now, name: { $0 == 4711 ? "app" : nil }).lines
    #expect(lines.count == 6)
    #expect(lines[4] == "ID   PID   UID  AGE  SESSIONS  MEMORY  UNSENT  TURNS    TIME  PROGRAM")
    #expect(lines[5] == " 1  4711  1000   0s         1     0 B     0 B      0  2.5 ms  app")
  }

  @Test
  func `rates are those since the last time`() throws {
    let before = try statistics()
    let now = try statistics {
      $0.process.uptimeMs = 12_000
      $0.requests += 500
      $0.process.cpuMs = 1_000
    }
    #expect(TopView(now: now, before: before).lines[1].hasPrefix("250 messages/s, 0 updates/s, CPU 50 %"))
  }

  @Test(arguments: [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (15_000, "15 kB"), (2_000_000, "2 MB")])
  func `amounts are short`(_ count: Int, _ text: String) {
    #expect(TopView.bytes(count) == text)
  }
}
