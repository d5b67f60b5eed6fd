/// A bound that protects the daemon: its name on the wire and in the configuration, and all its other properties.
/// `server/info` gives the limits in force.
///
/// ``summary`` says what each case bounds.
public enum Limit: Int, WireName {
  case textBytesMax
  case depthMax
  case nodesMax
  case batchMax
  case connectionsMax
  case sessionsPerConnectionMax
  case sessionsMax
  case keptSessionsMax
  case keepMax
  case valueBytesPerConnectionMax
  case valueBytesMax
  case definitionsPerConnectionMax
  case definitionsMax
  case definitionBytesMax
  case definitionMs
  case batchBytesMax
  case unreadBytesMax
  case memoryMax
  case requestsInFlightMax
  case providersPerConnectionMax
  case outputSoftBytes
  case outputHardBytes
  case eventsKeptMax
  case errorsPerFieldMax
  case rowsMax
  case undoMax
  case undoBytesMax
  case stallMs
  case drainMs

  /// The properties of one limit.
  private struct Entry {
    let name: StaticString
    let standard: Int
    let least: Int
    let most: Int
    let summary: StaticString
  }

  private var entry: Entry {
    switch self {
    case .textBytesMax:
      Entry(
        name: "textBytesMax",
        standard: 4 << 20,
        least: 1024,
        most: 1 << 30,
        summary: "Bytes of one text; a larger text fails with -32007."
      )
    case .depthMax:
      Entry(
        name: "depthMax",
        standard: 64,
        least: 8,
        most: 512,
        summary: "Nesting depth of arrays and objects in one text."
      )
    case .nodesMax:
      Entry(name: "nodesMax", standard: 100_000, least: 100, most: 10_000_000, summary: "Values in one text.")
    case .batchMax:
      Entry(name: "batchMax", standard: 50, least: 1, most: 10_000, summary: "Members of a batch.")
    case .connectionsMax:
      Entry(
        name: "connectionsMax",
        standard: 4096,
        least: 1,
        most: 1_000_000,
        summary: "Open connections, or fewer if the process may not open as many files. Seats for operators are extra."
      )
    case .sessionsPerConnectionMax:
      Entry(
        name: "sessionsPerConnectionMax",
        standard: 1000,
        least: 1,
        most: 1_000_000,
        summary: "Sessions of one connection."
      )
    case .sessionsMax:
      Entry(name: "sessionsMax", standard: 200_000, least: 1, most: 10_000_000, summary: "Sessions of all connections.")
    case .keptSessionsMax:
      Entry(
        name: "keptSessionsMax",
        standard: 100_000,
        least: 0,
        most: 10_000_000,
        summary:
          "Sessions that outlive their connections, whether a client has them or not, in memory and in the store of all daemons."
      )
    case .keepMax:
      Entry(
        name: "keepMax",
        standard: 86_400_000,
        least: 1,
        most: 31_622_400_000,
        summary:
          "Milliseconds that a session may be kept when no client has it. More than a day (86400000) needs a store."
      )
    case .valueBytesPerConnectionMax:
      Entry(
        name: "valueBytesPerConnectionMax",
        standard: 16 << 20,
        least: 1024,
        most: 1 << 40,
        summary: "Bytes of values, outputs, results and answers that the sessions of one connection hold."
      )
    case .valueBytesMax:
      Entry(
        name: "valueBytesMax",
        standard: 256 << 20,
        least: 1024,
        most: 1 << 40,
        summary: "Bytes of values, outputs, results and answers that all sessions hold."
      )
    case .definitionsPerConnectionMax:
      Entry(
        name: "definitionsPerConnectionMax",
        standard: 16,
        least: 0,
        most: 100_000,
        summary: "Sessions of one connection with a definition of their own."
      )
    case .definitionsMax:
      Entry(
        name: "definitionsMax",
        standard: 256,
        least: 0,
        most: 100_000,
        summary: "Sessions of all connections with a definition of their own."
      )
    case .definitionBytesMax:
      Entry(
        name: "definitionBytesMax",
        standard: 256 << 10,
        least: 1024,
        most: 64 << 20,
        summary: "Bytes of one definition."
      )
    case .definitionMs:
      Entry(
        name: "definitionMs",
        standard: 1_000,
        least: 1,
        most: 600_000,
        summary: "Milliseconds that one definition may take to compile; a slower one fails with 1011."
      )
    case .batchBytesMax:
      Entry(
        name: "batchBytesMax",
        standard: 8 << 20,
        least: 1024,
        most: 1 << 30,
        summary: "Bytes of one connection's unfinished answers to batches; further members are refused with 1012."
      )
    case .unreadBytesMax:
      Entry(
        name: "unreadBytesMax",
        standard: 64 << 20,
        least: 1024,
        most: 1 << 40,
        summary:
          "Bytes of unread input and unfinished texts of all connections. A client that needs more gets 1011 and is disconnected."
      )
    case .memoryMax:
      Entry(
        name: "memoryMax",
        standard: 1 << 30,
        least: 1 << 20,
        most: 1 << 40,
        summary: "Bytes of everything that clients make the daemon keep or queue. A client that needs more gets 1011."
      )
    case .requestsInFlightMax:
      Entry(
        name: "requestsInFlightMax",
        standard: 64,
        least: 1,
        most: 1_000_000,
        summary: "Requests of one connection that wait for an outcome."
      )
    case .providersPerConnectionMax:
      Entry(
        name: "providersPerConnectionMax",
        standard: 64,
        least: 0,
        most: 1_000_000,
        summary: "Providers of one connection."
      )
    case .outputSoftBytes:
      Entry(
        name: "outputSoftBytes",
        standard: 256 << 10,
        least: 4096,
        most: 1 << 30,
        summary: "Bytes of unsent output of one connection; above it, updates are held back and no input is read."
      )
    case .outputHardBytes:
      Entry(
        name: "outputHardBytes",
        standard: 4 << 20,
        least: 4096,
        most: 1 << 30,
        summary:
          "Bytes of events that are kept for one session, of its update that is held back for a slow reader, and of its changes that wait for the store."
      )
    case .eventsKeptMax:
      Entry(
        name: "eventsKeptMax",
        standard: 256,
        least: 1,
        most: 1_000_000,
        summary: "Number of events that are kept for one session: for a client that does not read, or that comes back."
      )
    case .errorsPerFieldMax:
      Entry(
        name: "errorsPerFieldMax",
        standard: 20,
        least: 1,
        most: 10_000,
        summary: "Errors of the schema that one field lists. If there are more, a last one gives their number."
      )
    case .rowsMax:
      Entry(
        name: "rowsMax",
        // A turn that computes all rows takes about 7 ms of CPU time per 1,000 rows (`scripts/bench bystander`), and
        // other clients wait for it.
        standard: 2_500,
        least: 1,
        most: 1_000_000,
        summary: "Rows of all lists of one session; an input that would make more is refused with 1012."
      )
    case .undoMax:
      Entry(
        name: "undoMax",
        standard: 100,
        least: 0,
        most: 10_000,
        summary: "Edits that one session of a form with undo keeps; the oldest are dropped."
      )
    case .undoBytesMax:
      Entry(
        name: "undoBytesMax",
        standard: 256 << 10,
        least: 0,
        most: 1 << 30,
        summary: "Bytes of the edits that one session of a form with undo keeps; the oldest are dropped."
      )
    case .stallMs:
      Entry(
        name: "stallMs",
        standard: 10_000,
        least: 1,
        most: 86_400_000,
        summary: "Milliseconds after which a connection over outputSoftBytes ends if its client reads nothing."
      )
    case .drainMs:
      Entry(
        name: "drainMs",
        standard: 5000,
        least: 0,
        most: 86_400_000,
        summary: "Milliseconds that the daemon waits for accepted requests when it ends."
      )
    }
  }

  package static let schemaName: StaticString? = "LimitName"

  package var wireName: StaticString { entry.name }

  /// The value of the limit if the configuration does not set it.
  package var standard: Int { entry.standard }

  /// The least value that makes sense.
  package var least: Int { entry.least }

  /// The greatest value that the limit can have: sums of such values stay far below the largest integer.
  package var most: Int { entry.most }

  /// The subject of the limit, in a sentence.
  package var summary: String { entry.summary.description }
}
