import Forms
import JSON
import Sessions
import TextFormats

/// The rows of a session, and the form around them, derived from the inputs alone. The model knows the rows and their
/// order, their values, and the actions of the user on their fields. It also knows whether the fields differ from the
/// beginning, and the errors of a server.
///
/// A row is an object that owns its state, and a list is an array of rows. The model reads the session only for facts
/// that do not depend on rows: the identity of a new row, the time when a delayed value takes effect, the shown
/// messages, and the errors of a value.
struct RowModel {
  /// One row of a list, or the form as a whole, which behaves like a row.
  final class Row {
    /// The list that it is in; nil for the form.
    private unowned let owner: Row?
    private let list: Int?
    /// The row's identity: 0 for the form, and nil while the model has not yet asked the session for it.
    var id: Int?
    /// The row's value. A list with rows is `[]` in it; its rows are in `lists`.
    var value: JSON?
    /// The row's initial value, in the form of `value`.
    var initial: JSON?
    var lists: [Int: [Row]] = [:]
    /// The initial rows of a list, and their initial values.
    var initialRows: [Int: [(row: Row, value: JSON)]] = [:]
    var shown: [Int: ShowModel] = [:]
    /// The fields for which the client's server has sent errors.
    var serverErrors: Set<Int> = []
    /// The fields whose values come from their formulas, now and in the beginning.
    var following: Set<Int> = []
    var beganFollowing: Set<Int> = []
    /// The values of their formulas when the model last asked the session.
    var formulaValues: [Int: JSON] = [:]
    /// Sent values of fields that delay their values, as far as the model does not know that they have taken effect.
    var held: [Int: [(value: JSON?, isUser: Bool)]] = [:]

    init(in list: Place?) {
      owner = list?.row
      self.list = list?.field
    }

    var place: Place? { owner.flatMap { owner in list.map { Place(owner, $0) } } }
  }

  /// A field of a row.
  struct Place: Hashable {
    let row: Row
    let field: Int

    init(_ row: Row, _ field: Int) {
      self.row = row
      self.field = field
    }

