internal import Client
internal import FormProtocol
internal import Forms
package import JSON
internal import JSONRPC
internal import SessionCalls
internal import Sessions
internal import Texts

/// One difference between a session and the expectations of a case.
package struct Deviation: Hashable, Sendable {
  /// The part of the form that explains a deviation.
  package enum Subject: Hashable, Sendable {
    /// The form as a whole.
    case form
    /// The field, or the row, at an address in the engine's spelling.
    case field(String)
    /// A step of the form, a lookup, an action or an output, by name.
    case step(String)
    case lookup(String)
    case action(String)
    case output(String)
  }

  /// The kind of the deviation.
  package enum Kind: Hashable, Sendable {
    /// Another value than expected. Null in `expected`, and nil in `got`, stand for a missing value.
    case value(expected: JSON, got: JSON?)
    /// A sentence.
    case remark(String)
  }

  /// The location in the expectations. It is the root if the deviation belongs to no part.
  package var pointer: JSONPointer
  package var kind: Kind
  /// The part that the engine can explain; nil: none.
  package var subject: Subject?
}

/// Compares the expectations of a step with a session.
struct ExpectationComparison {
  private let state: CaseSession
  private let document: FormDocument
  private var deviations: [Deviation] = []

  /// All deviations, in the order of the document's parts.
  static func deviations(of state: CaseSession, from expected: Expectations) -> [Deviation] {
    var comparison = ExpectationComparison(state)
    comparison.compare(expected)
    return comparison.deviations
  }

  private init(_ state: CaseSession) {
    self.state = state
    document = FormDocument(state.document)
  }

  private mutating func compare(_ expected: Expectations) {
    compare("isValid", expected.isValid, document.isValid)
    compare("isPending", expected.isPending, document.isPending)
    compare("isDirty", expected.isDirty, document.isDirty)
    compare("canUndo", expected.canUndo, document.canUndo)
    compare("canRedo", expected.canRedo, document.canRedo)
    compare("step", expected.step, document.step.map { .string($0) }, .form)
    forEachField("messages", expected.messages) { comparison, pointer, address, value in
      comparison.compare(pointer, value, comparison.document.messages[address].map { .string($0) }, .field(address))
    }
    compareErrors(expected.errors)
    forEachField("values", expected.values) { comparison, pointer, address, value in
      comparison.compare(pointer, value, comparison.state.session.toldValue(at: address), .field(address))
    }
    forEachField("fields", expected.fields) { comparison, pointer, address, value in
      let state = comparison.document.field(address).map { JSON.object($0.state) }
      comparison.compare(pointer, value, state, membersOf: .field, .field(address))
    }
    let form = state.form
    compareNamed("steps", expected.steps, form.steps.map(\.id), .step, { .step($0) }, { $0.step($1)?.json })
    compareByRow(
      "lookups",
      expected.lookups,
      form.lookups.map(\.address),
      .lookup,
      { .lookup($0) },
      { $0.lookup(at: $1)?.json }
    )
    compareNamed(
      "actions",
      expected.actions,
      form.actions.map(\.name),
      .action,
      { .action($0) },
      { $0.action($1)?.json }
    )
    compareByRow("outputs", expected.outputs, form.outputs.map(\.address), nil, { .output($0) }, { $0.output($1) })
    let tapped = state.tapped.map { Deviation.Subject.action($0) }
    if let tap = expected.tap {
      compare(JSONPointer(tokens: ["tap"]), .object(tap), state.tap?.json, membersOf: .tap, tapped)
    }
    compareEvents(expected.events, state.events.first.map { .action($0.action) } ?? tapped)
    compare(
      "requests",
      expected.requests.map { .array($0.map(\.json)) },
      .array(state.requests.map(\.request.json)),
      nil
    )
  }

  // MARK: Parts

  private mutating func compare(_ name: String, _ expected: Bool?, _ got: Bool) {
    compare(name, expected.map { .bool($0) }, .bool(got), .form)
  }

