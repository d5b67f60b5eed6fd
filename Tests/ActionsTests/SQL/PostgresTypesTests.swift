internal import Actions
internal import JSON
internal import PostgresTesting
internal import Sessions
internal import Testing

// The tests run serially: each opens its own connections, and a server accepts only a few.
@Suite(.serialized, .needsPostgreSQL)
struct PostgresTypesTests {
  private static let setup = """
    CREATE TYPE mood AS ENUM ('happy', 'so so', 'NULL');
    CREATE DOMAIN stars AS integer CHECK (VALUE BETWEEN 1 AND 5);
    CREATE DOMAIN tags AS text[];
    CREATE TYPE place AS (x integer, y text);
    """

  /// SQL expressions, and their values in an answer.
  private static let values: [(expression: String, json: JSON)] = [
    ("NULL::integer", .null), ("true", true), ("false", false),
    ("32767::smallint", 32767), ("(-2147483648)::integer", -2_147_483_648),
    ("9223372036854775807::bigint", .integer(.max)), ("4294967295::oid", 4_294_967_295),
    ("1.5::real", 1.5), ("0.1::double precision", 0.1), ("1e300::double precision", 1e300),
    ("3::double precision", 3),
    ("'NaN'::double precision", "NaN"), ("'-Infinity'::real", "-Infinity"),
    ("12.50::numeric", 12.5), ("100::numeric", 100), ("-0.000001::numeric", -0.000001),
    // Neither a double nor 64 bits hold them.
    ("12345678901234567890123.45::numeric", "12345678901234567890123.45"),
    ("0.12345678901234567890::numeric", "0.12345678901234567890"), ("'NaN'::numeric", "NaN"),
    ("'글 \"x\"'::text", "글 \"x\""), ("'ab'::varchar(5)", "ab"), ("'ab'::char(4)", "ab  "), ("'n'::name", "n"),
    ("date '2026-11-23'", "2026-11-23"), ("date '0044-03-15 BC'", "0044-03-15 BC"), ("date 'infinity'", "infinity"),
    ("time '10:00:00.5'", "10:00:00.5"), ("timetz '10:00:00+09'", "10:00:00+09:00"),
    ("timetz '10:00:00+05:30'", "10:00:00+05:30"), ("timetz '10:00:00+00'", "10:00:00Z"),
    ("timestamp '2026-11-23 10:00:00.123456'", "2026-11-23T10:00:00.123456"),
    ("timestamptz '2026-11-23 10:00:00.5+09'", "2026-11-23T01:00:00.5Z"),
    ("timestamptz '0001-01-01 00:00:00+00'", "0001-01-01T00:00:00Z"), ("timestamptz '-infinity'", "-infinity"),
    ("timestamp '12026-01-01 00:00:00'", "12026-01-01 00:00:00"),
    ("interval '1 year 2 mons 3 days 04:05:06.7'", "P1Y2M3DT4H5M6.7S"), ("interval '-90 minutes'", "PT-1H-30M"),
    ("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    (#"'\x00ff10'::bytea"#, "AP8Q"), ("''::bytea", ""),
    (#"'{"a": [1, null, "x"]}'::json"#, ["a": [1, .null, "x"]]), (#"'{"b": 1.50}'::jsonb"#, ["b": 1.5]),
    ("'null'::jsonb", .null),
    ("ARRAY[1, NULL, 3]", [1, .null, 3]), ("'{}'::integer[]", []), ("ARRAY[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
    (#"ARRAY['a,b', 'c"d\', '{}', '', 'NULL', NULL, ' ']"#, [#"a,b"#, #"c"d\"#, "{}", "", "NULL", .null, " "]),
    ("'[0:1]={7,8}'::integer[]", [7, 8]), ("ARRAY[true, false]", [true, false]),
    (#"ARRAY['{"a": "b"}'::jsonb]"#, [["a": "b"]]),
    ("ARRAY[timestamptz '2026-11-23 10:00:00+09']", ["2026-11-23T01:00:00Z"]),
    ("ARRAY['x'::bytea]", ["eA=="]), ("ARRAY[1.5::numeric, 2]", [1.5, 2]),
    ("'{((0,0),(1,1));((2,2),(3,3))}'::box[]", ["(1,1),(0,0)", "(3,3),(2,2)"]),
    ("'so so'::mood", "so so"), ("ARRAY['NULL'::mood, NULL]", ["NULL", .null]), ("3::stars", 3),
    ("ARRAY['a']::tags", ["a"]),
    ("(1, 'a')::place", "(1,a)"), ("'192.168.0.1/24'::inet", "192.168.0.1/24"), ("int4range(1, 5)", "[1,5)"),
  ]

  @Test func `a value of a type comes as JSON`() async throws {
    try await PostgresHarness.with(Self.setup) { harness in
      for (expression, expected) in Self.values {
        let response = await harness.effects.answer(.sql("SELECT \(expression) AS value"))
        #expect(response.rows == [["value": expected]], "\(expression): \(response.reason ?? "")")
      }
    }
  }

  @Test func `what the database sets for its roles changes no text`() async throws {
    try await PostgresHarness.with { harness in
      try harness.psql(
        """
        ALTER DATABASE \(harness.database) SET datestyle = 'German, DMY';
        ALTER DATABASE \(harness.database) SET intervalstyle = 'postgres_verbose';
        ALTER DATABASE \(harness.database) SET bytea_output = 'escape';
        ALTER DATABASE \(harness.database) SET timezone = 'Asia/Kolkata';
        """
      )
      let query = """
        SELECT date '2026-11-03' AS d, interval '1 day' AS i, 'x'::bytea AS b, timestamptz '2026-11-23 10:00:00+00' AS t,
          timestamptz '1800-01-01 00:00:00+00' AS old
        """
      let response = await harness.effects.answer(.sql(query))
      #expect(
        response.rows == [
          ["d": "2026-11-03", "i": "P1D", "b": "eA==", "t": "2026-11-23T10:00:00Z", "old": "1800-01-01T00:00:00Z"]
        ],
        "\(response.reason ?? "")"
      )
    }
  }

  /// Types of parameters, values that are bound to them, and the values in the answer.
  private static let parameters: [(type: String, value: JSON, answer: JSON)] = [
    ("integer", 7, 7), ("integer", 5.0, 5), ("integer", "7", 7), ("integer", true, 1), ("integer", .null, .null),
    ("bigint", .integer(.max), .integer(.max)), ("boolean", false, false), ("numeric", 0.1, 0.1),
    ("numeric", "12.50", 12.5),
    ("double precision", 1e300, 1e300), ("text", "'; DROP TABLE t; --", "'; DROP TABLE t; --"), ("text", 5, "5"),
    ("text", [1, "a"], #"[1,"a"]"#), ("text", ["a": .null], #"{"a":null}"#), ("text", "", ""),
    ("date", "2026-11-23", "2026-11-23"), ("timestamptz", "2026-11-23T10:00:00+09:00", "2026-11-23T01:00:00Z"),
    ("timestamp", "2026-11-23T10:00:00", "2026-11-23T10:00:00"), ("interval", "P1DT2H", "P1DT2H"),
    ("uuid", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("bytea", "AP8Q", "AP8Q"), ("jsonb", ["a": [1, .null]], ["a": [1, .null]]), ("jsonb", "x", "x"),
    ("json", [1], [1]),
    ("integer[]", [1, .null, 3], [1, .null, 3]), ("integer[]", [[1, 2], [3, 4]], [[1, 2], [3, 4]]),
    ("text[]", [], []),
    ("text[]", ["a,b", "c\"d\\", "", "NULL", .null, "글"], ["a,b", "c\"d\\", "", "NULL", .null, "글"]),
    ("jsonb[]", [[1, 2], ["a": 1]], [[1, 2], ["a": 1]]),
    ("timestamptz[]", ["2026-11-23T10:00:00Z"], ["2026-11-23T10:00:00Z"]),
    ("mood", "so so", "so so"), ("mood[]", ["happy", .null], ["happy", .null]), ("stars", 3, 3),
    ("tags", ["a"], ["a"]),
  ]

  @Test func `a JSON value is bound as the type that the server wants`() async throws {
    try await PostgresHarness.with(Self.setup) { harness in
      for (type, value, expected) in Self.parameters {
        let response = await harness.effects.answer(.sql("SELECT :value::\(type) AS value", ["value": value]))
        #expect(response.rows == [["value": expected]], "\(value) as \(type): \(response.reason ?? "")")
      }
    }
  }

  /// Types of parameters, values of other types, and the words of the reason.
  private static let misfits: [(type: String, value: JSON, wanted: String)] = [
    ("integer", "canary-7c1", "integer"), ("integer", 5.5, "integer"), ("smallint", 40000, "smallint"),
    ("boolean", "canary-7c1", "boolean"), ("numeric", "canary-7c1", "numeric"), ("uuid", "canary-7c1", "uuid"),
    ("date", "canary-7c1", "date"), ("timestamptz", "canary-7c1", "timestamp with time zone"),
    ("bytea", "canary-7c1!", "base64"),
    ("integer[]", ["canary-7c1"], "integer[]"), ("mood", "canary-7c1", "mood"), ("text", "canary-7c1\u{0}", "U+0000"),
  ]

  @Test func `a value that is none of its type is an error that names the parameter, and does not say the value`()
    async throws
  {
    try await PostgresHarness.with(Self.setup) { harness in
      for (type, value, wanted) in Self.misfits {
        let query = "SELECT :first::text AS a, :second::\(type) AS b"
        let response = await harness.effects.answer(.sql(query, ["first": "x", "second": value]))
        #expect(response.kind == .error, "\(type)")
        #expect(response.sqlState?.hasPrefix("22") == true, "\(type)")
        let reason = response.reason ?? ""
        #expect(reason.contains("the parameter :second needs a value of type"), "\(reason)")
        #expect(reason.contains(wanted), "\(reason)")
        #expect(!reason.contains("canary"), "\(reason)")
        // The connection and its statements still work.
        #expect(await harness.effects.answer(.sql("SELECT 1 AS one")).rows == [["one": 1]])
      }
    }
  }
}

extension EffectRequest {
  /// A query of the database `main`.
  static func sql(_ query: String, _ parameters: JSONObject = [:], in database: String = "main") -> EffectRequest {
    .sql(SQLRequest(database: database, query: query, parameters: parameters))
  }
}
