internal import CEL
internal import Forms
internal import JSON
internal import Texts

/// Rows come, go and move. Every other row keeps its identity and its state.
extension Engine {
  // MARK: Operations

  /// Puts in new rows before the row at a position, all in one turn.
  ///
  /// - Parameter position: if it is larger than the number of rows, the new rows are put behind the last row.
  func insert(
    _ values: [JSON?],
    into list: RowList,
    at position: Int,
    origin: Origin = .user,
    isComposing: Bool = false
  ) {
    guard list.owner.isReachable(list.field), !list.owner.isNoObject(list.field) else { return }
    changeRows(of: list, origin: origin) {
      let rows = values.map {
        makeRow(of: $0.map { .some($0) }, in: list, ofUser: !origin.mayChangeReadOnly, isComposing: isComposing)
      }
      let position = min(position, list.rows.count)
      list.replaceRows(in: position..<position, with: rows)
      inserted(rows.map(\.id))
    }
  }

  /// A row goes, with all effects and timers that are under way for it.
  func remove(_ row: Row) {
    changeRows(of: row.list) {
      discard(row)
      let position = row.position
      row.list.replaceRows(in: position..<position + 1, with: [])
    }
  }

  /// A row moves to a position, which is its position after the move.
  ///
  /// - Parameter position: if it is behind the last row, the row becomes the last. A timer that was due may have
  ///   shortened the list since the client has sent the move.
  func move(_ row: Row, to position: Int) {
    let position = min(position, row.list.rows.count - 1)
    guard position != row.position else { return }
    changeRows(of: row.list) {
      let before = row.position
      row.list.replaceRows(in: before..<before + 1, with: [])
      row.list.replaceRows(in: position..<position, with: [row])
    }
  }

  /// Applies the delayed values in the list, and changes its rows. If the user caused the change, it counts as an edit
  /// and as the end of the edit.
  private func changeRows(of list: RowList, origin: Origin = .user, _ change: () -> Void) {
    let owner = list.owner
    flush(field: list.field, of: owner)
    noteOrder(of: list)
    change()
    setValue(.array([]), of: list.field, in: owner)
    replaceEmpties(above: list.field, in: owner)
    updateOrder(of: list)
    if owner.tables.pointee.tracksUserChanges, !origin.mayChangeReadOnly {
      noteUser(ValueID(list.field, in: owner), in: owner.session)
    }
    if origin == .user {
      markEdited(list.field, in: owner)
      touch(list.field, of: owner)
      // The list counts as left, even if the user is in a field of a row.
      owner.fields[list.field].flags.insert(.revealsNow)
      changed(.attention, ofField: list.field, in: owner)
    }
    forgetServerErrors(about: list.field, in: owner)
    if owner.fields[list.field].flags.remove(.hasMoved) != nil { tell(ValueID(list.field, in: owner)) }
    noteGiven(ValueID(list.field, in: owner))
  }

  /// A list gets a value as a whole. Its rows are matched by their key, if the definition names one, and by position
  /// otherwise.
  func applyWholeList(_ value: JSON?, of list: RowList, origin: Origin, isComposing: Bool) {
    let owner = list.owner
    let elements = value?.arrayValue ?? []
    let matched = rows(of: list, matching: elements)
    let isSame = matched.count == list.rows.count && zip(matched, list.rows).allSatisfy { $0 === $1 }
    if !isSame {
      noteOrder(of: list)
      let kept = Set(matched.compactMap { $0?.id })
      for row in list.rows where !kept.contains(row.id) { discard(row) }
    }
    let rows = zip(matched, elements).map { row, element in
      guard let row else {
        let ofUser = !origin.mayChangeReadOnly
        return makeRow(of: .some(element), in: list, ofUser: ofUser, isComposing: isComposing)
      }
      applyWhole(element, of: list.element, origin: origin, isComposing: isComposing, in: row)
      return row
    }
    if !isSame {
      list.replaceRows(in: list.rows.indices, with: rows)
      updateOrder(of: list)
    }
    setValue(owner.ownPart(ofList: value, at: list.field), of: list.field, in: owner)
  }

