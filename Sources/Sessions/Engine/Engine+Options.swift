internal import CEL
internal import Forms
internal import JSON

/// Choices that depend on other cells.
extension Engine {
  /// Computes what a field's value can be chosen from, in the instance that says it for the field.
  ///
  /// While the formula is absent, anything can be chosen; while it goes wrong, or gives no options, nothing can.
  func computeOptions(of field: Int, _ instance: Instance) -> FactSet {
    guard let computed = instance.form.fields[field].computedOptions else { return .none }
    let value = evaluate(computed.formula, in: instance)
    let options = value.isNull ? nil : value.isError ? .faulted : Options(value) ?? .faulted
    if options?.json == nil, !value.isNull { report(computed.formula, value, in: instance) }
    let before = instance.own?.options[field]
    if options?.json == before?.json, (options == nil) == (before == nil) { return .none }
    if options?.json != before?.json {
      note(.options, of: computed.home, DocumentValue(instance.documentOptions(of: computed.home)), in: instance)
    }
    let difference = (options?.bytes ?? 0) - (before?.bytes ?? 0)
    instance.withSession { $0.computedBytes &+= difference }
    instance.madeOwn.options[field] = faults.through(.keepOptions, options, broken: before ?? options)
    return .options
  }

  /// Whether a field's value can be chosen.
  func computeOffered(_ field: Int, _ instance: Instance) -> FactSet {
    let state = instance.fields + field
    let isRefused = faults.through(.offerAll, !instance.isOffered(field), broken: false)
    guard isRefused != state.pointee.flags.contains(.isNotOffered) else { return .none }
    state.pointee.flags.formSymmetricDifference(.isNotOffered)
    return .isNotOffered
  }
}
