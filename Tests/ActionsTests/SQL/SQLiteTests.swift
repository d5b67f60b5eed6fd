internal import Actions
internal import CSQLite
internal import FoundationEssentials
internal import JSON
internal import NIOCore
internal import SQLite
internal import Sessions
internal import Testing

#if canImport(Glibc)
  internal import Glibc
#endif

struct SQLiteTests {
  /// Runs a test on a fresh database file with a table `t`, named `main` (writable) and `readOnly`.
  private func withDatabase(_ body: (EffectHarness) async throws -> Void) async throws {
    try await withDatabaseFile { harness, _ in try await body(harness) }
  }

  private func withDatabaseFile(_ body: (EffectHarness, _ path: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("test.sqlite").path
    try SQLiteConnection(path: path, .creating).run("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    let configuration = ActionsConfiguration(databases: [
      "main": .sqlite(path: path, isWritable: true), "readOnly": .sqlite(path: path),
      "missing": .sqlite(path: folder.appendingPathComponent("no.sqlite").path),
    ])
    let result: Result<Void, any Error>
    do {
      result = .success(try await EffectHarness.with(configuration) { try await body($0, path) })
    } catch {
      result = .failure(error)
    }
    try FileManager.default.removeItem(at: folder)
    try result.get()
  }

  private func sql(_ query: String, _ parameters: JSONObject = [:], in database: String = "main") -> EffectRequest {
    .sql(EffectRequest.SQLRequest(database: database, query: query, parameters: parameters))
  }

  @Test func `rows come back as JSON, by column name`() async throws {
    try await withDatabase { harness in
      let response = await harness.answer(
        sql("SELECT 1 AS whole, 1.5 AS real, '글' AS text, NULL AS none, x'00ff' AS blob")
      )
      #expect(response.kind == .ok, "\(response.reason ?? "")")
      #expect(response.rows == [["whole": 1, "real": 1.5, "text": "글", "none": .null, "blob": "AP8="]])
    }
  }

  @Test(
    arguments: [
      (JSON.null, JSON.null), (true, 1), (7, 7), (0.5, 0.5), ("ab\0cd", "ab\0cd"), ("", ""),
      ("'; DROP TABLE t; --", "'; DROP TABLE t; --"),
      ([1, "a"], #"[1,"a"]"#), (["a": .null], #"{"a":null}"#),
    ] as [(JSON, JSON)]
  )
  func `parameters are bound by name, never pasted in`(value: JSON, expected: JSON) async throws {
    try await withDatabase { harness in
      let response = await harness.answer(sql("SELECT :value AS value", ["value": value]))
      #expect(response.rows == [["value": expected]])
    }
  }

  @Test func `what was written is read through the read-only name, which cannot write`() async throws {
    try await withDatabase { harness in
      let inserted = await harness.answer(sql("INSERT INTO t (name) VALUES (:name) RETURNING id", ["name": "Kim"]))
      #expect(inserted.rows == [["id": 1]])
      let read = await harness.answer(sql("SELECT name FROM t", in: "readOnly"))
      #expect(read.rows == [["name": "Kim"]])
      let refused = await harness.answer(sql("DELETE FROM t", in: "readOnly"))
      #expect(refused.kind == .error)
      #expect(await harness.answer(sql("SELECT count(*) AS n FROM t")).rows == [["n": 1]])
    }
  }

  @Test(arguments: [
    "SELEC", "SELECT * FROM nowhere", "SELECT :missing", "SELECT 1; SELECT 2", "INSERT INTO t VALUES (1)",
  ])
  func `a statement that fails is an error, and the next one works`(query: String) async throws {
    try await withDatabase { harness in
      let response = await harness.answer(sql(query))
      #expect(response.kind == .error)
      #expect(response.reason?.isEmpty == false)
      #expect(await harness.answer(sql("SELECT 1 AS one")).rows == [["one": 1]])
    }
  }

  @Test(
    arguments: [
      "ATTACH 'other.sqlite' AS other", "CREATE TEMP TABLE t (x)", "create table u (x)", "VACUUM INTO 'copy.sqlite'",
      "PRAGMA writable_schema = 1", "SAVEPOINT s", "BEGIN", "DROP TABLE t", " \n\t/* SELECT */ attach 'o' as o",
      "-- SELECT 1\nSAVEPOINT s", "-- SELECT 1", "/* SELECT", "", ";SELECT 1", "EXPLAIN SELECT 1",
    ],
    ["main", "readOnly"]
  )
  func `a statement that reaches beyond the rows of its database is refused`(query: String, database: String)
    async throws
  {
    try await withDatabase { harness in
      let response = await harness.answer(sql(query, in: database))
      #expect(response.kind == .error)
      #expect(response.reason?.contains("SELECT, ") == true, "\(response.reason ?? "")")
      #expect(await harness.answer(sql("/**/ -- x\n select count(*) AS n FROM t", in: database)).rows == [["n": 0]])
      #expect(await harness.answer(sql("WITH a AS (SELECT 1) SELECT * FROM a", in: database)).kind == .ok)
    }
  }

  @Test func `an error's reason never holds a parameter's value`() async throws {
    try await withDatabase { harness in
      for _ in 0..<2 {
        let response = await harness.answer(sql("INSERT INTO t (name) VALUES (:name)", ["name": "canary-7c1"]))
        #expect(response.reason?.contains("canary-7c1") != true)
      }
    }
  }

  @Test(
    arguments: [
      ("INSERT INTO v (name) VALUES ('Kim')", "23505", "v.name"),
      ("INSERT INTO v (id, name) VALUES (1, 'x')", "23505", "v.id"),
      ("INSERT INTO v (name) VALUES (NULL)", "23502", "v.name"),
      ("INSERT INTO v (name, age) VALUES ('x', -1)", "23514", "age > 0"),
      ("INSERT INTO v (name, parent) VALUES ('x', 7)", "23503", nil),
    ] as [(String, String, String?)]
  )
  func `what a statement violates is told by the code that other databases have for it`(
    query: String,
    code: String,
    constraint: String?
  ) async throws {
    try await withDatabaseFile { harness, path in
      try SQLiteConnection(path: path, .writing).run(
        """
        CREATE TABLE v (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, age INTEGER CHECK (age > 0),
          parent INTEGER REFERENCES t);
        INSERT INTO v (name) VALUES ('Kim')
        """
      )
      let response = await harness.answer(sql(query))
      #expect(response.kind == .error)
      #expect(response.sqlState == code, "\(response.reason ?? "")")
      #expect(response.constraint == constraint)
      #expect(await harness.answer(sql("DELETE FROM v", in: "readOnly")).sqlState == "25006")
      #expect(await harness.answer(sql("SELECT count(*) AS n FROM v")).rows == [["n": 1]])
    }
  }

  @Test func `a database file that is not there is an error, not a crash`() async throws {
    try await withDatabase { harness in
      #expect(await harness.answer(sql("SELECT 1", in: "missing")).kind == .error)
      #expect(await harness.answer(sql("SELECT 1", in: "unknown")).kind == .error)
    }
  }

  @Test func `an answer of too many rows is too large`() async throws {
    try await withDatabase { harness in
      let query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :rows) SELECT i FROM n"
      #expect(await harness.answer(sql(query, ["rows": 1000])).rows?.count == 1000)
      #expect(await harness.answer(sql(query, ["rows": 1001])).kind == .tooLarge)
    }
  }

