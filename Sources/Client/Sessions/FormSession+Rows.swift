public import FormProtocol
public import JSON

/// The user's actions on the rows of lists.
extension FormSession {
  /// The user added a row to a list.
  ///
  /// - Parameters:
  ///   - list: the list's address.
  ///   - value: values that override the schema's defaults; nil: only the defaults.
  ///   - position: the row before which the new one comes; nil: behind the last.
  /// - Returns: the new row's identity.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownField`, or when a limit is reached.
  @discardableResult
  public func insert(
    into list: String,
    _ value: JSON? = nil,
    before position: RowReference? = nil
  ) throws(ClientError) -> String {
    var params = FieldInsertParams()
    params.value = value
    guard let row = try insert(params, into: list, before: position).row else {
      throw .protocolViolation("a row was inserted without an identity")
    }
    return row
  }

  /// The user added several rows to a list in one turn.
  ///
  /// - Parameters:
  ///   - list: the list's address.
  ///   - values: one for each row; at least one.
  ///   - position: the row before which the new ones come; nil: behind the last.
  /// - Returns: the new rows' identities, in order.
  /// - Throws: as ``insert(into:_:before:)``.
  @discardableResult
  public func insertAll(
    into list: String,
    _ values: [JSON],
    before position: RowReference? = nil
  ) throws(ClientError) -> [String] {
    var params = FieldInsertParams()
    params.values = values
    guard let rows = try insert(params, into: list, before: position).rows else {
      throw .protocolViolation("rows were inserted without identities")
    }
    return rows
  }

  private func insert(
    _ params: FieldInsertParams,
    into list: String,
    before position: RowReference?
  ) throws(ClientError) -> InsertAnswer {
    var params = params
    params.field = list
    params.at = position
    return try input(params)
  }

  /// The user removed a row, or a member of an object.
  ///
  /// - Parameter position: the row's address, such as `/items/#7` or `/items/0`.
  /// - Throws: ``ClientError/refused(method:_:)`` of kind `FormErrorCode.unknownField`. For a row that was removed, its
  ///   data have a reason.
  public func remove(_ address: String) throws(ClientError) {
    var params = FieldRemoveParams()
    params.field = address
    _ = try input(params)
  }

  /// The user moved a row within its list.
  ///
  /// - Parameters:
  ///   - row: the row's address, such as `/items/#7` or `/items/0`.
  ///   - position: the row's final position, or the row before which it comes.
  /// - Throws: as ``remove(_:)``.
  public func move(_ row: String, to position: RowReference) throws(ClientError) {
    var params = FieldMoveParams()
    params.field = row
    params.to = position
    _ = try input(params)
  }
}