    static func == (one: Place, other: Place) -> Bool { one.row === other.row && one.field == other.field }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(row))
      hasher.combine(field)
    }

    var shown: ShowModel {
      get { row.shown[field] ?? ShowModel() }
      nonmutating set { row.shown[field] = newValue }
    }
  }

  private let session: Session
  private let form: Form
  private let plan: RandomForm
  /// The fields that delay their values, and the fields around them: the engine decides when their edits take effect.
  private let delayed: Set<Int>
  private let root = Row(in: nil)
  /// All identities that were given.
  private var identities: Set<Int> = []

  /// A session that was opened without values.
  init(_ session: Session, _ plan: RandomForm) {
    self.session = session
    self.plan = plan
    let form = session.form
    self.form = form
    delayed = Set(
      form.fields.indices.filter { plan.fields[$0].isDelayed }.flatMap {
        Array(sequence(first: $0) { form.fields[$0].around })
      }
    )
    root.id = 0
    var values = JSONObject()
    for field in form.children(of: nil) {
      values[form.fields[field].name] = beginning(nil, field, of: root, isComplete: false)
    }
    root.value = .object(values)
    root.initial = root.value
  }

  // MARK: Places

  private func isList(_ field: Int) -> Bool { form.fields[field].element != nil }

  /// The top-level fields of the form, or the element of a row.
  private func fields(of row: Row) -> [Int] {
    guard let list = row.place, let element = form.fields[list.field].element else {
      return Array(form.children(of: nil))
    }
    return [element]
  }

  private func children(of place: Place) -> [Place] {
    if isList(place.field) {
      return (place.row.lists[place.field] ?? []).flatMap { row in fields(of: row).map { Place(row, $0) } }
    }
    guard form.fields[place.field].unit != nil else { return [] }
    return form.children(of: place.field).map { Place(place.row, $0) }
  }

  /// A place and all places inside of it, each after the place that contains it.
  private func places(from place: Place) -> [Place] { [place] + children(of: place).flatMap { places(from: $0) } }

  private var places: [Place] { fields(of: root).flatMap { places(from: Place(root, $0)) } }

  private func outer(_ place: Place) -> Place? {
    form.fields[place.field].parent.map { Place(place.row, $0) } ?? place.row.place
  }

  /// A place and the places that contain it, inmost first.
  private func around(_ place: Place) -> some Sequence<Place> { sequence(first: place) { outer($0) } }

  private func place(_ row: Int, _ field: Int) -> Place? {
    if row == 0 { return Place(root, field) }
    return places.first { $0.row.id == row }.map { Place($0.row, field) }
  }

  // MARK: Values

  /// The names that lead to a field from its row.
  private func path(_ field: Int) -> ArraySlice<String> {
    let path = form.fields[field].path
    return path[(path.lastIndex(of: "*").map { $0 + 1 } ?? 0)...]
  }

  private func own(_ place: Place) -> JSON? {
    if place.row.following.contains(place.field) {
      // A formula's value is checked separately.
      return place.row.id.flatMap { session.value(of: FieldPlace(row: $0, field: place.field, rest: [])) }
    }
    return place.row.value?.value(at: path(place.field))
  }

  private func put(_ value: JSON?, at place: Place) {
    place.row.value = Self.putting(value, at: path(place.field), in: place.row.value)
  }

  /// An object is made when a member is put into it, and goes with its last member.
  private static func putting(_ value: JSON?, at path: ArraySlice<String>, in whole: JSON?) -> JSON? {
    guard let name = path.first else { return value }
    var members = whole?.objectValue ?? [:]
    let member = putting(value, at: path.dropFirst(), in: members[name])
    if member == nil, members[name] == nil { return whole }
    members[name] = member
    return members.isEmpty ? nil : .object(members)
  }

  /// The value at a place, with its rows.
  ///
  /// - Parameter countsFormulas: whether what formulas give is in it.
  private func value(_ place: Place, countsFormulas: Bool = true) -> JSON? {
    if place.row.following.contains(place.field) { return countsFormulas ? own(place) : nil }
    let value = own(place)
    if isList(place.field) {
      guard case .array? = value else { return value }
      return .array((place.row.lists[place.field] ?? []).map { self.value(of: $0, countsFormulas: countsFormulas) })
    }
    guard form.fields[place.field].unit != nil, value == nil || value?.objectValue != nil else { return value }
    var members = value?.objectValue ?? [:]
    for child in form.children(of: place.field) {
      members[form.fields[child].name] = self.value(Place(place.row, child), countsFormulas: countsFormulas)
    }
    return members.isEmpty && value == nil ? nil : .object(members)
  }

  /// The value of a row in its list. A row without a value keeps its place.
  private func value(of row: Row, countsFormulas: Bool = true) -> JSON {
    guard let element = fields(of: row).first else { return .null }
    return value(Place(row, element), countsFormulas: countsFormulas)
      ?? (form.fields[element].type == .string ? "" : .null)
  }

  /// The value that the formula of a field must give to it now.
  private func formulaValue(_ place: Place, _ document: JSON) -> JSON? {
    guard let source = plan.fields[place.field].source else { return nil }
    for around in around(place).dropFirst() {
      let isObject = isList(around.field) ? own(around)?.arrayValue != nil : own(around)?.objectValue != nil
      if !isObject, own(around) != nil { return nil }
    }
    var row = place.row
    while let list = row.place, form.fields[source].template != form.fields[form.fields[list.field].element!].template {
      row = list.row
    }
    let value = row.id.flatMap { session.value(of: FieldPlace(row: $0, field: source, rest: [])) }
    let isShown = document.isVisible(way(Place(row, source)))
    if isShown, let text = value?.stringValue { return normalized(.string(text + "q"), place.field) }
    // An absent text reads as empty if null is not a value.
    return form.fields[source].admitsNull ? nil : normalized("q", place.field)
  }

  private func normalized(_ value: JSON?, _ field: Int) -> JSON? {
    var budget = WorkBudget(units: Engine.turnBudget)
    return session.normalized(value, for: field, budget: &budget)
  }

  /// The value of a field with fields inside of it: the field was given `value`, and its fields hold `kept`.
  private func whole(_ value: JSON?, _ kept: JSONObject, _ field: Int) -> JSON? {
    switch value {
    case nil: return kept.isEmpty ? nil : .object(kept)
    case .null?: return form.fields[field].admitsNull ? .null : nil
    case .string("")?: return nil
    case .array? where isList(field): return []
    case .object(let members)? where !isList(field):
      var object = kept
      for member in members where form.field(named: member.name, in: field) == nil {
        object[member.name] = member.value
      }
      return .object(object)
    case let other?: return other
    }
  }

  // MARK: Beginning

  /// The initial value of a field. Makes the rows in it.
  ///
  /// - Parameters:
  ///   - given: nil where nothing was given; `.some(nil)` where something was given in which it is absent.
  ///   - isComplete: whether what an object lacks is absent, whatever the schema's defaults say.
  private func beginning(_ given: JSON??, _ field: Int, of row: Row, isComplete: Bool) -> JSON? {
    let value = given ?? form.fields[field].initial
    if isList(field) {
      let list = Place(row, field)
      row.lists[field] = (value?.arrayValue ?? []).map { newRow(.some($0), in: list, isComplete: isComplete) }
      keepRows(of: list)
      return whole(value, [:], field)
    }
    guard form.fields[field].unit != nil else {
      guard plan.fields[field].source != nil else { return normalized(value, field) }
      let given = plan.fields[field].isComputed ? nil : normalized(given ?? nil, field)
      if given == nil {
        row.following.insert(field)
        row.beganFollowing.insert(field)
      }
      return given
    }
    var kept = JSONObject()
    for child in form.children(of: field) {
      let name = form.fields[child].name
      var inner: JSON?? = given == nil ? nil : .some(nil)
      if case .some(.object(let members)?) = given {
        inner = members[name].map { .some($0) } ?? (isComplete ? .some(nil) : nil)
      }
      kept[name] = beginning(inner, child, of: row, isComplete: isComplete)
    }
    return whole(value, kept, field)
  }

  /// A row over the schema's defaults.
  ///
  /// - Parameter given: nil if nothing was given. Then the row has the defaults, or else an empty object or list if its
  ///   type says so.
  private func newRow(_ given: JSON??, in list: Place, isComplete: Bool = false) -> Row {
    let row = Row(in: list)
    guard let element = form.fields[list.field].element else { return row }
    var given = given
    if given == nil, form.fields[element].initial == nil {
      switch form.fields[element].types.filter({ $0 != "null" }) {
      case ["object"]: given = .some([:])
      case ["array"]: given = .some([])
      default: break
      }
    }
    row.value = beginning(given, element, of: row, isComplete: isComplete)
    row.initial = row.value
    return row
  }

  /// The current rows of a list become its initial rows.
  private func keepRows(of list: Place) {
    list.row.initialRows[list.field] = (list.row.lists[list.field] ?? []).map {
      ($0, value(of: $0, countsFormulas: false))
    }
  }

  // MARK: Inputs

  /// Takes an input, before the session has it. In one input, no changed field is inside of another changed field.
  ///
  /// - Parameter document: the document before the input.
  func saw(_ input: Input, _ document: JSON) {
    switch input {
    case .set(let field, let value): saw(.change([FieldChange(field: field, value: value)]), document)
    case .change(let changes, let origin, let isComposing, let commit):
      for change in changes where change.field != FieldChange.root {
        guard let place = place(change.row, change.field) else { continue }
        self.change(place, change, isUser: origin == .user, isComposing)
        if commit { leave(place) }
      }
    case .focus(let field, let row): if let place = place(row, field) { begin(place) }
    case .blur(let field, let row): if let place = place(row, field) { leave(place) }
    case .insert(let list, let row, let position, let values):
      if let list = place(row, list) { insert(values, into: list, at: position, isUser: true) }
    case .remove(let id):
      guard let list = places.first(where: { $0.row.id == id })?.row.place else { return }
      changeRows(of: list) { $0.removeAll { $0.id == id } }
    case .move(let id, let position):
      guard let list = places.first(where: { $0.row.id == id })?.row.place,
        let old = list.row.lists[list.field]?.firstIndex(where: { $0.id == id }), old != position
      else { return }
      changeRows(of: list) { $0.insert($0.remove(at: old), at: position) }
    case .fail(let field, let row, _): place(row, field)?.row.serverErrors.insert(field)
    case .tap(let action): tap(action, document)
    case .reset(let keepValues):
      flush(places)
      if keepValues { keep() } else { restore(root) }
      for row in rows {
        row.shown = [:]
        row.serverErrors = []
      }
    case .flush: flush(places)
    case .leave, .show, .setLocale, .timer, .effect: break
    }
  }

  private func change(_ place: Place, _ change: FieldChange, isUser: Bool, _ isComposing: Bool) {
    if isList(place.field), !change.path.isEmpty {
      insert([change.value], into: place, at: .max, isUser: isUser)
    } else if plan.fields[place.field].isDelayed {
      place.row.held[place.field, default: []].append((change.value, isUser))
    } else {
      set(change, at: place, isUser: isUser, isComposing)
    }
  }

  private func set(_ change: FieldChange, at place: Place, isUser: Bool, _ isComposing: Bool) {
    let isLeaf = form.fields[place.field].unit == nil
    if !isLeaf, change.path.isEmpty { flush(places(from: place)) }
    let before = places(from: place).map { ($0, value($0)) }
    if change.path.isEmpty, !isLeaf {
      put(taken(change.value, place), at: place)
    } else if isLeaf {
      var value = change.value
      if !change.path.isEmpty {
        value = session.whole(of: place.field, from: own(place))
        _ = value?.set(change.value, at: change.path[...])
      }
      put(given(normalized(value, place.field), place), at: place)
    } else {
      let value = Self.putting(change.value == .null ? nil : change.value, at: change.path[...], in: own(place))
      put(value, at: place)
    }
    if isLeaf || change.path.isEmpty { for inner in places(from: place) { inner.shown.isComposing = false } }
    if isLeaf, isComposing { place.shown.isComposing = true }
    let there = Set(places(from: place))
    for (inner, old) in before where there.contains(inner) && !old.isIdentical(to: value(inner)) {
      changed(inner)
      if isUser { edit(inner) }
    }
  }

  /// The value that a place holds after it was given a value. A value equal to the formula's value does not count as
  /// given.
  private func given(_ value: JSON?, _ place: Place) -> JSON? {
    guard place.row.following.contains(place.field) else { return value }
    if own(place).isIdentical(to: value) { return nil }
    place.row.following.remove(place.field)
    return value
  }

  /// The value that a place holds after it gets a value as a whole.
  private func taken(_ value: JSON?, _ place: Place) -> JSON? {
    if isList(place.field) {
      takeRows(value?.arrayValue ?? [], place)
      return whole(value, [:], place.field)
    }
    guard form.fields[place.field].unit != nil else {
      let isFollowing = place.row.following.contains(place.field)
      if isFollowing, plan.fields[place.field].isComputed || value == nil { return nil }
      return given(normalized(value, place.field), place)
    }
    var kept = JSONObject()
    for child in form.children(of: place.field) {
      let name = form.fields[child].name
      kept[name] = taken(value?.objectValue?[name], Place(place.row, child))
    }
    return whole(value, kept, place.field)
  }

  /// A list gets all its rows. The element's key finds the first row with this key that no earlier element has found.
  /// Without a key, its position finds the row.
  private func takeRows(_ elements: [JSON], _ list: Place) {
    let old = list.row.lists[list.field] ?? []
    var waiting = old
    let rows = elements.enumerated().map { position, element in
      var found: Row?
      if let key = form.fields[list.field].key {
        let wanted = normalized(element.value(at: path(key)), key)
        let index = wanted.flatMap { wanted in waiting.firstIndex { own(Place($0, key)) == wanted } }
        found = index.map { waiting.remove(at: $0) }
      } else if position < old.count {
        found = old[position]
      }
      guard let row = found, let element = form.fields[list.field].element else {
        return newRow(.some(element), in: list)
      }
      put(taken(elements[position], Place(row, element)), at: Place(row, element))
      return row
    }
    replaceRows(of: list, by: rows)
  }

  /// Rows that go are not edited any more.
  private func replaceRows(of list: Place, by rows: [Row]) {
    let gone = (list.row.lists[list.field] ?? []).filter { row in !rows.contains { $0 === row } }
    list.row.lists[list.field] = rows
    for row in gone where row.shown.values.contains(where: \.isEditing) { end(list) }
  }

  private func insert(_ values: [JSON?], into list: Place, at position: Int, isUser: Bool) {
    changeRows(of: list, isUser: isUser) { rows in
      let new = values.map { newRow($0.map { .some($0) }, in: list) }
      rows.insert(contentsOf: new, at: min(position, rows.count))
    }
  }

  /// A change of rows is an edit of the list, and ends the edit.
  private func changeRows(of list: Place, isUser: Bool = true, _ change: (inout [Row]) -> Void) {
    flush(places(from: list))
    var rows = list.row.lists[list.field] ?? []
    change(&rows)
    replaceRows(of: list, by: rows)
    put([], at: list)
    changed(list)
    guard isUser else { return }
    for place in around(list) {
      place.shown.isEdited = true
      place.shown.isTouched = true
    }
  }

  /// Drops the server's errors at a place and around it: they were about the old value.
  private func changed(_ place: Place) { for place in around(place) { place.row.serverErrors.remove(place.field) } }

  // MARK: The user

  private func edit(_ place: Place) {
    begin(place)
    for place in around(place) { place.shown.isEdited = true }
  }

  private func begin(_ place: Place) { for place in around(place) { place.shown.isEditing = true } }

  private func leave(_ place: Place) {
    flush(places(from: place))
    for inner in places(from: place).reversed() where inner == place || inner.shown.isEditing {
      inner.shown.isComposing = false
      end(inner)
      for place in around(inner) { place.shown.isTouched = true }
    }
  }

  /// Ends the editing of a place and of the places around it, unless an inner place is still in editing.
  private func end(_ place: Place) {
    for place in around(place) {
      guard place.shown.isEditing, !children(of: place).contains(where: \.shown.isEditing) else { return }
      place.shown.isEditing = false
    }
  }

  /// Reveals the fields that are shown at the time. A value that was held back may show or hide fields before.
  private func tap(_ action: Int, _ document: JSON) {
    // The tap sets the time, and lets held-back values take effect: both may show or hide a field.
    let movesCells = plan.time != nil || places.contains { $0.row.held[$0.field] != nil }
    let isUncertain = plan.hasFormulasOfVisibility && movesCells
    flush(places)
    for place in places where plan.scopes[action]?.contains(place.field) ?? true {
      if isUncertain {
        if place.shown.isRevealed == false { place.shown.isRevealed = nil }
      } else if document.isVisible(way(place)) {
        place.shown.isRevealed = true
      }
    }
  }

  // MARK: Delayed values

  /// The sent values of those places take effect.
  private func flush(_ places: [Place]) {
    for place in places {
      if let held = place.row.held[place.field] { takeEffect(held.count, at: place) }
    }
  }

  /// The first `count` sent values take effect, starting with the user's last value among them.
  private func takeEffect(_ count: Int, at place: Place) {
    guard let held = place.row.held[place.field] else { return }
    let first = held[..<count].lastIndex(where: \.isUser) ?? 0
    for (value, isUser) in held[first..<count] {
      set(FieldChange(field: place.field, value: value), at: place, isUser: isUser, false)
    }
    place.row.held[place.field] = count < held.count ? Array(held[count...]) : nil
  }

  /// A value that has taken effect by itself is one of the values that were sent since the last such value.
  private func noteWhatTookEffect() {
    for place in places {
      guard let held = place.row.held[place.field], let id = place.row.id else { continue }
      let value = session.value(of: FieldPlace(row: id, field: place.field, rest: []))
      if let last = held.lastIndex(where: { normalized($0.value, place.field).isIdentical(to: value) }) {
        takeEffect(last + 1, at: place)
      }
    }
  }

  // MARK: Reset

  /// The form, and all rows.
  private var rows: [Row] {
    func below(_ row: Row) -> [Row] { [row] + row.lists.values.joined().flatMap(below) }
    return below(root)
  }

  /// The current state becomes the beginning.
  private func keep() {
    for row in rows {
      row.initial = row.value
      row.beganFollowing = row.following
      for list in row.lists.keys { keepRows(of: Place(row, list)) }
    }
  }

  /// Restores the beginning. Removed rows come back as new ones.
  private func restore(_ row: Row) {
    row.value = row.initial
    row.following = row.beganFollowing
    for (field, initial) in row.initialRows {
      let list = Place(row, field)
      let there = row.lists[field] ?? []
      row.lists[field] = initial.map { old, value in
        there.contains { $0 === old } ? old : newRow(.some(value), in: list, isComplete: true)
      }
      row.initialRows[field] = zip(row.lists[field] ?? [], initial).map { ($0, $1.value) }
      for row in row.lists[field] ?? [] { restore(row) }
    }
  }

  // MARK: What the session must say

  /// The names and identities that lead to a place.
  private func way(_ place: Place) -> [String] {
    let outer = place.row.place.map { way($0) + ["#\(place.row.id ?? -1)"] } ?? []
    return outer + path(place.field)
  }

  private func isDirty(_ place: Place) -> Bool {
    let initial = place.row.initial?.value(at: path(place.field))
    if place.row.beganFollowing.contains(place.field) { return !place.row.following.contains(place.field) }
    guard form.fields[place.field].unit != nil else { return own(place) != initial }
    if children(of: place).contains(where: isDirty) { return true }
    if isList(place.field) {
      let (rows, initial) = (place.row.lists[place.field] ?? [], place.row.initialRows[place.field] ?? [])
      // If a row has kept its position, its own fields say whether it is unchanged: an empty object next to them does
      // not count.
      if rows.count != initial.count
        || zip(rows, initial).contains(where: { $0 !== $1.row && value(of: $0, countsFormulas: false) != $1.value })
      {
        return true
      }
    }
    return beside(own(place), place.field) != beside(initial, place.field)
  }

  /// The part of a value outside of its fields and rows.
  private func beside(_ value: JSON?, _ field: Int) -> JSON? {
    switch value {
    case .array? where isList(field): return nil
    case .object(let members)? where !isList(field):
      var others = members
      for child in form.children(of: field) { others[form.fields[child].name] = nil }
      return others.isEmpty ? nil : .object(others)
    default: return value
    }
  }

  /// Learns which identities new rows were given, and finds out whether the session says what is true.
  ///
  /// - Returns: the fault that was found, if any.
  mutating func problem(in document: JSON) -> String? {
    for field in fields(of: root) {
      if let problem = problemOfRows(from: Place(root, field), document) { return problem }
    }
    noteWhatTookEffect()
    noteFormulaValues()
    var messages = 0
    for place in places {
      let way = way(place)
      let name = JSONPointer(tokens: way).address
      let state = document.state(at: way)
      let now = session.value(of: FieldPlace(row: place.row.id ?? -1, field: place.field, rest: []))
      if !value(place).isIdentical(to: now) {
        return "\(name) is \(now ?? "nothing") and not \(value(place) ?? "nothing")"
      }
      if place.row.following.contains(place.field), !formulaValue(place, document).isIdentical(to: now) {
        return "\(name) is \(now ?? "nothing"), and its formula is not"
      }
      if (state?["isTouched"] == true) != place.shown.isTouched { return "\(name).isTouched is wrong" }
      if (state?["isDirty"] == true) != isDirty(place) { return "\(name).isDirty is wrong" }
      let message = document["messages"]?[name]
      if message != nil { messages += 1 }
      if delayed.contains(place.field) { continue }
      let errors = state?["errors"]?.arrayValue ?? []
      // Outcomes report errors at fields of the form.
      if place.row !== root {
        let isTold = errors.contains { $0["source"] == "server" }
        let isThere = place.row.serverErrors.contains(place.field) && document.isVisible(way)
        if isTold != isThere { return "\(name) has \(isTold ? "an" : "no") error of the server" }
      }
      if let problem = place.shown.problem(form.fields[place.field].show, errors, message) {
        return "\(name) \(problem)"
      }
    }
    if messages != document["messages"]?.objectValue?.count ?? 0 { return "a message is of nothing that is there" }
    return nil
  }

  /// A server's errors for a value go when the formula gives another one.
  private func noteFormulaValues() {
    for place in places {
      let value = place.row.following.contains(place.field) ? own(place) : nil
      guard !value.isIdentical(to: place.row.formulaValues[place.field]) else { continue }
      place.row.formulaValues[place.field] = value
      if place.row.following.contains(place.field) { changed(place) }
    }
  }

  private mutating func problemOfRows(from place: Place, _ document: JSON) -> String? {
    if isList(place.field) {
      let way = way(place)
      let told = session.rows(of: FieldPlace(row: place.row.id ?? -1, field: place.field, rest: []))
      let rows = place.row.lists[place.field] ?? []
      let order = document.state(at: way)?["order"] ?? []
      if order != .array(told.map { .string("\($0)") }) {
        return "\(way) has the rows \(told), and its order is \(order)"
      }
      if told.count != rows.count { return "\(way) has \(told.count) rows and not \(rows.count)" }
      for (row, id) in zip(rows, told) {
        if row.id == nil, identities.insert(id).inserted { row.id = id }
        if row.id != id { return "\(way) has the row \(id) where \(row.id.map { "\($0) is" } ?? "a new one is")" }
      }
    }
    for child in children(of: place) { if let problem = problemOfRows(from: child, document) { return problem } }
    return nil
  }
}

extension JSON? {
  /// Both are absent, or identical.
  fileprivate func isIdentical(to other: JSON?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let one?, let other?): one.isIdentical(to: other)
    default: false
    }
  }
}

extension JSON {
  /// Whether a document says that a place is shown. The state of a row's field omits its defaults.
  fileprivate func isVisible(_ way: [String]) -> Bool { state(at: way)?["isVisible"] != false }
}
