internal import JSONRPC

/// The methods that a client can call.
package enum Method: String, CaseIterable, Sendable {
  case initialize
  case initialized
  case shutdown
  case exit
  case cancelRequest = "$/cancelRequest"
  case sessionOpen = "session/open"
  case sessionClose = "session/close"
  case sessionGet = "session/get"
  case sessionReset = "session/reset"
  case sessionList = "session/list"
  case fieldChange = "field/change"
  case fieldFocus = "field/focus"
  case fieldBlur = "field/blur"
  case actionTap = "action/tap"
  case formList = "form/list"
  case formDescribe = "form/describe"
  case formValidate = "form/validate"
  case providerRegister = "provider/register"
  case providerUnregister = "provider/unregister"
  case serverInfo = "server/info"
  case serverPing = "server/ping"
  case serverStats = "server/stats"
  case rpcDiscover = "rpc.discover"

  /// The method of that name, or nil. Names are told apart by length first: at most three share one.
  @inline(__always)
  package init?(utf8 name: UnsafeBufferPointer<UInt8>) {
    guard name.count < Self.byLength.count else { return nil }
    for method in Self.byLength[name.count] where method.name.elementsEqual(name) {
      self = method.method
      return
    }
    return nil
  }

  private struct Entry {
    var name: [UInt8]
    var method: Method
  }

  private static let byLength: [[Entry]] = {
    var table: [[Entry]] = []
    for method in allCases {
      let name = Array(method.rawValue.utf8)
      while table.count <= name.count { table.append([]) }
      table[name.count].append(Entry(name: name, method: method))
    }
    return table
  }()

  /// Whether the method feeds a session and may be sent as a notification.
  package var isInput: Bool {
    switch self {
    case .fieldChange, .fieldFocus, .fieldBlur, .actionTap, .sessionReset: true
    default: false
    }
  }

  /// Everything there is to say about the method.
  package var description: MethodDescription {
    switch self {
    case .initialize: Lifecycle.initialize
    case .initialized: Lifecycle.initialized
    case .shutdown: Lifecycle.shutdown
    case .exit: Lifecycle.exit
    case .cancelRequest: Lifecycle.cancelRequest
    case .sessionOpen: SessionOpenParams.method
    case .sessionClose: SessionClose.method
    case .sessionGet: SessionGetParams.method
    case .sessionReset: SessionResetParams.method
    case .sessionList: SessionList.method
    case .fieldChange: FieldChangeParams.method
    case .fieldFocus: FieldParams.focusMethod
    case .fieldBlur: FieldParams.blurMethod
    case .actionTap: ActionTapParams.method
    case .formList: FormList.method
    case .formDescribe: FormDescribeParams.method
    case .formValidate: FormValidateParams.method
    case .providerRegister: ProviderParams.registerMethod
    case .providerUnregister: ProviderParams.unregisterMethod
    case .serverInfo: ServerMethods.info
    case .serverPing: ServerMethods.ping
    case .serverStats: ServerMethods.stats
    case .rpcDiscover: ServerMethods.discover
    }
  }
}
