public import Forms
public import JSON

/// An error or warning of a session, with its location in the values.
public struct LocatedError: Sendable {
  /// Its location in the values. Rows are named by their positions.
  public let pointer: JSONPointer
  /// The code of the error: the id of a rule or a check, or a keyword of JSON Schema.
  public let code: String
  /// The part of the form that has found the error.
  public let source: ErrorSource
  /// Whether the value is accepted despite the error.
  public let isWarning: Bool
  /// The text for the user, in the session's language.
  public let message: String
  /// The values that the text names, by their names.
  public let parameters: JSONObject
}

extension Session {
  /// The errors and warnings, including errors whose message is not shown yet. The errors of a field come before the
  /// errors of its inner fields, and the errors of the form as a whole come last.
  ///
  /// - Parameter countMax: the most errors that are returned.
  /// - Returns: the errors, and the count of all errors.
  public func errors(countMax: Int = .max) -> (errors: [LocatedError], count: Int) {
    var errors: [LocatedError] = []
    var count = 0
    forEachField { live in
      let list = live.state.pointee.errors
      if list.isEmpty { return }
      count += list.count
      if errors.count >= countMax { return }
      let path = live.instance.positions(to: live.field)
      for error in list.all.prefix(countMax - errors.count) { errors.append(located(error, in: path)) }
    }
    count += formErrors.count
    for error in formErrors.all.prefix(max(0, countMax - errors.count)) { errors.append(located(error, in: [])) }
    return (errors, count)
  }

  /// The location of an address in the values. Rows are named by their positions. Nil if the row is gone.
  package func location(of target: ResolvedAddress) -> JSONPointer? {
    guard let field = target.field else { return JSONPointer(tokens: target.rest) }
    return instance(of: target.row).map { JSONPointer(tokens: $0.positions(to: field) + target.rest) }
  }

  private func located(_ error: FieldError, in path: [String]) -> LocatedError {
    var inside = JSONPointer.root
    var parameters: JSONObject = [:]
    let source: ErrorSource
    let isWarning: Bool
    switch error {
    case .prepared(let reference):
      let prepared = form.errors[reference.number]
      source = prepared.source
      isWarning = prepared.severity == .warning
    case .detailed(let detail):
      source = detail.source
      isWarning = detail.severity == .warning
      inside = JSONPointer(detail.path) ?? .root
      parameters = detail.parameters
    }
    return LocatedError(
      pointer: JSONPointer(tokens: path + inside.tokens),
      code: form.code(of: error),
      source: source,
      isWarning: isWarning,
      message: form.message(of: error, locale: localeIndex),
      parameters: parameters
    )
  }
}

extension Instance {
  /// The names and positions that lead to a field.
  fileprivate func positions(to field: Int) -> [String] {
    let own = form.fields[field].path
    guard let row else { return own }
    return row.list.owner.positions(to: row.list.field) + [String(row.position)]
      + own.dropFirst(form.fields[row.element].path.count)
  }
}
