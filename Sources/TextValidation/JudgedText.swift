public import DataLanguages
public import Forms
public import JSON
public import Sessions
public import SourceTexts
internal import Texts

/// A text that a form judges: its values, and their positions in the text.
///
/// The text is read once. A session is opened with ``values(for:)``. Then ``verdict(of:errorsMax:)`` maps the session's
/// errors to their positions in the text. Broken texts are judged as far as they can be read. Errors that may follow
/// from unreadable parts are left out.
public struct JudgedText: Sendable {
  /// The text as it was read, with its problems.
  public let text: ScannedText
  public let language: DataLanguage
  /// The values that could be read.
  private let value: JSON

  /// A text that has been read already.
  public init(_ text: ScannedText, language: DataLanguage) {
    self.text = text
    value = text.value
    self.language = language
  }

  /// The approximate memory of the text.
  public var memoryBytes: Int { text.source.bytes.count * 2 + text.valueCount * 160 }

  /// Top-level members that name the form, or the schema, of the text.
  public static let ownMembers = ["$form", "$schema"]

  /// Whether a top-level member is about the text, and is not a value of a form. It is one of ``ownMembers``, and the
  /// form has no field of that name.
  private static func isOwn(_ name: String, _ form: Form) -> Bool {
    ownMembers.contains(name) && form.field(named: name, in: nil) == nil
  }

  /// The values for a form. There are none if the text is not an object. Members about the text itself are left out:
  /// see ``ownMembers``.
  ///
  /// If a language has only texts, texts of number and boolean fields are converted, as with `coerce`. A field with
  /// `read` reads its text itself.
  public func values(for form: Form) -> JSONObject {
    guard case .object(var members) = value else { return [:] }
    for name in Self.ownMembers where Self.isOwn(name, form) { members[name] = nil }
    guard language.hasOnlyTexts else { return members }
    for field in form.children(of: nil) {
      let definition = form.fields[field]
      guard definition.read == nil, BuiltInTexts.unread(definition.type) != nil,
        case .string(let text)? = members[definition.name]
      else {
        continue
      }
      members[definition.name] = definition.coerced(text) ?? .null
    }
    return members
  }

  /// The verdict of a session that was opened with the values.
  ///
  /// - Parameters:
  ///   - session: it shows everything, and has not been changed since it was opened.
  ///   - errorsMax: the most errors that are reported.
  public func verdict(of session: Session, errorsMax: Int = .max) -> TextVerdict {
    let form = session.form
    let problems = text.problems.map { error(of: $0, in: form) }
    var errors: [TextError] = []
    var isRefused = text.problemCount > 0
    var isTruncated = text.problemCount > text.problems.count
    if isObject {
      // One more shows that there are more errors.
      let countMax = text.hasLosses || errorsMax == .max ? .max : errorsMax + 1
      let found = session.errors(countMax: countMax)
      if !session.isValid { isRefused = true }
      if found.count > found.errors.count { isTruncated = true }
      var unread = text.hasLosses && !found.errors.isEmpty ? UnreadValues(of: text, in: form) : nil
      errors = found.errors.filter { unread?.mayExplain($0) != true }.map { self.error(of: $0, in: session) }
      errors += unknownNames(in: form, besides: errors)
      if mayShowSecret(form) { errors.removeAll { namesUnknown($0, in: form) } }
    } else if text.problemCount == 0 {
      isRefused = true
      errors = [
        TextError(
          pointer: .root,
          code: "type",
          message: "the values must be an object, but this is \(value.typeName); write members with names",
          range: text.root.range
        )
      ]
    }
    let all = problems + errors
    return TextVerdict(
      isValid: !isRefused,
      errors: Array(all.prefix(errorsMax)),
      isTruncated: isTruncated || all.count > errorsMax
    )
  }

  /// Whether there are members to be judged. A file of lines that has no members is also an object.
  private var isObject: Bool {
    text.root.kind == .object || text.syntax == .lines && [.missing, .null].contains(text.root.kind)
  }

  // MARK: Problems of the text

