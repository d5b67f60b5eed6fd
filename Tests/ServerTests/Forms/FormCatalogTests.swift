import Actions
internal import Configuration
import Forms
import Foundation
import JSON
import SQLite
import Server
internal import SourceTexts
import Testing

/// Forms on disk, in a folder that is removed after the test.
final class FormCatalogTests {
  private let folder = NSTemporaryDirectory() + "formd-forms-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  private static func form(_ name: String, field: String = "a") -> String {
    #"{"form":"\#(name)","schema":{"type":"object","properties":{"\#(field)":{"type":"string"}}}}"#
  }

  @Test
  func `forms are found in subfolders and listed by name`() throws {
    try write(Self.form("zebra"), "1.form.json")
    try write(Self.form("apple"), "inner/2.form.json")
    try write("not a form", "notes.json")
    let reading = FormCatalog.read(folders: [folder])
    #expect(reading.problems.isEmpty)
    #expect(reading.fileCount == 2)
    #expect(reading.catalog.forms.map(\.name) == ["apple", "zebra"])
    #expect(reading.catalog.form(named: "zebra")?.name == "zebra")
  }

  @Test func `a form may be YAML, and a reload says the line of an error in it`() throws {
    try write("# A note.\nschema: {properties: {a: {type: string}}}\n", "note.form.yaml")
    try write("// A note.\n{\"schema\": {\"properties\": {\"b\": {}}}, }\n", "inner/other.form.jsonc")
    let before = FormCatalog.read(folders: [folder])
    #expect(before.problems.isEmpty && before.catalog.forms.map(\.name) == ["note", "other"])
    try write("schema: {properties: {a: {type: string}}}\noutputs:\n  x: >-\n    values.b\n", "note.form.yaml")
    let after = FormCatalog.read(folders: [folder], previous: before.catalog)
    #expect(after.problems.map { "\($0.code) \($0.position.map(\.description) ?? "")" } == ["expression 4:5"])
    #expect(after.catalog.forms.map(\.name) == ["note", "other"])
  }

  @Test func `two files of one name are an error, and the first is used`() throws {
    try write(Self.form("first"), "login.form.json")
    try write("form: second\nschema: {properties: {a: {}}}\n", "login.form.yaml")
    let reading = FormCatalog.read(folders: [folder])
    #expect(
      reading.problems.map { "\($0.file ?? "") \($0.code): \($0.message)" } == [
        "\(folder)/login.form.yaml duplicateFile: there is also login.form.json"
      ]
    )
    #expect(reading.catalog.forms.map(\.name) == ["first"])
  }

  @Test
  func `a schema in a file beside its form is read anew with the form, and is no form`() throws {
    try write(#"{"schema": {"$ref": "login.schema.json"}}"#, "login.form.json")
    try write(#"{"properties": {"a": {}}}"#, "login.schema.json")
    let before = FormCatalog.read(folders: [folder])
    #expect(before.fileCount == 1 && before.problems.isEmpty)
    #expect(before.catalog.forms.map { $0.fields.map(\.name) } == [["a"]])
    try write(#"{"properties": {"b": {}}}"#, "login.schema.json")
    let after = FormCatalog.read(folders: [folder], previous: before.catalog)
    #expect(after.catalog.forms.map { $0.fields.map(\.name) } == [["b"]])
    try write(#"{"properties": {"b": {"type": 7}}}"#, "login.schema.json")
    let broken = FormCatalog.read(folders: [folder], previous: after.catalog)
    #expect(broken.problems.map(\.file) == [folder + "/login.schema.json"])
    #expect(broken.problems.first?.position == LineColumn(line: 1, column: 31))
    #expect(broken.catalog.forms.map { $0.fields.map(\.name) } == [["b"]])
  }

  @Test
  func `a folder that is gone is reported, and its forms stay`() throws {
    try write(Self.form("login"), "login.form.json")
    try write(Self.form("other"), "inner/other.form.json")
    let before = FormCatalog.read(folders: [folder + "/inner", folder]).catalog
    try FileManager.default.removeItem(atPath: folder + "/inner")
    let reading = FormCatalog.read(folders: [folder + "/inner", folder], previous: before)
    #expect(reading.unreadFolders.map(\.path) == [folder + "/inner"])
    #expect(reading.problems.map(\.description) == ["\(folder)/inner: error: no such folder"])
    #expect(reading.catalog.forms.map(\.name) == ["login", "other"])
  }

  @Test(arguments: ["", "/inner"])
  func `a folder that cannot be read is reported, and its forms stay`(unread: String) async throws {
    // This runs in another process, because access to folders is decided for a whole process. Root may read all
    // folders.
    await #expect(processExitsWith: .success) { [unread = unread as String] in
      let test = try FormCatalogTests()
      try test.write(FormCatalogTests.form("login"), "login.form.json")
      try test.write(FormCatalogTests.form("other"), "inner/other.form.json")
      #expect(chmod(test.folder, 0o755) == 0)
      if geteuid() == 0 { #expect(seteuid(65_534) == 0) }
      let before = FormCatalog.read(folders: [test.folder])
      #expect(before.problems.isEmpty)
      _ = seteuid(getuid())
      #expect(chmod(test.folder + unread, 0) == 0)
      if geteuid() == 0 { #expect(seteuid(65_534) == 0) }
      let reading = FormCatalog.read(folders: [test.folder], previous: before.catalog)
      let problem = "\(test.folder)\(unread): error: the folder cannot be read (Permission denied)"
      #expect(reading.problems.map(\.description) == [problem])
      #expect(reading.unreadFolders.map(\.path) == (unread.isEmpty ? [test.folder] : []))
      #expect(reading.catalog.forms.map(\.name) == ["login", "other"])
      _ = seteuid(getuid())
      #expect(chmod(test.folder + unread, 0o755) == 0)
    }
  }

  @Test
  func `a pipe in place of a form is reported and not waited for, and the old form stays`() throws {
    try write(Self.form("login"), "login.form.json")
    let before = FormCatalog.read(folders: [folder]).catalog
    try FileManager.default.removeItem(atPath: folder + "/login.form.json")
    #expect(mkfifo(folder + "/login.form.json", 0o600) == 0)
    let reading = FormCatalog.read(folders: [folder], previous: before)
    #expect(
      reading.problems.map(\.description) == [
        "\(folder)/login.form.json: error: cannot be read (It is not a regular file)"
      ]
    )
    #expect(reading.catalog.forms.map(\.name) == ["login"])
  }

  @Test
  func `a broken form is reported with its place, and the old one stays`() throws {
    try write(Self.form("login", field: "old"), "login.form.json")
    try write(Self.form("other"), "other.form.json")
    let before = FormCatalog.read(folders: [folder]).catalog
    try write("{\n  \"form\": \"login\",\n  \"schema\": {\"type\": \"objct\"}\n}", "login.form.json")
    try write(Self.form("other", field: "new"), "other.form.json")
    let reading = FormCatalog.read(folders: [folder], previous: before)
    #expect(reading.problems.count == 1)
    #expect(reading.problems.first?.description.hasPrefix("\(folder)/login.form.json:3:") == true)
    #expect(reading.catalog.form(named: "login")?.fields.map(\.name) == ["old"])
    #expect(reading.catalog.form(named: "other")?.fields.map(\.name) == ["new"])
  }

  @Test
  func `a form that was taken away is gone after a reload`() throws {
    try write(Self.form("login"), "login.form.json")
    let before = FormCatalog.read(folders: [folder]).catalog
    try FileManager.default.removeItem(atPath: folder + "/login.form.json")
    #expect(FormCatalog.read(folders: [folder], previous: before).catalog.forms.isEmpty)
  }

  @Test
  func `two files with one name are reported, and the first counts`() throws {
    try write(Self.form("login", field: "first"), "a.form.json")
    try write(Self.form("login", field: "second"), "b.form.json")
    let reading = FormCatalog.read(folders: [folder])
    #expect(reading.problems.count == 1)
    #expect(reading.catalog.form(named: "login")?.fields.map(\.name) == ["first"])
  }

  @Test
  func `of many files, read several at a time, is said what is said of each, in the order of their names`() throws {
    let numbers = (100..<200).shuffled()
    for number in numbers {
      // Every tenth form is broken, and every seventh has the name of another form.
      let name = number % 7 == 0 ? "twin" : "form\(number)"
      try write(number % 10 == 0 ? "{" : Self.form(name), "\(number).form.json")
    }
    let reading = FormCatalog.read(folders: [folder])
    let broken = numbers.filter { $0 % 10 == 0 }
    let twins = numbers.filter { $0 % 7 == 0 && $0 % 10 != 0 }.sorted()
    #expect(reading.fileCount == 100)
    #expect(
      reading.problems.map(\.file) == (broken + twins.dropFirst()).sorted().map { "\(folder)/\($0).form.json" }
    )
    #expect(
      reading.catalog.forms.map(\.name)
        == numbers.filter { $0 % 7 != 0 && $0 % 10 != 0 }.sorted().map { "form\($0)" } + ["twin"]
    )
  }

  @Test
  func `a folder that is not there is reported`() {
    #expect(FormCatalog.read(folders: [folder + "/nowhere"]).problems.count == 1)
  }

  @Test
  func `a form that names a service that is not configured is loaded, and warned about`() throws {
    let text = """
      {"form": "login", "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
       "actions": {"login": {"run": {"http": {"service": "acounts", "path": "/login"}}}}}
      """
    try write(text, "login.form.json")
    var configuration = ServerConfiguration()
    configuration.actions.services["accounts"] = .mock([])
    let reading = FormCatalog.read(folders: [folder], for: configuration)
    #expect(reading.problems.isEmpty)
    #expect(
      reading.warnings.map(\.description) == [
        "\(folder)/login.form.json:2:52: warning: no service \"acounts\" in the configuration; did you mean \"accounts\"? [/actions/login/run/http/service]"
      ]
    )
    #expect(reading.catalog.form(named: "login") != nil)
    let again = FormCatalog.read(folders: [folder], previous: reading.catalog, for: configuration)
    #expect(again.warnings == reading.warnings)
  }

  @Test(
    arguments: [
      (
        "x", "select nme from users where email = :email",
        #"2:36: warning: the database "x" does not accept this query: no such column: nme"#
      ),
      (
        "x", "insert into users values (:email)",
        #"2:36: warning: this query changes the database "x", but the configuration does not make it "writable""#
      ),
      (
        "x", "explain select :email",
        #"2:36: warning: the database "x" does not accept this query: a form's query must begin with"#
      ),
      (
        "x", "select :email; select 1",
        #"2:36: warning: the database "x" does not accept this query: there may be only one statement"#
      ),
      ("y", "select :email", #"2:36: warning: the database "y" cannot be opened: FOLDER/no.sqlite: unable to open"#),
      ("z", "select :email", #"2:22: warning: no database "z" in the configuration"#),
      ("w", "insert into users values (:email)", nil), ("x", "select verify_password(email, :email) from users", nil),
    ] as [(String, String, String?)]
  )
  func `a query that its database does not take is warned about`(
    database: String,
    query: String,
    warning: String?
  ) throws {
    let text = """
      {"form": "f", "schema": {"properties": {"email": {"type": "string"}}}, "actions": {"go": {"run": {
       "sql": {"database": "\(database)", "query": "\(query)", "parameters": {"email": "values.email"}}}}}}
      """
    try write(text, "f.form.json")
    try SQLiteConnection(path: folder + "/x.sqlite", .creating).run("create table users (email text)")
    var configuration = ServerConfiguration()
    configuration.actions.databases = [
      "x": .sqlite(path: folder + "/x.sqlite"),
      "w": .sqlite(path: folder + "/x.sqlite", isWritable: true),
      "y": .sqlite(path: folder + "/no.sqlite", isWritable: true),
    ]
    let reading = FormCatalog.read(folders: [folder], for: configuration)
    #expect(reading.problems.isEmpty && reading.catalog.forms.count == 1)
    #expect(reading.warnings.count == (warning == nil ? 0 : 1), "\(reading.warnings)")
    if let warning, let told = reading.warnings.first {
      let expected = "\(folder)/f.form.json:" + warning.replacing("FOLDER", with: folder)
      #expect("\(told)".hasPrefix(expected), "\(told)")
    }
    // Looking for a database does not create it.
    #expect(!FileManager.default.fileExists(atPath: folder + "/no.sqlite"))
  }

  @Test
  func `a form without a name of its own has that of its file`() throws {
    try write(#"{"schema":{"type":"object","properties":{"a":{"type":"string"}}}}"#, "inner/sign-up.form.json")
    let reading = FormCatalog.read(folders: [folder])
    #expect(reading.problems.isEmpty)
    #expect(reading.catalog.forms.map(\.name) == ["sign-up"])
  }
}
