internal import DocumentProperties
internal import Forms
internal import JSON

/// Whether values differ from the initial ones.
extension Engine {
  /// Brings `isDirty` of a field up to date.
  @inline(__always)
  func updateDirty(_ field: Int, of instance: Instance) {
    let state = instance.fields.at(field)
    if _slowPath(instance.tables.pointee.fields.at(field).hasFieldsBelow) { return updateOwnDirty(field, of: instance) }
    let isDirty =
      if instance.template == 0 && !instance.tables.pointee.fields[field].hasInitial
        && instance.instanceExtras?.initialValues.isEmpty ?? true
      {
        state.pointee.value != nil
      } else {
        differsFromInitial(field, instance)
      }
    if isDirty != state.pointee.flags.contains(.isDirty) { setDirty(isDirty, field, of: instance) }
  }

  /// Brings `isDirty` up to date for the part of a field that is not in fields below it. An empty object there counts
  /// as nothing, and so does an empty list of a list field.
  @inline(never)
  private func updateOwnDirty(_ field: Int, of instance: Instance) {
    let isList = instance.isList(field)
    func beside(_ value: JSON?) -> JSON? {
      switch value {
      case .object(let members)? where members.isEmpty && !isList: nil
      case .array(let elements)? where elements.isEmpty && isList: nil
      default: value
      }
    }
    let isDirty =
      isList && instance.list(of: field).differsFromInitial
      || beside(instance.fields[field].value) != beside(instance.initialValue(of: field))
    if isDirty {
      instance.fields[field].flags.insert(.isDirtyItself)
    } else {
      instance.fields[field].flags.remove(.isDirtyItself)
    }
    updateWholeDirty(field, of: instance)
  }

  private func updateWholeDirty(_ field: Int, of instance: Instance) {
    let sums = Int(instance.tables.pointee.fields[field].sums)
    let flags = instance.fields[field].flags
    // The values of the rows are in the comparison already.
    let countsInner = !instance.tables.pointee.fields[field].isUnordered
    let isDirty = flags.contains(.isDirtyItself) || countsInner && instance.sums[sums].dirty > 0
    if isDirty != flags.contains(.isDirty) { setDirty(isDirty, field, of: instance) }
  }

  @inline(never)
  func differsFromInitial(_ field: Int, _ instance: Instance) -> Bool {
    // A formula's value is never dirty, and any value that replaces it is dirty.
    let flags = instance.fields[field].flags
    if flags.contains(.beganFollowing) { return !flags.contains(.follows) }
    return switch (instance.fields[field].value, instance.initialValue(of: field)) {
    case (nil, nil): false
    case (.array(let elements)?, .array(let initial)?) where instance.tables.pointee.fields[field].isUnordered:
      elements.differs(from: initial)
    case (let value?, let initial?): value != initial
    default: true
    }
  }

  @inline(never)
  private func setDirty(_ isDirty: Bool, _ field: Int, of instance: Instance) {
    set(.isDirty, of: field, to: isDirty, in: instance)
    if let around = LiveField(field, in: instance).around {
      around.sums.pointee.dirty += isDirty ? 1 : -1
      return updateWholeDirty(around.field, of: around.instance)
    }
    instance.withSession {
      $0.dirtyCount &+= isDirty ? 1 : -1
      updateFormDirty($0)
    }
  }

  /// Brings the form's `isDirty` up to date. It is not a node of the graph: no formula decides about it, so any formula
  /// may read it without a cycle.
  func updateFormDirty(_ session: Session) {
    let isDirty =
      session.dirtyCount > 0 || session.extras.map { $0.otherMembers.now != $0.otherMembers.initial } ?? false
    set(.isDirty, to: isDirty, in: session)
  }
}
