internal import Actions
internal import JSON
internal import NIOCore
internal import PostgresTesting
internal import Sessions
internal import Testing

// The tests run serially: each opens its own connections, and a server accepts only a few.
@Suite(.serialized, .needsPostgreSQL)
struct PostgresStatementTests {
  private static let table = """
    CREATE TABLE parent (id integer PRIMARY KEY);
    CREATE TABLE t (id serial PRIMARY KEY, name text CONSTRAINT name_once UNIQUE NOT NULL, age integer CHECK (age > 0),
      parent integer REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
    CREATE FUNCTION add(text) RETURNS integer LANGUAGE sql AS 'INSERT INTO t (name) VALUES ($1) RETURNING id';
    CREATE FUNCTION complain(text) RETURNS integer LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no %', $1; END $$;
    """

  @Test func `parameters are found by name, and nothing else is taken for one`() async throws {
    try await PostgresHarness.with(Self.table) { harness in
      let query = """
        SELECT :a::text || ':a' || $$:a$$ || $x$ $$ :a $x$ || E'\\':a' AS ":a", :b + 1 AS b, -- :c
          (ARRAY[1, 2, 3])[1:2] AS slice, /* :c /* :c */ :c */ :a AS again
        """
      let response = await harness.effects.answer(.sql(query, ["a": "x", "b": 1]))
      #expect(
        response.rows == [[":a": "x:a:a $$ :a ':a", "b": 2, "slice": [1, 2], "again": "x"]],
        "\(response.reason ?? "")"
      )
    }
  }

  @Test(arguments: [
    "SELECT set_config('app.user', 'kim', false), set_config('role', 'pg_monitor', false), pg_advisory_lock(7)",
    "SELECT set_config('app.user', 'kim', false), set_config('role', 'pg_monitor', false), pg_advisory_lock(7), 1 / 0",
    "INSERT INTO t (name) SELECT set_config('app.user', 'kim', false) || pg_advisory_lock(7) RETURNING id",
    "INSERT INTO t (name, parent) SELECT set_config('app.user', 'kim', false) || pg_advisory_lock(7), 5 RETURNING id",
  ])
  func `no state of the connection outlives a query`(query: String) async throws {
    try await PostgresHarness.with(Self.table, connections: 1) { harness in
      _ = await harness.effects.answer(.sql(query))
      let response = await harness.effects.answer(
        .sql(
          """
          SELECT coalesce(current_setting('app.user', true), '') AS setting, current_user = session_user AS is_own_role,
            (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())::integer AS locks
          """
        )
      )
      #expect(response.rows == [["setting": "", "is_own_role": true, "locks": 0]], "\(response.reason ?? "")")
    }
  }

  @Test func `what was written is read through the read-only name, which cannot write`() async throws {
    try await PostgresHarness.with(Self.table) { harness in
      let inserted = await harness.effects.answer(
        .sql("INSERT INTO t (name) VALUES (:name) RETURNING id", ["name": "Kim"])
      )
      #expect(inserted.rows == [["id": 1]], "\(inserted.reason ?? "")")
      #expect(await harness.effects.answer(.sql("SELECT name FROM t", in: "readOnly")).rows == [["name": "Kim"]])
      for query in [
        "DELETE FROM t", "SELECT add('Lee')", "WITH gone AS (DELETE FROM t RETURNING id) SELECT * FROM gone",
      ] {
        let refused = await harness.effects.answer(.sql(query, in: "readOnly"))
        #expect(refused.kind == .error)
        #expect(refused.sqlState == "25006")
      }
      let printed = try harness.psql("SELECT count(*) FROM t")
      #expect(printed == "1\n")
    }
  }

  @Test func `a query that calls a function which writes may do so where the database is writable`() async throws {
    try await PostgresHarness.with(Self.table) { harness in
      for name in ["Kim", "Lee"] {
        let response = await harness.effects.answer(.sql("SELECT add(:name) AS id", ["name": .string(name)]))
        #expect(response.kind == .ok, "\(response.reason ?? "")")
      }
      let printed = try harness.psql("SELECT name FROM t ORDER BY name")
      #expect(printed == "Kim\nLee\n")
    }
  }

  @Test(arguments: [
    "SELEC", "SELECT * FROM nowhere", "SELECT :missing", "SELECT 1; SELECT 2", "INSERT INTO t VALUES ('x')",
    "SELECT 1/0",
    "SELECT :a IS NULL",
  ])
  func `a statement that fails is an error, and the next one works`(query: String) async throws {
    try await PostgresHarness.with(Self.table) { harness in
      for _ in 0..<2 {
        let response = await harness.effects.answer(.sql(query, query.contains(":a") ? ["a": 1] : [:]))
        #expect(response.kind == .error)
        #expect(response.reason?.isEmpty == false)
        #expect(await harness.effects.answer(.sql("SELECT 1 AS one")).rows == [["one": 1]])
      }
    }
  }

  @Test(
    arguments: [
      "SET search_path = x", "CREATE TEMP TABLE t (x int)", "COPY t TO '/tmp/x'", "BEGIN", "LISTEN x", "DISCARD ALL",
      "DROP TABLE t",
      "SELECT * INTO u FROM t", "WITH a AS (SELECT 1) SELECT * INTO u FROM a", "DO 'BEGIN END'", "CALL x()",
      "-- SELECT 1", "",
      "(SELECT 1)", "EXPLAIN SELECT 1", "PREPARE x AS SELECT 1",
    ],
    ["main", "readOnly"]
  )
  func `a statement that reaches beyond the rows of its database is refused`(query: String, database: String)
    async throws
  {
    try await PostgresHarness.with(Self.table) { harness in
      let response = await harness.effects.answer(.sql(query, in: database))
      #expect(response.kind == .error)
      #expect(response.reason?.hasPrefix("a form's query ") == true, "\(response.reason ?? "")")
    }
  }

  @Test(
    arguments: [
      ("INSERT INTO t (name) VALUES ('Kim')", "23505", "name_once"),
      ("INSERT INTO t (name) VALUES (NULL)", "23502", "name"),
      ("INSERT INTO t (name, age) VALUES ('x', -1)", "23514", "t_age_check"),
      // The server checks this constraint at the commit.
      ("INSERT INTO t (name, parent) VALUES ('x', 7)", "23503", "t_parent_fkey"),
    ]
  )
  func `what a statement violates is told by its code and its name, and nothing is changed`(
    query: String,
    code: String,
    constraint: String
  ) async throws {
    try await PostgresHarness.with(Self.table + "INSERT INTO t (name) VALUES ('Kim')") { harness in
      let response = await harness.effects.answer(.sql(query))
      #expect(response.kind == .error)
      #expect(response.sqlState == code)
      #expect(response.constraint == constraint)
      let printed = try harness.psql("SELECT count(*) FROM t")
      #expect(printed == "1\n")
    }
  }

  @Test(arguments: [
    "SELECT complain(:x)", "INSERT INTO t (name) VALUES (:x)", "SELECT :x::regclass::text",
    "SELECT :x::text::json::text",
  ])
  func `an error's reason never holds a parameter's value`(query: String) async throws {
    try await PostgresHarness.with(Self.table + "INSERT INTO t (name) VALUES ('canary-7c1')") { harness in
      let response = await harness.effects.answer(.sql(query, ["x": "canary-7c1"]))
      #expect(response.kind == .error)
      #expect(response.reason?.contains("SQLSTATE") == true, "\(response.reason ?? "")")
      #expect(response.reason?.contains("canary") == false, "\(response.reason ?? "")")
    }
  }

  @Test func `an answer of too many rows or bytes is too large, and what the statement changed is undone`() async throws
  {
    try await PostgresHarness.with("CREATE TABLE n (i integer)") { harness in
      let numbers = "SELECT i FROM generate_series(1, :rows::integer) i"
      #expect(await harness.effects.answer(.sql(numbers, ["rows": 1000])).rows?.count == 1000)
      for rows in [1001, 100_000] as [JSON] {
        #expect(await harness.effects.answer(.sql(numbers, ["rows": rows])).kind == .tooLarge)
        let insert = "INSERT INTO n SELECT i FROM generate_series(1, :rows::integer) i RETURNING i"
        #expect(await harness.effects.answer(.sql(insert, ["rows": rows])).kind == .tooLarge)
      }
      for size in [1 << 20, 20 << 20, 200 << 20] as [Int] {
        let text = "SELECT repeat('x', :size::integer) AS a, 'y' AS b"
        let response = await harness.effects.answer(.sql(text, ["size": .integer(Int64(size))]))
        #expect(response.kind == .tooLarge, "\(response.reason ?? "")")
      }
      let printed = try harness.psql("SELECT count(*) FROM n")
      #expect(printed == "0\n")
    }
  }

  // MARK: Prepared statements

  @Test func `a statement goes on when its table has changed meanwhile`() async throws {
    try await PostgresHarness.with("CREATE TABLE t (a integer); INSERT INTO t VALUES (1)", connections: 1) { harness in
      let all = EffectRequest.sql("SELECT * FROM t")
      let one = EffectRequest.sql("SELECT a FROM t WHERE a = :a", ["a": "1"])
      #expect(await harness.effects.answer(all).rows == [["a": 1]])
      #expect(await harness.effects.answer(one).rows == [["a": 1]])
      try harness.psql("ALTER TABLE t ADD COLUMN b text DEFAULT 'x'")
      #expect(await harness.effects.answer(all).rows == [["a": 1, "b": "x"]])
      try harness.psql("ALTER TABLE t ALTER COLUMN a TYPE text USING 'n' || a")
      #expect(await harness.effects.answer(all).rows == [["a": "n1", "b": "x"]])
      let text = await harness.effects.answer(.sql("SELECT a FROM t WHERE a = :a", ["a": "n1"]))
      #expect(text.rows == [["a": "n1"]], "\(text.reason ?? "")")
      try harness.psql("DROP TABLE t")
      #expect(await harness.effects.answer(all).sqlState == "42P01")
      try harness.psql("CREATE TABLE t (c integer); INSERT INTO t VALUES (3)")
      #expect(await harness.effects.answer(all).rows == [["c": 3]])
    }
  }

  @Test func `a statement that the server has forgotten is prepared again`() async throws {
    let forget = "CREATE FUNCTION forget() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE ALL; END $$"
    try await PostgresHarness.with(forget, connections: 1) { harness in
      for value in [1, 2, 3] as [JSON] {
        let response = await harness.effects.answer(.sql("SELECT :x::integer AS x", ["x": value]))
        #expect(response.rows == [["x": value]], "\(response.reason ?? "")")
        #expect(await harness.effects.answer(.sql("SELECT forget()::text AS x")).kind == .ok)
      }
    }
  }

  @Test func `a connection prepares a statement once, and keeps so many`() async throws {
    try await PostgresHarness.with(connections: 1) { harness in
      let names = EffectRequest.sql("SELECT count(*) AS n FROM pg_prepared_statements WHERE name LIKE 'formd%'")
      for _ in 0..<3 { #expect(await harness.effects.answer(.sql("SELECT 1 AS one")).rows == [["one": 1]]) }
      #expect(await harness.effects.answer(names).rows == [["n": 2]])
      for number in 0..<100 {
        #expect(await harness.effects.answer(.sql("SELECT \(number) AS n")).rows == [["n": .integer(Int64(number))]])
      }
      // The oldest statement is closed when the next one is run.
      #expect(await harness.effects.answer(names).rows == [["n": 65]])
    }
  }
}
