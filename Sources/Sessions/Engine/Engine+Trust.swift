internal import Forms
internal import JSON

/// A field can trust its initial value until the value is changed: its errors are warnings.
extension Engine {
  /// The errors of a field that count. A field in a blank row that its list ignores has none.
  @inline(never)
  func countedErrors(_ errors: ErrorList, of field: Int, _ instance: Instance) -> ErrorList {
    instance.isIgnored ? .none : warningsIfTrusted(errors, of: field, instance)
  }

  /// The errors of a field. If its value is an initial one that is trusted, they are warnings, except errors of a
  /// server.
  ///
  /// An absent value is not trusted: a field that needs a value has none in the beginning, too.
  private func warningsIfTrusted(_ errors: ErrorList, of field: Int, _ instance: Instance) -> ErrorList {
    guard !errors.isEmpty, instance.trustsValue(of: field) else { return errors }
    let locale = instance.withSession { $0.localeIndex }
    let trusted = errors.all.map { error in
      error.source(in: instance.form) == .server
        ? error : .detailed(ErrorDetail(warningOf: error, instance.form, locale: locale))
    }
    return trusted.count == 1 ? .one(trusted[0]) : .many(trusted)
  }
}

extension Instance {
  /// Whether the value of a field is a trusted initial value.
  func trustsValue(of field: Int) -> Bool {
    tables.pointee.fields[field].trustsInitial && !fields[field].flags.contains(.isEmpty) && hasInitialValue(field)
  }

  /// Whether a field has the value with which the session began, in a session that trusts such values. The value of a
  /// formula is not dirty, but it is no such value either.
  func hasInitialValue(_ field: Int) -> Bool {
    fields[field].flags.isDisjoint(with: [.isDirty, .follows]) && trustsBeginning
  }

  /// Whether its initial values can be trusted: it was there in the beginning, and the session does not judge them.
  var trustsBeginning: Bool { isOfBeginning && !withSession { $0.flags.contains(.trustsNothing) } }

  /// Whether it was there in the beginning: the form, or a row that its list began with.
  private var isOfBeginning: Bool {
    guard let row else { return true }
    let list = row.list
    return (list.hasInitialRows || list.initial.contains { $0.id == row.id }) && list.owner.isOfBeginning
  }
}

extension FieldError {
  fileprivate func source(in form: Form) -> ErrorSource {
    switch self {
    case .prepared(let reference): form.errors[reference.number].source
    case .detailed(let detail): detail.source
    }
  }
}

extension ErrorDetail {
  /// A warning with the content of an error.
  fileprivate convenience init(warningOf error: FieldError, _ form: Form, locale: Int) {
    switch error {
    case .prepared(let reference):
      let prepared = form.errors[reference.number]
      self.init(
        code: prepared.code,
        severity: .warning,
        source: prepared.source,
        message: prepared.message[locale]
      )
    case .detailed(let detail):
      self.init(
        code: detail.code,
        path: detail.path,
        severity: .warning,
        source: detail.source,
        message: detail.message,
        parameters: detail.parameters
      )
    }
  }
}
