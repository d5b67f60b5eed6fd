package struct ServerBackupParams: Call {
  /// The path of the copy.
  package var file = ""

  package init() {}

  package init(file: String) {
    self.file = file
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required(
      "file",
      &file,
      "The absolute path of the copy, for the daemon. No file may be there.",
      missing: "an absolute path"
    )
  }

  package func check(_ reader: inout MessageReader) {
    if !file.hasPrefix("/") { reader.note(.value, "an absolute path", atMember: "file") }
  }

  package static let method = Method.serverBackup
  package static let name: StaticString = "server/backup"
  package static let role: Role? = .operator
  package static let title = "Copies the SQLite store of kept sessions"
  package static let details =
    "The copy has every change that was answered before the request. Answers of kept sessions wait until it is written. Fails with 1011 and the reason `store` if the daemon has no such store, or cannot write the copy."
  package static let failures: [FormErrorCode] = [.overloaded]
  package static var example: (params: Self, answer: StoreCopy) {
    (Self(file: "/var/backups/kept.sqlite"), StoreCopy(bytes: 40_960))
  }
}

/// The answer to `server/backup`.
package struct StoreCopy: Message, Sendable {
  /// The size of the copy.
  package var bytes = 0

  package init() {}

  package init(bytes: Int) {
    self.bytes = bytes
  }

  package static let schemaName: StaticString? = "StoreCopy"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("bytes", &bytes, "The size of the copy.")
  }
}
