internal import ArgumentParser
internal import CEL
internal import Times

/// The time and the zone for formulas that are evaluated in this process: by default the system's.
struct MomentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The value of now, instead of the system's time: 2026-11-22T17:00:00Z.", valueName: "time"),
    transform: Self.time
  )
  var now: Timestamp?
  @Option(
    help: "The time zone of today, instead of the system's time zone: Europe/Zurich.",
    transform: Self.zone
  )
  var zone: Zone?

  /// The value of `now`, and the time zone of `today`.
  var moment: (now: Timestamp, zone: Zone) { (now ?? .ofSystem, zone ?? .ofSystem) }

  private static func time(_ text: String) throws -> Timestamp {
    if let time = Timestamp(rfc3339: text) { return time }
    throw ValidationError("\(text) is not a time; write it as in RFC 3339: 2026-11-22T17:00:00Z")
  }

  private static func zone(_ name: String) throws -> Zone {
    if let zone = Zone(named: name) { return zone }
    throw ValidationError("this machine has no time zone \(name); write a name such as Europe/Zurich, or UTC")
  }
}
