public import Forms
public import JSON
internal import Texts

/// One error of a field or of the form. It was prepared when the form was loaded, or it has details of its own.
public enum FieldError: Sendable, Equatable {
  /// An error whose text is known since the form was loaded.
  case prepared(PreparedErrorReference)
  /// An error whose text or parameters depend on the value.
  case detailed(ErrorDetail)

  public static func == (left: FieldError, right: FieldError) -> Bool {
    switch (left, right) {
    case (.prepared(let a), .prepared(let b)): a == b
    case (.detailed(let a), .detailed(let b)): a === b || a.isSame(as: b)
    default: false
    }
  }
}

/// A prepared error, by its number in its form.
public struct PreparedErrorReference: Sendable, Hashable {
  /// The error's number in the form.
  package let number: ErrorNumber

  @inline(__always)
  package init(_ number: ErrorNumber) {
    self.number = number
  }
}

/// An error whose text or parameters depend on the value.
public final class ErrorDetail: Sendable {
  /// The schema keyword, or the id of the rule or check.
  public let code: String
  /// The location of the error inside its field's value as a JSON Pointer, which is empty for the value itself. For an
  /// error of the form, the location is inside all values.
  public let path: String
  /// An error, or only a warning. An error of a server does not block either.
  public let severity: Severity
  /// The part of the form that has found the error.
  public let source: ErrorSource
  /// The text in the session's locale.
  public let message: String
  /// The values that a translator needs: `{"limit": 8}`.
  public let parameters: JSONObject

  init(
    code: String,
    path: String = "",
    severity: Severity,
    source: ErrorSource,
    message: String,
    parameters: JSONObject = [:]
  ) {
    self.code = code
    self.path = path
    self.severity = severity
    self.source = source
    self.message = message
    self.parameters = parameters
  }

  /// The warning that a formula goes wrong.
  convenience init(faultOf formula: String, in session: Session) {
    let message = session.form.faultText[session.localeIndex]
    self.init(code: formula, severity: .warning, source: .fault, message: message)
  }

  func isSame(as other: ErrorDetail) -> Bool {
    code.hasSameUTF8(as: other.code) && path.hasSameUTF8(as: other.path) && severity == other.severity
      && source == other.source && message.hasSameUTF8(as: other.message) && parameters == other.parameters
  }
}

/// The errors of one field, in their order of importance. The usual cases, no error and one error, need no memory of
/// their own.
public enum ErrorList: Sendable, Equatable {
  /// No error.
  case none
  /// One error.
  case one(FieldError)
  /// Two or more.
  case many([FieldError])

  /// Whether there is none.
  @inline(__always)
  public var isEmpty: Bool {
    if case .none = self { true } else { false }
  }

  /// Whether that error is the only one.
  @inline(__always)
  func isOnly(_ reference: PreparedErrorReference) -> Bool {
    if case .one(.prepared(let only)) = self { only == reference } else { false }
  }

  /// The number of errors.
  public var count: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .many(let errors): errors.count
    }
  }

  /// The errors in the order in which clients get them.
  public var all: [FieldError] {
    switch self {
    case .none: []
    case .one(let error): [error]
    case .many(let errors): errors
    }
  }

  mutating func append(_ error: FieldError) {
    switch self {
    case .none: self = .one(error)
    case .one(let first): self = .many([first, error])
    case .many(var errors):
      self = .none
      errors.append(error)
      self = .many(errors)
    }
  }

  var first: FieldError? {
    switch self {
    case .none: nil
    case .one(let error): error
    case .many(let errors): errors.first
    }
  }

  /// Calls with each error until the closure returns true. Returns whether it did.
  @inline(__always)
  func contains(_ isWanted: (FieldError) -> Bool) -> Bool {
    switch self {
    case .none: false
    case .one(let error): isWanted(error)
    case .many(let errors): errors.contains(where: isWanted)
    }
  }
}

// MARK: Memory

extension FieldError {
  /// Its bytes, approximately, in ``Session/computedBytes``. A prepared error is a part of the form.
  var ownBytes: Int {
    switch self {
    case .prepared: 0
    case .detailed(let detail):
      128 + detail.path.utf8.count + detail.message.utf8.count + JSON.object(detail.parameters).approximateBytes
    }
  }
}

extension ErrorList {
  /// The bytes of its errors, in ``Session/computedBytes``. Errors of servers count where they are kept.
  @inline(__always)
  var bytes: Int {
    switch self {
    case .none, .one(.prepared): 0
    default: detailBytes
    }
  }

  @inline(never)
  private var detailBytes: Int {
    all.reduce(0) { sum, error in
      if case .detailed(let detail) = error, detail.source == .server { return sum }
      return sum + error.ownBytes
    }
  }
}

extension Form {
  /// The same errors, with the warnings behind the other errors.
  func withWarningsLast(_ errors: [FieldError]) -> ErrorList {
    let warnings = errors.filter { severity(of: $0) == .warning }
    if warnings.isEmpty || warnings.count == errors.count { return .many(errors) }
    return .many(errors.filter { severity(of: $0) == .error } + warnings)
  }

  /// Whether it is an error, or only a warning.
  package func severity(of error: FieldError) -> Severity {
    switch error {
    case .prepared(let reference): errors[reference.number].severity
    case .detailed(let detail): detail.severity
    }
  }

  /// The error's code.
  package func code(of error: FieldError) -> String {
    switch error {
    case .prepared(let reference): errors[reference.number].code
    case .detailed(let detail): detail.code
    }
  }

  /// Whether an error at a field is the one of a group, which the field may have.
  package func isError(_ error: FieldError, of group: FieldGroup, at field: Int) -> Bool {
    let number = group.error(at: field)
    switch error {
    case .prepared(let reference): return reference.number == number
    // The text of a rule may come from a formula, or name the row.
    case .detailed(let detail):
      return detail.source == .rule && errors[number].source == .rule
        && detail.code.hasSameUTF8(as: errors[number].code)
    }
  }

  /// The error's text in that locale. The text of a detailed error was made in its session's locale.
  package func message(of error: FieldError, locale: Int) -> String {
    switch error {
    case .prepared(let reference): errors[reference.number].message[locale]
    case .detailed(let detail): detail.message
    }
  }

  /// Whether the error makes the form invalid. Warnings and server errors do not.
  @inline(__always)
  package func blocks(_ error: FieldError) -> Bool {
    if case .detailed(let detail) = error, detail.source == .server { return false }
    return severity(of: error) == .error
  }
}

extension Instance {
  /// Whether any of the errors makes the form invalid.
  @inline(__always)
  func blocks(_ errors: borrowing ErrorList) -> Bool {
    switch errors {
    case .none: false
    case .one(let error): blocks(error)
    case .many(let all): all.contains { blocks($0) }
    }
  }

  /// Whether the error makes the form invalid. Warnings and server errors do not.
  @inline(__always)
  func blocks(_ error: FieldError) -> Bool {
    switch error {
    case .prepared(let reference): !tables.pointee.errors[Int(reference.number.rawValue)].isWarning
    case .detailed(let detail): detail.severity == .error && detail.source != .server
    }
  }
}
