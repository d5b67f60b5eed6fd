internal import CEL
package import JSON
internal import JSONSchema
internal import Texts

/// A compiled form: names are numbers, formulas are programs, and a graph has the dependencies. It is immutable, and
/// all of its sessions share it.
public final class Form: Sendable {
  /// The form's name.
  public let name: String
  /// The default locale, if the definition names one.
  public let locale: String?
  /// The form's title for people.
  public let title: Text?
  /// The edition of the form: `version` of the definition, 0 without one.
  public let version: Int
  /// Distinguishes it from every other definition, and from its own earlier versions.
  package let fingerprint: JSONFingerprint
  /// The texts of errors of all fields and of the form, by code.
  let messages: [UTF8Key: Text]
  /// The texts of errors of the form as a whole, by code.
  let formMessages: [UTF8Key: Text]
  /// How often `now` ticks; nil if it does not.
  package let clock: Duration?
  /// Whether users can take their edits back.
  public let hasUndo: Bool
  /// The JSON Schema of the values, as the definition has it.
  package let schema: JSON
  /// The formulas that formulas call by name.
  let functions: [FunctionDefinition]
  /// The context of the form's sessions; nil if the definition has none.
  package let context: FormContext?
  /// The fields: the values that the schema names, in the schema's order. A field follows the field that contains it.
  /// The engine names a field by its position here.
  public let fields: [Field]
  /// How many fields are top-level properties.
  package let topLevelCount: Int
  /// Whether any value of the form may be a secret.
  package let holdsSecret: Bool
  /// The steps, in the order written. A step's number is its index here.
  public let steps: [Step]
  /// The lookups, in the order written. A lookup's number is its index here.
  public let lookups: [Lookup]
  /// The actions, in the order written. An action's number is its index here.
  public let actions: [Action]
  /// The outputs, in the order written.
  public let outputs: [Output]
  /// The templates of the form and of the rows of its lists, the form first.
  package let templates: [FormTemplate]
  /// The services, databases and providers that the form names.
  public let requirements: [Requirement]
  /// By list: the fields in its rows whose options are the same for all rows, so that the document has them at the
  /// list.
  package let sharedOptions: [Int: [Int]]
  /// By template: the fields whose initial values formulas read.
  package let initialsRead: [[Int]]

  /// The synchronous conditions, in the order written.
  package let rules: [Rule]
  /// The asynchronous conditions, in the order written.
  package let checks: [Check]
  /// Rules that name no field.
  package let formRules: [Int]
  /// The schema taken apart, so that a change evaluates only the parts that it concerns: by the objects that it
  /// describes, the root first, and for each object by its members.
  package let units: [SchemaUnit]
  /// The object-level keywords of all units.
  package let objectKeywords: [ObjectKeyword]
  /// The dependencies of facts and nodes.
  package let graph: Graph
  /// The slots of the values that formulas read.
  package let slots: SlotTable
  /// Errors whose texts are known; an ``ErrorNumber`` says which one.
  package let errors: [PreparedError]
  /// The text that users see when a formula fails and so gives no judgment.
  package let faultText: LocalizedText
  /// The order of the document's cells.
  package let layout: DocumentLayout
  /// The locales that any text of the form has. The first, `""`, matches none of them.
  package let locales: [String]
  /// The positions in ``locales``.
  private let localeTable: LocaleTable
  /// The positions of the locales that the definition's own texts have, and not only the built-in texts.
  private let ownLocaleTable: LocaleTable
  /// Bytes of memory, approximately, by the work that compiling it took.
  package let memoryBytes: Int

  /// The memory that a unit of work leaves behind: a form of 3,000 fields with as many outputs takes 16.6 MB, 140 bytes
  /// a unit.
  static let bytesPerUnit = 144

  /// The parts of the form that a turn needs, as plain memory.
  ///
  /// Owned by `tableStorage`, written before it is handed out, never changed, valid as long as the form: so it may be
  /// read from any thread that holds the form.
  package let tables: Reference<FormTables>
  private let tableStorage: FormTableStorage

  let fieldIndex: FieldIndex
  private let actionIndex: [UTF8Key: Int]

