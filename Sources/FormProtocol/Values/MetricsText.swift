public import JSON

/// The daemon's counters in a text format of Prometheus.
///
/// It is made from the list of members that ``ServerStatistics`` has: each listed counter gets a metric. A number is a
/// counter unless it is one of ``gauges``.
public struct MetricsText: Sendable {
  /// The formats of such a text. Prometheus reads both.
  public enum Format: Sendable {
    /// Prometheus' own (its documentation, "Exposition formats", version 0.0.4).
    case prometheus
    /// OpenMetrics 1.0.0 (https://prometheus.io/docs/specs/om/open_metrics_spec).
    case openMetrics

    /// The content type of such a text over HTTP.
    public var contentType: String {
      switch self {
      case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
      case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
      }
    }
  }

  /// The text; it ends with a line break.
  public private(set) var text = ""

  /// Members with the current state.
  private static let gauges: Set<String> = [
    "connections", "sessions", "keptSessions", "providerHolders", "providerHoldersPassedOver", "servicesPassedOver",
    "brokenForms",
  ]

  /// The metrics of those statistics.
  ///
  /// - Parameters:
  ///   - limits: the limits in force, by name, as ``ServerInfo/limits`` has them.
  ///   - version: the daemon's version, as ``ServerInfo/version`` has it.
  public init(_ statistics: ServerStatistics, limits: JSONObject, version: String, format: Format = .prometheus) {
    var statistics = statistics
    var writer = Visitor(format: format)
    statistics.list(&writer)
    writer.limits(limits)
    writer.build(version)
    text = writer.text
    if format == .openMetrics { text += "# EOF\n" }
  }

  private struct Visitor: CountVisitor {
    let format: Format
    var text = ""

    mutating func required<Value: MemberValue>(
      _ name: StaticString,
      _ value: inout Value,
      _ summary: StaticString,
      missing: StaticString
    ) {
      let help = summary.description
      switch value {
      case let number as Int:
        let metric = "formd_" + Self.snakeCase(name.description)
        if MetricsText.gauges.contains(name.description) {
          begin(metric, "gauge", help)
          add(metric, number)
        } else {
          begin(metric + "_total", "counter", help)
          add(metric + "_total", number)
        }
      case let memory as MemoryGauges:
        group("formd_memory_bytes", "account", memory, help)
      case let queues as QueueGauges:
        group("formd_queue_length", "queue", queues, help)
      case let times as TimeHistogram:
        histogram("formd_turn_seconds", times, help)
      case let process as ProcessUsage:
        // Not `process_…`, because Prometheus' clients use these names for themselves: in its textfiles they would be
        // the node exporter's own.
        begin("formd_process_cpu_seconds_total", "counter", "Processor time that the daemon has used.")
        add("formd_process_cpu_seconds_total", Self.decimal(process.cpuMs, places: 3))
        begin("formd_process_resident_memory_bytes", "gauge", "Bytes of memory that the daemon has from the system.")
        add("formd_process_resident_memory_bytes", process.residentBytes)
        begin("formd_uptime_seconds", "gauge", "How long the daemon has been running.")
        add("formd_uptime_seconds", Self.decimal(process.uptimeMs, places: 3))
      default: preconditionFailure("\(name) is counted, but has no metric")
      }
    }

    mutating func optional<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ summary: StaticString) {
      guard let store = value as? StoreStatistics else { return }
      begin("formd_store_up", "gauge", "Whether the store of kept sessions answers and can be written: 1 or 0.")
      add("formd_store_up", store.isUp ? 1 : 0)
      if let leaseMs = store.leaseMs {
        begin("formd_store_lease_seconds", "gauge", "How much of the lease on kept sessions is left.")
        add("formd_store_lease_seconds", Self.decimal(leaseMs, places: 3))
      }
      if let sessions = store.sessions {
        begin("formd_store_sessions", "gauge", "Sessions in the store, in memory or not, of all daemons.")
        add("formd_store_sessions", sessions)
      }
      histogram(
        "formd_store_commit_seconds",
        store.commitTime,
        "How long writes of kept sessions took until they were committed."
      )
    }

    mutating func optional<Element: MemberValue>(
      _ name: StaticString,
      _ elements: inout [Element],
      _ summary: StaticString
    ) {
      switch elements {
      case let targets as [TargetStatistics]: self.targets(targets)
      case let errors as [ErrorStatistics]:
        counts("formd_request_errors_total", "Requests answered with an error, by its code.", errors) {
          ([("code", String($0.code))], $0.count)
        }
      case let forms as [FormStatistics]:
        counts("formd_form_turns_total", "Turns of a form's sessions.", forms) { ([("form", $0.form)], $0.turns) }
        counts(
          "formd_form_slow_turns_total",
          "Pieces of work for a form that were logged because they were slow.",
          forms
        ) {
          ([("form", $0.form)], $0.slowTurns)
        }
        counts("formd_form_faults_total", "Run-time errors of a form's formulas.", forms) {
          ([("form", $0.form)], $0.faults)
        }
      default: break
      }
    }

