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

  @Test(arguments: [(80, 24), (40, 10), (20, 3)])
  func `a terminal shows what it has room for`(columns: Int, rows: Int) throws {
    let now = try statistics { now in
      now.topClients = (0..<100).map { _ in now.topClients[0] }
    }
    let view = TopView(now: now, name: { _ in String(repeating: "x", count: 200) })
    let lines = view.lines(columns: columns, rows: rows)
    #expect(lines.count == rows)
    #expect(lines.allSatisfy { $0.count <= columns })
    #expect(lines[0].hasPrefix("up 10s,"))
    if columns < 80 { return }
    #expect(lines.contains { $0.contains("resident") } && lines.contains { $0.contains("PROGRAM") })
  }

  @Test
  func `how long turns take is said of those since the last time`() throws {
    let before = try statistics {
      $0.turnTime.count = 100
      $0.turnTime.buckets = [.init(microsecondsMax: 50, count: 100), .init(microsecondsMax: 1_000, count: 100)]
    }
    let now = try statistics {
      $0.turnTime.count = 102
      $0.turnTime.buckets = [.init(microsecondsMax: 50, count: 100), .init(microsecondsMax: 1_000, count: 102)]
    }
    #expect(TopView(now: now, before: before).lines[1].contains("half within 1 ms"))
    #expect(TopView(now: before, before: before).lines[1].contains("half within -"))
  }

  @Test(arguments: [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (15_000, "15 kB"), (2_000_000, "2 MB")])
  func `amounts are short`(_ count: Int, _ text: String) {
    #expect(TopView.bytes(count) == text)
  }
}