  /// For each element of a list's new value, the row that it updates, or nil for a new row.
  func rows(of list: RowList, matching elements: [JSON]) -> [Row?] {
    let form = list.owner.form
    guard let key = form.fields[list.field].key else {
      return elements.indices.map { $0 < list.rows.count ? list.rows[$0] : nil }
    }
    let path = form.fields[key].path.dropFirst(form.fields[list.element].path.count)
    var waiting: [JSON: [Row]] = [:]
    for row in list.rows.reversed() {
      if let value = row.value(of: key, .all) { waiting[value, default: []].append(row) }
    }
    return elements.map { element in
      let value = path.reduce(Optional(element)) { $0?.objectValue?[$1] }
      // The value as the field would keep it.
      guard let normalized = form.fields[key].normalized(value, list.owner.session.conventions, budget: &budget) else {
        return nil
      }
      return waiting[normalized]?.popLast()
    }
  }

  // MARK: One row

  /// Makes a row that is not in a list yet.
  ///
  /// - Parameters:
  ///   - given: its value, or nil if none is given.
  ///   - isComplete: whether the value belongs to a row that existed before. Otherwise, the schema's defaults fill in
  ///     missing members.
  ///   - ofUser: whether the user gives the value. Then read-only fields begin as the schema says.
  ///   - id: its identity, or nil for a new one.
  ///   - isComposing: whether an input method composes its values.
  func makeRow(
    of given: JSON??,
    in list: RowList,
    isComplete: Bool = false,
    ofUser: Bool = false,
    id: Int? = nil,
    isComposing: Bool = false
  ) -> Row {
    let session = list.owner.session
    let row = Row(id: id ?? session.madeExtras.rows.nextID(), in: list)
    session.madeExtras.rows.add(row)
    session.computedBytes += row.structureBytes
    if isOpening { row.isNew = false } else { rowWork.freshRows.append(row) }
    session.madeMarks?.mark(row)
    initializeSlots(of: row)
    setInitialValue(given ?? row.emptyObject, of: row.element, in: row, isComplete: isComplete, ofUser: ofUser)
    storeInitialValues(of: row)
    markAllStale(row)
    if isComposing {
      row.forEachField { live in
        let isLeaf = !live.instance.tables.pointee.fields.at(live.field).hasFieldsBelow
        guard isLeaf, live.state.pointee.value != nil else { return }
        live.state.pointee.flags.insert(.isComposing)
        noteComposition(of: live.field, hasChanged: true, in: live.instance)
      }
    }
    return row
  }

  /// A row goes: its effects and timers end, and it no longer counts.
  func discard(_ row: Row) {
    let session = row.session
    let list = row.list
    let bytesBefore = session.contentBytes
    let keeper = edits(of: session)?.keeper(of: row)
    list.notes?.before.noteGone(row.id)
    if list.owner.isList(list.field) {
      let sums = LiveField(list.field, in: list.owner).sums
      let flags = row.fields[row.element].flags
      if !flags.contains(.isValid) { sums.pointee.invalid -= 1 }
      if flags.contains(.isPending) { sums.pointee.pending -= 1 }
      if flags.contains(.isDirty) { sums.pointee.dirty -= 1 }
      if flags.contains(.isFocused) { endFocus(in: row) }
    }
    row.forEachInstance { instance in
      guard let row = instance.row else { return }
      for field in row.ownFields {
        count(-1, bytesOfValue: field, in: row)
        session.computedBytes -= row.fields[field].errors.bytes
        if row.fields[field].displayed != nil { noteMessage(of: field, in: row) }
      }
      session.valueBytes -= row.initialValueBytes
      for output in row.ownOutputs { session.computedBytes -= row.outputs[output].bytes }
      session.computedBytes -= row.structureBytes + (row.instanceExtras?.ownBytes ?? 0)
      endEverything(of: row)
      for list in row.lists { session.valueBytes -= list.initialBytes }
      session.extras?.rows.remove(row)
      if session.flags.contains(.hasFaults) { session.extras?.faults.forget(row: row.rowID) }
      if keeper != nil {
        leaveAll(row)
        session.madeMarks?.markWhole(row)
      } else {
        session.madeMarks?.markGone(row)
      }
      row.isGone = true
      rowWork.goneRows.append(row)
    }
    keeper?.keep(row, bytes: bytesBefore - session.contentBytes)
  }

