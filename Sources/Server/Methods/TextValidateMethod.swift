internal import Configuration
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import TextValidation

/// ``Method/textValidate``: judges the values that a text means, and gives their positions in the text.
enum TextValidateMethod: ServedMethod {
  static func serve(_ params: TextValidateParams, _ call: ServedCall) throws(RPCError) {
    try call.needAnswer()
    try InvalidParams.checkLength(of: params.locale, at: "/locale")
    let zone = try call.zone(named: params.zone)
    if params.checks { try call.connection.checkRequestsInFlight() }
    // The values take more memory than the text.
    try call.server.checkMemory()
    let limits = call.server.limits
    let text = ReadText(params, limits: JSONLimits(depthMax: limits[.depthMax], nodesMax: limits[.nodesMax]))
    try call.withForm(params.source, reading: text) { form throws(RPCError) in
      let values = text.judged.values(for: form)
      let subject = FormValidateMethod.Subject(
        locale: params.locale,
        zone: zone,
        values: values,
        context: params.context,
        appliesDefaults: params.defaults == .apply,
        runsChecks: params.checks,
        hasOwnDefinition: params.source.isOwn,
        text: text
      )
      try FormValidateMethod.judge(form, subject, call)
    }
  }
}
