internal import JSONRPC
internal import Texts

/// The methods that a client can call.
package enum Method: WireName {
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

  package var wireName: StaticString {
    switch self {
    case .initialize: "initialize"
    case .initialized: "initialized"
    case .shutdown: "shutdown"
    case .exit: "exit"
    case .cancelRequest: "$/cancelRequest"
    case .sessionOpen: "session/open"
    case .sessionAttach: "session/attach"
    case .sessionDetach: "session/detach"
    case .sessionClose: "session/close"
    case .sessionGet: "session/get"
    case .sessionReset: "session/reset"
    case .sessionUndo: "session/undo"
    case .sessionRedo: "session/redo"
    case .sessionSetLocale: "session/setLocale"
    case .sessionList: "session/list"
    case .sessionSetContext: "session/setContext"
    case .fieldChange: "field/change"
    case .fieldFocus: "field/focus"
    case .fieldBlur: "field/blur"
    case .fieldInsert: "field/insert"
    case .fieldRemove: "field/remove"
    case .fieldMove: "field/move"
    case .fieldToggle: "field/toggle"
    case .fieldFail: "field/fail"
    case .stepShow: "step/show"
    case .actionTap: "action/tap"
    case .actionCancel: "action/cancel"
    case .formList: "form/list"
    case .formDescribe: "form/describe"
    case .formSchema: "form/schema"
    case .formValidate: "form/validate"
    case .formsWatch: "forms/watch"
    case .textValidate: "text/validate"
    case .providerRegister: "provider/register"
    case .providerUnregister: "provider/unregister"
    case .serverInfo: "server/info"
    case .serverPing: "server/ping"
    case .serverStats: "server/stats"
    case .serverReload: "server/reload"
    case .serverDisconnect: "server/disconnect"
    case .serverEndSession: "server/endSession"
    case .serverBackup: "server/backup"
    case .discover: "rpc.discover"
    }
  }

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

  /// The method of that name, or nil. Names are distinguished by length first; few share one.
  @inline(__always)
  package init?(utf8 name: UnsafeBufferPointer<UInt8>) {
    guard name.count < Self.byLength.count else { return nil }
    for method in Self.byLength[name.count] where name.hasSameBytes(as: method.wireName) {
      self = method
      return
    }
    return nil
  }

  private static let byLength: [[Method]] = {
    var table: [[Method]] = []
    for method in allCases {
      let length = method.wireName.utf8CodeUnitCount
      while table.count <= length { table.append([]) }
      table[length].append(method)
    }
    return table
  }()

  /// The name of the known method that is nearest to an unknown name.
  ///
  /// - Parameter isKnown: which methods are known.
  package static func closest(to name: String, among isKnown: (Method) -> Bool = { _ in true }) -> String? {
    closestName(to: name, among: allCases.filter(isKnown).map(\.wireName.description))
  }

  /// Whether the method feeds a session with an input. ``PushMethod/serverRejected`` reports a refused notification of
  /// such a method. A refused notification of any other method is only counted.
  package var feedsSession: Bool {
    switch self {
    case .fieldChange, .fieldFocus, .fieldBlur, .fieldInsert, .fieldRemove, .fieldMove, .fieldToggle, .fieldFail,
      .stepShow, .actionTap, .actionCancel, .sessionReset, .sessionUndo, .sessionRedo, .sessionSetLocale,
      .sessionSetContext:
      true
    case .initialize, .initialized, .shutdown, .exit, .cancelRequest, .sessionOpen, .sessionAttach, .sessionDetach,
      .sessionClose, .sessionGet, .sessionList, .formList, .formDescribe, .formSchema, .formValidate, .formsWatch,
      .textValidate, .providerRegister, .providerUnregister, .serverInfo, .serverPing, .serverStats, .serverReload,
      .serverDisconnect, .serverEndSession, .serverBackup, .discover:
      false
    }
  }

  /// Whether a call of the method without a session is about the only session of its client.
  package var meansOnlySession: Bool {
    self == .sessionGet || self == .sessionDetach || self == .sessionClose || feedsSession
  }

  /// The role that a user needs to call the method; nil: every connected client may call it.
  package var role: Role? {
    switch self {
    case .initialize, .initialized, .shutdown, .exit, .cancelRequest, .serverInfo, .serverPing, .discover: nil
    case .sessionOpen, .sessionAttach, .sessionDetach, .sessionClose, .sessionGet, .sessionReset, .sessionUndo,
      .sessionRedo, .sessionSetLocale,
      .sessionList, .sessionSetContext, .fieldChange, .fieldFocus, .fieldBlur, .fieldInsert, .fieldRemove, .fieldMove,
      .fieldToggle, .fieldFail, .stepShow, .actionTap, .actionCancel, .formList, .formDescribe, .formSchema,
      .formValidate, .formsWatch, .textValidate:
      .client
    case .providerRegister, .providerUnregister: .provider
    case .serverStats, .serverReload, .serverDisconnect, .serverEndSession, .serverBackup: .operator
    }
  }

  /// Whether the method is served in the seats that are reserved for operators when the maximum number of clients is
  /// connected.
  package var isForOperators: Bool { role == .operator || role == nil && self != .discover }

  /// Whether a call of the method shows that the client is an operator. Every client calls the other methods that are
  /// served in the seats for operators.
  package var showsOperator: Bool {
    switch self {
    case .serverInfo, .serverPing, .serverStats, .serverReload, .serverDisconnect, .serverEndSession, .serverBackup:
      true
    default: false
    }
  }

  /// Whether the method is still served while the daemon is ending.
  package var isServedWhileDraining: Bool {
    switch self {
    case .exit, .shutdown, .cancelRequest, .initialized, .serverPing, .serverInfo, .serverStats, .serverDisconnect,
      .serverEndSession, .sessionGet, .sessionDetach, .sessionClose, .sessionList:
      true
    case .initialize, .sessionOpen, .sessionAttach, .sessionReset, .sessionUndo, .sessionRedo, .sessionSetLocale,
      .sessionSetContext, .fieldChange,
      .fieldFocus, .fieldBlur, .fieldInsert, .fieldRemove, .fieldMove, .fieldToggle, .fieldFail, .stepShow, .actionTap,
      .actionCancel, .formList, .formDescribe, .formSchema, .formValidate, .formsWatch, .textValidate,
      .providerRegister, .providerUnregister, .serverReload, .serverBackup, .discover:
      false
    }
  }
}
