internal import SQLite

extension SQLiteConnection {
  /// Adds the functions by which queries store and verify passwords:
  ///
  /// - `verify_password(stored, password)`: 1 when it is the password, else 0. It is 0 for a stored text of another
  ///   form and for NULL, too.
  /// - `hash_password(password)`: the stored form with a fresh salt; NULL for NULL.
  func addPasswordFunctions() throws(SQLiteError) {
    try addFunction("verify_password", parameters: 2, isDeterministic: true) { values in
      guard let stored = values[0].password, let password = values[1].password,
        let hash = PasswordHash(stored: stored)
      else { return .integer(0) }
      return .integer(hash.matches(password) ? 1 : 0)
    }
    try addFunction("hash_password", parameters: 1, isDeterministic: false) { values in
      guard let stored = values[0].password.flatMap({ PasswordHash(hashing: $0)?.stored }) else { return .null }
      return .text(stored)
    }
  }
}

extension SQLiteValue {
  /// The text of an argument; a blob counts as the text whose UTF-8 it is. A number is never a password.
  fileprivate var password: String? {
    switch self {
    case .text(let text): text
    case .blob(let bytes): String(validating: bytes, as: UTF8.self)
    case .null, .integer, .real: nil
    }
  }
}
