internal import JSONRPC
internal import Texts

/// The methods that a client can call.
package enum Method: Int, WireName {
  /// The life of a connection.
  case initialize, initialized, shutdown, exit, cancelRequest
  /// A session as a whole.
  case sessionOpen, sessionAttach, sessionDetach, sessionClose, sessionGet, sessionReset, sessionUndo, sessionRedo,
    sessionSetLocale, sessionList
  case sessionSetContext
  /// A user's inputs to a field.
  case fieldChange, fieldFocus, fieldBlur
  /// A user's changes to the rows of a list.
  case fieldInsert, fieldRemove, fieldMove, fieldToggle
  /// A client's report of an error that the form cannot know.
  case fieldFail
  /// The user's current step in the form.
  case stepShow
  /// A user's tap on an action, and its end by the user.
  case actionTap, actionCancel
  /// Forms, without a session.
  case formList, formDescribe, formSchema, formValidate, formsWatch
  /// Texts of values, without a session.
  case textValidate
  /// The methods of clients that answer for the daemon.
  case providerRegister, providerUnregister
  /// The daemon.
  case serverInfo, serverPing, serverStats, serverReload, serverDisconnect, serverEndSession, serverBackup
  /// The protocol.
  case discover

  package static let schemaName: StaticString? = "MethodName"

  /// The params and the result of the method.
  package var call: any Call.Type {
    switch self {
    case .initialize: InitializeParams.self
    case .initialized: InitializedParams.self
    case .shutdown: ShutdownParams.self
    case .exit: ExitParams.self
    case .cancelRequest: CancelRequestParams.self
    case .sessionOpen: SessionOpenParams.self
    case .sessionAttach: SessionAttachParams.self
    case .sessionDetach: SessionDetachParams.self
    case .sessionClose: SessionCloseParams.self
    case .sessionGet: SessionGetParams.self
    case .sessionReset: SessionResetParams.self
    case .sessionUndo: SessionUndoParams.self
    case .sessionRedo: SessionRedoParams.self
    case .sessionSetLocale: SessionSetLocaleParams.self
    case .sessionList: SessionListParams.self
    case .sessionSetContext: SessionSetContextParams.self
    case .fieldChange: FieldChangeParams.self
    case .fieldFocus: FieldFocusParams.self
    case .fieldBlur: FieldBlurParams.self
    case .fieldInsert: FieldInsertParams.self
    case .fieldRemove: FieldRemoveParams.self
    case .fieldMove: FieldMoveParams.self
    case .fieldToggle: FieldToggleParams.self
    case .fieldFail: FieldFailParams.self
    case .stepShow: StepShowParams.self
    case .actionTap: ActionTapParams.self
    case .actionCancel: ActionCancelParams.self
    case .formList: FormListParams.self
    case .formDescribe: FormDescribeParams.self
    case .formSchema: FormSchemaParams.self
    case .formValidate: FormValidateParams.self
    case .formsWatch: FormsWatchParams.self
    case .textValidate: TextValidateParams.self
    case .providerRegister: ProviderRegisterParams.self
    case .providerUnregister: ProviderUnregisterParams.self
    case .serverInfo: ServerInfoParams.self
    case .serverPing: ServerPingParams.self
    case .serverStats: ServerStatsParams.self
    case .serverReload: ServerReloadParams.self
    case .serverDisconnect: ServerDisconnectParams.self
    case .serverEndSession: ServerEndSessionParams.self
    case .serverBackup: ServerBackupParams.self
    case .discover: DiscoverParams.self
    }
  }

  /// What the params of a method say about it, for a look-up by the method.
  private struct Facts {
    let name: StaticString
    let role: Role?
    let feedsSession: Bool
    let meansOnlySession: Bool
    let isForBrowsers: Bool
    let isServedWhileDraining: Bool

    init(_ call: any Call.Type) {
      name = call.name
      role = call.role
      feedsSession = call.feedsSession
      meansOnlySession = call.meansOnlySession
      isForBrowsers = call.isForBrowsers
      isServedWhileDraining = call.isServedWhileDraining
    }
  }

  private static let facts = allCases.map { Facts($0.call) }

  /// The name on the wire.
  package var wireName: StaticString { Self.facts[rawValue].name }

  /// The role that a user needs to call the method; nil: every connected client may call it.
  package var role: Role? { Self.facts[rawValue].role }

  /// Whether the method feeds a session with an input.
  package var feedsSession: Bool { Self.facts[rawValue].feedsSession }

  /// Whether a call of the method without a session is about the only session of its client.
  package var meansOnlySession: Bool { Self.facts[rawValue].meansOnlySession }

  /// Whether a browser may call the method once it has its session (protocol/web.md).
  package var isForBrowsers: Bool { Self.facts[rawValue].isForBrowsers }

  /// Whether the method is still served while the daemon is ending.
  package var isServedWhileDraining: Bool { Self.facts[rawValue].isServedWhileDraining }

  /// Whether the method is served in the seats that are reserved for operators when the maximum number of clients is
  /// connected.
  package var isForOperators: Bool { role == .operator || role == nil && self != .discover }

  /// Whether a call of the method shows that the client is an operator. Every client calls the other methods that are
  /// served in the seats for operators.
  package var showsOperator: Bool { role == .operator || self == .serverInfo || self == .serverPing }

  /// The method of that name, or nil. Names are distinguished by length first; few share one.
  @inline(__always)
  package init?(utf8 name: UnsafeBufferPointer<UInt8>) {
    guard name.count < Self.byLength.count else { return nil }
    for known in Self.byLength[name.count] where name.hasSameBytes(as: known.name) {
      self = known.method
      return
    }
    return nil
  }

  private static let byLength: [[(name: StaticString, method: Method)]] = {
    var table: [[(name: StaticString, method: Method)]] = []
    for method in allCases {
      let length = method.wireName.utf8CodeUnitCount
      while table.count <= length { table.append([]) }
      table[length].append((method.wireName, method))
    }
    return table
  }()

  /// The name of the known method that is nearest to an unknown name.
  ///
  /// - Parameter isKnown: which methods are known.
  package static func closest(to name: String, among isKnown: (Method) -> Bool = { _ in true }) -> String? {
    closestName(to: name, among: allCases.filter(isKnown).map(\.wireName.description))
  }
}
