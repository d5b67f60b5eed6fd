internal import CPostgres

/// A result of a command, valid during the call that gets it.
package struct PostgresResult {
  let handle: OpaquePointer

  /// Whether it is one row of a result whose rows come one by one.
  package var isSingleRow: Bool { PQresultStatus(handle) == PGRES_SINGLE_TUPLE }

  /// The positions of its rows.
  package var rows: Range<Int> { 0..<Int(PQntuples(handle)) }

  /// The positions of its columns.
  package var columns: Range<Int> { 0..<Int(PQnfields(handle)) }

  /// The name of a column.
  package func name(of column: Int) -> String { PQfname(handle, CInt(column)).map { String(cString: $0) } ?? "" }

  /// The number of a column's type.
  package func type(of column: Int) -> UInt32 { PQftype(handle, CInt(column)) }

  /// The numbers of the types of a statement's parameters, if the statement was described.
  package var parameterTypes: [UInt32] { (0..<PQnparams(handle)).map { PQparamtype(handle, $0) } }

  /// The bytes of a value, as the server has sent it; nil: it is NULL.
  package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    guard PQgetisnull(handle, CInt(row), CInt(column)) == 0, let bytes = PQgetvalue(handle, CInt(row), CInt(column))
    else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: Int(PQgetlength(handle, CInt(row), CInt(column))))
  }

  /// A value as a text; NULL is the empty one.
  package func text(_ row: Int, _ column: Int) -> String {
    bytes(row, column).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// A value of type `bigint` that came in the server's binary form; nil: it is NULL, or of another type.
  package func integer(_ row: Int, _ column: Int) -> Int64? {
    guard let bytes = bytes(row, column), bytes.count == 8 else { return nil }
    return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
  }

  /// A value of type `double precision` that came in the server's binary form; nil: it is NULL, or of another type.
  package func number(_ row: Int, _ column: Int) -> Double? {
    integer(row, column).map { Double(bitPattern: UInt64(bitPattern: $0)) }
  }

  /// A value of type `boolean` that came in the server's binary form; NULL is false.
  package func flag(_ row: Int, _ column: Int) -> Bool { bytes(row, column)?.first == 1 }

  // MARK: Errors

  func errorField(_ code: Unicode.Scalar) -> String? {
    PQresultErrorField(handle, CInt(code.value)).map { String(cString: $0) }
  }

  var errorMessage: String { PQresultErrorMessage(handle).map { String(cString: $0) } ?? "" }
}