  /// Ends everything of a row's checks and delays that is under way.
  private func endEverything(of row: Row) {
    let session = row.session
    guard let instanceExtras = row.instanceExtras, let extras = session.extras else { return }
    for (field, delay) in instanceExtras.delays {
      extras.timers.set(.field(row: row.id, field: field), to: nil)
      session.valueBytes -= delay.held?.bytes ?? 0
    }
    for check in row.ownChecks { stopCheck(check, of: row) }
    for lookup in row.ownLookups { endLookup(lookup, of: row) }
    session.computedBytes -= instanceExtras.serverErrorBytes
  }

  // MARK: What follows

  /// Rows have come, gone or moved: updates which index each row has, whether the list is dirty, and the nodes that
  /// read the list.
  func updateOrder(of list: RowList) {
    updateIndex(of: list)
    list.owner.session.madeMarks?.markOrder(of: list)
    list.hasInitialRows =
      list.rows.count == list.initial.count && zip(list.rows, list.initial).allSatisfy { $0.id == $1.id }
    changed(.rows, ofField: list.field, in: list.owner)
    for column in list.gatheredColumns { changed(.column, ofColumn: column, in: list.owner) }
    updateDirty(list.field, of: list.owner)
    if list.owner.template != 0 { givenValueChanged(of: list.field, inRow: list.owner) }
  }

  /// Updates the index of each row among the rows that count. If all rows count, that is the position, and nothing has
  /// to be done unless formulas read it.
  func updateIndex(of list: RowList) {
    let countsAll = list.countsAll && !list.isIndexStale
    list.isIndexStale = false
    list.countsAll = list.rows.isEmpty || countsAll
    guard let template = list.rows.first?.template else { return }
    let slot = list.owner.tables.pointee.templates[template].indexSlot
    let isRead = isIndexRead(template, in: list.owner)
    if countsAll, slot < 0, !isRead { return }
    var (index, aboveID) = (0, 0)
    list.forEachRow { row in
      if row.storedIndex != index || row.aboveID != aboveID || row.isNew {
        row.index = index
        row.aboveID = aboveID
        if slot >= 0 { _ = store(.int(Int64(index)), in: slot, of: row) }
        if isRead { indexChanged(of: row) }
      }
      if row.counts {
        index += 1
        aboveID = row.id
      }
    }
    list.countsAll = index == list.rows.count
  }

  /// Inputs have given a field of a row another value.
  @inline(never)
  func givenValueChanged(of field: Int, inRow instance: Instance) {
    changed(.given, ofField: field, in: instance)
    markListsStale(around: instance)
  }

  /// A value inside a row has changed, so the dirty state of the lists around it may change.
  private func markListsStale(around instance: Instance) {
    var instance = instance
    while let row = instance.row {
      let list = row.list
      if !list.hasInitialRows || list.isUnordered, list.rows.count == list.initial.count, !list.isValueStale {
        list.isValueStale = true
        rowWork.staleLists.append(list)
      }
      instance = list.owner
    }
  }

  /// Updates the dirty state of lists with changed values in their rows.
  @inline(never)
  func updateStaleLists() {
    while let list = rowWork.staleLists.popLast() {
      list.isValueStale = false
      if !(list.owner.row?.isGone ?? false) { updateDirty(list.field, of: list.owner) }
    }
  }

  // MARK: Reset

  /// Puts the rows of an instance's lists back to the initial rows. Rows that still exist keep their identities.
  ///
  /// - Parameter lists: the fields among which the lists are.
  /// - Returns: the lists whose rows have come or gone.
  func resetRows(of instance: Instance, lists: Range<Int>) -> Set<Int> {
    var moved: Set<Int> = []
    for list in instance.lists where lists.contains(list.field) {
      if !list.hasInitialRows {
        moved.insert(list.field)
        noteOrder(of: list)
        let present = Dictionary(uniqueKeysWithValues: list.rows.map { ($0.id, $0) })
        let wanted = Set(list.initial.map(\.id))
        for row in list.rows where !wanted.contains(row.id) { discard(row) }
        let rows = list.initial.map { id, value in
          present[id] ?? makeRow(of: .some(value), in: list, isComplete: true)
        }
        list.replaceRows(in: list.rows.indices, with: rows)
        list.setInitial(zip(list.rows, list.initial).map { ($0.id, $1.value) })
        updateOrder(of: list)
      }
    }
    return moved
  }