  init(_ parts: FormParts) {
    name = parts.name
    locale = parts.locale
    title = parts.title
    version = parts.version
    var fingerprint = JSONFingerprint(parts.definition)
    // The schema may include other files.
    fingerprint.add(parts.schema)
    self.fingerprint = fingerprint
    messages = parts.messages
    formMessages = parts.formMessages
    clock = parts.clock
    hasUndo = parts.hasUndo
    schema = parts.schema
    functions = parts.functions
    context = parts.context
    fields = parts.fields
    holdsSecret = parts.holdsSecret
    topLevelCount = parts.fields.count { $0.around == nil }
    templates = parts.templates
    steps = parts.steps
    lookups = parts.lookups
    actions = parts.actions
    outputs = parts.outputs
    requirements = parts.requirements
    sharedOptions = Dictionary(
      grouping: parts.fields.indices.filter { field in
        parts.fields[field].computedOptions.map { $0.home != field } ?? false
      },
      by: { parts.fields[$0].computedOptions?.home ?? $0 }
    )
    initialsRead = parts.templates.map { $0.fields.filter { parts.slots.initials[$0] >= 0 } }
    rules = parts.rules
    checks = parts.checks
    formRules = parts.rules.indices.filter { parts.rules[$0].field == nil }
    units = parts.units
    objectKeywords = parts.objectKeywords
    graph = parts.graph
    slots = parts.slots
    errors = parts.errors.all
    faultText = parts.faultText
    layout = DocumentLayout(
      fields: Array(parts.fields[parts.templates[0].fields]),
      steps: parts.steps.map(\.id),
      hasUndo: parts.hasUndo,
      lookups: parts.lookups[parts.templates[0].lookups].map(\.name),
      actions: parts.actions.map(\.name),
      outputs: parts.outputs[parts.templates[0].outputs].map(\.name)
    )
    locales = parts.locales
    localeTable = LocaleTable(parts.locales)
    ownLocaleTable = LocaleTable(parts.locales.prefix(parts.ownLocaleCount))
    memoryBytes = parts.workSpent * Self.bytesPerUnit
    tableStorage = FormTableStorage(parts, slots: slots, layout: layout)
    tables = tableStorage.tables
    fieldIndex = parts.fieldIndex
    actionIndex = Dictionary(
      uniqueKeysWithValues: parts.actions.enumerated().map { (UTF8Key(text: $0.element.name), $0.offset) }
    )
  }

  /// The field at that address, written as a name or as a JSON Pointer.
  public func field(at address: String) -> Int? { fieldIndex.field(at: address) }

  /// The most similar address of a field to an address that leads nowhere; nil when none is close.
  public func closestAddress(to address: String) -> String? {
    fieldIndex.closest(to: address, among: fields.map(\.address))
  }

  /// The number of the step of that id.
  public func step(named id: String) -> Int? { steps.firstIndex { $0.id.hasSameUTF8(as: id) } }

  /// The step of a field: the step that names it, or the field around it.
  package func step(ofField field: Int) -> Int? {
    fields[field].step ?? fields[field].around.flatMap { step(ofField: $0) }
  }

  /// The number of the action of that name.
  public func action(named name: String) -> Int? { actionIndex[UTF8Key(text: name)] }

  /// The field whose address, as ``Field/address`` has it, is these UTF-8 bytes. Makes no `String` for small forms.
  public func field(utf8 address: Span<UInt8>) -> Int? {
    let count = Int(tables.pointee.fieldCount)
    if count > 8 { return self.field(at: address.text) }
    for field in 0..<count where tables.pointee.addresses[field].isEqual(to: address) { return field }
    return nil
  }

  /// Resolves an address: to a field, or to a value inside a field's value.
  ///
  /// - Throws: the reason why the address leads nowhere. Only the field's value shows whether it has such a part.
  public func resolve(_ address: String) throws(AddressError) -> ResolvedAddress {
    if let field = fieldIndex.field(at: address) { return ResolvedAddress(field: field, rest: []) }
    guard let pointer = JSONPointer(address: address) else { throw .notAPointer }
    let target = resolve(pointer.tokens)
    try checkIsAdmitted(target)
    return target
  }

  /// An object has only the members that its schema admits, and a list with rows has only rows. Other values are not
  /// restricted here.
  package func checkIsAdmitted(_ target: ResolvedAddress) throws(AddressError) {
    guard let next = target.rest.first else { return }
    if let field = target.field, fields[field].element != nil {
      if next == "-" { return }
      throw .unknown
    }
    let unit = target.field.map { fields[$0].unit } ?? 0
    guard let unit, !units[unit].others.admits(next) else { return }
    if let field = target.field, isElement(next, of: field) { return }
    throw .unknown
  }