  private mutating func compare(_ name: String, _ expected: JSON?, _ got: JSON?, _ subject: Deviation.Subject?) {
    if let expected { compare(JSONPointer(tokens: [name]), expected, got, subject) }
  }

  private mutating func compare(
    _ pointer: JSONPointer,
    _ expected: JSON,
    _ got: JSON?,
    _ subject: Deviation.Subject?
  ) {
    for difference in PartialComparison.differences(expected: expected, got: got, at: pointer) {
      deviations.append(
        Deviation(
          pointer: difference.pointer,
          kind: .value(expected: difference.expected, got: difference.got),
          subject: subject
        )
      )
    }
  }

  /// Compares an object whose members have known names. Any other name is a mistake, and not an absent member.
  ///
  /// - Parameter described: the kind of the object; nil: an object with names of the form's own.
  private mutating func compare(
    _ pointer: JSONPointer,
    _ expected: JSON,
    _ got: JSON?,
    membersOf described: Described?,
    _ subject: Deviation.Subject?
  ) {
    let known = described?.members ?? []
    let slips = (expected.objectValue ?? [:]).names.filter { !known.contains($0) }
    guard let described, let slip = slips.first else { return compare(pointer, expected, got, subject) }
    remark(
      pointer.appending(slip),
      "\(described) has no \(JSON.string(slip))" + Self.advice(closestName(to: slip, among: known), known),
      subject
    )
  }

  private mutating func compareEvents(_ expected: [JSON]?, _ subject: Deviation.Subject?) {
    guard let expected else { return }
    let pointer = JSONPointer(tokens: ["events"])
    let got = state.events.map(\.json)
    if expected.count != got.count {
      compare(pointer, .array(expected), .array(got), subject)
      return remarkEarlier(expected, got, at: pointer, subject)
    }
    for (position, pair) in zip(expected, got).enumerated() {
      compare(pointer.appending(position), pair.0, pair.1, membersOf: .event, subject)
    }
  }

  /// Says in which earlier step each expected event came that did not come in this one.
  private mutating func remarkEarlier(
    _ expected: [JSON],
    _ got: [JSON],
    at pointer: JSONPointer,
    _ subject: Deviation.Subject?
  ) {
    func fits(_ event: JSON, _ got: JSON) -> Bool {
      PartialComparison.differences(expected: event, got: got, at: pointer).isEmpty
    }
    for (position, event) in expected.enumerated() where !got.contains(where: { fits(event, $0) }) {
      guard let earlier = state.earlierEvents.last(where: { fits(event, $0.event.json) }) else { continue }
      let step = earlier.step == 0 ? "when the session was opened" : "in step \(earlier.step)"
      remark(pointer.appending(position), "such an event came \(step)", subject)
    }
  }

  private mutating func compareErrors(_ expected: JSONObject?) {
    let ofForm = expected?[""]
    if let ofForm {
      compare(JSONPointer(tokens: ["errors", ""]), Self.codes(ofForm), Self.codes(document.errors), .form)
    }
    let ofFields = expected.map { JSONObject($0.filter { !$0.name.isEmpty }.map { ($0.name, $0.value) }) }
    forEachField("errors", ofFields) { comparison, pointer, address, value in
      let codes = Self.codes(comparison.document.field(address)?.errors ?? [])
      comparison.compare(pointer, Self.codes(value), codes, .field(address))
    }
  }

  /// The expected codes. An empty list expects a field without errors.
  private static func codes(_ expected: JSON) -> JSON { expected == [] ? .null : expected }

  /// The codes of errors; nil if there are none.
  private static func codes(_ errors: [FormError]) -> JSON? {
    errors.isEmpty ? nil : .array(errors.map { .string($0.code) })
  }

