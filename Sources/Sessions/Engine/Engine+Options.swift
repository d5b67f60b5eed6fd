internal import CEL
internal import Forms
internal import JSON

/// Choices that depend on other cells.
extension Engine {
  /// Computes what a field's value can be chosen from, in the instance that says it for the field.
  ///
  /// While the formula is absent, or gives no list, anything can be chosen.
  func computeOptions(of field: Int, _ instance: Instance) -> FactSet {
    guard let computed = instance.form.fields[field].computedOptions else { return .none }
    let value = evaluate(computed.formula, in: instance)
    let options = value.isError ? nil : Options(value)
    if options == nil, !value.isNull { report(computed.formula, value) }
    let before = instance.own?.options[field]
    guard options?.json != before?.json else { return .none }
    let home = computed.home
    note(.options, of: home, DocumentValue(instance.documentOptions(of: home)), in: instance)
    let difference = (options?.bytes ?? 0) - (before?.bytes ?? 0)
    instance.withSession { $0.computedBytes &+= difference }
    instance.madeOwn.options[field] = faults.through(.keepOptions, options, broken: before ?? options)
    return .options
  }

  /// Whether a field's value can be chosen.
  func computeOffered(_ field: Int, _ instance: Instance) -> FactSet {
    let state = instance.fields + field
    let value = state.pointee.flags.contains(.isAbsent) ? nil : instance.value(of: field, .shown)
    let isOffered =
      if let value, let options = instance.options(of: field) { options.admit(value) } else { true }
    let isRefused = faults.through(.offerAll, !isOffered, broken: false)
    guard isRefused != state.pointee.flags.contains(.isNotOffered) else { return .none }
    state.pointee.flags.formSymmetricDifference(.isNotOffered)
    return .isNotOffered
  }
}
