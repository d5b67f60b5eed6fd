internal import JSON
internal import Sessions

/// A part of the vectors' language without a counterpart in this project, with the reason.
struct RxUnsupported: Error {
  let reason: String
}

/// Builds streams from the pipelines of the vectors.
struct RxPipeline {
  let time: VirtualTime
  let sources: [String: RxStream]

  func stream(_ pipeline: JSON) throws(RxUnsupported) -> RxStream {
    if let name = pipeline["src"]?.stringValue, let source = sources[name] { return source }
    if let from = pipeline["from"], let operations = pipeline["ops"]?.arrayValue {
      var result = try stream(from)
      for operation in operations { result = try apply(operation, to: result) }
      return result
    }
    if pipeline["never"] != nil { return .never }
    if pipeline["empty"] != nil { return .of([]) }
    if let values = pipeline["of"]?.arrayValue { return .of(values) }
    if let error = pipeline["throw"] { return .failing(error) }
    if let delay = pipeline["timer"]?.integerValue { return .timer(delay, time) }
    if let parts = pipeline["merge"]?.arrayValue { return .merged(try streams(parts)) }
    if let parts = pipeline["concat"]?.arrayValue { return .concatenated(try streams(parts)[...]) }
    if let parts = pipeline["combineLatest"]?.arrayValue {
      return .combined(try streams(parts), projection(pipeline["project"]))
    }
    throw RxUnsupported(reason: "formd has no counterpart of a part of the pipeline: \(pipeline)")
  }

  private func streams(_ parts: [JSON]) throws(RxUnsupported) -> [RxStream] {
    var result: [RxStream] = []
    for part in parts { result.append(try stream(part)) }
    return result
  }

  // MARK: Operators

  private func apply(_ operation: JSON, to source: RxStream) throws(RxUnsupported) -> RxStream {
    let name = operation["op"]?.stringValue ?? ""
    let due = operation["due"]?.integerValue
    switch name {
    case "map": return source.mapped(table(operation["table"]))
    case "throttleTime", "throttle":
      guard let due else {
        throw RxUnsupported(reason: "a throttle of formd has a fixed duration, and no other stream can end it")
      }
      let leading = operation["leading"]?.boolValue ?? true
      let trailing = (operation["trailing"] ?? operation["latest"])?.boolValue ?? false
      guard leading || trailing else { throw RxUnsupported(reason: "a throttle of formd has at least one edge") }
      return source.throttled(due, leading ? (trailing ? .both : .leading) : .trailing, time)
    case "debounceTime", "debounce":
      guard let due else {
        throw RxUnsupported(reason: "a debounce of formd has a fixed duration, and no other stream can end it")
      }
      return source.debounced(due, time)
    case "distinctUntilChanged":
      if operation["comparator"] != nil {
        throw RxUnsupported(reason: "a cell compares by value; a custom comparison is not possible")
      }
      return source.distinct(key: operation["key"].map { table($0) })
    case "switchMap", "flatMapLatest": return try source.flown(.latest, inner(operation))
    case "exhaustMap", "flatMapFirst": return try source.flown(.drop, inner(operation))
    case "concatMap": return try source.flown(.queue, inner(operation))
    case "mergeMap", "flatMap":
      switch operation["concurrent"]?.integerValue {
      case nil: return try source.flown(.merge, inner(operation))
      case 1?: return try source.flown(.queue, inner(operation))
      case .some:
        throw RxUnsupported(
          reason: "flight `merge` runs everything at once and `queue` one at a time; no other number is possible"
        )
      }
    case "withLatestFrom":
      let others = operation["others"]?.arrayValue ?? operation["other"].map { [$0] } ?? []
      return source.withLatest(try streams(others), projection(operation["project"]))
    case "skip": return source.skipping(Int(operation["count"]?.integerValue ?? 0))
    case "skipTime": return source.skipping(until: due ?? 0, time)
    default: throw RxUnsupported(reason: Self.reasons[name] ?? "formd has no counterpart of \(name)")
    }
  }

  /// Operators of the vectors that this project does not have, with the reasons.
  static let reasons = [
    "delay": "formd delays no value by a fixed time: a value waits for a pause (debounce) or for its turn (throttle)",
    "sampleTime": "formd sends nothing if nothing has changed",
    "share": "a cell is computed once and read by many; there are no subscriptions to count",
    "startWith": "every cell has a value from the beginning",
    "take": "the streams of a session end only when the session is closed",
    "takeUntil": "the streams of a session end only when the session is closed",
    "pairwise": "a formula reads the current cells; only an action has its `previous` result",
    "timeout": "the timeout of a run is a value (`response.kind` is `timeout`), not the end of a stream",
  ]

  private func inner(_ operation: JSON) throws(RxUnsupported) -> (JSON, Int) -> RxStream {
    let inner = operation["inner"] ?? .null
    if let always = inner["always"] {
      let made = try stream(always)
      return { _, _ in made }
    }
    if let rows = inner["byIndex"]?.arrayValue {
      let made = try streams(rows)
      return { _, index in made.indices.contains(index) ? made[index] : .never }
    }
    var made: [(value: JSON, stream: RxStream)] = []
    for row in inner["byValue"]?.arrayValue ?? [] {
      guard let value = row.arrayValue?.first, let pipeline = row.arrayValue?.last else { continue }
      made.append((value, try stream(pipeline)))
    }
    return { value, _ in made.first { $0.value == value }?.stream ?? .failing(.string("no row for \(value)")) }
  }

  // MARK: Tables

  private func table(_ rows: JSON?) -> (JSON) -> Listener.Event {
    let rows = rows?.arrayValue ?? []
    return { value in
      guard let row = rows.first(where: { $0.arrayValue?.first == value })?.arrayValue?.last else {
        return .error(.string("no row for \(value)"))
      }
      return row["throw"].map { .error($0) } ?? .next(row["value"] ?? .null)
    }
  }

  private func projection(_ project: JSON?) -> ([JSON]) -> Listener.Event {
    guard let project else { return { .next(.array($0)) } }
    if project == "concat" {
      return { .next(.string($0.map { $0.stringValue ?? $0.description }.joined())) }
    }
    if project == "second" { return { .next($0.count > 1 ? $0[1] : .null) } }
    let rows = table(project["table"])
    return { rows(.array($0)) }
  }
}
