internal import FormProtocol
internal import Forms
internal import JSONRPC

enum FormListMethod: ServedMethod {
  static func serve(_ params: FormListParams, _ call: ServedCall) throws(RPCError) {
    call.answer(
      FormList(
        call.server.catalog.forms.map { form in
          var entry = FormList.Entry()
          entry.form = form.name
          entry.locale = form.locale
          entry.fields = form.fields.map(\.address)
          entry.actions = form.actions.map(\.name)
          return entry
        }
      )
    )
  }
}
