internal import Forms

/// Which fields users are in. A session that several clients share has a user for each client (``Editors``). A field is
/// edited while any user is in it, and each user leaves it separately.
extension Engine {
  // MARK: Coming

  /// A second client joins a session that one client has had alone. From now on the caller names the client that sends
  /// an input (``sender``). Edited fields and delayed values belong to the first client.
  package func share(_ session: Session, by first: Int32) {
    session.forEachPlace { place in
      if place.state.pointee.flags.contains(.isEditing) {
        changeEditors(of: session) { $0.came(first, to: place) }
      }
      place.instance.own?.delays[place.field]?.changeHeld { $0.sent(by: first) }
    }
  }

  /// The user has edited a field, and so also the fields around it.
  func noteEditing(of field: Int, in instance: Instance) {
    beginEditing(field, of: instance)
    markEdited(field, in: instance)
  }

  /// Marks a field, and the fields around it, as edited.
  func markEdited(_ field: Int, in instance: Instance) {
    var next: Place? = Place(field, in: instance)
    while let place = next, !place.state.pointee.flags.contains(.isEdited) {
      place.state.pointee.flags.insert(.isEdited)
      mark(place.field, in: place.instance, unless: .forgetEditingMark)
      storeEditing(of: place.field, in: place.instance)
      changed(.isEdited, ofField: place.field, in: place.instance)
      next = place.around
    }
  }

  /// The user is in a field, and so also in the fields around it.
  func beginEditing(_ field: Int, of instance: Instance) {
    noteEditor(of: Place(field, in: instance))
    var next: Place? = Place(field, in: instance)
    while let place = next, !place.state.pointee.flags.contains(.isEditing) {
      place.state.pointee.flags.insert(.isEditing)
      editingHasChanged(place)
      next = place.around
      if let next { next.group.pointee.editing &+= 1 }
    }
  }

  /// Notes which client is in a field, if the caller names the sender.
  func noteEditor(of place: Place) {
    guard let sender, sender != 0 else { return }
    changeEditors(of: place.instance.session) { $0.came(sender, to: place) }
  }

  /// The editors count as memory of the session.
  private func changeEditors(of session: Session, _ change: (inout Editors) -> Void) {
    let extras = session.madeExtras
    let before = extras.editors.bytes
    change(&extras.editors)
    session.computedBytes += extras.editors.bytes - before
  }

  /// From now on no client is in any field.
  private func forgetEditors(of session: Session) {
    if session.extras?.editors.isEmpty == false { changeEditors(of: session) { $0 = Editors() } }
  }

  // MARK: Leaving

  /// The user has left a field and all fields below it. They are touched, unless another user is still in them.
  ///
  /// - Returns: whether the field has no user any more.
  @discardableResult
  func endEditing(_ field: Int, of instance: Instance) -> Bool {
    if instance.tables.pointee.fields[field].group >= 0 {
      var edited: [Place] = []
      instance.forEachPlace(from: field) { place in
        if place.field != field || place.instance !== instance, place.state.pointee.flags.contains(.isEditing) {
          edited.append(place)
        }
      }
      for place in edited.reversed() { leave(place) }
    }
    return leave(Place(field, in: instance))
  }

  /// The sender of the input detaches. Its delayed values take effect, and it leaves its fields.
  ///
  /// - Parameter isLast: whether no client has the session any more. If so, all fields are left.
  func leaveAll(_ session: Session, isLast: Bool) {
    var held: [Place] = []
    if session.extras?.timers.hasFields ?? false {
      session.forEachPlace { place in
        guard let changes = place.instance.own?.delays[place.field]?.held else { return }
        if isLast || changes.all.contains(where: { $0.sender == sender }) { held.append(place) }
      }
    }
    flush(held)
    var inside: [Place] = []
    session.forEachPlace { place in
      guard place.state.pointee.flags.contains(.isEditing) else { return }
      if isLast || session.extras?.editors.isEdited(place, by: sender) ?? false { inside.append(place) }
    }
    if isLast { forgetEditors(of: session) }
    askAgain(inside.reversed().filter { leave($0) })
  }

