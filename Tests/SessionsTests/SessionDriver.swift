import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing
internal import Times

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Session {
  /// The most bytes that the session's values have after an input.
  func valueBytes(after input: Input, at now: Instant) -> Int { valueBytes + growth(of: input, at: now).bytes }

  /// The position of the first change that cannot be applied.
  func firstUnacceptable(in changes: [FieldChange]) -> Int? {
    do throws(Unacceptable) {
      _ = try prepare(changes, origin: .program)
      return nil
    } catch {
      return error.position
    }
  }
}

/// A session in virtual time, driven as a client drives it: by names, keeping a document by merging patches.
///
/// After every turn the kept document must equal a fresh one, and so must the snapshot that a store would keep.
final class SessionDriver {
  let engine: Engine
  let form: Form
  let session: Session
  /// The client's copy: the first document, with every patch merged.
  private(set) var kept: JSON
  /// The store's copy: the first snapshot, with every change applied.
  private(set) var keptSnapshot = SessionSnapshot(parts: [:])
  private(set) var events: [Event] = []
  /// Effects under way, by id.
  private(set) var effects: [EffectID: Effect] = [:]
  private(set) var lastTap: TapResult?
  /// The identities of the rows that the last input put in.
  private(set) var inserted: [Int] = []
  /// The values that the last turn sent, and the addresses of removed values.
  private(set) var told: (values: JSONObject, absent: [String]) = ([:], [])
  /// The taps that throttles and debounces swallowed, in order.
  private(set) var swallowedTaps: [UInt64] = []
  private(set) var now = Instant.milliseconds(0) {
    didSet { wall.goOn(by: now - oldValue) }
  }
  /// The time of day. A test may set it.
  let wall: WallClock
  /// The run-time errors of all turns, in order.
  private(set) var faults: [Fault] = []
  /// Every patch, in order.
  private(set) var patches: [JSON] = []
  /// Formulas that the last turn evaluated; 0 if the engine does not count.
  private(set) var evaluations = 0
  /// Fields whose values the last turn gathered for object-level keywords; 0 if the engine does not count.
  private(set) var valuesVisited = 0
  /// The units of the last turn's budget that were left; 0 if the engine does not count.
  private(set) var unitsLeft = 0

  init(
    _ form: Form,
    options: OpenOptions = OpenOptions(),
    engine: Engine? = nil,
    wall: WallClock = WallClock()
  ) {
    self.form = form
    self.wall = wall
    // The machine's speed must not matter: a turn takes no time, unless the test brings an engine with a clock.
    let engine = engine ?? Engine(wallClock: { wall.time }, cpuTime: { .zero })
    self.engine = engine
    let (session, turn) = engine.open(form, options: options, at: now)
    self.session = session
    kept = session.document
    faults = turn.faults
    for effect in turn.starts { effects[effect.id] = effect }
    session.keepSnapshot()
    keptSnapshot.apply(engine.takeSnapshotChanges(of: session, for: .resuming))
  }

  convenience init(_ definition: JSON, options: OpenOptions = OpenOptions()) throws {
    try self.init(compiled(definition), options: options)
  }

  /// A session of a definition that is given as JSON text.
  convenience init(text: String, options: OpenOptions = OpenOptions(), wall: WallClock = WallClock()) throws {
    try self.init(compiled(JSON(parsing: text)), options: options, wall: wall)
  }

  // MARK: Inputs

  func change(
    _ values: KeyValuePairs<String, JSON>,
    origin: Origin = .user,
    composing: Bool = false,
    commit: Bool = false
  ) {
    let changes = values.map { address, value in
      let target = resolve(address)
      return FieldChange(row: target.row, field: target.field ?? FieldChange.root, path: target.rest, value: value)
    }
    apply(.change(changes, origin: origin, isComposing: composing, commit: commit))
  }

  func change(_ name: String, _ value: JSON) {
    let target = resolve(name)
    if target.row > 0 || !target.rest.isEmpty { return change([name: value]) }
    apply(.set(field: field(name), to: value))
  }
  func focus(_ name: String) { apply(.focus(field: field(name), row: resolve(name).row)) }
  func blur(_ name: String) { apply(.blur(field: field(name), row: resolve(name).row)) }

  /// Puts rows into a list; returns their identities.
  @discardableResult
  func insert(_ list: String, at position: Int = .max, _ values: JSON?...) -> [Int] {
    apply(.insert(list: field(list), row: resolve(list).row, at: position, values))
    return inserted
  }
  func remove(_ row: String) { apply(.remove(row: resolve(row).row)) }
  func move(_ row: String, to position: Int) { apply(.move(row: resolve(row).row, to: position)) }
  func reset(keepValues: Bool = false) { apply(.reset(keepValues: keepValues)) }

  @discardableResult
  func tap(_ name: String) -> TapResult {
    guard let action = form.action(named: name) else { preconditionFailure("no action \(name)") }
    apply(.tap(action: action))
    return lastTap!
  }

  /// Lets so much virtual time pass; every timer fires at its own time.
  func advance(milliseconds: Int64) {
    let end = now + .milliseconds(milliseconds)
    while let deadline = session.deadline, deadline <= end {
      now = max(now, deadline)
      apply(.timer)
    }
    now = end
  }

  /// Lets time pass without a check of deadlines: a caller that is late.
  func passWithoutTimers(milliseconds: Int64) { now = now + .milliseconds(milliseconds) }

  /// The only effect under way.
  var onlyEffect: Effect {
    precondition(effects.count == 1, "\(effects.count) effects are under way")
    return effects.values.first!
  }

