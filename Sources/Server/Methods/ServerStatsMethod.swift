internal import FormProtocol
internal import JSONRPC

/// ``Method/serverStats``
enum ServerStatsMethod: ServedMethod {
  static func serve(_ params: ServerStatsParams, _ call: ServedCall) throws(RPCError) {
    call.answer(call.server.currentStatistics)
  }
}