  /// The user has left a field: it is touched, unless another user is in it.
  ///
  /// - Returns: whether the field has no user any more.
  @discardableResult
  private func leave(_ place: Place) -> Bool {
    let (field, instance) = (place.field, place.instance)
    if let sender, let extras = instance.session.extras, !extras.editors.isEmpty {
      changeEditors(of: instance.session) { $0.left(sender, place) }
      if extras.editors.isEdited(place) { return false }
    }
    instance.fields[field].flags.remove(.isComposing)
    mark(field, in: instance, unless: .forgetEditingMark)
    changed(.attention, ofField: field, in: instance)
    if place.state.pointee.flags.contains(.isEditing) {
      place.state.pointee.flags.remove(.isEditing)
      editingHasChanged(place)
      if let around = place.around {
        around.group.pointee.editing &-= 1
        endEditingAround(around)
      }
    }
    touch(field, of: instance)
    return true
  }

  /// A field right below another is not edited any more. The field around it is not edited either, if it has no user
  /// and no other edited field below it.
  private func endEditingAround(_ place: Place) {
    let editors = place.instance.session.extras?.editors
    var next: Place? = place
    while let place = next, place.group.pointee.editing == 0, place.state.pointee.flags.contains(.isEditing),
      !(editors?.isEdited(place) ?? false)
    {
      place.state.pointee.flags.remove(.isEditing)
      editingHasChanged(place)
      next = place.around
      if let next { next.group.pointee.editing &-= 1 }
    }
  }

  /// A row with a user in it goes: the user is no longer in it.
  func endEditing(in row: Row) {
    let (element, list) = (Place(row.element, in: row), Place(row.list.field, in: row.list.owner))
    if let extras = row.session.extras, !extras.editors.isEmpty {
      changeEditors(of: row.session) { editors in
        editors.allLeft(element)
        row.forEachPlace { if $0.state.pointee.flags.contains(.isEditing) { editors.allLeft($0) } }
      }
    }
    list.group.pointee.editing -= 1
    endEditingAround(list)
  }

  /// Ends all editing. It is called before rows go, because each row would end the editing around it.
  func endAllEditing(in session: Session) {
    forgetEditors(of: session)
    session.forEachInstance { instance in
      for field in instance.ownFields { instance.fields[field].flags.remove(.isEditing) }
      for group in 0..<Int(instance.tables.pointee.templates[instance.template].groupCount) {
        instance.groups[group].editing = 0
      }
    }
  }

  // MARK: What formulas read

  private func editingHasChanged(_ place: Place) {
    mark(place.field, in: place.instance, unless: .forgetEditingMark)
    storeEditing(of: place.field, in: place.instance)
    changed(.isFocused | .attention, ofField: place.field, in: place.instance)
  }

  /// Stores the flags that formulas read of the editing of a field: whether it was edited, and whether the user is in
  /// it.
  func storeEditing(of field: Int, in instance: Instance) {
    let row = instance.tables.pointee.fields + field
    let flags = instance.fields[field].flags
    store(flags.contains(.isEdited), in: row.pointee.isEditedSlot, of: instance)
    store(flags.contains(.isEditing), in: row.pointee.isFocusedSlot, of: instance)
  }

  /// The user has left a field for the first time, and so also every field around it.
  func touch(_ field: Int, of instance: Instance) {
    var next: Place? = Place(field, in: instance)
    while let place = next, !place.state.pointee.flags.contains(.isTouched) {
      let row = place.instance.tables.pointee.fields + place.field
      setFlag(.isTouched, to: true, of: place.field, cell: .isTouched, in: place.instance)
      mark(place.field, in: place.instance, unless: .forgetEditingMark)
      store(true, in: row.pointee.isTouchedSlot, of: place.instance)
      changed(.isTouched, ofField: place.field, in: place.instance)
      if row.pointee.step >= 0 { countTouched(true, inStep: Int(row.pointee.step), place.instance.session) }
      next = place.around
    }
  }
}
