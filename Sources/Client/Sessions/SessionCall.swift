internal import FormProtocol
internal import JSON

/// Params of a method that is about a session.
protocol SessionCall: Call {
  /// The session's number, which may change with a reconnect.
  var session: Int64? { get set }
}

extension ActionCancelParams: SessionCall {}
extension ActionTapParams: SessionCall {}
extension FieldBlurParams: SessionCall {}
extension FieldChangeParams: SessionCall {}
extension FieldFailParams: SessionCall {}
extension FieldFocusParams: SessionCall {}
extension FieldInsertParams: SessionCall {}
extension FieldMoveParams: SessionCall {}
extension FieldRemoveParams: SessionCall {}
extension FieldToggleParams: SessionCall {}
extension FormDescribeParams: SessionCall {}
extension FormSchemaParams: SessionCall {}
extension SessionCloseParams: SessionCall {}
extension SessionDetachParams: SessionCall {}
extension SessionGetParams: SessionCall {}
extension SessionRedoParams: SessionCall {}
extension SessionResetParams: SessionCall {}
extension SessionSetContextParams: SessionCall {}
extension SessionSetLocaleParams: SessionCall {}
extension SessionUndoParams: SessionCall {}
extension StepShowParams: SessionCall {}

extension Call {
  /// Whether the call is idempotent, so that it can be repeated if its outcome is unknown. A call that names a row by
  /// position is not idempotent, because the rows may have moved.
  var mayBeRepeated: Bool {
    switch self {
    case let params as FieldChangeParams:
      !([params.field?.text].compactMap(\.self) + (params.values ?? [:]).map(\.name)).contains(where: \.namesPosition)
    case let params as FieldBlurParams: !params.field.text.namesPosition
    case let params as FieldFailParams: !params.field.namesPosition
    case let params as FieldFocusParams: !params.field.text.namesPosition
    case let params as SessionOpenParams: params.keep == nil
    case let params as SessionAttachParams: !params.rotate
    default: Self.isIdempotent
    }
  }
}

extension String {
  /// Whether an address names a row or an element by its position, or the position behind the last one.
  fileprivate var namesPosition: Bool {
    guard hasPrefix("/"), let pointer = JSONPointer(self) else { return false }
    return pointer.tokens.contains { $0 == "-" || JSONPointer.arrayIndex($0) != nil }
  }
}