    private mutating func targets(_ targets: [TargetStatistics]) {
      guard !targets.isEmpty else { return }
      begin("formd_target_seconds", "histogram", "How long services, databases and providers took to answer.")
      for target in targets { addTimes("formd_target_seconds", target.answerTime, Self.labels(of: target)) }
      let failures = targets.flatMap { target in target.failures.map { (target, $0) } }
      counts("formd_target_failures_total", "Failed requests to services, databases and providers.", failures) {
        (Self.labels(of: $0.0) + [("kind", $0.1.kind)], $0.1.count)
      }
    }

    private static func labels(of target: TargetStatistics) -> [(String, String)] {
      [("part", target.part), ("name", target.name)]
    }

    /// A counter with a number for each element.
    private mutating func counts<Element>(
      _ metric: String,
      _ help: String,
      _ elements: [Element],
      _ count: (Element) -> (labels: [(String, String)], number: Int)
    ) {
      guard !elements.isEmpty else { return }
      begin(metric, "counter", help)
      for element in elements {
        let (labels, number) = count(element)
        add(metric + "{\(Self.text(of: labels))}", number)
      }
    }

    /// Labels with their values, in which quotes, backslashes and line breaks are escaped.
    private static func text(of labels: [(String, String)]) -> String {
      labels.map { name, value in
        let escaped = value.reduce(into: "") { text, character in
          switch character {
          case "\\": text += #"\\"#
          case "\"": text += #"\""#
          case "\n", "\r\n": text += #"\n"#
          default: text.append(character)
          }
        }
        return "\(name)=\"\(escaped)\""
      }.joined(separator: ",")
    }

    private mutating func begin(_ metric: String, _ kind: String, _ help: String) {
      // OpenMetrics names the family of a counter without the suffix of its numbers.
      let isCounter = format == .openMetrics && kind == "counter"
      let family = isCounter ? String(metric.dropLast("_total".count)) : metric
      text += "# HELP \(family) \(help)\n# TYPE \(family) \(kind)\n"
    }

    private mutating func add(_ metric: String, _ value: some CustomStringConvertible) {
      text += "\(metric) \(value)\n"
    }

    private mutating func group(_ metric: String, _ label: String, _ message: some Message, _ help: String) {
      begin(metric, "gauge", help)
      var message = message
      var numbers = Numbers()
      message.list(&numbers)
      for (name, number) in numbers.all { add("\(metric){\(label)=\"\(name)\"}", number) }
    }

    mutating func limits(_ limits: JSONObject) {
      begin("formd_limit", "gauge", "The limits in force.")
      for limit in limits {
        guard let number = limit.value.integerValue else { continue }
        add("formd_limit{name=\"\(limit.name)\"}", number)
      }
    }

    mutating func build(_ version: String) {
      begin("formd_build_info", "gauge", "The daemon's version; always 1.")
      add("formd_build_info{\(Self.text(of: [("version", version)]))}", 1)
    }

    private mutating func histogram(_ metric: String, _ times: TimeHistogram, _ help: String) {
      begin(metric, "histogram", help)
      addTimes(metric, times, [])
    }

    private mutating func addTimes(_ metric: String, _ times: TimeHistogram, _ labels: [(String, String)]) {
      for bucket in times.buckets {
        let bound = ("le", Self.decimal(bucket.microsecondsMax, places: 6))
        add("\(metric)_bucket{\(Self.text(of: labels + [bound]))}", bucket.count)
      }
      add("\(metric)_bucket{\(Self.text(of: labels + [("le", "+Inf")]))}", times.count)
      let shared = labels.isEmpty ? "" : "{\(Self.text(of: labels))}"
      add("\(metric)_sum\(shared)", Self.decimal(times.totalMicroseconds, places: 6))
      add("\(metric)_count\(shared)", times.count)
    }

    /// `connectionsAccepted` as `connections_accepted`.
    private static func snakeCase(_ name: String) -> String {
      name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }

    /// A number of thousandths or millionths, in units.
    private static func decimal(_ number: Int, places: Int) -> String {
      let digits = String(number)
      let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
      return padded.dropLast(places) + "." + padded.suffix(places)
    }
  }

  /// The numbers of a message, by name.
  private struct Numbers: CountVisitor {
    var all: [(name: String, number: Int)] = []

    mutating func required<Value: MemberValue>(
      _ name: StaticString,
      _ value: inout Value,
      _ summary: StaticString,
      missing: StaticString
    ) {
      guard let number = value as? Int else { preconditionFailure("\(name) is not a number") }
      all.append((name.description, number))
    }
  }
}

/// A visitor of required members. Of the optional ones, the store and the counts with names give metrics; the others
/// are lists of connected clients.
private protocol CountVisitor: MessageVisitor {}

extension CountVisitor {
  mutating func optional<Value: MemberValue>(_ name: StaticString, _ value: inout Value?, _ summary: StaticString) {}

  mutating func optional<Value: MemberValue & Equatable>(
    _ name: StaticString,
    _ value: inout Value,
    default: Value,
    _ summary: StaticString
  ) {}

  mutating func optional<Element: MemberValue>(
    _ name: StaticString,
    _ elements: inout [Element],
    _ summary: StaticString
  ) {}

  mutating func prepared<Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout JSON,
    as content: Content.Type,
    _ summary: StaticString
  ) {}
}