  /// Calls the closure with each member that names a part of the values, and with its address in the engine's spelling.
  private mutating func forEachField(
    _ part: String,
    _ expected: JSONObject?,
    _ body: (inout ExpectationComparison, JSONPointer, String, JSON) -> Void
  ) {
    for member in expected ?? [:] {
      let pointer = JSONPointer(tokens: [part, member.name])
      do throws(RPCError) {
        let found = try state.session.resolve(field: member.name)
        body(&self, pointer, state.session.address(of: found), member.value)
      } catch {
        let refusal = StepRefusal(error)
        // A removed row meets the expectation null.
        if refusal.isOfGoneRow, member.value == .null { continue }
        remark(pointer, refusal.message, nil)
      }
    }
  }

  private mutating func compareNamed(
    _ part: String,
    _ expected: JSONObject?,
    _ names: [String],
    _ described: Described?,
    _ subject: (String) -> Deviation.Subject,
    _ got: (FormDocument, String) -> JSON?
  ) {
    for member in expected ?? [:] {
      let pointer = JSONPointer(tokens: [part, member.name])
      guard names.contains(member.name) else {
        remark(
          pointer,
          "the form does not have this name" + Self.advice(closestName(to: member.name, among: names), names),
          nil
        )
        continue
      }
      compare(pointer, member.value, got(document, member.name), membersOf: described, subject(member.name))
    }
  }

  /// Compares members that rows may have, too. Such a member has an address, by the row's position or identity.
  private mutating func compareByRow(
    _ part: String,
    _ expected: JSONObject?,
    _ addresses: [String],
    _ described: Described?,
    _ subject: (String) -> Deviation.Subject,
    _ got: (FormDocument, String) -> JSON?
  ) {
    for member in expected ?? [:] {
      let pointer = JSONPointer(tokens: [part, member.name])
      let asDefined = Self.address(definedFor: member.name)
      guard addresses.contains(asDefined) else {
        let closest = closestName(to: asDefined, among: addresses)
        remark(pointer, "the form does not have this name" + Self.advice(closest, addresses), nil)
        continue
      }
      compare(pointer, member.value, got(document, member.name), membersOf: described, subject(spelled(member.name)))
    }
  }

  /// An address in the engine's spelling: with identities instead of positions.
  private func spelled(_ address: String) -> String {
    guard var tokens = JSONPointer(address: address)?.tokens, tokens.count > 1, let name = tokens.popLast(),
      let row = try? state.session.resolve(JSONPointer(tokens: tokens).address)
    else { return address }
    return JSONPointer(address: state.session.address(of: row))?.appending(name).description ?? address
  }

  /// The address in the definition: `/items/*/net` for `/items/0/net` and `/items/#7/net`.
  private static func address(definedFor address: String) -> String {
    guard address.utf8.first == UInt8(ascii: "/"), let tokens = JSONPointer(address)?.tokens else { return address }
    return JSONPointer(
      tokens: tokens.map { token in
        token.utf8.first == UInt8(ascii: "#") || JSONPointer.arrayIndex(token) != nil ? "*" : token
      }
    ).description
  }

  private mutating func remark(_ pointer: JSONPointer, _ text: String, _ subject: Deviation.Subject?) {
    deviations.append(Deviation(pointer: pointer, kind: .remark(text), subject: subject))
  }

  private static func advice(_ closest: String?, _ known: [String]) -> String {
    if let closest { return "; did you mean \(JSON.string(closest))?" }
    return known.isEmpty ? "" : "; it has \(known.joined(separator: ", "))"
  }
}

extension Session {
  /// The value at an address as a client may see it: nil if there is none, or if it is a secret.
  func toldValue(at address: String) -> JSON? {
    guard let target = try? resolve(address) else { return nil }
    let rest: [String]
    let told: (values: JSONObject, absent: [String])
    if let field = target.field {
      told = self.told([.field(field, row: target.row)])
      rest = target.rest
    } else {
      told = self.told([.member(target.rest[0])])
      rest = Array(target.rest.dropFirst())
    }
    return told.values.first?.value.value(at: JSONPointer(tokens: rest))
  }
}
