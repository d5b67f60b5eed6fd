import FormProtocol
import JSON
import Testing

struct MetricsTextTests {
  private let lines: [Substring] = {
    var statistics = ServerStatsParams.example.answer
    statistics.memory.values = 17
    statistics.process.cpuMs = 1_234
    statistics.turnTime.count = 3
    statistics.turnTime.totalMicroseconds = 60
    statistics.turnTime.buckets = [.init(microsecondsMax: 50, count: 2)]
    return MetricsText(statistics, limits: ["memoryMax": 268_435_456]).text.split(separator: "\n")
  }()

  @Test(arguments: [
    "# TYPE formd_connections gauge", "formd_connections 1", "# TYPE formd_kept_sessions gauge",
    "# TYPE formd_requests_total counter",
    "formd_requests_total 12", #"formd_memory_bytes{account="values"} 17"#, #"formd_queue_length{queue="effects"} 0"#,
    "# TYPE formd_turn_seconds histogram", #"formd_turn_seconds_bucket{le="0.000050"} 2"#,
    #"formd_turn_seconds_bucket{le="+Inf"} 3"#, "formd_turn_seconds_sum 0.000060", "formd_turn_seconds_count 3",
    "formd_process_cpu_seconds_total 1.234", "formd_process_resident_memory_bytes 0",
    #"formd_limit{name="memoryMax"} 268435456"#,
  ])
  func `each thing that is counted has a metric`(_ line: String) {
    #expect(lines.contains { $0 == line }, "\(lines)")
  }

  @Test
  func `all names are the daemon's own`() {
    let beginnings = ["formd_", "# HELP formd_", "# TYPE formd_"]
    #expect(lines.allSatisfy { line in beginnings.contains { line.hasPrefix($0) } })
  }

  @Test
  func `each metric says what it is before its numbers, once`() {
    var declared: Set<Substring> = []
    for line in lines {
      if line.hasPrefix("# TYPE ") {
        #expect(declared.insert(line.split(separator: " ")[2]).inserted)
      } else if !line.hasPrefix("#") {
        #expect(declared.contains { line.hasPrefix($0) }, "\(line)")
      }
    }
    #expect(declared.count > 20)
  }
}
