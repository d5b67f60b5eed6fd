internal import FormProtocol
internal import JSONRPC

enum ServerStatsMethod: ServedMethod {
  static func serve(_ params: ServerStatsParams, _ call: ServedCall) throws(RPCError) {
    var statistics = call.server.currentStatistics
    if params.top > 0 { statistics.topClients = call.server.clients(top: params.top) }
    if params.kept > 0 { statistics.kept = call.server.keptSessions(oldest: params.kept) }
    if params.providers > 0 { statistics.providers = call.server.providers(first: params.providers) }
    if params.named { call.server.namedCounts.add(to: &statistics) }
    call.answer(statistics)
  }
}