  private func error(of problem: SyntaxProblem, in form: Form) -> TextError {
    let path = text.path(atOffset: problem.range.lowerBound)
    let hidesInput = mayShowSecret(form)
    let problem = hidesInput ? problem.withoutInput : problem
    return TextError(
      pointer: hidesInput ? knownPointer(path.pointer, in: form) : path.pointer,
      code: problem.code.rawValue,
      message: problem.message,
      range: problem.range,
      keyRange: path.node.keyRange,
      fix: problem.replacement.map { TextError.Fix(range: problem.range, text: $0) }
    )
  }

  /// Whether a name, or a value that cannot be read, may be a piece of a secret. A broken text does not show the
  /// positions of its secrets.
  private func mayShowSecret(_ form: Form) -> Bool { form.holdsSecret && text.problemCount > 0 }

  /// The part of a pointer that consists of the form's own names.
  private func knownPointer(_ pointer: JSONPointer, in form: Form) -> JSONPointer {
    JSONPointer(tokens: Array(pointer.tokens.prefix(form.innermostField(at: pointer).depth)))
  }

  /// Whether an error names a member that is not a field.
  private func namesUnknown(_ error: TextError, in form: Form) -> Bool {
    var pointer = error.pointer
    if let name = error.parameters["property"]?.stringValue, pointer.tokens.last?.hasSameUTF8(as: name) != true {
      pointer = pointer.appending(name)
    }
    return knownPointer(pointer, in: form) != pointer
  }

  // MARK: Errors of the values

  private func error(of error: LocatedError, in session: Session) -> TextError {
    let form = session.form
    let (range, keyRange) = ranges(of: error.pointer)
    var told = TextError(
      pointer: error.pointer,
      code: error.code,
      source: error.source,
      isWarning: error.isWarning,
      message: error.message,
      parameters: error.parameters,
      range: range,
      keyRange: keyRange
    )
    told.causes = (error.parameters["causes"]?.arrayValue ?? []).map { cause in
      let inside = cause["path"]?.stringValue.flatMap(JSONPointer.init(_:)) ?? .root
      let pointer = JSONPointer(tokens: error.pointer.tokens + inside.tokens)
      let (range, keyRange) = ranges(of: pointer)
      return TextError.Cause(pointer: pointer, code: cause["code"]?.stringValue ?? "", range: range, keyRange: keyRange)
    }
    if let quoted = quotedText(for: error, in: form) {
      let advice = BuiltInTexts.quotes.resolved(for: session.locale ?? form.locale ?? "", default: form.locale)
      told.message += " " + fillPlaceholders(advice, from: ["text": .string(quoted)])
      told.fix = TextError.Fix(range: range, text: quoted)
    }
    if let name = error.parameters["property"]?.stringValue,
      ["additionalProperties", "unevaluatedProperties"].contains(error.code)
    {
      let isAtName = error.pointer.tokens.last.map { $0.hasSameUTF8(as: name) } ?? false
      let pointer = isAtName ? error.pointer : error.pointer.appending(name)
      if let node = text.node(at: pointer), let key = node.keyRange {
        told.pointer = pointer
        told.range = key
        told.keyRange = key
        told.fix = closestField(to: pointer, in: form)
          .map { TextError.Fix(range: key, text: language.written(name: $0)) }
      }
    }
    return told
  }

  /// A word of YAML that was read as a number, a Boolean or null, in quotes, if a text is wanted there.
  private func quotedText(for error: LocatedError, in form: Form) -> String? {
    guard language == .yaml, let node = text.node(at: error.pointer), [.number, .bool, .null].contains(node.kind),
      let first = text.source.bytes[node.range].first,
      "+-.~0123456789".utf8.contains(first) || "fntFNT".utf8.contains(first)
    else { return nil }
    let word = String(decoding: text.source.bytes[node.range], as: UTF8.self)
    let isWanted =
      switch error.code {
      case "type": error.parameters["expected"]?.arrayValue?.contains("string") ?? false
      case "enum", "const": error.parameters["allowed"]?.arrayValue?.contains(.string(word)) ?? false
      default: false
      }
    let field = form.innermostField(at: error.pointer).field
    guard isWanted, field.map({ !form.fields[$0].isSecret }) ?? true else { return nil }
    return language.written(text: word)
  }