  /// The current rows of an instance's lists become their initial rows.
  func keepRows(of instance: Instance) {
    for list in instance.lists {
      for row in list.rows { keepRows(of: row) }
      setInitialRows(of: list)
    }
  }

  func setInitialRows(_ values: [JSON], of list: RowList, isComplete: Bool, ofUser: Bool) {
    let rows = values.map { makeRow(of: .some($0), in: list, isComplete: isComplete, ofUser: ofUser) }
    list.replaceRows(in: list.rows.indices, with: rows)
    list.owner.session.madeMarks?.markOrder(of: list)
    updateIndex(of: list)
    setInitialRows(of: list)
  }

  /// The current rows become the initial rows of the list.
  func setInitialRows(of list: RowList) {
    list.setInitial(list.rows.map { ($0.id, list.owner.value(of: $0, .given)) })
    list.hasInitialRows = true
  }

  /// Finds the rows of a list in which a field's value is equal to the value in an earlier row.
  func computeUnique(_ field: Int, _ instance: Instance) {
    let template = instance.tables.pointee.templates[Int(instance.tables.pointee.fields[field].template)]
    let list = instance.list(of: Int(template.list))
    var seen: Set<JSON> = []
    for row in list.rows {
      let value = row.isBlank || row.fields[field].flags.contains(.isEmpty) ? nil : row.value(of: field, .shown)
      let isDuplicate = value.map { !seen.insert($0).inserted } ?? false
      guard isDuplicate != row.fields[field].flags.contains(.isDuplicate) else { continue }
      row.fields[field].flags.formSymmetricDifference(.isDuplicate)
      changed(.isDuplicate, ofField: field, in: row)
    }
  }
}

extension Instance {
  /// The part of a list's value that is not in its rows: see ``FieldState/value``.
  func ownPart(ofList value: JSON?, at field: Int) -> JSON? {
    switch value {
    case nil: nil
    case .null?: form.fields[field].admitsNull ? .null : nil
    case .string(let text)? where text.isEmpty: nil
    case .array?: .array([])
    case let other?: other
    }
  }

  /// The value of one of a list's rows. An emptied row keeps its position. If the view has no member of a row, the row
  /// is an empty object, and not an emptied row.
  func value(of row: Row, _ view: ValueView) -> JSON {
    if let value = row.value(of: row.element, view) { return value }
    let isObject = row.value(of: row.element, .all)?.objectValue != nil
    return isObject && view != .given ? [:] : form.fields[row.element].type == .string ? "" : .null
  }
}

extension Row {
  /// The value of a row that is inserted without a value, as far as its type determines it.
  fileprivate var emptyObject: JSON?? {
    let types = form.fields[element].types.filter { $0 != "null" }
    if form.fields[element].initial != nil { return nil }
    switch types {
    case ["object"]: return .some([:])
    case ["array"]: return .some([])
    default: return nil
    }
  }
}

/// The rows of a session by identity.
struct RowTable {
  private var rows: [Int: Row] = [:]
  /// The last identity that was given. No identity is given twice.
  var last = 0

  var count: Int { rows.count }

  subscript(id: Int) -> Row? { rows[id] }

  /// Whether a row of that identity exists or has existed.
  func hasBeen(_ id: Int) -> Bool { id > 0 && id <= last }

  mutating func nextID() -> Int {
    last += 1
    return last
  }

  /// The next rows get identities above that identity, and above the identities of the current rows.
  mutating func begin(behind last: Int) { self.last = max(last, rows.keys.max() ?? 0) }

  mutating func add(_ row: Row) { rows[row.id] = row }

  mutating func remove(_ row: Row) { rows[row.id] = nil }
}
