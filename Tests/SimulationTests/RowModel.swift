internal import Budgets
import Formats
import Forms
import JSON
import Sessions

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
    /// The objects that an input has set to null or removed, now and in the beginning.
    var removed: Set<Int> = []
    var beganRemoved: Set<Int> = []
    /// The values of their formulas when the model last asked the session.
    var formulaValues: [Int: JSON] = [:]
    /// By field: the text that resets it when it changes.
    var triggers: [Int: String] = [:]
    /// By field: whether it was shown after the last turn.
    var wasShown: [Int: Bool] = [:]
    /// Sent values of fields that delay their values, as far as the model does not know that they have taken effect.
    var held: [Int: [(value: JSON?, isUser: Bool)]] = [:]

    init(in list: ModelField?) {
      owner = list?.row
      self.list = list?.field
    }

    var node: ModelField? { owner.flatMap { owner in list.map { ModelField(owner, $0) } } }
  }

  /// A field of a row.
  struct ModelField: Hashable {
    let row: Row
    let field: Int

    init(_ row: Row, _ field: Int) {
      self.row = row
      self.field = field
    }

    static func == (one: ModelField, other: ModelField) -> Bool { one.row === other.row && one.field == other.field }

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
  /// Whether the fields that the current turn hides keep their values.
  private var keepsHidden = false
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

  // MARK: Fields

  private func isList(_ field: Int) -> Bool { form.fields[field].element != nil }

  /// The top-level fields of the form, or the element of a row.
  private func fields(of row: Row) -> [Int] {
    guard let list = row.node, let element = form.fields[list.field].element else {
      return Array(form.children(of: nil))
    }
    return [element]
  }

  private func children(of node: ModelField) -> [ModelField] {
    if isList(node.field) {
      return (node.row.lists[node.field] ?? []).flatMap { row in fields(of: row).map { ModelField(row, $0) } }
    }
    guard form.fields[node.field].unit != nil else { return [] }
    return form.children(of: node.field).map { ModelField(node.row, $0) }
  }

  /// A field and all fields inside of it, each after the field that contains it.
  private func nodes(from node: ModelField) -> [ModelField] { [node] + children(of: node).flatMap { nodes(from: $0) } }

  private var nodes: [ModelField] { fields(of: root).flatMap { nodes(from: ModelField(root, $0)) } }

  private func outer(_ node: ModelField) -> ModelField? {
    form.fields[node.field].parent.map { ModelField(node.row, $0) } ?? node.row.node
  }

  /// A field and the fields that contain it, inmost first.
  private func around(_ node: ModelField) -> some Sequence<ModelField> { sequence(first: node) { outer($0) } }

  private func node(_ row: Int, _ field: Int) -> ModelField? {
    if row == 0 { return ModelField(root, field) }
    return nodes.first { $0.row.id == row }.map { ModelField($0.row, field) }
  }

  // MARK: Values

  /// The names that lead to a field from its row.
  private func path(_ field: Int) -> ArraySlice<String> {
    let path = form.fields[field].path
    return path[(path.lastIndex(of: "*").map { $0 + 1 } ?? 0)...]
  }

  private func own(_ node: ModelField) -> JSON? {
    if node.row.following.contains(node.field) {
      // A formula's value is checked separately.
      return node.row.id.flatMap { session.value(of: ResolvedAddress(row: $0, field: node.field, rest: [])) }
    }
    return node.row.value?.value(at: path(node.field))
  }

  private func put(_ value: JSON?, at node: ModelField) {
    node.row.value = Self.putting(value, at: path(node.field), in: node.row.value)
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

  /// The value at a field, with its rows.
  ///
  /// - Parameter countsFormulas: whether what formulas give is in it.
  private func value(_ node: ModelField, countsFormulas: Bool = true) -> JSON? {
    if node.row.following.contains(node.field) { return countsFormulas ? own(node) : nil }
    let value = own(node)
    if isList(node.field) {
      guard case .array? = value else { return value }
      return .array((node.row.lists[node.field] ?? []).map { self.value(of: $0, countsFormulas: countsFormulas) })
    }
    guard form.fields[node.field].unit != nil, value == nil || value?.objectValue != nil else { return value }
    var members = value?.objectValue ?? [:]
    for child in form.children(of: node.field) {
      members[form.fields[child].name] = self.value(ModelField(node.row, child), countsFormulas: countsFormulas)
    }
    return members.isEmpty && value == nil ? nil : .object(members)
  }

  /// The value of a row in its list. A row without a value keeps its position.
  private func value(of row: Row, countsFormulas: Bool = true) -> JSON {
    guard let element = fields(of: row).first else { return .null }
    return value(ModelField(row, element), countsFormulas: countsFormulas)
      ?? (form.fields[element].type == .string ? "" : .null)
  }

  /// The value that the formula of a field must give to it now.
  private func formulaValue(_ node: ModelField, _ document: JSON) -> JSON? {
    guard let source = plan.fields[node.field].source ?? plan.fields[node.field].decider else { return nil }
    for around in around(node).dropFirst() {
      let isObject = isList(around.field) ? own(around)?.arrayValue != nil : own(around)?.objectValue != nil
      if !isObject, own(around) != nil { return nil }
      if plan.fields[node.field].decider != nil, around.row.removed.contains(around.field) { return nil }
    }
    var row = node.row
    while let list = row.node, form.fields[source].template != form.fields[form.fields[list.field].element!].template {
      row = list.row
    }
    let value = row.id.flatMap { session.value(of: ResolvedAddress(row: $0, field: source, rest: [])) }
    let isShown = document.isVisible(way(ModelField(row, source)))
    if plan.fields[node.field].decider != nil {
      let isThere = isShown && value != nil
      return normalized(isThere ? RandomForm.branchDefault : form.fields[node.field].schemaDefault, node.field)
    }
    if isShown, let text = value?.stringValue { return normalized(.string(text + "q"), node.field) }
    // An absent text reads as empty if null is not a value.
    return form.fields[source].admitsNull ? nil : normalized("q", node.field)
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
      let list = ModelField(row, field)
      row.lists[field] = (value?.arrayValue ?? []).map { newRow(.some($0), in: list, isComplete: isComplete) }
      keepRows(of: list)
      return whole(value, [:], field)
    }
    guard form.fields[field].unit != nil else {
      if plan.fields[field].decider != nil {
        if case .some(.some(let given)) = given { return normalized(given, field) }
        row.following.insert(field)
        row.beganFollowing.insert(field)
        return nil
      }
      guard plan.fields[field].source != nil else { return normalized(value, field) }
      let given = plan.fields[field].isComputed ? nil : normalized(given ?? nil, field)
      if given == nil {
        row.following.insert(field)
        row.beganFollowing.insert(field)
      }
      return given
    }
    if given == .some(.null) {
      row.removed.insert(field)
      row.beganRemoved.insert(field)
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
  private func newRow(_ given: JSON??, in list: ModelField, isComplete: Bool = false) -> Row {
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
  private func keepRows(of list: ModelField) {
    list.row.initialRows[list.field] = (list.row.lists[list.field] ?? []).map {
      ($0, value(of: $0, countsFormulas: false))
    }
  }

  // MARK: Inputs

  /// Takes an input, before the session has it. In one input, no changed field is inside of another changed field.
  ///
  /// - Parameter document: the document before the input.
  mutating func saw(_ input: Input, _ document: JSON) {
    for node in nodes { node.shown.showsNow = false }
    if case .reset = input { keepsHidden = true }
    noteTriggers()
    take(input, document)
    switch input {
    case .set(let field, _): resetDependents(given: [ModelField(root, field)])
    case .change(let changes, .user, _, _), .change(let changes, .autofill, _, _):
      resetDependents(given: changes.compactMap { $0.field < 0 ? nil : node($0.row, $0.field) })
    default: noteTriggers()
    }
  }

  private func take(_ input: Input, _ document: JSON) {
    switch input {
    case .set(let field, let value): take(.change([FieldChange(field: field, value: value)]), document)
    case .change(let changes, let origin, let isComposing, let commit):
      for change in changes where change.field != FieldChange.root {
        guard let node = node(change.row, change.field) else { continue }
        self.change(node, change, isUser: origin == .user, isComposing)
        if commit { leave(node) }
      }
    case .focus(let field, let row): if let node = node(row, field) { begin(node) }
    case .blur(let field, let row): if let node = node(row, field) { leave(node) }
    case .insert(let list, let row, let position, let values):
      if let list = node(row, list) { insert(values, into: list, at: position, isUser: true) }
    case .remove(let id):
      guard let list = nodes.first(where: { $0.row.id == id })?.row.node else { return }
      changeRows(of: list) { $0.removeAll { $0.id == id } }
    case .move(let id, let position):
      guard let list = nodes.first(where: { $0.row.id == id })?.row.node,
        let old = list.row.lists[list.field]?.firstIndex(where: { $0.id == id }), old != position
      else { return }
      changeRows(of: list) { $0.insert($0.remove(at: old), at: position) }
    case .fail(let field, let row, _): node(row, field)?.row.serverErrors.insert(field)
    case .tap(let action): tap(action, document)
    case .reset(let keepValues):
      flush(nodes)
      if keepValues { keep() } else { restore(root) }
      for row in rows {
        row.shown = [:]
        row.serverErrors = []
      }
    case .resetField(let field, let row): if let node = node(row, field) { reset(node) }
    case .flush:
      flush(nodes)
      endCompositions()
    case .prepared: preconditionFailure("the model prepares nothing")
    case .undo, .redo: preconditionFailure("the model does not know what a session has been")
    case .cancel, .detach, .show, .setLocale, .setContext, .timer, .effect: break
    }
  }

  private func change(_ node: ModelField, _ change: FieldChange, isUser: Bool, _ isComposing: Bool) {
    if isList(node.field), !change.path.isEmpty {
      let before = Set(nodes(from: node))
      insert([change.value], into: node, at: .max, isUser: isUser)
      for inner in nodes(from: node) where !before.contains(inner) {
        let isLeaf = form.fields[inner.field].unit == nil && !isList(inner.field)
        inner.shown.isComposing = isComposing && isLeaf && own(inner) != nil
      }
    } else if plan.fields[node.field].isDelayed {
      node.row.held[node.field, default: []].append((change.value, isUser))
    } else {
      set(change, at: node, isUser: isUser, isComposing)
    }
  }

  private func set(_ change: FieldChange, at node: ModelField, isUser: Bool, _ isComposing: Bool) {
    let isLeaf = form.fields[node.field].unit == nil
    if !isLeaf, change.path.isEmpty { flush(nodes(from: node)) }
    let before = nodes(from: node).map { ($0, value($0)) }
    let parts = Dictionary(uniqueKeysWithValues: nodes(from: node).map { ($0, own($0)) })
    if change.path.isEmpty, !isLeaf {
      put(taken(change.value, node), at: node)
      if change.value == nil, !isList(node.field) { node.row.removed.insert(node.field) }
    } else if isLeaf {
      var value = change.value
      if !change.path.isEmpty {
        value = session.whole(of: node.field, from: own(node))
        _ = value?.set(change.value, at: change.path[...])
      }
      put(given(normalized(value, node.field), node), at: node)
    } else {
      let value = Self.putting(change.value == .null ? nil : change.value, at: change.path[...], in: own(node))
      put(value, at: node)
    }
    if value(node, countsFormulas: false) != nil { giveAround(node) }
    if !isLeaf, change.path.isEmpty {
      // Of a value as a whole, what changes is being composed, and what was composed before still is.
      for inner in nodes(from: node) {
        let isObject = form.fields[inner.field].unit != nil && !isList(inner.field)
        let isLeaf = form.fields[inner.field].unit == nil && !isList(inner.field)
        let hasChanged =
          if let part = parts[inner] { (isLeaf || isObject) && !part.isIdentical(to: own(inner)) } else {
            isLeaf && own(inner) != nil
          }
        inner.shown.isComposing = isComposing && (hasChanged || inner.shown.isComposing)
      }
    } else if !isList(node.field) {
      node.shown.isComposing = isComposing
    }
    let there = Set(nodes(from: node))
    for (inner, old) in before where there.contains(inner) && !old.isIdentical(to: value(inner)) {
      forgetServerErrors(around: inner)
      if isUser { edit(inner) }
    }
  }

  /// A field got a value, so the objects around it are not removed any more.
  private func giveAround(_ node: ModelField) {
    for around in around(node).dropFirst() { around.row.removed.remove(around.field) }
  }

  /// The value that a field holds after it was given a value. A value equal to the formula's value does not count as
  /// given.
  private func given(_ value: JSON?, _ node: ModelField) -> JSON? {
    guard node.row.following.contains(node.field) else { return value }
    if own(node).isIdentical(to: value) { return nil }
    node.row.following.remove(node.field)
    return value
  }

  /// The value that a field holds after it gets a value as a whole.
  private func taken(_ value: JSON?, _ node: ModelField) -> JSON? {
    if isList(node.field) {
      takeRows(value?.arrayValue ?? [], node)
      return whole(value, [:], node.field)
    }
    guard form.fields[node.field].unit != nil else {
      let isFollowing = node.row.following.contains(node.field)
      if isFollowing, plan.fields[node.field].isComputed || value == nil { return nil }
      return given(normalized(value, node.field), node)
    }
    if value == .null { node.row.removed.insert(node.field) } else { node.row.removed.remove(node.field) }
    var kept = JSONObject()
    for child in form.children(of: node.field) {
      let name = form.fields[child].name
      kept[name] = taken(value?.objectValue?[name], ModelField(node.row, child))
    }
    return whole(value, kept, node.field)
  }

  /// A list gets all its rows. The element's key finds the first row with this key that no earlier element has found.
  /// Without a key, its position finds the row.
  private func takeRows(_ elements: [JSON], _ list: ModelField) {
    let old = list.row.lists[list.field] ?? []
    var waiting = old
    let rows = elements.enumerated().map { position, element in
      var found: Row?
      if let key = form.fields[list.field].key {
        let wanted = normalized(element.value(at: path(key)), key)
        let index = wanted.flatMap { wanted in waiting.firstIndex { own(ModelField($0, key)) == wanted } }
        found = index.map { waiting.remove(at: $0) }
      } else if position < old.count {
        found = old[position]
      }
      guard let row = found, let element = form.fields[list.field].element else {
        return newRow(.some(element), in: list)
      }
      put(taken(elements[position], ModelField(row, element)), at: ModelField(row, element))
      return row
    }
    replaceRows(of: list, by: rows)
  }

  /// Rows that go are not edited any more.
  private func replaceRows(of list: ModelField, by rows: [Row]) {
    let gone = (list.row.lists[list.field] ?? []).filter { row in !rows.contains { $0 === row } }
    list.row.lists[list.field] = rows
    for row in gone where row.shown.values.contains(where: \.isEditing) { end(list) }
  }

  private func insert(_ values: [JSON?], into list: ModelField, at position: Int, isUser: Bool) {
    changeRows(of: list, isUser: isUser) { rows in
      let new = values.map { newRow($0.map { .some($0) }, in: list) }
      rows.insert(contentsOf: new, at: min(position, rows.count))
    }
  }

  /// A change of rows is an edit of the list, and ends the edit.
  private func changeRows(of list: ModelField, isUser: Bool = true, _ change: (inout [Row]) -> Void) {
    flush(nodes(from: list))
    var rows = list.row.lists[list.field] ?? []
    change(&rows)
    replaceRows(of: list, by: rows)
    put([], at: list)
    giveAround(list)
    forgetServerErrors(around: list)
    guard isUser else { return }
    for node in around(list) {
      node.shown.isEdited = true
      node.shown.isTouched = true
    }
    list.shown.showsNow = true
  }

  /// Drops the server's errors at a field and around it: they were about the old value.
  private func forgetServerErrors(around node: ModelField) {
    for node in around(node) { node.row.serverErrors.remove(node.field) }
  }

  // MARK: The user

  private func edit(_ node: ModelField) {
    begin(node)
    for node in around(node) { node.shown.isEdited = true }
  }

  private func begin(_ node: ModelField) { for node in around(node) { node.shown.isEditing = true } }

  private func leave(_ node: ModelField) {
    flush(nodes(from: node))
    for inner in nodes(from: node) { inner.shown.isComposing = false }
    for inner in nodes(from: node).reversed() where inner == node || inner.shown.isEditing {
      end(inner)
      for node in around(inner) { node.shown.isTouched = true }
    }
  }

  /// Ends the editing of a field and of the fields around it, unless an inner field is still in editing.
  private func end(_ node: ModelField) {
    for node in around(node) {
      guard node.shown.isEditing, !children(of: node).contains(where: \.shown.isEditing) else { return }
      node.shown.isEditing = false
    }
  }

  /// Reveals the fields that are shown at the time. A value that was held back may show or hide fields before.
  private func tap(_ action: Int, _ document: JSON) {
    // The tap sets the time, and lets held-back values take effect: both may show or hide a field.
    let movesCells = plan.time != nil || nodes.contains { $0.row.held[$0.field] != nil }
    let isUncertain = plan.hasFormulasOfVisibility && movesCells
    flush(nodes)
    endCompositions()
    for node in nodes where plan.scopes[action]?.contains(node.field) ?? true {
      if isUncertain {
        if node.shown.isRevealed == false { node.shown.isRevealed = nil }
      } else if document.isVisible(way(node)) {
        node.shown.isRevealed = true
      }
    }
  }

  /// A tap reads the values as they are.
  private func endCompositions() { for node in nodes { node.shown.isComposing = false } }

  // MARK: Delayed values

  /// The sent values of those fields take effect.
  private func flush(_ nodes: [ModelField]) {
    for node in nodes {
      if let held = node.row.held[node.field] { takeEffect(held.count, at: node) }
    }
  }

  /// The first `count` sent values take effect, starting with the user's last value among them.
  private func takeEffect(_ count: Int, at node: ModelField) {
    guard let held = node.row.held[node.field] else { return }
    let first = held[..<count].lastIndex(where: \.isUser) ?? 0
    for (value, isUser) in held[first..<count] {
      set(FieldChange(field: node.field, value: value), at: node, isUser: isUser, false)
    }
    node.row.held[node.field] = count < held.count ? Array(held[count...]) : nil
  }

  /// A value that has taken effect by itself is one of the values that were sent since the last such value.
  private func noteWhatTookEffect() {
    for node in nodes {
      guard let held = node.row.held[node.field], let id = node.row.id else { continue }
      let value = session.value(of: ResolvedAddress(row: id, field: node.field, rest: []))
      if let last = held.lastIndex(where: { normalized($0.value, node.field).isIdentical(to: value) }) {
        takeEffect(last + 1, at: node)
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
      row.beganRemoved = row.removed
      for list in row.lists.keys { keepRows(of: ModelField(row, list)) }
    }
  }

  /// Restores the beginning. Removed rows come back as new ones.
  private func restore(_ row: Row) {
    row.value = row.initial
    row.following = row.beganFollowing
    row.removed = row.beganRemoved
    restoreRows(of: row) { _ in true }
  }

  private func restoreRows(of row: Row, inLists isWanted: (Int) -> Bool) {
    for (field, initial) in row.initialRows where isWanted(field) {
      let list = ModelField(row, field)
      let there = row.lists[field] ?? []
      row.lists[field] = initial.map { old, value in
        there.contains { $0 === old } ? old : newRow(.some(value), in: list, isComplete: true)
      }
      row.initialRows[field] = zip(row.lists[field] ?? [], initial).map { ($0, $1.value) }
      for row in row.lists[field] ?? [] { restore(row) }
    }
  }

  /// Restores the beginning of one field.
  private func reset(_ node: ModelField) {
    let isReachable = around(node).dropFirst().allSatisfy { around in
      guard let value = own(around), value != .null else { return true }
      return isList(around.field) ? value.arrayValue != nil : value.objectValue != nil
    }
    guard isReachable else { return }
    let inside = nodes(from: node)
    flush(inside)
    let isEditing = node.shown.isEditing
    let (row, fields) = (node.row, node.field..<max(form.fields[node.field].end, node.field + 1))
    put(row.initial?.value(at: path(node.field)), at: node)
    for field in fields {
      if row.beganFollowing.contains(field) { row.following.insert(field) } else { row.following.remove(field) }
      if row.beganRemoved.contains(field) { row.removed.insert(field) } else { row.removed.remove(field) }
    }
    for inner in inside {
      inner.shown = ShowModel()
      inner.row.serverErrors.remove(inner.field)
    }
    restoreRows(of: row, inLists: fields.contains)
    if isEditing, let outer = outer(node) { end(outer) }
    if value(node, countsFormulas: false) != nil { giveAround(node) }
    forgetServerErrors(around: node)
  }

  /// The fields that the turn has hidden lose their values, as far as they ask for that.
  private mutating func clearHidden(_ document: JSON) {
    guard plan.hasTriggers else { return }
    var cleared: [ModelField] = []
    for node in nodes where !keepsHidden && plan.fields[node.field].clears {
      guard node.row.wasShown[node.field] == true, nodes.contains(node), !document.isVisible(way(node)) else {
        continue
      }
      clear(node)
      cleared.append(node)
    }
    // A field is touched and edited as long as a field below it is.
    for node in cleared.reversed() where nodes.contains(node) {
      let below = nodes(from: node).dropFirst()
      let keepsTouched = node.shown.isTouched && below.contains { $0.shown.isTouched }
      let keepsEdited = node.shown.isEdited && below.contains { $0.shown.isEdited }
      if !keepsTouched, !keepsEdited { node.shown = ShowModel() }
    }
    keepsHidden = false
  }

  private func clear(_ node: ModelField) {
    let inside = nodes(from: node)
    flush(inside)
    let isEditing = node.shown.isEditing
    for inner in inside { inner.shown.isEditing = false }
    if isEditing, let outer = outer(node) { end(outer) }
    let mayHaveValue = around(node).dropFirst().allSatisfy { around in
      if around.row.removed.contains(around.field) { return false }
      return own(around).map { isList(around.field) ? $0.arrayValue != nil : $0.objectValue != nil } ?? true
    }
    let initial = mayHaveValue ? form.fields[node.field].initial : nil
    if isList(node.field) {
      takeRows([], node)
      takeRows(initial?.arrayValue ?? [], node)
      put(whole(initial, [:], node.field), at: node)
    } else if form.fields[node.field].unit != nil, form.fields[node.field].list != nil {
      // A row stays a row.
    } else if form.fields[node.field].unit != nil {
      node.row.removed.remove(node.field)
      var kept = JSONObject()
      for child in form.children(of: node.field) {
        let name = form.fields[child].name
        kept[name] = own(node)?.objectValue?[name]
      }
      put(whole(nil, kept, node.field), at: node)
    } else if node.row.beganFollowing.contains(node.field) {
      node.row.following.insert(node.field)
      put(nil, at: node)
    } else {
      node.row.following.remove(node.field)
      put(normalized(initial, node.field), at: node)
    }
    if value(node, countsFormulas: false) != nil { giveAround(node) }
    forgetServerErrors(around: node)
  }

  // MARK: Fields that others reset

  /// The current value of the trigger of a field.
  private func trigger(of node: ModelField) -> String? {
    guard let source = plan.fields[node.field].trigger else { return nil }
    var row = node.row
    while let list = row.node, form.fields[source].template != form.fields[form.fields[list.field].element!].template {
      row = list.row
    }
    let value = own(ModelField(row, source))
    return value?.stringValue ?? (form.fields[source].admitsNull ? "null" : "")
  }

  private func noteTriggers() { for node in nodes { node.row.triggers[node.field] = trigger(of: node) } }

  /// The user has given these fields values. The fields whose triggers have changed go back to their beginning, and
  /// then those whose triggers have changed because of that.
  private func resetDependents(given: [ModelField]) {
    guard plan.hasTriggers else { return }
    let around = Set(given.flatMap { Array(self.around($0)) })
    var done: Set<ModelField> = []
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      let changed = nodes.filter { node in
        node.row.triggers[node.field] != nil && node.row.triggers[node.field] != trigger(of: node)
      }
      noteTriggers()
      for node in changed where nodes.contains(node) && !around.contains(node) {
        if self.around(node).contains(where: given.contains) || !done.insert(node).inserted { continue }
        reset(node)
        hasChanged = true
      }
    }
  }

  // MARK: Blank rows

  /// Whether the field is in a row that does not count because it is blank.
  func isIgnored(_ target: ResolvedAddress) -> Bool {
    target.field.flatMap { node(target.row, $0) }.map { isIgnored($0.row) } ?? false
  }

  private func isIgnored(_ row: Row) -> Bool {
    var row = row
    while let list = row.node {
      if plan.fields[list.field].ignoresBlankRows, !fields(of: row).contains(where: { hasContent(ModelField(row, $0)) })
      {
        return true
      }
      row = list.row
    }
    return false
  }

  /// Whether an input has given a value that is not the default to a field, or to one inside it.
  private func hasContent(_ node: ModelField) -> Bool {
    if children(of: node).contains(where: hasContent) { return true }
    if node.row.following.contains(node.field) { return false }
    switch beside(own(node), node.field) {
    case nil, .null?, .string("")?, .array([])?, .object([:])?: return false
    case let value: return value != form.fields[node.field].initial
    }
  }

  /// The number of rows that count of a list at the top.
  func rowCount(ofList list: Int, _ document: JSON) -> Int {
    (root.lists[list] ?? []).count { row in
      fields(of: row).allSatisfy { document.isVisible(way(ModelField(row, $0))) } && !isIgnored(row)
    }
  }

  // MARK: Choices

  private func isDisabling(_ choices: ChoiceModel, _ document: JSON) -> Bool {
    guard let disabler = choices.disabler.map({ ModelField(root, $0) }) else { return true }
    return document.isVisible(way(disabler)) && own(disabler) == "abc"
  }

  /// The field's initial value. For an element of a list, all initial elements. A row that was added has none.
  private func initialChoices(_ node: ModelField) -> [JSON] {
    if let list = node.row.node, form.fields[list.field].element == node.field {
      return isOfBeginning(list.row) ? (list.row.initialRows[list.field] ?? []).map(\.value) : []
    }
    return isOfBeginning(node.row) ? node.row.initial?.value(at: path(node.field)).map { [$0] } ?? [] : []
  }

  /// Whether a row was there in the beginning, with the rows around it.
  private func isOfBeginning(_ row: Row) -> Bool {
    guard let list = row.node else { return true }
    return isOfBeginning(list.row) && (list.row.initialRows[list.field] ?? []).contains { $0.row === row }
  }

  // MARK: What the session must say

  /// The names and identities that lead to a field.
  private func way(_ node: ModelField) -> [String] {
    let outer = node.row.node.map { way($0) + ["#\(node.row.id ?? -1)"] } ?? []
    return outer + path(node.field)
  }

  private func isDirty(_ node: ModelField) -> Bool {
    let initial = node.row.initial?.value(at: path(node.field))
    if node.row.beganFollowing.contains(node.field) { return !node.row.following.contains(node.field) }
    guard form.fields[node.field].unit != nil else {
      if plan.fields[node.field].isUnordered, let now = own(node)?.arrayValue, let before = initial?.arrayValue {
        return !now.isPermutation(of: before)
      }
      return own(node) != initial
    }
    if plan.fields[node.field].isUnordered { return isDirtyInAnyOrder(node) }
    if children(of: node).contains(where: isDirty) { return true }
    if isList(node.field) {
      let (rows, initial) = (node.row.lists[node.field] ?? [], node.row.initialRows[node.field] ?? [])
      // If a row has kept its position, its own fields say whether it is unchanged: an empty object next to them does
      // not count.
      if rows.count != initial.count
        || zip(rows, initial).contains(where: { $0 !== $1.row && value(of: $0, countsFormulas: false) != $1.value })
      {
        return true
      }
    }
    return beside(own(node), node.field) != beside(initial, node.field)
  }

  private func isDirtyInAnyOrder(_ node: ModelField) -> Bool {
    let rows = (node.row.lists[node.field] ?? []).map { value(of: $0, countsFormulas: false) }
    let before = (node.row.initialRows[node.field] ?? []).map(\.value)
    return !rows.isPermutation(of: before)
      || beside(own(node), node.field) != beside(node.row.initial?.value(at: path(node.field)), node.field)
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
  /// - Returns: the difference that was found, if any.
  mutating func problem(in document: JSON) -> String? {
    clearHidden(document)
    for field in fields(of: root) {
      if let problem = problemOfRows(from: ModelField(root, field), document) { return problem }
    }
    noteWhatTookEffect()
    for node in nodes { node.row.wasShown[node.field] = document.isVisible(way(node)) }
    noteFormulaValues()
    var messages = 0
    for node in nodes {
      let way = way(node)
      let name = JSONPointer(tokens: way).address
      let state = document.state(at: way)
      let now = session.value(of: ResolvedAddress(row: node.row.id ?? -1, field: node.field, rest: []))
      if !value(node).isIdentical(to: now) {
        return "\(name) is \(now ?? "nothing") and not \(value(node) ?? "nothing")"
      }
      if node.row.following.contains(node.field), !formulaValue(node, document).isIdentical(to: now) {
        return "\(name) is \(now ?? "nothing"), and its formula is not"
      }
      if (state?["isTouched"] == true) != node.shown.isTouched { return "\(name).isTouched is wrong" }
      if (state?["isDirty"] == true) != isDirty(node) { return "\(name).isDirty is wrong" }
      let message = document["messages"]?[name]
      if message != nil { messages += 1 }
      let errors = state?["errors"]?.arrayValue ?? []
      if !errors.isEmpty, isIgnored(node.row) { return "\(name) is in a blank row, and has errors" }
      if let choices = plan.fields[node.field].choices {
        let isRefused =
          document.isVisible(way) && !isIgnored(node.row)
          && choices.refuses(now, isDisabling: isDisabling(choices, document), initial: initialChoices(node))
        let isTold = errors.contains { $0["code"] == "options" }
        if isTold != isRefused { return "\(name) is \(now ?? "nothing"), and \(isTold ? "refused" : "accepted")" }
      }
      if delayed.contains(node.field) { continue }
      // Outcomes report errors at fields of the form.
      if node.row !== root {
        let isTold = errors.contains { $0["source"] == "server" }
        let isThere =
          node.row.serverErrors.contains(node.field) && document.isVisible(way) && !isIgnored(node.row)
        if isTold != isThere { return "\(name) has \(isTold ? "an" : "no") error of the server" }
      }
      // An error about a group of fields waits until each field of a group with its code was left.
      let groups = form.fields[node.field].groups
      func code(_ group: FieldGroup) -> String { form.errors[group.error(at: node.field)].code }
      let left = groups.filter { group in
        group.fields.allSatisfy { other in
          let other = ModelField(node.row, other)
          return other.shown.isTouched || !document.isVisible(self.way(other))
        }
      }.map(code)
      let waiting: [JSON] = groups.map(code).filter { !left.contains($0) }.map { .string($0) }
      var shown = node.shown
      // The model does not know when the values of formulas change.
      if form.fields[node.field].isComputed, shown.isRevealed == false { shown.isRevealed = nil }
      if let problem = shown.problem(form.fields[node.field].show, errors, message, waiting: waiting) {
        return "\(name) \(problem)"
      }
    }
    if messages != document["messages"]?.objectValue?.count ?? 0 { return "a message is of nothing that is there" }
    return nil
  }

  /// A server's errors for a value go when the formula gives another one.
  private func noteFormulaValues() {
    for node in nodes {
      let value = node.row.following.contains(node.field) ? own(node) : nil
      guard !value.isIdentical(to: node.row.formulaValues[node.field]) else { continue }
      node.row.formulaValues[node.field] = value
      if node.row.following.contains(node.field) { forgetServerErrors(around: node) }
    }
  }

  private mutating func problemOfRows(from node: ModelField, _ document: JSON) -> String? {
    if isList(node.field) {
      let way = way(node)
      let told = session.rows(of: ResolvedAddress(row: node.row.id ?? -1, field: node.field, rest: []))
      let rows = node.row.lists[node.field] ?? []
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
    for child in children(of: node) { if let problem = problemOfRows(from: child, document) { return problem } }
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
  /// Whether a document says that a field is shown. The state of a row's field omits its defaults.
  fileprivate func isVisible(_ way: [String]) -> Bool { state(at: way)?["isVisible"] != false }
}

extension [JSON] {
  /// Whether it has the same elements, in whatever order.
  fileprivate func isPermutation(of other: [JSON]) -> Bool {
    var rest = other
    for element in self {
      guard let position = rest.firstIndex(of: element) else { return false }
      rest.remove(at: position)
    }
    return rest.isEmpty
  }
}
