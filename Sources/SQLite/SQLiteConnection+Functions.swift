internal import CSQLite

extension SQLiteConnection {
  /// Adds a function to the SQL of this connection.
  ///
  /// - Parameters:
  ///   - isDeterministic: whether equal arguments always give the same value.
  ///   - body: gets as many values as the function has parameters.
  package func addFunction(
    _ name: String,
    parameters count: Int,
    isDeterministic: Bool,
    _ body: @escaping ([SQLiteValue]) -> SQLiteValue
  ) throws(SQLiteError) {
    // SQLite holds the function until the connection is closed, or this call fails. Then it calls the last closure.
    let function = Unmanaged.passRetained(SQLFunction(body)).toOpaque()
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    try check(
      sqlite3_create_function_v2(
        handle,
        name,
        CInt(count),
        flags,
        function,
        { context, count, arguments in
          guard let context, let function = sqlite3_user_data(context) else { return }
          Unmanaged<SQLFunction>.fromOpaque(function)._withUnsafeGuaranteedRef {
            let values = UnsafeBufferPointer(start: arguments, count: Int(count)).map { SQLiteValue(argument: $0) }
            $0.body(values).become(resultOf: context)
          }
        },
        nil,
        nil,
        { function in
          if let function { Unmanaged<SQLFunction>.fromOpaque(function).release() }
        }
      )
    )
  }
}

/// A function, for which SQLite holds a pointer.
private final class SQLFunction {
  let body: ([SQLiteValue]) -> SQLiteValue

  init(_ body: @escaping ([SQLiteValue]) -> SQLiteValue) { self.body = body }
}

extension SQLiteValue {
  /// A copy of an argument, which itself is valid only while the function runs. If SQLite has too little memory to
  /// change a text to UTF-8, the value is NULL.
  fileprivate init(argument: OpaquePointer?) {
    // SQLite counts the bytes of the pointer that it gave last.
    func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(argument)))
    }
    switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(argument))
    case SQLITE_BLOB: self = .blob(Array(bytes(sqlite3_value_blob(argument))))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(argument)
      self = start == nil ? .null : .text(String(decoding: bytes(start), as: UTF8.self))
    default: self = .null
    }
  }

  /// Makes it the result of the function that runs. SQLite copies it.
  fileprivate func become(resultOf context: OpaquePointer) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .blob(let bytes):
      bytes.withUnsafeBytes { bytes in
        if bytes.isEmpty { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, bytes.baseAddress, sqlite3_uint64(bytes.count), csqlite_transient())
      }
    case .text(let text):
      text.withUTF8Pointer {
        sqlite3_result_text64(context, $0, sqlite3_uint64($1), csqlite_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }
}

extension String {
  /// Calls `body` with the text's UTF-8 and its number of bytes. The pointer is valid until `body` returns. It is not
  /// null for an empty text, because SQLite would read a null pointer as NULL.
  func withUTF8Pointer<Result>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    // The number of bytes is exact, so that U+0000 does not end the text.
    let count = utf8.count
    return withCString { body($0, count) }
  }
}
