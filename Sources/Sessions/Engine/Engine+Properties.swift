internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// The one place that changes the flags of properties. Each method notes the old content of the cell, changes the flag,
/// stores it for formulas, and marks the nodes that read it as stale. If nothing differs, it does nothing.
///
/// The methods for fields, the form and actions are always inlined: the property is a constant of the call, so only the
/// code for this property is left.
extension Engine {
  /// Changes a flag of a field.
  ///
  /// - Returns: whether it differs from before.
  @inline(__always)
  @discardableResult
  func set(_ property: FieldProperty, of field: Int, to isSet: Bool, in instance: Instance) -> Bool {
    let state = instance.fields.at(field)
    let flag = FieldFlags(property)
    if state.pointee.flags.contains(flag) == isSet { return false }
    if property.about.isInDocument { note(property, of: field, .bool(!isSet), in: instance) }
    state.pointee.flags.formSymmetricDifference(flag)
    if property.about.isInSnapshot { markForSnapshot(field, in: instance) }
    store(isSet, in: instance.tables.pointee.fields[field].slots[property.position], of: instance)
    changed(FactSet(field: property), ofField: field, in: instance)
    return true
  }

  /// Changes a flag of the form. Returns whether it differs from before.
  @inline(__always)
  @discardableResult
  func set(_ property: FormProperty, to isSet: Bool, in session: Session) -> Bool {
    let flag = SessionFlags(property)
    if session.flags.contains(flag) == isSet { return false }
    note(DocumentLayout.form(property), .bool(!isSet))
    session.flags.formSymmetricDifference(flag)
    store(isSet, in: session.tables.pointee.formSlots[property.position], of: session)
    formChanged(FactSet(form: property), in: session)
    return true
  }

  /// Changes a flag of a step. Returns whether it differs from before.
  @discardableResult
  func set(_ property: StepProperty, ofStep step: Int, to isSet: Bool, in session: Session) -> Bool {
    let flag = StepFlags(property)
    if session.steps[step].flags.contains(flag) == isSet { return false }
    note(session.form.layout.step(step, property), .bool(!isSet))
    session.steps[step].flags.formSymmetricDifference(flag)
    store(isSet, in: session.form.slots.steps[property, step], of: session)
    changed(FactSet(step: property), ofStep: step, in: session)
    return true
  }

  /// Changes a flag of an action. Returns whether it differs from before.
  @inline(__always)
  @discardableResult
  func set(_ property: ActionProperty, ofAction action: Int, to isSet: Bool, in session: Session) -> Bool {
    let state = session.actions.at(action)
    let flag = ActionFlags(property)
    if state.pointee.flags.contains(flag) == isSet { return false }
    note(session.tables.cell(action: action, property), .bool(!isSet))
    state.pointee.flags.formSymmetricDifference(flag)
    store(isSet, in: session.tables.pointee.actions[action].slots[property.position], of: session)
    changed(FactSet(action: property), ofAction: action, in: session)
    return true
  }

  // MARK: In the beginning

  private static let contentsOfForm = FormProperty.firstContents
  private static let contentsOfField = FieldProperty.firstContents
  private static let contentsOfStep = StepProperty.firstContents
  private static let contentsOfLookup = LookupProperty.firstContents
  private static let contentsOfAction = ActionProperty.firstContents

  /// Gives the slots of an instance their content without values.
  func initializeSlots(of instance: Instance) {
    func fill(_ slot: Int32, _ value: Value) {
      if slot >= 0 { instance.slots[Int(slot)] = value }
    }
    for field in instance.ownFields {
      let entry = instance.tables.pointee.fields.at(field)
      fill(entry.pointee.valueSlot, .null)
      for (position, content) in Self.contentsOfField { fill(entry.pointee.slots[position], content) }
      fill(entry.pointee.messageSlot, .string(""))
    }
    let slots = instance.form.slots
    for lookup in instance.ownLookups {
      let own = slots.lookups.slots(of: lookup)
      for (position, content) in Self.contentsOfLookup { fill(slots.offset(own[position]), content) }
    }
    for (column, read) in slots.columns.enumerated() where read.template == instance.template {
      fill(instance.tables.pointee.columnSlots[column], .list([]))
    }
    guard let row = instance.row else { return initializeSlots(ofForm: instance.session) }
    fill(row.tables.pointee.templates[row.template].indexSlot, .int(0))
  }

  private func initializeSlots(ofForm session: Session) {
    let slots = session.form.slots
    func fill<Property: PropertyList>(
      _ all: PropertySlots<Property>,
      of owners: Range<Int>,
      _ contents: [(position: Int, content: Value)]
    ) {
      for (position, content) in contents {
        for owner in owners {
          let slot = all.slots(of: owner)[position]
          if slot >= 0 { session.slots[Int(slot)] = content }
        }
      }
    }
    fill(slots.form, of: 0..<1, Self.contentsOfForm)
    fill(slots.steps, of: session.form.steps.indices, Self.contentsOfStep)
    fill(slots.actions, of: session.form.actions.indices, Self.contentsOfAction)
    let locale = slots.form[.locale, 0]
    if locale >= 0 { session.slots[Int(locale)] = .string(session.locale ?? "") }
    initializeTimeSlots(of: session)
    initializeContextSlots(of: session)
    session.flags.formUnion(.usual)
  }
}
