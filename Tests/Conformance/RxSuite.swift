internal import JSON
internal import Sessions

/// Runs `rx/*/*.json`: this project's machines do the work of RxJS and RxSwift in virtual time.
///
/// Throttle, debounce and flight are the machines of sessions. For flight, `switchMap` is `latest`, `exhaustMap` is
/// `drop`, `mergeMap` is `merge`, and `concatMap` is `queue`. A session's cells do the work of `combineLatest`,
/// `distinctUntilChanged` and `withLatestFrom`. The streams around them, `map` and `skip` are harness.
func runRxSuite(folder: String) -> [SuiteResult] {
  VectorFile.allFiles(in: folder).map { file in
    var result = SuiteResult(name: "rx/" + file.name.dropLast(".json".count))
    guard case .success(let document) = file.read() else {
      result.failed.append((file.name, "the file cannot be read"))
      return result
    }
    for test in document["cases"]?.arrayValue ?? [] {
      let name = test["name"]?.stringValue ?? "a case without a name"
      do throws(RxUnsupported) {
        if let problem = try RxCase(test).problem() {
          result.failed.append((name, problem))
        } else {
          result.passed += 1
        }
      } catch {
        result.skipped.append((name, error.reason))
      }
    }
    return result
  }
}

/// One case: its sources, and the events that each check expects.
private struct RxCase {
  private struct Heard: Equatable {
    let time: Int64
    let event: Listener.Event
  }

  private let test: JSON
  private let time = VirtualTime()

  init(_ test: JSON) {
    self.test = test
  }

  /// The difference from the expected events, or nil.
  func problem() throws(RxUnsupported) -> String? {
    if test["shared"] != nil { throw RxUnsupported(reason: RxPipeline.reasons["share"] ?? "") }
    let records = SourceRecords()
    let pipeline = RxPipeline(time: time, sources: sources(records))
    var listeners: [HeardList] = []
    // A case of RxSwift is a single check.
    let checks = test["checks"]?.arrayValue ?? [test]
    for check in checks {
      let stream = try pipeline.stream(check["pipeline"] ?? .null)
      let list = HeardList()
      listeners.append(list)
      let time = time
      let listener = Listener { list.heard.append(Heard(time: time.now, event: $0)) }
      let start = (check["subscribeAt"] ?? check["subscribe"])?.integerValue ?? 0
      time.schedule(at: start, rank: .check) { stream.listen(listener) }
      if let end = (check["unsubscribeAt"] ?? check["dispose"])?.integerValue {
        time.schedule(at: end, rank: .check) { listener.subscription.close() }
      }
    }
    time.run()
    for (check, list) in zip(checks, listeners) {
      let expected = (check["expected"]?.arrayValue ?? []).map {
        Heard(time: $0["t"]?.integerValue ?? 0, event: Self.event($0))
      }
      if list.heard != expected { return "heard \(Self.text(list.heard)), expected \(Self.text(expected))" }
    }
    return subscriptionProblem(records)
  }

  private final class HeardList {
    var heard: [Heard] = []
  }

  private final class SourceRecords {
    /// By source: the start and end of each subscription.
    var spans: [String: [(from: Int64, to: Int64?)]] = [:]
  }

  private static func text(_ heard: [Heard]) -> String {
    heard.map { "\($0.time): \($0.event)" }.joined(separator: ", ")
  }

  private static func event(_ entry: JSON) -> Listener.Event {
    if let value = entry["next"] { return .next(value) }
    if let error = entry["error"] { return .error(error) }
    return .complete
  }

  // MARK: Sources

  private func sources(_ records: SourceRecords) -> [String: RxStream] {
    var sources: [String: RxStream] = [:]
    for member in test["sources"]?.objectValue ?? [:] {
      let events = (member.value["events"]?.arrayValue ?? []).map { ($0["t"]?.integerValue ?? 0, Self.event($0)) }
      let plain = member.value["kind"] == "hot" ? hot(events) : cold(events)
      let name = member.name
      let time = time
      sources[name] = RxStream { listener in
        let position = records.spans[name, default: []].count
        records.spans[name, default: []].append((time.now, nil))
        listener.subscription.onClose { records.spans[name]?[position].to = time.now }
        plain.listen(listener)
      }
    }
    return sources
  }

  private func hot(_ events: [(Int64, Listener.Event)]) -> RxStream {
    final class Listeners {
      var all: [Listener] = []
    }
    let listeners = Listeners()
    for (at, event) in events where at >= 0 {
      time.schedule(at: at, rank: .hot) {
        for listener in listeners.all { listener.tell(event) }
        listeners.all.removeAll { $0.subscription.isClosed }
      }
    }
    return RxStream { listeners.all.append($0) }
  }

  private func cold(_ events: [(Int64, Listener.Event)]) -> RxStream {
    let time = time
    return RxStream { listener in
      for (delay, event) in events {
        time.schedule(at: time.now + delay) { listener.tell(event) }
      }
    }
  }

  private func subscriptionProblem(_ records: SourceRecords) -> String? {
    for member in test["sources"]?.objectValue ?? [:] {
      guard let expected = member.value["subscriptions"]?.arrayValue else { continue }
      let spans = (records.spans[member.name] ?? []).map { span -> JSON in
        [.integer(span.from), span.to.map { .integer($0) } ?? .null]
      }
      if spans != expected {
        return "the subscriptions of \(member.name) are \(JSON.array(spans)), expected \(JSON.array(expected))"
      }
    }
    return nil
  }
}
