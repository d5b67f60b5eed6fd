internal import Files
internal import JSON
internal import Synchronization

/// The system's IANA time zone files, read when first asked for and then kept.
enum ZoneDatabase {
  /// The folder in which Linux distributions and macOS keep the compiled files.
  private static let folder = "/usr/share/zoneinfo"
  /// Larger than any file of the data base.
  private static let fileBytesMax = 64 * 1024
  /// The longest name is 32 bytes long.
  private static let nameBytesMax = 64

  /// There are about 600 names, so the files on disk bound the table; unknown names are not kept.
  private static let zones = Mutex<[String: ZoneFile]>([:])

  /// The zone of that name, or nil.
  static func zone(named name: String) -> ZoneFile? {
    guard isName(name) else { return nil }
    if let known = zones.withLock({ $0[name] }) { return known }
    guard let bytes = contents(of: "\(folder)/\(name)") ?? oldNames[name].flatMap({ contents(of: "\(folder)/\($0)") }),
      let zone = ZoneFile(bytes)
    else { return nil }
    zones.withLock { $0[name] = zone }
    return zone
  }

  /// Names of old that are widely used, but that distributions have begun to leave out (Debian: `tzdata-legacy`).
  private static let oldNames = [
    "US/Alaska": "America/Anchorage", "US/Aleutian": "America/Adak", "US/Arizona": "America/Phoenix",
    "US/Central": "America/Chicago", "US/East-Indiana": "America/Indiana/Indianapolis",
    "US/Eastern": "America/New_York",
    "US/Hawaii": "Pacific/Honolulu", "US/Michigan": "America/Detroit", "US/Mountain": "America/Denver",
    "US/Pacific": "America/Los_Angeles", "Asia/Calcutta": "Asia/Kolkata", "Asia/Katmandu": "Asia/Kathmandu",
    "Asia/Saigon": "Asia/Ho_Chi_Minh", "Europe/Kiev": "Europe/Kyiv", "GB": "Europe/London", "Japan": "Asia/Tokyo",
    "ROK": "Asia/Seoul", "PRC": "Asia/Shanghai",
  ]

  /// Whether the text is a name that cannot lead out of the folder: words of letters, digits, `_`, `+` and `-`
  /// between single slashes, the first beginning with an upper-case letter as all of the data base's do.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x41...0x5a).contains(first), name.utf8.count <= nameBytesMax else {
      return false
    }
    var previous: UInt8 = 0
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "/"):
        if previous == byte { return false }
      case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"): break
      default: return false
      }
      previous = byte
    }
    return previous != UInt8(ascii: "/")
  }

  private static func contents(of path: String) -> [UInt8]? { try? FileBytes.read(path, bytesMax: fileBytesMax) }
}
