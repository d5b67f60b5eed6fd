import JSON
import Randomness
import Sessions

/// One step in a simulated life of a session. A history of steps can be cut anywhere and still makes sense.
enum RandomStep: CustomStringConvertible {
  /// A new value of a field, or (nil) of a top-level member that is not a field.
  struct Change {
    let target: RandomField?
    var path: [String] = []
    let value: JSON?
  }

  case change([Change], origin: Origin, isComposing: Bool, commit: Bool)
  case focus(RandomField)
  case blur(RandomField)
  /// Rows are put into a list.
  case insert(RandomField, at: Int, [JSON?])
  /// The row of that element is removed.
  case remove(RandomField)
  case move(RandomField, to: Int)
  /// A choice of a multiple choice is marked, or its mark is taken away.
  case toggle(RandomField, JSON)
  case fail(RandomField)
  case tap(Int)
  case cancel(Int)
  case show(Int)
  case reset(keepValues: Bool)
  case resetField(RandomField)
  case undo
  case redo
  case flush
  case setLocale(String)
  case setContext(JSONObject)
  /// Time passes. Timers and answers come at their own times, or (the caller is late) all after the next input.
  case advance(milliseconds: Int64, isLate: Bool)
  /// The wall clock is set.
  case setClock(seconds: Int64)

  init(for form: RandomForm, random: inout SeededGenerator) {
    if form.hasUndo, random.chance(20) {
      self = random.chance(60) ? .undo : .redo
      return
    }
    if !form.lists.isEmpty, random.chance(25) {
      self = Self.ofRows(form, random: &random)
      return
    }
    if form.hasContext, random.chance(12) {
      self = Self.ofContext(&random)
      return
    }
    let sources = form.fields.compactMap(\.trigger)
    if !sources.isEmpty, random.chance(30) {
      let target = RandomField(random.pick(sources), of: form, random: &random)
      self = .change([Self.change(of: target, form, &random)], origin: .user, isComposing: false, commit: false)
      return
    }
    let field = random.below(form.fields.count)
    let target = RandomField(field, of: form, random: &random)
    switch random.below(21) {
    case 0..<9:
      var changes = [Self.change(of: target, form, &random)]
      let other = random.below(form.fields.count)
      if random.chance(20), !form.areRelated(field, other) {
        changes.append(Self.change(of: RandomField(other, of: form, random: &random), form, &random))
      }
      if random.chance(5) {
        let value: JSON? = random.pick([1, "zzz", .null, nil])
        changes.append(Change(target: nil, path: ["zz"], value: form.hasSecrets ? 1 : value))
      }
      let origin: Origin = random.chance(80) ? .user : random.pick([.autofill, .restore, .program])
      self = .change(changes, origin: origin, isComposing: random.chance(10), commit: random.chance(10))
    case 9: self = .focus(target)
    case 10, 11: self = .blur(target)
    case 12, 13, 14:
      let action = random.below(form.actionCount)
      self = random.chance(8) ? .cancel(action) : .tap(action)
    case 15 where form.stepCount > 0 && random.chance(60): self = .show(random.below(form.stepCount))
    case 15 where random.chance(25): self = .setLocale(random.pick(["ko", "en", "de", "ko-KR"]))
    case 15 where random.chance(20): self = .resetField(target)
    case 15: self = random.chance(30) ? .reset(keepValues: random.chance(50)) : .flush
    case 16: self = .fail(target)
    case 17 where form.time != nil:
      self = .setClock(seconds: Int64(random.pick([-100_000, -3_600, -1, 1, 30_000, 86_400, 900_000])))
    default:
      self = .advance(milliseconds: Int64(random.pick([0, 20, 60, 150, 400, 1_000, 3_000])), isLate: random.chance(12))
    }
  }

  /// A program gives another context.
  private static func ofContext(_ random: inout SeededGenerator) -> RandomStep {
    .setContext(
      random.pick([
        [:], ["role": "chef"], ["role": "clerk", "level": 2], ["level": 1, "token": "CANARY"], ["level": 2],
        ["user": ["name": "kim"], "token": "CANARY"], ["user": [:], "role": "chef", "other": "x"],
      ])
    )
  }

  /// Rows are inserted, removed and moved.
  private static func ofRows(_ form: RandomForm, random: inout SeededGenerator) -> RandomStep {
    let list = random.pick(form.lists)
    let element = form.fields.indices.first { form.list(of: $0) == list && form.fields[$0].path.last == "*" } ?? list
    let row = RandomField(element, of: form, random: &random)
    let isMultipleChoice = form.fields[list].isMultipleChoice
    if isMultipleChoice, random.chance(60) {
      return .toggle(
        RandomField(list, of: form, random: &random),
        random.pick(["abc", "abc", "x", "x", "ok", "zzz", 7])
      )
    }
    // What was chosen becomes the initial choice.
    if isMultipleChoice, random.chance(15) { return .reset(keepValues: true) }
    switch random.below(10) {
    case 0..<5:
      let values = (0...random.pick([0, 0, 0, 1, 2])).map { _ in
        isMultipleChoice ? choice(&random) : rowValue(&random)
      }
      return .insert(RandomField(list, of: form, random: &random), at: random.pick([0, 1, 2, 9]), values)
    case 5..<8: return .remove(row)
    default: return .move(row, to: random.below(4))
    }
  }

  /// A value of a row: it fits the rows of some form, or of no form.
  private static func rowValue(_ random: inout SeededGenerator) -> JSON? {
    random.pick([
      ["a": "abc"], ["a": "abc"], ["a": "x"], ["a": "abc", "b": 2], ["a": "xyz", "b": true, "c": "x"],
      ["a": "", "b": "abc"], ["a": "ok", "b": [["a": "x"], ["a": "ok"]]], ["a": "abc", "c": [1, 1], "d": ["x"]], [:],
      ["kind": "abc", "one": "xyz"], .null, "", "abc", "abc", "x", 2, 7, [["a": "abc"]], ["abc"], nil, nil,
    ])
  }

