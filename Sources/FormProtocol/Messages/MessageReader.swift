package import JSON
internal import Texts

/// Reads a message from a JSON object. Reading goes on after a problem, so that all problems are reported at once.
package struct MessageReader: MessageVisitor {
  /// Whether a member that the message does not list, and a name that an enumeration does not have, is a problem. A
  /// daemon is strict with its clients; a client accepts members of a later daemon that it does not know
  /// (protocol/wire.md, "Later versions").
  package enum Strictness: Sendable {
    /// It is a problem.
    case strict
    /// It is ignored.
    case lenient
  }

  /// The problems, in the order in which they were found. If an object is being read, the paths of its problems are
  /// relative to it. The reader of the enclosing object makes them longer.
  package private(set) var problems: [InvalidParams.Problem] = []
  let strictness: Strictness
  /// The object that is being read; nil when there is none.
  private var object: JSONNode?
  /// Members of `object` that the message lists.
  private var knownCount = 0

  private init(_ strictness: Strictness) {
    self.strictness = strictness
  }

  /// Reads a message.
  ///
  /// - Parameter node: the object; nil means an object without members.
  /// - Throws: ``InvalidParams`` with every problem.
  @inline(__always)
  package static func read<Content: Message>(
    _ type: Content.Type,
    _ node: JSONNode?,
    _ strictness: Strictness = .strict
  ) throws(InvalidParams) -> Content {
    var reader = MessageReader(strictness)
    let message = reader.message(type, node)
    if !reader.problems.isEmpty { throw InvalidParams(reader.problems) }
    return message
  }

  /// Reads any value: a method's result.
  package static func value<Value: MemberValue>(
    _ type: Value.Type,
    _ node: JSONNode,
    _ strictness: Strictness
  ) throws(InvalidParams) -> Value {
    var reader = MessageReader(strictness)
    guard let value = type.read(node, &reader), reader.problems.isEmpty else { throw InvalidParams(reader.problems) }
    return value
  }

  /// Reads any value from another one.
  package static func value<Value: MemberValue>(
    _ type: Value.Type,
    _ json: JSON,
    _ strictness: Strictness
  ) throws(InvalidParams) -> Value {
    let tree = JSONTree(json)
    return try value(type, tree.root, strictness)
  }

  /// Reads one object; problems are noted.
  @inline(__always)
  mutating func message<Content: Message>(_ type: Content.Type, _ node: JSONNode?) -> Content {
    let outer = (object, knownCount)
    defer { (object, knownCount) = outer }
    if let node, !node.isObject { note(.type, Content.expectation) }
    object = node.flatMap { $0.isObject ? $0 : nil }
    knownCount = 0
    var message = Content()
    message.list(&self)
    if strictness == .strict, let object, knownCount < object.count { noteUnknown(in: object, Content.self) }
    message.check(&self)
    return message
  }

  // MARK: Members

  @inline(__always)
  private mutating func find(_ name: StaticString) -> JSONNode? {
    guard let node = object?.member(name) else { return nil }
    knownCount += 1
    return node
  }

  @inline(__always)
  private mutating func read<Value: MemberValue>(_ node: JSONNode, _ name: StaticString) -> Value? {
    inside("/\(name)") { reader in Value.read(node, &reader) }
  }

  @inline(__always)
  package mutating func required<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value,
    _ summary: StaticString,
    missing: StaticString
  ) {
    guard let node = find(name) else {
      let expected = missing.utf8CodeUnitCount == 0 ? Value.expectation : missing.description
      return note(.required, expected, atMember: name)
    }
    if let read: Value = read(node, name) { value = read }
  }

  @inline(__always)
  package mutating func optional<Value: MemberValue>(
    _ name: StaticString,
    _ value: inout Value?,
    _ summary: StaticString
  ) {
    if let node = find(name) { value = read(node, name) }
  }

  @inline(__always)
  package mutating func optional<Value: MemberValue & Equatable>(
    _ name: StaticString,
    _ value: inout Value,
    default: Value,
    _ summary: StaticString
  ) {
    if let node = find(name), let read: Value = read(node, name) { value = read }
  }

  @inline(__always)
  package mutating func optional<Element: MemberValue>(
    _ name: StaticString,
    _ elements: inout [Element],
    _ summary: StaticString
  ) {
    if let node = find(name), let read: [Element] = read(node, name) { elements = read }
  }

  @inline(__always)
  package mutating func prepared<Content: DescribedValue>(
    _ name: StaticString,
    _ value: inout JSON,
    as content: Content.Type,
    _ summary: StaticString
  ) {
    required(name, &value, summary, missing: "")
  }

  // MARK: Problems

  /// Whether the object has that member, valid or not: for ``Message/check(_:)``.
  package func has(_ name: StaticString) -> Bool { object?.member(name) != nil }

  /// Notes a problem of a member.
  package mutating func note(_ code: InvalidParams.Code, _ expected: String, atMember name: StaticString) {
    problems.append(InvalidParams.Problem(path: "/\(name)", code: code, expected: expected))
  }

  /// Notes a problem of a value inside a member.
  package mutating func note(
    _ code: InvalidParams.Code,
    _ expected: String,
    inside name: StaticString,
    at pointer: JSONPointer
  ) {
    problems.append(InvalidParams.Problem(path: "/\(name)\(pointer.description)", code: code, expected: expected))
  }

  /// Notes a problem of the value that is being read.
  package mutating func note(_ code: InvalidParams.Code, _ expected: String) {
    problems.append(InvalidParams.Problem(path: "", code: code, expected: expected))
  }

  /// Passes a value on, or notes that the value does not have the wanted type.
  @inline(__always)
  mutating func expect<Value: MemberValue>(_ value: Value?, _ type: Value.Type) -> Value? {
    if value == nil { note(.type, Value.expectation) }
    return value
  }

  /// Reads a value at `path`: problems that are noted during this are noted below the path.
  @inline(__always)
  mutating func inside<Value>(
    _ path: @autoclosure () -> String,
    _ body: (inout MessageReader) -> Value?
  ) -> Value? {
    let count = problems.count
    let value = body(&self)
    if problems.count > count {
      let path = path()
      for position in count..<problems.count { problems[position].path = path + problems[position].path }
    }
    return value
  }

  @inline(never)
  private mutating func noteUnknown<Content: Message>(in object: JSONNode, _ type: Content.Type) {
    let known = MessageSchema.members(of: type).map(\.name)
    let expected = known.isEmpty ? "no members" : "one of: " + known.joined(separator: ", ")
    var unknown: [String] = []
    object.forEachMember { name, _ in
      // A stranger's name is echoed only as far as it can be a name.
      let name = String(decoding: name.prefix(256), as: UTF8.self)
      guard unknown.count < InvalidParams.problemsMax, !known.contains(where: { $0.hasSameUTF8(as: name) }) else {
        return
      }
      unknown.append("/" + JSONPointer.escape(String(name.unicodeScalars.prefix(64))))
    }
    problems += unknown.map { InvalidParams.Problem(path: $0, code: .unknown, expected: expected) }
  }
}

extension Message {
  /// Reads params: each listed member at most once (the JSON reader ensures that), of the right type, and no other
  /// members.
  ///
  /// - Parameter params: an object; nil means an object without members.
  /// - Throws: ``InvalidParams`` with every problem.
  @inline(__always)
  package init(_ params: JSONNode?) throws(InvalidParams) {
    self = try MessageReader.read(Self.self, params)
  }

  package static var expectation: String { "object" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Self? {
    reader.message(Self.self, node)
  }
}
