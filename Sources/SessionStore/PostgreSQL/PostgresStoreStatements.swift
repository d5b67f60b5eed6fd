internal import PostgreSQL

/// The statements of a store in PostgreSQL, which several daemons share. `$1` is this process in all that name it.
///
/// A statement checks whether an owner's lease has run out under a lock on the owner's row, which the owner's renewal
/// needs, too. It uses `clock_timestamp()`, which goes on within a statement. If another transaction has just changed a
/// session's row, the condition on that row is checked again (`READ COMMITTED`).
///
/// **How a session moves from one process to another.** A session has at most one request: three columns of its row.
///
/// - `wanted_by` is the process that asks the owner for the session. NULL: there is no request.
/// - `wanted_until` is the end of the request, by the database's clock. Each claim of the asker sets it to a lease from
///   then. So the request of an asker that gives up without a word, or that dies, ends by itself. A request of a
///   process whose lease has run out does not count either.
/// - `wanted_takes` is the number of the request, which the asker gives to each one. It is negative if the owner is to
///   refuse while clients use the session. An answer to another number changes nothing.
///
/// An asker writes the columns only if no other process's request counts (``claim(_:for:)``). Otherwise it waits, and
/// claims again. Its last claim removes its request. A process that takes a free session leaves the request of another
/// process, and has to answer it. So an asker that finds its request gone, and has not got the session, was refused (or
/// it has been silent for a lease).
///
/// The owner answers by one statement, which does nothing if the request does not count any more
/// (``answer(_:gives:)``): it makes the asker the owner, or it only removes the request. It also releases sessions
/// that no client uses, without a condition. From the time at which the owner sends an answer that gives a session, it
/// tells no client anything until it knows the result: the asker may have changed the session. If the result stays
/// unknown, the session ends at the owner. If a process dies, its sessions are free when its lease has run out. That
/// holds for an asker that was given a session, too.
struct PostgresStoreStatements {
  typealias Statement = StoreConnection.Statement

  let settings: PostgresStoreSettings
  /// This process.
  private var me: PostgresValue { .text(settings.process) }

  /// The channel of the notifications to a process. They have no text. An identity has only hexadecimal digits.
  static func channel(of instance: String) -> String { "formd_\(instance)" }

  /// The channel of the notifications to all processes. Their text is the identity of a session in hexadecimal.
  static let channelOfAll = "formd"

  /// Notifies all processes of a session that was asked for, because several may wait for it.
  private static let notifyAll = """
    CASE WHEN wanted_by IS NOT NULL THEN pg_notify('\(channelOfAll)', encode(id, 'hex'))::text END
    """

  // MARK: Processes

  /// Makes the row of this process if it has none, and ends the leases of earlier processes of this machine.
  ///
  /// - Parameter lease: from now on; nil: none.
  func enroll(lease: Duration?) -> [Statement] {
    [
      Statement(
        """
        INSERT INTO formd_instance (id, name, machine, until)
        VALUES ($1, $2, $3, CASE WHEN $4 > 0 THEN clock_timestamp() + make_interval(secs => $4) ELSE '-infinity' END)
        ON CONFLICT (id) DO NOTHING
        """,
        [me, .text(settings.instance), .text(settings.machine), .number((lease ?? .zero) / .seconds(1))]
      ),
      Statement(
        """
        UPDATE formd_instance e SET until = '-infinity' FROM formd_instance me
        WHERE me.id = $1 AND e.machine = me.machine AND e.started < me.started AND e.until > '-infinity'
        """,
        [me]
      ),
    ]
  }