  @Test func `a statement whose rows are refused has changed nothing`() async throws {
    try await withDatabase { harness in
      let query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001) "
      let response = await harness.answer(sql(query + "INSERT INTO t (id) SELECT i FROM n RETURNING id"))
      #expect(response.kind == .tooLarge)
      #expect(await harness.answer(sql("SELECT count(*) AS n FROM t")).rows == [["n": 0]])
    }
  }

  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test(arguments: ["main", "readOnly"])
  func `statements of one client that do not end keep nobody else from reading or writing`(database: String)
    async throws
  {
    try await withDatabase { harness in
      var endless: [NIOLoopBound<StartedEffect>] = []
      for _ in 0..<6 { endless.append(try await harness.start(sql(Self.endless, in: database), of: 1)) }
      #expect(await harness.answer(sql("SELECT count(*) AS n FROM t", in: database), of: 2).rows == [["n": 0]])
      #expect(await harness.answer(sql("INSERT INTO t (name) VALUES ('Kim')"), of: 2).kind == .ok)
      try await harness.cancel(endless)
      // The next answer of the client arrives only because its earlier queries were interrupted.
      #expect(await harness.answer(sql("SELECT count(*) AS n FROM t", in: database), of: 1).rows == [["n": 1]])
    }
  }

  @Test(arguments: ["main", "readOnly"])
  func `a file that another was renamed over is not read any more`(database: String) async throws {
    try await withDatabaseFile { harness, path in
      #expect(await harness.answer(sql("SELECT count(*) AS n FROM t", in: database)).rows == [["n": 0]])
      let other = path + ".new"
      try SQLiteConnection(path: other, .creating).run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t (name) VALUES ('Kim')"
      )
      #expect(rename(other, path) == 0)
      #expect(await harness.answer(sql("SELECT name FROM t", in: database)).rows == [["name": "Kim"]])
    }
  }

  @Test(
    .serialized,
    arguments: [
      "SELECT hex(zeroblob(400000000)) AS x", "SELECT zeroblob(400000000) AS x", "SELECT zeroblob(2000000) AS x",
      "SELECT hex(zeroblob(8000000)) AS a, hex(zeroblob(7999999)) AS b, hex(zeroblob(7999998)) AS c",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90) "
        + "SELECT group_concat(hex(zeroblob(500000 + i))) AS x FROM n",
    ]
  )
  func `an answer that takes too much memory is too large before it has taken it`(query: String) async throws {
    try await withDatabase { harness in
      sqlite3_memory_highwater(1)
      let response = await harness.answer(sql(query))
      #expect(response.kind == .tooLarge, "\(response.reason ?? "")")
      #expect(sqlite3_memory_highwater(0) < 160 << 20)
      #expect(await harness.answer(sql("SELECT 1 AS one")).rows == [["one": 1]])
    }
  }

  @Test func `a number is a number, however much of it there is`() async throws {
    try await withDatabase { harness in
      let response = await harness.answer(sql("SELECT 1 AS a, 2.5 AS b, 'x' AS c UNION ALL SELECT 3, 4, 'y'"))
      #expect(response.rows == [["a": 1, "b": 2.5, "c": "x"], ["a": 3, "b": 4, "c": "y"]])
    }
  }

  @Test func `a statement that does not end is a timeout, and is interrupted`() async throws {
    try await withDatabase { harness in
      for _ in 0..<4 {
        #expect(await harness.answer(sql(Self.endless), timeout: .milliseconds(50)).kind == .timeout)
      }
      // A client has fewer connections than queries here: this answer arrives only because its queries were
      // interrupted.
      #expect(await harness.answer(sql("SELECT 1 AS one")).rows == [["one": 1]])
    }
  }

  /// Made with Python's `hashlib.scrypt`.
  @Test(arguments: [
    ("hunter2", "scrypt$16384$8$1$AAECAwQFBgcICQoLDA0ODw==$yC/CFq4O6DKFo+9M9N1ddU/n0L0AvPnMZL4zzhmbTA0="),
    ("비밀번호 486", "scrypt$1024$8$1$AAECAwQFBgcICQoLDA0ODw==$oQChnpQFMZSq8Ohv1RGqEjFAhLj17YpW2sfZFzKVCvA="),
  ])
  func `a password that another program hashed is verified`(password: String, stored: String) async throws {
    try await withDatabase { harness in
      let query = "SELECT verify_password(:stored, :password) AS isRight"
      let right = await harness.answer(sql(query, ["stored": .string(stored), "password": .string(password)]))
      #expect(right.rows == [["isRight": 1]])
      let wrong = await harness.answer(sql(query, ["stored": .string(stored), "password": .string(password + "x")]))
      #expect(wrong.rows == [["isRight": 0]])
    }
  }

  @Test func `a password that was hashed here is verified here`() async throws {
    try await withDatabase { harness in
      let response = await harness.answer(
        sql("SELECT verify_password(hash_password(:p), :p) AS isRight, hash_password(NULL) AS none", ["p": "쿄"])
      )
      #expect(response.rows == [["isRight": 1, "none": .null]])
    }
  }

  @Test func `the character U+0000 does not end a password`() async throws {
    try await withDatabase { harness in
      let response = await harness.answer(
        sql(
          """
          SELECT verify_password(hash_password(:long), :short) AS isCut,
            verify_password(hash_password(:long), :long) AS isRight,
            verify_password(hash_password(:short), :long) AS isExtended
          """,
          ["long": "ab\0cd", "short": "ab"]
        )
      )
      #expect(response.rows == [["isCut": 0, "isRight": 1, "isExtended": 0]])
    }
  }

  @Test(arguments: [
    "", "hunter2", "scrypt$16384$8$1$AAEC", "scrypt$16383$8$1$AAECAwQFBgcICQoLDA0ODw==$AAECAwQFBgcICQoLDA0ODw==",
    "scrypt$1073741824$8$1$AAECAwQFBgcICQoLDA0ODw==$AAECAwQFBgcICQoLDA0ODw==",
    "scrypt$2$9223372036854775807$1$AAECAwQFBgcICQoLDA0ODw==$AAECAwQFBgcICQoLDA0ODw==",
    "scrypt$2$8$1$AAECAwQFBgcICQoLDA0ODw==$", "scrypt$2$8$1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODw",
    "bcrypt$2$8$1$AAECAwQFBgcICQoLDA0ODw==$AAECAwQFBgcICQoLDA0ODw==",
  ])
  func `a stored text of another form, or too costly, matches no password`(stored: String) async throws {
    try await withDatabase { harness in
      let response = await harness.answer(
        sql("SELECT verify_password(:stored, '') AS isRight", ["stored": .string(stored)])
      )
      #expect(response.rows == [["isRight": 0]])
    }
  }
}
