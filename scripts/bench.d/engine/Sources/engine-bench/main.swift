import Forms
import Glibc
import JSON
import Sessions
internal import Times

// Measures the engine alone: no socket and no JSON-RPC, but the document's cells and the patch.
//
//   engine-bench time                 one JSON object with all times and sizes
//   engine-bench loop CASE COUNT      applies COUNT changes and ends: for instruction and allocation counters. A change
//                                     of the case list-ROWS inserts a row before all others and removes it again.
//   engine-bench rows COUNT           the schema of the form with rows, and COUNT rows: for peers that validate them

/// A form, and the changes that are applied to it in turn.
struct Case {
  var name: String
  var form: Form
  /// Set once per session.
  var preparation: [FieldChange]
  /// Applied in turn; each must cause an update.
  var changes: [FieldChange]
}

func fail(_ message: String) -> Never {
  let line = "engine-bench: \(message)\n"
  _ = write(STDERR_FILENO, line, line.utf8.count)
  exit(2)
}

func compile(_ text: String, name: String) -> Form {
  let compilation = Form.compile(Array(text.utf8), file: name)
  guard let form = compilation.form else { fail("\(compilation.diagnostics)") }
  return form
}

func read(_ path: String) -> String {
  guard let file = fopen(path, "r") else { fail("\(path): \(String(cString: strerror(errno)))") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

/// A form of text fields with three rules each. A change of a field flips its validity and the form's validity.
func wideForm(fields: Int) -> Form {
  let names = (0..<fields).map { "f\($0)" }
  let properties = names.map { #""\#($0)":{"type":"string","maxLength":100}"# }
  let rules = names.flatMap { name in
    [
      #"{"id":"\#(name).a","field":"\#(name)","check":"self.contains('@')","message":"a"}"#,
      #"{"id":"\#(name).b","field":"\#(name)","check":"self.contains('.')","message":"b"}"#,
      #"{"id":"\#(name).c","field":"\#(name)","check":"size(self) < 50","message":"c"}"#,
    ]
  }
  return compile(
    """
    {"form":"wide","schema":{"type":"object","properties":{\(properties.joined(separator: ","))}},
     "rules":[\(rules.joined(separator: ","))],
     "actions":{"send":{}},"outputs":{"color":"form.isValid ? 'on' : 'off'"}}
    """,
    name: "wide-\(fields)"
  )
}

/// A form of text fields, with keywords that read all of them or a few. A change of a field flips its `if`.
func keywordForm(fields: Int) -> Form {
  let properties = (0..<fields).map { #""f\#($0)":{"type":"string","maxLength":100}"# }
  return compile(
    """
    {"form":"keywords","schema":{"type":"object","properties":{\(properties.joined(separator: ","))},
     "minProperties":1,"maxProperties":\(fields),"propertyNames":{"maxLength":20},"dependentRequired":{"f0":["f1"]},
     "if":{"properties":{"f\(fields / 2)":{"pattern":"@"}}},"then":{"required":["f0"]},"else":{"required":["f1","none"]}},
     "actions":{"send":{}}}
    """,
    name: "keywords-\(fields)"
  )
}

func makeCase(_ name: String, examples: String) -> Case {
  func field(_ form: Form, _ name: String) -> Int {
    form.field(at: name) ?? { fail("the form \(form.name) has no field \(name)") }()
  }
  switch name {
  case "login":
    let form = compile(read("\(examples)/login/login.form.json"), name: name)
    let email = field(form, "email")
    return Case(
      name: name,
      form: form,
      preparation: [FieldChange(field: field(form, "password"), value: "hunter2")],
      changes: [
        FieldChange(field: email, value: "kim@example.com"), FieldChange(field: email, value: "kim.example.com"),
      ]
    )
  case "feedback":
    let form = compile(read("\(examples)/feedback/feedback.form.json"), name: name)
    // The e-mail address is optional, and validated if it is present. A flush ends its throttle.
    let email = field(form, "email")
    return Case(
      name: name,
      form: form,
      preparation: [FieldChange(field: field(form, "message"), value: "hello there")],
      changes: [
        FieldChange(field: email, value: "kim@example.com"), FieldChange(field: email, value: "kim.example.com"),
      ]
    )
  default:
    let parts = name.split(separator: "-")
    guard parts.count == 2, let count = Int(parts[1]), count > 0,
      ["wide", "keywords", "rows", "total"].contains(parts[0])
    else {
      fail("no case named \(name)")
    }
    if parts[0] == "rows" || parts[0] == "total" { return rowCase(name, rows: count, hasTotal: parts[0] == "total") }
    let form = parts[0] == "wide" ? wideForm(fields: count) : keywordForm(fields: count)
    let middle = count / 2
    return Case(
      name: name,
      form: form,
      preparation: (0..<count).map { FieldChange(field: $0, value: "kim@example.com") },
      changes: [
        FieldChange(field: middle, value: "kim.example.com"), FieldChange(field: middle, value: "kim@example.com"),
      ]
    )
  }
}

/// Applies changes as a server does: due timers, one input, and then the patch into a reused buffer.
final class Driver {
  let engine = Engine()
  let buffer = OutputBuffer(capacity: 1 << 16)
  let item: Case
  var now = Instant(nanoseconds: 0)
  /// The changes as a server makes them from its input. They are in memory of their own, which is never given back, so
  /// the benchmark counts no references when it looks at one.
  private let inputs: UnsafeMutablePointer<Input>

  init(_ item: Case) {
    self.item = item
    precondition(item.changes.count == 2, "\(item.name) has \(item.changes.count) changes, not two that take turns")
    inputs = .allocate(capacity: item.changes.count)
    for (index, change) in item.changes.enumerated() {
      (inputs + index).initialize(to: change.row == 0 ? .set(field: change.field, to: change.value) : .change([change]))
    }
  }

  func open() -> Session {
    let session = engine.open(item.form, at: now).session
    _ = engine.apply(.change(item.preparation), to: session, at: now)
    _ = engine.apply(.flush, to: session, at: now)
    change(session, 0)
    change(session, 1)
    return session
  }

  /// Changes one session `count` times.
  func loop(_ count: Int) {
    let session = open()
    for index in 0..<count { change(session, index) }
  }

  @inline(never)
  func change(_ session: Session, _ index: Int) {
    // One second later, no throttle of the change before is closed.
    now = Instant(nanoseconds: now.nanoseconds + 1_000_000_000)
    while let deadline = session.deadline, deadline <= now { _ = engine.apply(.timer, to: session, at: now) }
    let turn = engine.apply(inputs[index & 1], to: session, at: now)
    guard turn.hasUpdate else { fail("\(item.name): change \(index) caused no update") }
    buffer.removeAll()
    engine.writePatch(of: turn, in: session, into: buffer)
  }
}

func nanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Bytes of resident anonymous memory.
func memoryInUse() -> Int {
  for line in read("/proc/self/status").split(separator: "\n") where line.hasPrefix("RssAnon:") {
    return (Int(line.split(separator: " ")[1]) ?? 0) * 1024
  }
  fail("no RssAnon in /proc/self/status")
}

/// The median of seven timings of a body that does `count` changes, in nanoseconds per change.
func time(_ count: Int, _ body: (Int) -> Void) -> Double {
  var times: [Double] = []
  for _ in 0..<7 {
    let start = nanoseconds()
    for index in 0..<count { body(index) }
    times.append(Double(nanoseconds() - start) / Double(count))
  }
  return times.sorted()[3]
}

func measure(_ name: String, examples: String, sessions: Int, changes: Int = 200_000) -> JSON {
  let driver = Driver(makeCase(name, examples: examples))
  let one = driver.open()
  let warm = time(changes) { driver.change(one, $0) }
  var result: JSONObject = ["warm_ns": .real(warm), "patch_bytes": .integer(Int64(driver.buffer.bytes.count))]
  if sessions > 0 {
    let before = memoryInUse()
    let many = (0..<sessions).map { _ in driver.open() }
    let opened = Double(memoryInUse() - before - MemoryLayout<Session>.stride * sessions) / Double(sessions)
    // Sessions in turn, so that each is cold; every second round sets the other value.
    let cold = time(sessions * 2) { driver.change(many[$0 % sessions], $0 / sessions) }
    let used = withExtendedLifetime(many) {
      Double(memoryInUse() - before - MemoryLayout<Session>.stride * sessions) / Double(sessions)
    }
    result["cold_ns"] = .real(cold)
    result["session_bytes"] = .real(opened)
    result["used_session_bytes"] = .real(used)
  }
  return .object(result)
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("time", 2):
  var results = JSONObject()
  for name in ["login", "feedback"] { results[name] = measure(name, examples: arguments[1], sessions: 20_000) }
  for name in ["wide-10", "wide-100", "wide-1000"] {
    results[name] = measure(name, examples: arguments[1], sessions: 0)
  }
  for count in [10, 1_000, 10_000] {
    for name in ["rows-\(count)", "total-\(count)"] {
      results[name] = measure(name, examples: arguments[1], sessions: 0, changes: 20_000)
    }
  }
  for count in [10, 1_000, 10_000] { results["list-\(count)"] = measureRows(count) }
  print(JSON.object(results))
case ("loop", 4):
  guard let count = Int(arguments[3]) else { fail("\(arguments[3]) is not a number") }
  if arguments[2].hasPrefix("list-"), let rows = Int(arguments[2].dropFirst(5)) {
    let item = ListCase(rows: rows)
    for _ in 0..<count { item.insertAndRemoveFirst() }
    break
  }
  Driver(makeCase(arguments[2], examples: arguments[1])).loop(count)
case ("rows", 2):
  guard let count = Int(arguments[1]) else { fail("\(arguments[1]) is not a number") }
  print(JSON.object(["schema": rowSchema, "values": ["items": rowValues(count)]]))
default:
  fail("usage: engine-bench time EXAMPLES | engine-bench loop EXAMPLES CASE COUNT | engine-bench rows COUNT")
}
