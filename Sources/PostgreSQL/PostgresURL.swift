internal import CPostgres

/// The address of a database as libpq reads it, without a password:
/// <https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS>.
package struct PostgresURL: Sendable {
  /// For example `postgresql://formd@db.example.com/shop?sslmode=verify-full`.
  package let text: String

  /// The problem of a text that is not such an address, as a sentence. It never quotes the text, which may hold a
  /// password.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  /// Secrets that a URL could hold.
  private static let secrets = ["password", "sslpassword"]

  /// Checks a configured address.
  ///
  /// - Throws: ``Problem`` unless libpq understands it, and no password is in it.
  package init(_ text: String) throws(Problem) {
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
      throw Problem(description: "it must begin with postgresql://")
    }
    let authority = text.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
      .prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")), authority[..<at].contains(UInt8(ascii: ":")) {
      throw Self.holdsSecret
    }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      defer { PQfreemem(message) }
      throw Problem(description: Self.told(message.map { String(cString: $0) } ?? ""))
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword.map({ String(cString: $0) }) {
      let value = option.pointee.val.map { String(cString: $0) }
      if Self.secrets.contains(keyword), value != nil { throw Self.holdsSecret }
      if keyword == "port", let value, !value.utf8.allSatisfy({ $0 == UInt8(ascii: ",") || (0x30...0x39).contains($0) })
      {
        throw Problem(description: "its port is not a number")
      }
      option += 1
    }
    self.text = text
  }

  private static let holdsSecret = Problem(
    description: "it contains a password, which process lists and messages would show"
  )

  /// The message of libpq, if it quotes only the name of a parameter, and no part that could be a password.
  private static func told(_ message: String) -> String {
    message.hasPrefix("invalid URI query parameter")
      ? message.filter { $0 != "\n" }
      : "libpq cannot parse it: perhaps a \"%\" lacks two digits, a parameter lacks \"=\", or an address lacks \"]\""
  }
}