  func answer(_ effect: Effect, _ response: EffectResponse) {
    effects[effect.id] = nil
    apply(.effect(effect.id, response))
  }

  func answer(status: Int, body: JSON? = nil) {
    answer(onlyEffect, EffectResponse(kind: .ok, status: status, body: body))
  }
  func answer(kind: EffectResponse.Kind) { answer(onlyEffect, EffectResponse(kind: kind)) }

  func apply(_ input: Input) {
    let before = session.revision
    let turn = engine.apply(input, to: session, at: now)
    let changes = engine.changes(of: turn)
    if turn.hasUpdate {
      let buffer = OutputBuffer()
      engine.writePatch(of: turn, in: session, into: buffer)
      let patch = (try? JSON(parsing: Array(buffer.bytes))) ?? .null
      if patch != session.patch(changes) { Issue.record("the patch \(patch) tells what has not changed") }
      patches.append(patch)
      kept.merge(patch)
    }
    let isOneMore = session.revision == before + (changes.isEmpty && turn.events.isEmpty && turn.told.isEmpty ? 0 : 1)
    if session.document != kept { Issue.record("kept \(kept) is not \(session.document)") }
    if !isOneMore { Issue.record("revision went from \(before) to \(session.revision)") }
    told = session.told(turn.told)
    inserted = turn.rows
    events += turn.events
    swallowedTaps += turn.swallowedTaps
    faults += turn.faults
    for effect in turn.starts { effects[effect.id] = effect }
    for id in turn.cancels { effects[id] = nil }
    if let tap = turn.tap { lastTap = tap }
    #if DEBUG
      evaluations = engine.evaluations
      valuesVisited = engine.valuesVisited
      unitsLeft = engine.unitsLeft
    #endif
    keptSnapshot.apply(engine.takeSnapshotChanges(of: session, for: .resuming))
    let snapshot = session.snapshot(for: .resuming)
    if keptSnapshot.parts != snapshot.parts {
      Issue.record("the kept snapshot is another: \(keptSnapshot.difference(from: snapshot))")
    }
    for problem in session.checkInvariants() { Issue.record("\(problem)") }
    let again = engine.recomputeFromScratch(session, at: now)
    if again.hasUpdate || !again.starts.isEmpty || !again.cancels.isEmpty {
      Issue.record("computed again, it changes: \(session.patch(engine.changes(of: again)))")
    }
  }

  /// Effects under way, oldest first.
  var effectsInOrder: [Effect] { effects.values.sorted { $0.id.rawValue < $1.id.rawValue } }

  // MARK: Reading

  private func field(_ name: String) -> Int {
    guard let field = resolve(name).field else { preconditionFailure("no field \(name)") }
    return field
  }

  /// The target of an address; rows by position or identity.
  func resolve(_ address: String) -> ResolvedAddress {
    guard let target = try? session.resolve(address) else { preconditionFailure("no place \(address)") }
    return target
  }

  /// The identities of a list's rows, as the kept document has them.
  func order(_ list: String) -> [String] {
    self["/fields/\(list)/order"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }
  var values: JSON { session.values() }

  /// The value at that pointer in the kept document.
  subscript(pointer: String) -> JSON? { kept.value(at: JSONPointer(pointer)!) }

  var isValid: Bool { self["/isValid"] == true }
  func message(_ field: String) -> String? { self["/messages/\(field)"]?.stringValue }
  func isEnabled(_ action: String) -> Bool { self["/actions/\(action)/isEnabled"] == true }
  /// The request of the only effect under way, if it is one over HTTP.
  var onlyHTTPRequest: EffectRequest.HTTPRequest? {
    if case .http(let request) = onlyEffect.request { request } else { nil }
  }

  /// The request of the only effect under way, if it is one to a provider.
  var onlyProviderRequest: EffectRequest.ProviderRequest? {
    if case .provider(let request) = onlyEffect.request { request } else { nil }
  }

  /// The path and query of an HTTP request.
  func target(of effect: Effect) -> String? {
    guard case .http(let request) = effect.request else { return nil }
    return request.target
  }
  /// The codes of a field's errors, in the order of the document.
  func codes(_ field: String) -> [String] {
    if field.contains("/") {
      let path = field.split(separator: "/").reduce("/fields") { path, name in
        name.first == "#" ? path + "/rows/\(name.dropFirst())" : path + (path == "/fields" ? "/" : "/fields/") + name
      }
      return self["\(path)/errors"]?.arrayValue?.compactMap { $0["code"]?.stringValue } ?? []
    }
    return self["/fields/\(field)/errors"]?.arrayValue?.compactMap { $0["code"]?.stringValue } ?? []
  }
}

/// Compiles a definition; each problem in it fails the test.
func compiled(_ definition: JSON) throws -> Form {
  let compilation = Form.compile(definition, fallbackName: "test")
  // Tests of costly schemas, of values in paths, and of defaults that are errors mean them.
  for diagnostic in compilation.diagnostics
  where !["default", "repeatedReferences", "pathSegment"].contains(diagnostic.code) {
    Issue.record("\(diagnostic)")
  }
  return try #require(compilation.form)
}

/// One of the forms of `protocol/examples`.
func example(_ name: String) throws -> Form {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let file = root.appending(path: "protocol/examples/\(name)/\(name).form.json")
  let compilation = Form.compile(Array(try Data(contentsOf: file)), file: file.path(), followsFiles: true)
  // Tests of costly schemas mean them.
  for diagnostic in compilation.diagnostics where diagnostic.code != "repeatedReferences" {
    Issue.record("\(diagnostic)")
  }
  return try #require(compilation.form)
}
