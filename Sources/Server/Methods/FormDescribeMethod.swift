internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC

/// ``Method/formDescribe``
enum FormDescribeMethod: ServedMethod {
  static func serve(_ params: FormDescribeParams, _ call: ServedCall) throws(RPCError) {
    try call.checkLength(of: params.locale, at: "/locale")
    call.answer(FormDescription(try call.server.form(named: params.form), locale: params.locale))
  }
}

extension FormDescription {
  /// What a client needs to draw that form, with texts in that language, or in the form's own.
  fileprivate init(_ described: Form, locale wanted: String?) {
    self.init()
    let resolved = wanted ?? described.locale ?? ""
    func text(_ text: Text?) -> String? { text?.resolved(for: resolved, default: described.locale) }
    form = described.name
    locale = resolved.isEmpty ? nil : resolved
    title = text(described.title)
    func describe(_ index: Int) -> FieldDescription {
      let field = described.fields[index]
      var entry = FieldDescription()
      entry.name = field.name
      entry.address = field.address
      entry.fields = described.children(of: index).map(describe)
      entry.items = field.element.map(describe)
      entry.type = field.unit == nil || field.element != nil ? FieldKind(field.type) : .object
      entry.label = text(field.label)
      entry.placeholder = text(field.placeholder)
      entry.help = text(field.help)
      entry.show = Showing(field.show)
      entry.isSecret = field.isSecret
      entry.isRequired = field.isRequiredBySchema
      entry.options = field.options.map { Choice(value: $0.value, title: text($0.title)) }
      entry.initial = field.holdsSecret ? nil : field.initial
      return entry
    }
    fields = described.children(of: nil).map(describe)
    steps = described.steps.map { step in
      StepDescription(id: step.id, label: text(step.label), fields: step.fields.map { described.fields[$0].address })
    }
    actions = described.actions.map { ActionDescription(name: $0.name, label: text($0.label)) }
    outputs = described.outputs.map(\.address)
  }
}

extension Showing {
  fileprivate init(_ policy: ShowPolicy) {
    self =
      switch policy {
      case .always: .always
      case .edit: .edit
      case .blur: .blur
      case .submit: .submit
      }
  }
}

extension FieldKind {
  fileprivate init(_ type: FieldType) {
    self =
      switch type {
      case .string: .string
      case .integer: .integer
      case .number: .number
      case .bool: .boolean
      case .list: .array
      case .dynamic: .any
      }
  }
}
