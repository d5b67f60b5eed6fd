internal import Client
internal import FormProtocol

/// The output of `formctl sessions`: lines of text.
struct KeptSessionsView {
  /// The daemon's statistics.
  private let statistics: ServerStatistics

  init(_ statistics: ServerStatistics) {
    self.statistics = statistics
  }

  /// A table, and the number of sessions that are left out.
  var lines: [String] {
    let entries = statistics.kept.map { session in
      [
        "\(session.session)", TopView.duration(session.ageMs), "\(session.connections)",
        session.endsInMs.map(TopView.duration) ?? "-", TopView.bytes(session.bytes), session.form,
      ]
    }
    let table = TextTable(head: ["SESSION", "AGE", "CONNECTIONS", "ENDS IN", "MEMORY", "FORM"], entries: entries)
    let more = statistics.keptSessions - entries.count
    return table.lines + (more > 0 ? ["and \(more) more"] : [])
  }
}