  /// Renews the lease. Its statements answer, by position:
  /// - 1: a row if this process has one;
  /// - 2: the sessions of this process, if the lease had run out, or if they are wanted;
  /// - 3: requests of other daemons for them.
  func renew(for lease: Duration, wantsOwned: Bool) -> [Statement] {
    [
      // Another process that checks this lease holds a lock on the row. The next statements run after it has released
      // the lock.
      Statement("SELECT FROM formd_instance WHERE id = $1 FOR NO KEY UPDATE", [me]),
      Statement(
        """
        WITH before AS MATERIALIZED (
          SELECT $3 OR i.until <= clock_timestamp()
            OR EXISTS (SELECT FROM formd_instance l WHERE l.machine = i.machine AND l.started > i.started) AS is_late
          FROM formd_instance i WHERE i.id = $1
        ), renewed AS (
          UPDATE formd_instance SET until = clock_timestamp() + make_interval(secs => $2) WHERE id = $1
        )
        SELECT set_config('formd.is_late', is_late::text, true), is_late FROM before
        """,
        [me, .number(lease / .seconds(1)), .flag(wantsOwned)]
      ),
      Statement(
        "SELECT id FROM formd_session WHERE owner = $1 AND current_setting('formd.is_late', true) = 'true'",
        [me]
      ),
      Statement(
        """
        SELECT s.id, s.wanted_by, s.wanted_takes FROM formd_session s JOIN formd_instance a ON a.id = s.wanted_by
        WHERE s.owner = $1 AND s.wanted_until > (SELECT clock_timestamp()) AND a.until > (SELECT clock_timestamp())
        """,
        [me]
      ),
    ]
  }

  /// Deletes the rows of processes that have long been dead and own nothing.
  func forgetDead() -> Statement {
    Statement(
      """
      DELETE FROM formd_instance i WHERE i.id <> $1 AND i.until < clock_timestamp() - interval '1 day'
        AND NOT EXISTS (SELECT FROM formd_session s WHERE s.owner = i.id)
      """,
      [me]
    )
  }

  /// Releases all sessions of this process, and ends its lease.
  func end() -> [Statement] {
    return [
      // Claims hold a lock on the row while they need the session's row. So they come first here, too.
      Statement("SELECT FROM formd_instance WHERE id = $1 FOR UPDATE", [me]),
      Statement(
        """
        WITH freed AS (
          UPDATE formd_session SET owner = NULL, version = version + 1 WHERE owner = $1 RETURNING id, wanted_by
        )
        SELECT \(Self.notifyAll) FROM freed
        """,
        [me]
      ),
      Statement("DELETE FROM formd_instance WHERE id = $1", [me]),
    ]
  }

  // MARK: Claims

  /// The owners of the sessions `$2` whose leases have run out, and those that are earlier processes of this machine:
  /// `free`. They stay so until the transaction ends.
  private static let freeOwners = """
    owner AS MATERIALIZED (
      SELECT i.id, i.until, i.machine, i.started FROM formd_instance i
      WHERE i.id <> $1 AND i.id IN (SELECT s.owner FROM formd_session s WHERE s.id = ANY ($2)) FOR SHARE OF i
    ), free AS MATERIALIZED (
      SELECT o.id FROM owner o WHERE o.until <= clock_timestamp()
        OR EXISTS (SELECT FROM formd_instance me WHERE me.id = $1 AND me.machine = o.machine AND me.started > o.started)
    )
    """

  /// The result of ``take(_:)`` or ``claim(_:for:)``.
  struct Claimed {
    /// The sessions that belong to this process now.
    var sessions: [StoredSessionID: (entry: SessionWriter.Entry, session: StoredSession)] = [:]
    /// The instance ID of the session's owner, and what has become of the request.
    var held: (owner: String, ClaimResult.Request)?
    /// Whether the session is there. If it is, but the claim got neither the session nor another owner, the session has
    /// changed during the claim. Its owner may even have given it to this process.
    var isThere = false
  }

  /// Adds a row of ``take(_:)`` or ``claim(_:for:)``.
  func read(_ statement: Int, _ row: PostgresResult, into claimed: inout Claimed) {
    switch statement {
    case 0:
      guard let id = row.session else { return }
      let expiry = Int64((settings.wallClock() + (row.number(0, 4) ?? 0)).rounded())
      claimed.sessions[id] = (
        SessionWriter.Entry(number: row.integer(0, 1) ?? 0, version: row.integer(0, 2) ?? 0),
        StoredSession(facts: StoredFacts(form: row.text(0, 3), expiry: expiry), parts: [])
      )
    case 1:
      guard let id = row.session else { return }
      claimed.sessions[id]?.session.parts.append((row.integer(0, 1) ?? 0, row.bytes(0, 2).map { Array($0) } ?? []))
    case 2: claimed.held = (row.text(0, 0), row.flag(0, 1) ? .isOver : row.flag(0, 2) ? .placed : .isNext)
    case 3: claimed.isThere = row.flag(0, 0)
    default: break
    }
  }

