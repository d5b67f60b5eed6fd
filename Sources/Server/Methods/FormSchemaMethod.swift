internal import FormProtocol
internal import Forms
internal import JSONRPC

enum FormSchemaMethod: ServedMethod {
  static func serve(_ params: FormSchemaParams, _ call: ServedCall) throws(RPCError) {
    try call.withForm(of: params) { form, locale in
      var answer = FormSchema()
      answer.form = form.name
      answer.requestedLocale = locale
      answer.locale = form.textLocale(for: locale)
      answer.schema = form.annotatedSchema(locale: locale)
      call.answer(answer)
    }
  }
}