  /// The bytes of the value at a pointer, and of its name. If the value is missing, they are the name of the value
  /// around it, or the first byte of that value.
  private func ranges(of pointer: JSONPointer) -> (range: Range<Int>, keyRange: Range<Int>?) {
    if let node = text.node(at: pointer), node.kind != .missing { return (node.range, node.keyRange) }
    var node: ScannedNode? = text.nearestNode(to: pointer)
    // An error does not point to an unreadable part.
    while let current = node, current.kind == .missing { node = current.parent }
    guard let node else { return (text.root.range, nil) }
    if let key = node.keyRange { return (key, key) }
    let start = node.range.lowerBound
    return (start..<min(start + 1, node.range.upperBound), nil)
  }

  // MARK: Names

  /// Warnings for members that are not fields, but have nearly the name of a field. The schema admits these members.
  private func unknownNames(in form: Form, besides errors: [TextError]) -> [TextError] {
    var warnings: [TextError] = []
    var waiting: [(node: ScannedNode, field: Int?)] = [(text.root, nil)]
    var comparisonsLeft = Self.comparisonsMax
    let told = Set(errors.lazy.filter { !$0.isWarning }.map(\.range))
    while let (node, field) = waiting.popLast() {
      for child in node.children where child.kind != .missing && !child.isDoubtful {
        guard let name = child.key, let range = child.keyRange else { continue }
        if field == nil, node.parent == nil, Self.isOwn(name, form) { continue }
        if let inner = form.field(named: name, in: field) {
          if child.kind == .object { waiting.append((child, inner)) }
          guard child.kind == .array, let element = form.fields[inner].element else { continue }
          waiting += child.children.filter { $0.kind == .object }.map { ($0, element) }
          continue
        }
        let names = form.children(of: field).map { form.fields[$0].name }
        comparisonsLeft -= names.count
        guard comparisonsLeft > 0 else { return warnings }
        if told.contains(range) { continue }
        guard let closest = closestName(to: name, among: names) else { continue }
        let pointer = child.pointer
        let meant = JSONPointer(tokens: pointer.tokens.dropLast() + [closest]).address
        warnings.append(
          TextError(
            pointer: pointer,
            code: "unknownName",
            isWarning: true,
            message: "there is no field \(pointer.address); did you mean \(meant)?",
            range: range,
            keyRange: range,
            // A fix is left out if the field has its value already.
            fix: node.child(closest) == nil ? TextError.Fix(range: range, text: language.written(name: closest)) : nil
          )
        )
        if warnings.count == Self.warningsMax { return warnings }
      }
    }
    return warnings
  }

  /// The most names that are compared. A text with more unknown names belongs to another form.
  private static let comparisonsMax = 10_000
  /// The most unknown names that are reported.
  private static let warningsMax = 100

  /// The name of the field that a member's name probably means.
  private func closestField(to pointer: JSONPointer, in form: Form) -> String? {
    guard let name = pointer.tokens.last else { return nil }
    var field: Int?
    for token in pointer.tokens.dropLast() {
      if let list = field, let element = form.fields[list].element {
        field = element
      } else {
        guard let next = form.field(named: token, in: field) else { return nil }
        field = next
      }
    }
    return closestName(to: name, among: form.children(of: field).map { form.fields[$0].name })
  }
}

extension Form {
  /// The innermost field that a pointer into values leads to, and how many of its tokens lead there.
  func innermostField(at pointer: JSONPointer) -> (field: Int?, depth: Int) {
    var field: Int?
    for (depth, token) in pointer.tokens.enumerated() {
      if let list = field, let element = fields[list].element {
        field = element
      } else {
        guard let next = self.field(named: token, in: field) else { return (field, depth) }
        field = next
      }
    }
    return (field, pointer.tokens.count)
  }
}
