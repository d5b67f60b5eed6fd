internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SessionCalls

enum FormDescribeMethod: ServedMethod {
  static func serve(_ params: FormDescribeParams, _ call: ServedCall) throws(RPCError) {
    try call.withForm(of: params) { form, locale in
      var description = FormDescription(form, locale: locale)
      // No user of a browser can give a context.
      if !call.connection.hearsOnlyPublic { description.context = form.context?.definition.objectValue }
      call.answer(description)
    }
  }
}
