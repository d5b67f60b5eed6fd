internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// Choices that depend on other values.
extension Engine {
  /// Computes the values that a field can have, in the instance that has its options.
  ///
  /// While the formula is absent, any value can be chosen. While it goes wrong, or gives no options, no value can.
  func computeOptions(_ field: Int, _ instance: Instance) -> FactSet {
    guard let computed = instance.form.fields[field].computedOptions else { return .none }
    let value = evaluate(computed.formula, in: instance)
    let options = value.isNull ? nil : value.isError ? .faulted : Options(value) ?? .faulted
    if let problem = options?.problem {
      report(computed.formula, reason: problem, in: instance)
    } else if options?.json == nil, !value.isNull {
      report(computed.formula, value, in: instance)
    }
    let before = instance.instanceExtras?.options[field]
    if options?.json == before?.json, (options == nil) == (before == nil) { return .none }
    if options?.json != before?.json {
      note(.options, of: computed.home, DocumentValue(instance.documentOptions(of: computed.home)), in: instance)
    }
    let difference = (options?.bytes ?? 0) - (before?.bytes ?? 0)
    instance.withSession { $0.computedBytes &+= difference }
    instance.madeInstanceExtras.options[field] = options
    return .options
  }

  /// Whether a field's value can be chosen. While that is not known, because a lookup is loading or has failed, any
  /// value can.
  func computeOffered(_ field: Int, _ instance: Instance) -> FactSet {
    let state = instance.fields.at(field)
    let isRefused = instance.knowsOptions(of: field) && !instance.isOffered(field)
    guard isRefused != state.pointee.flags.contains(.isNotOffered) else { return .none }
    state.pointee.flags.formSymmetricDifference(.isNotOffered)
    return .isNotOffered
  }
}