  /// Takes those sessions that no living process has. Its rows are for ``read(_:_:into:)``.
  ///
  /// It locks no session of a living process. It locks the others in the order of their identities, so that two
  /// processes do not wait for each other.
  func take(_ claims: [SessionClaim]) -> [Statement] {
    let sessions = PostgresValue.byteLists(claims.map(\.id.bytes))
    return [
      Statement(
        """
        WITH \(Self.freeOwners), wanted AS MATERIALIZED (
          SELECT s.number FROM formd_session s JOIN unnest($2, $3) w (id, grace) ON w.id = s.id
          WHERE (s.owner IS NULL OR s.owner = $1 OR s.owner IN (SELECT id FROM free))
            AND s.expiry + make_interval(secs => w.grace) > clock_timestamp()
          ORDER BY s.id FOR NO KEY UPDATE OF s
        )
        UPDATE formd_session s SET owner = $1, version = s.version + 1, wanted_by = nullif(s.wanted_by, $1)
        FROM wanted w WHERE s.number = w.number
        RETURNING s.id, s.number, s.version, s.form, extract(epoch FROM s.expiry - clock_timestamp())::float8
        """,
        [me, sessions, .numbers(claims.map { Double($0.grace) })]
      ),
      Statement(
        """
        SELECT s.id, p.number, p.bytes FROM formd_session s JOIN formd_part p ON p.session = s.number
        WHERE s.id = ANY ($2) AND s.owner = $1 ORDER BY p.number
        """,
        [me, sessions]
      ),
    ]
  }

  /// Takes a session, or asks its owner for it. Its rows are for ``read(_:_:into:)``.
  func claim(_ claim: SessionClaim, for lease: Duration) -> [Statement] {
    let session = PostgresValue.bytes(claim.id.bytes)
    return take([claim]) + [
      Statement(
        """
        WITH held AS MATERIALIZED (
          SELECT s.number, i.id AS owner, i.name,
            coalesce(s.wanted_by = $1 AND s.wanted_takes = $3, false) AS is_mine,
            s.wanted_by <> $1 AND s.wanted_until > clock_timestamp()
              AND EXISTS (SELECT FROM formd_instance a WHERE a.id = s.wanted_by AND a.until > clock_timestamp())
              AS is_wanted
          FROM formd_session s JOIN formd_instance i ON i.id = s.owner
          WHERE s.id = $2 AND s.owner <> $1 AND i.until > clock_timestamp() FOR NO KEY UPDATE OF s
        ), verdict AS MATERIALIZED (
          SELECT h.*, $5 OR $4 AND NOT h.is_mine AS is_over FROM held h
        ), changed AS (
          UPDATE formd_session s SET wanted_by = CASE WHEN NOT v.is_over THEN $1 END,
            wanted_until = clock_timestamp() + make_interval(secs => $6), wanted_takes = $3
          FROM verdict v
          WHERE s.number = v.number AND CASE WHEN v.is_over THEN v.is_mine ELSE v.is_wanted IS NOT TRUE END
          RETURNING s.number
        )
        SELECT v.name, v.is_over, c.number IS NOT NULL,
          CASE WHEN c.number IS NOT NULL AND NOT v.is_over THEN pg_notify('\(Self.channel(of: ""))' || v.owner, '')::text END
        FROM verdict v LEFT JOIN changed c ON true
        """,
        [
          me, session, .integer(claim.wantedTakes), .flag(claim.isAsked), .flag(claim.isLast),
          .number(lease / .seconds(1)),
        ]
      ),
      Statement(
        """
        SELECT EXISTS (
          SELECT FROM formd_session s
          WHERE s.id = $1 AND s.expiry + make_interval(secs => $2) > clock_timestamp())
        """,
        [session, .number(Double(claim.grace))]
      ),
    ]
  }

  /// Gives a session to the asking process, or refuses it. The second statement has a row if the session still belongs
  /// to this process.
  func answer(_ request: SessionRequest, gives: Bool) -> [Statement] {
    let session = PostgresValue.bytes(request.id.bytes)
    return [
      Statement(
        """
        WITH answered AS (
          UPDATE formd_session s SET owner = CASE WHEN $5 THEN a.id ELSE s.owner END,
            version = s.version + CASE WHEN $5 THEN 1 ELSE 0 END, wanted_by = NULL
          FROM formd_instance a
          WHERE s.id = $2 AND s.owner = $1 AND s.wanted_by = $3 AND s.wanted_takes = $4
            AND s.wanted_until > clock_timestamp() AND a.id = $3 AND a.until > clock_timestamp()
          RETURNING s.id, a.id AS wanted_by
        )
        SELECT \(Self.notifyAll) FROM answered
        """,
        [me, session, .text(request.asker), .integer(request.wantedTakes), .flag(gives)]
      ),
      Statement("SELECT FROM formd_session WHERE id = $2 AND owner = $1", [me, session]),
    ]
  }