  /// A value of a field with choices.
  private static func choice(_ random: inout SeededGenerator) -> JSON? {
    random.pick(["abc", "abc", "x", "x", "x", "ok", "zzz", "toolongtext", "", .null, 7, nil])
  }

  private static func change(of target: RandomField, _ form: RandomForm, _ random: inout SeededGenerator) -> Change {
    let change = change(of: target.field, form, &random)
    return Change(target: target, path: change.path, value: change.value)
  }

  private static func change(of field: Int, _ form: RandomForm, _ random: inout SeededGenerator) -> FieldChange {
    if form.fields[field].isDelayed {
      let texts: [JSON] =
        form.fields[field].kind == .secret ? ["CANARY1", "CANARYx2", ""] : ["abc", "x", "xyz", "ok", ""]
      return FieldChange(field: field, value: random.pick(texts))
    }
    switch form.fields[field].kind {
    case .text where form.fields[field].choices != nil: return FieldChange(field: field, value: choice(&random))
    case .text:
      return FieldChange(
        field: field,
        value: random.pick(["", "a", "abc", "x", "xyz", " ok ", "e\u{301}x", "ABC", "toolongtext", .null, 7, nil])
      )
    case .number: return FieldChange(field: field, value: random.pick([0, 1, 2, 3, 3.0, 2.5, "3", .null, nil, 9]))
    case .flag: return FieldChange(field: field, value: random.pick([true, false, .null, "true"]))
    case .anything:
      return FieldChange(
        field: field,
        value: random.pick([
          1, 1.0, 0.0, -0.0, "x", "1", [], [:], ["k": .null], .null, false, [1, 2], [1.0, 2], ["k": 1, "l": 2],
          ["k": 1.0, "l": 2], ["l": 2, "k": 1],
        ])
      )
    case .list:
      if random.chance(50) {
        return FieldChange(
          field: field,
          path: [random.pick(["-", "0", "1", "5"])],
          value: random.pick([0, 1, 1.0, -1, "x", nil])
        )
      }
      return FieldChange(field: field, value: random.pick([[], [1], [1.0], [1, 2], [1, 1], [-1, 2], .null, "x"]))
    case .secret: return FieldChange(field: field, value: random.pick(["", "CANARY", "CANARYx", "CANARYverylong", 5]))
    case .secretObject:
      return FieldChange(
        field: field,
        value: random.pick([
          [:], ["pin": "CANARY"], ["CANARYa": 1], ["pin": "CANARYtoolong"],
          ["pin": 1, "CANARYb": 2, "CANARYc": 3, "CANARYd": 4],
          .null, "CANARY",
        ])
      )
    case .rows where form.fields[field].isMultipleChoice && random.chance(80):
      return FieldChange(field: field, value: .array((0..<random.below(4)).map { _ in choice(&random) ?? .null }))
    case .rows:
      if random.chance(30) {
        return FieldChange(field: field, path: [random.pick(["-", "-", "-", "0", "9"])], value: rowValue(&random))
      }
      if random.chance(15) { return FieldChange(field: field, value: random.pick([.null, "x", "", 7, [:], nil])) }
      return FieldChange(field: field, value: .array((0..<random.below(4)).map { _ in rowValue(&random) ?? .null }))
    case .object, .union:
      if random.chance(20) {
        return FieldChange(field: field, path: [random.pick(["zz", "yy"])], value: random.pick([1, "x", .null, nil]))
      }
      return FieldChange(
        field: field,
        value: random.pick([
          [:], ["a": "abc"], ["a": "", "b": 2], ["a": "x", "b": true, "zz": 1], ["kind": "abc", "one": "xyz"],
          ["kind": "x", "two": 2], ["kind": "x", "one": "ok"], ["b": ["a": "abc"]], ["c": .null], .null, "x", 7, nil,
        ])
      )
    }
  }

  var description: String {
    switch self {
    case .change(let changes, let origin, let isComposing, let commit):
      let texts = changes.map {
        "\($0.target.map(\.description) ?? "root")/\($0.path.joined(separator: "/")) = \($0.value.map(\.description) ?? "nothing")"
      }
      return
        "change \(texts.joined(separator: ", ")) \(origin)\(isComposing ? " composing" : "")\(commit ? " commit" : "")"
    case .focus(let target): return "focus \(target)"
    case .blur(let target): return "blur \(target)"
    case .insert(let list, let position, let values):
      return "insert into \(list) at \(position) \(values.map { $0.map(\.description) ?? "nothing" })"
    case .remove(let row): return "remove \(row)"
    case .move(let row, let position): return "move \(row) to \(position)"
    case .toggle(let list, let value): return "toggle \(value) in \(list)"
    case .fail(let target): return "fail \(target)"
    case .show(let step): return "show \(step)"
    case .tap(let action): return "tap \(action)"
    case .cancel(let action): return "cancel \(action)"
    case .reset(let keepValues): return "reset\(keepValues ? " keeping values" : "")"
    case .resetField(let target): return "reset \(target)"
    case .undo: return "undo"
    case .redo: return "redo"
    case .setLocale(let locale): return "set locale \(locale)"
    case .setContext(let context): return "set context \(JSON.object(context))"
    case .flush: return "flush"
    case .setClock(let seconds): return "set the wall clock by \(seconds) s"
    case .advance(let milliseconds, let isLate): return "advance \(milliseconds) ms\(isLate ? ", late" : "")"
    }
  }
}
