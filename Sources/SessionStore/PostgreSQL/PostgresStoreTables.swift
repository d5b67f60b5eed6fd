/// The tables of a store that several daemons share.
enum PostgresStoreTables {
  /// The edition that this program knows.
  static let edition: Int64 = Int64(editions.count)

  /// The statements that make each edition of the one before. A released edition does not change any more.
  static let editions: [[String]] = [
    [
      "CREATE TABLE formd_edition (number bigint NOT NULL)",
      """
      CREATE TABLE formd_instance (
        id text PRIMARY KEY,
        -- In the order in which they came: of one machine the last one has the machine's lock file.
        started bigint GENERATED ALWAYS AS IDENTITY,
        name text NOT NULL,
        machine text,
        until timestamptz NOT NULL
      ) WITH (fillfactor = 50)
      """,
      "CREATE INDEX formd_instance_machine ON formd_instance (machine)",
      """
      CREATE TABLE formd_session (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id bytea NOT NULL CONSTRAINT formd_session_id UNIQUE,
        owner text CONSTRAINT formd_session_owner REFERENCES formd_instance,
        version bigint NOT NULL,
        form text NOT NULL,
        expiry timestamptz NOT NULL
      ) WITH (fillfactor = 80)
      """,
      "CREATE INDEX formd_session_by_expiry ON formd_session (expiry)",
      "CREATE INDEX formd_session_by_owner ON formd_session (owner) WHERE owner IS NOT NULL",
      """
      CREATE TABLE formd_part (
        session bigint NOT NULL CONSTRAINT formd_part_session REFERENCES formd_session ON DELETE CASCADE,
        number bigint NOT NULL,
        bytes bytea NOT NULL,
        PRIMARY KEY (session, number)
      ) WITH (fillfactor = 80)
      """,
      """
      CREATE TABLE formd_request (
        session bigint NOT NULL CONSTRAINT formd_request_session REFERENCES formd_session ON DELETE CASCADE,
        asker text NOT NULL CONSTRAINT formd_request_asker REFERENCES formd_instance ON DELETE CASCADE,
        -- By which identity it was asked for: the session may have another one meanwhile.
        id bytea NOT NULL,
        number bigint NOT NULL,
        takes boolean NOT NULL,
        -- NULL: it has no answer.
        is_granted boolean,
        asked timestamptz NOT NULL,
        PRIMARY KEY (session, asker)
      )
      """,
      "CREATE INDEX formd_request_by_asker ON formd_request (asker)",
      "CREATE TABLE formd_probe (bytes bytea NOT NULL)",
      // The value takes its full size, because it is not compressed.
      "ALTER TABLE formd_probe ALTER bytes SET STORAGE EXTERNAL",
      "INSERT INTO formd_edition VALUES (0)",
    ],
    [
      "DROP TABLE formd_request",
      """
      ALTER TABLE formd_session
        -- The process that asks the owner for the session. NULL: none, and the next two columns mean nothing.
        ADD wanted_by text,
        ADD wanted_until timestamptz,
        -- The number of the request; negative if it does not take a session in use.
        ADD wanted_takes bigint
      """,
      "CREATE INDEX formd_session_wanted ON formd_session (owner) WHERE wanted_by IS NOT NULL",
    ],
  ]

  /// The lock of the process that makes tables, until its transaction ends ("fmds" and "tabl").
  static let lock: Int64 = 0x666d_6473_7461_626c

  /// Whether the tables are there, and whether nothing can be written. (`to_regclass` opens no catalog, and so does not
  /// notice changes. If it has not found a table once, it does not find it under the lock either, even if another
  /// process has made the table in between.)
  static let look = """
    SELECT EXISTS (
        SELECT FROM pg_catalog.pg_class c WHERE c.relname = 'formd_edition' AND pg_catalog.pg_table_is_visible(c.oid)
      ),
      pg_catalog.pg_is_in_recovery() OR pg_catalog.current_setting('transaction_read_only') = 'on'
    """
}