  /// This process releases sessions, each in that version; nil: in any.
  func release(_ sessions: [(id: StoredSessionID, version: Int64?)]) -> Statement {
    Statement(
      """
      WITH freed AS (
        UPDATE formd_session s SET owner = NULL, version = s.version + 1 FROM unnest($2, $3) w (id, version)
        WHERE s.id = w.id AND s.owner = $1 AND (s.version = w.version OR w.version < 0)
        RETURNING s.id, s.wanted_by
      )
      SELECT \(Self.notifyAll) FROM freed
      """,
      [
        me, .byteLists(sessions.map(\.id.bytes)),
        .integers(sessions.map { $0.version ?? -1 }),
      ]
    )
  }

  // MARK: What is over

  /// Removes a session. It has a row if the session was there and was removed.
  ///
  /// - Parameter version: the version in which this process has left it; nil: it does not know.
  func remove(_ id: StoredSessionID, version: Int64?, grace: Int64) -> Statement {
    Statement(
      """
      WITH \(Self.freeOwners), gone AS (
        DELETE FROM formd_session s
        WHERE s.id = ANY ($2) AND (s.owner = $1 AND (s.version = $3 OR $3 < 0)
          OR (s.owner IS NULL OR s.owner IN (SELECT id FROM free))
            AND s.expiry + make_interval(secs => $4) <= clock_timestamp())
        RETURNING s.id, s.wanted_by
      )
      SELECT \(Self.notifyAll) FROM gone
      """,
      [me, .byteLists([id.bytes]), .integer(version ?? -1), .number(Double(grace))]
    )
  }

  /// Expired sessions.
  func expired(grace: Int64, atMost countMax: Int) -> Statement {
    Statement(
      """
      SELECT s.id FROM formd_session s LEFT JOIN formd_instance i ON i.id = s.owner
      WHERE s.expiry <= (SELECT clock_timestamp() - make_interval(secs => $2))
        AND (s.owner IS NULL OR s.owner = $1 OR i.until <= (SELECT clock_timestamp()))
      ORDER BY s.expiry LIMIT $3
      """,
      [me, .number(Double(grace)), .integer(Int64(countMax))]
    )
  }

  /// The number of sessions of all processes, including expired ones.
  let count = Statement("SELECT count(*) FROM formd_session")

  // MARK: All of it

  /// Tries all that writing needs: the permission, no lock in the way, and room on the disk, for about as much as a few
  /// turns take.
  func probe() -> [Statement] {
    [
      write(WriteGroup(), [:]),
      Statement("LOCK TABLE formd_instance IN ROW EXCLUSIVE MODE"),
      Statement("INSERT INTO formd_probe SELECT decode(repeat('5a', 65536), 'hex')"),
      Statement("DELETE FROM formd_probe"),
    ]
  }

  // MARK: Writes

  /// Writes many sessions. It returns the positions in the group and the numbers of the written sessions.
  ///
  /// If the session of a first write is already there, an earlier try with an unknown end has written it: only a later
  /// try replaces it. So a try that reaches the server late, after the try that replaced it, changes nothing.
  ///
  /// - Parameter entries: has an entry for each member; for a first write, the entry has the number of this try.
  func write(_ group: WriteGroup, _ entries: [StoredSessionID: SessionWriter.Entry]) -> Statement {
    typealias Row = (position: Int64, member: WriteGroup.Member, entry: SessionWriter.Entry)
    let rows: [Row] = group.members.enumerated().map { position, member in
      guard let entry = entries[member.formerID] else { preconditionFailure("a session that is written has no entry") }
      return (Int64(position), member, entry)
    }
    let (known, first) = (rows.filter(\.entry.isThere), rows.filter { !$0.entry.isThere })
    let parts = rows.flatMap { row in
      row.member.parts.map { (position: row.position, number: $0.number, bytes: $0.bytes) }
    }
    return Statement(
      Self.writing,
      [
        me,
        // The sessions that are there.
        .integers(known.map(\.position)), .integers(known.map(\.entry.number)),
        .integers(known.map(\.entry.version)), .byteLists(known.map(\.member.formerID.bytes)),
        .byteLists(known.map { $0.member.id == $0.member.formerID ? nil : $0.member.id.bytes }),
        .texts(known.map(\.member.form)), .numbers(known.map(\.member.secondsLeft)),
        .flags(known.map(\.member.isWhole)),
        // First writes.
        .integers(first.map(\.position)), .byteLists(first.map(\.member.id.bytes)),
        .integers(first.map(\.entry.version)), .texts(first.map { $0.member.form ?? "" }),
        .numbers(first.map { $0.member.secondsLeft ?? 0 }),
        // Parts; no bytes: the part is removed.
        .integers(parts.map(\.position)), .integers(parts.map(\.number)), .byteLists(parts.map(\.bytes)),
      ]
    )
  }

