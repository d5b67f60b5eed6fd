import FormProtocol
import JSON
import Testing

struct MetricsTextTests {
  /// The metrics of a daemon that has asked one service twice and one provider once.
  private static func text(_ format: MetricsText.Format) -> String {
    var statistics = ServerStatsParams.example.answer
    statistics.memory.values = 17
    statistics.process.cpuMs = 1_234
    statistics.turnTime.count = 3
    statistics.turnTime.totalMicroseconds = 60
    statistics.turnTime.buckets = [.init(microsecondsMax: 50, count: 2)]
    statistics.brokenForms = 2
    statistics.targets = [target("provider", "tax \"\\\n"), target("service", "shop", failures: 1)]
    var error = ErrorStatistics()
    (error.code, error.count) = (-32602, 4)
    statistics.errorCodes = [error]
    var form = FormStatistics()
    (form.form, form.turns, form.slowTurns, form.faults) = ("login", 9, 2, 1)
    statistics.forms = [form]
    let limits: JSONObject = ["memoryMax": 268_435_456]
    return MetricsText(statistics, limits: limits, version: "1.2.3", format: format).text
  }

  private static func target(_ part: String, _ name: String, failures: Int = 0) -> TargetStatistics {
    var target = TargetStatistics()
    (target.part, target.name) = (part, name)
    target.answerTime.count = 1 + failures
    target.answerTime.totalMicroseconds = 1_500
    target.answerTime.buckets = [.init(microsecondsMax: 1_000, count: 1)]
    if failures > 0 { target.failures = [.init(kind: "timeout", count: failures)] }
    return target
  }

  private let lines = Self.text(.prometheus).split(separator: "\n")

  @Test(arguments: [
    "# TYPE formd_connections gauge", "formd_connections 1", "# TYPE formd_kept_sessions gauge",
    "# TYPE formd_requests_total counter",
    "formd_requests_total 12", #"formd_memory_bytes{account="values"} 17"#, #"formd_queue_length{queue="effects"} 0"#,
    "# TYPE formd_turn_seconds histogram", #"formd_turn_seconds_bucket{le="0.000050"} 2"#,
    #"formd_turn_seconds_bucket{le="+Inf"} 3"#, "formd_turn_seconds_sum 0.000060", "formd_turn_seconds_count 3",
    "formd_process_cpu_seconds_total 1.234", "formd_process_resident_memory_bytes 0",
    #"formd_limit{name="memoryMax"} 268435456"#,
    "# TYPE formd_target_seconds histogram",
    #"formd_target_seconds_bucket{part="service",name="shop",le="0.001000"} 1"#,
    #"formd_target_seconds_bucket{part="service",name="shop",le="+Inf"} 2"#,
    #"formd_target_seconds_sum{part="service",name="shop"} 0.001500"#,
    #"formd_target_seconds_count{part="provider",name="tax \"\\\n"} 1"#,
    #"formd_target_failures_total{part="service",name="shop",kind="timeout"} 1"#,
    #"formd_request_errors_total{code="-32602"} 4"#, #"formd_form_turns_total{form="login"} 9"#,
    #"formd_form_slow_turns_total{form="login"} 2"#, #"formd_form_faults_total{form="login"} 1"#,
    "# TYPE formd_broken_forms gauge", "formd_broken_forms 2", #"formd_build_info{version="1.2.3"} 1"#,
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

  @Test
  func `OpenMetrics names counters without their suffix, and ends with EOF`() {
    let text = Self.text(.openMetrics)
    #expect(text.contains("# TYPE formd_requests counter\nformd_requests_total 12\n"))
    #expect(text.contains("# TYPE formd_connections gauge\n"))
    #expect(text.hasSuffix("\n# EOF\n"))
    #expect(MetricsText.Format.openMetrics.contentType == "application/openmetrics-text; version=1.0.0; charset=utf-8")
    // Apart from that the texts are the same.
    let numbers = { (text: String) in text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
    #expect(numbers(text) == numbers(Self.text(.prometheus)))
  }
}
