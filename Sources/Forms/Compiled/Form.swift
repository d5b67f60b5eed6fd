internal import CEL
internal import JSON
package import JSONSchema
internal import Texts

/// A compiled form: names are addresses, formulas are programs, and a graph says what depends on what. It is immutable, and all of
/// its sessions share it.
public final class Form: Sendable {
  /// The form's name.
  public let name: String
  /// The default locale, if the definition names one.
  public let locale: String?
  /// What the form is called for people.
  public let title: Text?
  /// The fields: the top-level properties of the schema, in its order. A field's address is its position here.
  public let fields: [Field]
  /// The actions, in the order written. An action's address is its position here.
  public let actions: [Action]
  /// The outputs, in the order written.
  public let outputs: [Output]
  /// The services, databases and providers that the form names.
  public let requirements: [Requirement]

  /// The synchronous conditions, in the order written.
  package let rules: [Rule]
  /// The asynchronous conditions, in the order written.
  package let checks: [Check]
  /// Rules that name no field.
  package let formRules: [Int]
  /// The schema taken apart by top-level property, so that a change evaluates only the parts that it concerns.
  package let parts: ObjectParts
  /// What depends on what.
  package let graph: Graph
  /// The addresses of the cells that formulas read.
  package let slots: SlotTable
  /// Errors whose texts are known; an ``ErrorAddress`` is a position here.
  package let errors: [PreparedError]
  /// Where each cell of the document stands.
  package let layout: DocumentLayout
  /// The locales that any text of the form has; the first, `""`, stands for none of them.
  package let locales: [String]
  /// Bytes of memory, approximately, by the work that compiling it took.
  package let memoryBytes: Int

  /// What a unit of work leaves behind: fields, formulas and edges of the graph take 40 to 90 bytes a unit.
  private static let bytesPerUnit = 96

  /// The parts of the form that a turn needs, as plain memory.
  ///
  /// Owned by `tableStorage`, written before it is handed out, never changed, valid as long as the form: so it may be read from
  /// any thread that holds the form.
  nonisolated(unsafe) package let tables: UnsafePointer<FormTables>
  private let tableStorage: FormTableStorage

  private let fieldIndex: [UTF8Key: Int]
  private let actionIndex: [UTF8Key: Int]

  init(_ parts: FormParts) {
    name = parts.name
    locale = parts.locale
    title = parts.title
    fields = parts.fields
    actions = parts.actions
    outputs = parts.outputs
    requirements = parts.requirements
    rules = parts.rules
    checks = parts.checks
    formRules = parts.rules.indices.filter { parts.rules[$0].field == nil }
    self.parts = parts.objectParts
    graph = parts.graph
    slots = parts.slots
    errors = parts.errors.all
    layout = DocumentLayout(
      fields: parts.fields.map(\.name),
      actions: parts.actions.map(\.name),
      outputs: parts.outputs.map(\.name)
    )
    locales = parts.locales
    memoryBytes = parts.workSpent * Self.bytesPerUnit
    tableStorage = FormTableStorage(parts, slots: slots, layout: layout)
    tables = tableStorage.tables
    fieldIndex = Dictionary(
      uniqueKeysWithValues: parts.fields.enumerated().map { (UTF8Key(text: $0.element.name), $0.offset) }
    )
    actionIndex = Dictionary(
      uniqueKeysWithValues: parts.actions.enumerated().map { (UTF8Key(text: $0.element.name), $0.offset) }
    )
  }

  /// The address of the field of that name.
  public func field(named name: String) -> Int? { fieldIndex[UTF8Key(text: name)] }

  /// The address of the action of that name.
  public func action(named name: String) -> Int? { actionIndex[UTF8Key(text: name)] }

  /// The address of the field whose name is these UTF-8 bytes. Makes no `String` for small forms.
  public func field(utf8 name: UnsafeBufferPointer<UInt8>) -> Int? {
    if fields.count <= 8 {
      return fields.firstIndex { $0.nameUTF8.withUnsafeBufferPointer { $0.hasSameBytes(as: name) } }
    }
    return field(named: String(decoding: name, as: UTF8.self))
  }

  /// The address of the action whose name is these UTF-8 bytes.
  public func action(utf8 name: UnsafeBufferPointer<UInt8>) -> Int? {
    action(named: String(decoding: name, as: UTF8.self))
  }

  /// Which of ``locales`` a session of that locale reads: exact, then its language, then the form's default, then none.
  package func localeIndex(for wanted: String?) -> Int {
    for candidate in [wanted, wanted.map(Text.language(of:)), locale, locale.map(Text.language(of:))] {
      if let candidate, let index = locales.firstIndex(where: { $0.hasSameUTF8(as: candidate) }) { return index }
    }
    return 0
  }
}

/// The compiler's result, from which a form is made.
struct FormParts {
  var name: String
  var locale: String?
  var title: Text?
  var fields: [Field]
  var rules: [Rule]
  var checks: [Check]
  var actions: [Action]
  var outputs: [Output]
  var requirements: [Requirement]
  var objectParts: ObjectParts
  var graph: Graph
  var slots: SlotTable
  var errors: ErrorTable
  var locales: [String]
  /// Units of work that the compiler spent.
  var workSpent: Int
}