  /// All parts of a statement see the sessions as they were before it. So at most one part may change each row.
  ///
  /// A number alone does not identify a session: after a fail-over to a replica that lagged, another session may have
  /// it.
  private static let writing = """
    WITH head AS (
      UPDATE formd_session s SET version = s.version + 1, id = coalesce(w.id, s.id), form = coalesce(w.form, s.form),
        expiry = coalesce(clock_timestamp() + make_interval(secs => w.seconds), s.expiry),
        wanted_by = CASE WHEN w.id IS NULL THEN s.wanted_by END
      FROM unnest($2, $3, $4, $5, $6, $7, $8, $9) w (position, number, version, former_id, id, form, seconds, is_whole)
      WHERE s.number = w.number AND s.id = w.former_id AND s.version = w.version AND s.owner = $1
      RETURNING w.position, s.number, w.is_whole
    ), first AS MATERIALIZED (
      SELECT * FROM unnest($10, $11, $12, $13, $14) w (position, id, version, form, seconds)
    ), made AS (
      INSERT INTO formd_session AS s (id, owner, version, form, expiry)
      SELECT id, $1, version, form, clock_timestamp() + make_interval(secs => seconds) FROM first
      ON CONFLICT (id) DO UPDATE SET version = excluded.version, form = excluded.form, expiry = excluded.expiry
        WHERE s.owner = excluded.owner AND s.version < excluded.version
      RETURNING s.number, s.id
    ), written AS MATERIALIZED (
      SELECT position, number, is_whole FROM head
      UNION ALL SELECT f.position, m.number, true FROM made m JOIN first f ON f.id = m.id
    ), part AS MATERIALIZED (
      SELECT w.number AS session, p.number, p.bytes
      FROM unnest($15, $16, $17) p (position, number, bytes) JOIN written w ON w.position = p.position
    ), gone AS (
      DELETE FROM formd_part q USING part p WHERE q.session = p.session AND q.number = p.number AND p.bytes IS NULL
    ), replaced AS (
      DELETE FROM formd_part q USING written w WHERE w.is_whole AND q.session = w.number AND q.number >= 0
        AND NOT EXISTS (SELECT FROM part p WHERE p.session = q.session AND p.number = q.number)
    ), put AS (
      INSERT INTO formd_part AS q (session, number, bytes)
      SELECT p.session, p.number, p.bytes FROM part p WHERE p.bytes IS NOT NULL
      ON CONFLICT (session, number) DO UPDATE SET bytes = excluded.bytes
    )
    SELECT position, number FROM written
    """

  /// Larger than the number of writes that a session will have.
  static let lookUpStep: Int64 = 1 << 32

  /// Gives sessions of this process a version that is new to everyone, and returns their identity, number and version.
  /// So no earlier write that was sent and has not been done can be done from now on.
  func lookUp(_ ids: [StoredSessionID]) -> Statement {
    Statement(
      """
      UPDATE formd_session s SET version = s.version + $3 WHERE s.owner = $1 AND s.id = ANY ($2)
      RETURNING s.id, s.number, s.version
      """,
      [me, .byteLists(ids.map(\.bytes)), .integer(Self.lookUpStep)]
    )
  }
}

extension StoredSessionID {
  fileprivate var bytes: [UInt8] { withBytes { Array($0) } }
}

extension PostgresResult {
  /// The identity in the first column of a single row.
  var session: StoredSessionID? { bytes(0, 0).flatMap { StoredSessionID($0) } }
}