  /// Whether a name below a field with fields below it can only be an element's: the schema lets the value be a list,
  /// and an object there has no such member.
  package func isElement(_ name: String, of field: Int) -> Bool {
    guard fields[field].types.contains("array"), name == "-" || JSONPointer.arrayIndex(name) != nil,
      let unit = fields[field].unit
    else { return false }
    return !units[unit].others.admits(name)
  }

  /// The deepest field that holds a location in the values, and the rest of the path.
  public func resolve(_ path: [String]) -> ResolvedAddress {
    guard let (field, count) = fieldIndex.deepest(on: path) else { return ResolvedAddress(field: nil, rest: path) }
    return ResolvedAddress(field: field, rest: Array(path[count...]))
  }

  /// Whether the form has lists with rows.
  package var hasRows: Bool { templates.count > 1 }

  /// The field of that name right below another, or, with nil, at the top.
  package func field(named name: String, in field: Int?) -> Int? {
    fieldIndex.field(on: (field.map { fields[$0].path } ?? []) + [name])
  }

  /// The field that those names lead to from the root.
  package func field(on path: [String]) -> Int? { fieldIndex.field(on: path) }

  /// The direct parts of a field's value: the fields below it that no other field below it contains.
  package func children(of field: Int?) -> FieldChildren {
    let end = field.map { Int(tables.pointee.fields[$0].end) } ?? templates[0].fields.upperBound
    return FieldChildren(fields: tables.pointee.fields, position: field.map { $0 + 1 } ?? 0, end: end)
  }

  /// The number of the action whose name is these UTF-8 bytes.
  public func action(utf8 name: Span<UInt8>) -> Int? {
    action(named: name.text)
  }

  /// Whether a field reads what people type.
  package var readsTyped: Bool { fields.contains { $0.read != nil } }

  /// The index in ``locales`` for a session's locale: the closest of its language, then the form's default, then none.
  package func localeIndex(for wanted: String?) -> Int { index(of: wanted, in: localeTable) }

  /// The definition's locale that fits a wanted locale; nil if the definition's texts have no locale.
  package func textLocale(for wanted: String?) -> String? {
    let index = index(of: wanted, in: ownLocaleTable)
    return index == 0 ? nil : locales[index]
  }

  private func index(of wanted: String?, in table: LocaleTable) -> Int {
    wanted.flatMap(table.position) ?? locale.flatMap(table.position) ?? 0
  }
}

extension Form {
  /// Whether a field is an element of a list and has choices: then the list is a multiple choice.
  package func isChoice(_ field: Int) -> Bool {
    fields[field].list != nil && fields[field].unit == nil
      && (!fields[field].options.isEmpty || fields[field].computedOptions != nil)
  }
}

/// The fields directly below one, or at the top: see ``Form/children(of:)``. Valid as long as the form is.
package struct FieldChildren: Sequence, IteratorProtocol {
  let fields: Table<FormTables.FieldEntry>
  var position: Int
  let end: Int

  @inline(__always)
  package mutating func next() -> Int? {
    guard position < end else { return nil }
    defer { position = Int(fields[position].end) }
    return position
  }
}

/// The compiler's result, from which a form is made.
struct FormParts: Sendable {
  var name: String
  var locale: String?
  var title: Text?
  var version: Int
  /// The definition as it was read.
  var definition: JSON
  var messages: [UTF8Key: Text]
  var formMessages: [UTF8Key: Text]
  var clock: Duration?
  var hasUndo: Bool
  var schema: JSON
  var functions: [FunctionDefinition]
  var context: FormContext?
  var fields: [Field]
  var fieldIndex: FieldIndex
  var holdsSecret: Bool
  var rules: [Rule]
  var checks: [Check]
  var steps: [Step]
  var lookups: [Lookup]
  var actions: [Action]
  var outputs: [Output]
  var templates: [FormTemplate]
  var requirements: [Requirement]
  var units: [SchemaUnit]
  var objectKeywords: [ObjectKeyword]
  var graph: Graph
  var slots: SlotTable
  var errors: ErrorTable
  var faultText: LocalizedText
  var locales: [String]
  var ownLocaleCount: Int
  /// Units of work that the compiler spent.
  var workSpent: Int
}
