#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Timestamp {
  /// The time by the system's clock, which people and programs may set back and forth (CLOCK_REALTIME,
  /// clock_gettime(2)).
  public static var ofSystem: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec)) ?? .epoch
  }
}

extension Zone {
  /// The zone that the system is set to: by the environment (`TZ`), else by the link `/etc/localtime` (localtime(5));
  /// UTC if neither names a zone.
  public static var ofSystem: Zone { named(by: getenv("TZ").map { String(cString: $0) }, link: localTimeLink) }

  /// The zone that an environment variable names, or the file that a link leads to.
  static func named(by variable: String?, link: String?) -> Zone {
    // POSIX has the name of a zone of the data base begin with a colon.
    if let variable, !variable.isEmpty {
      return Zone(named: variable.utf8.first == UInt8(ascii: ":") ? String(variable.dropFirst()) : variable) ?? .utc
    }
    guard let link, let folder = link.utf8.firstRange(of: "/zoneinfo/".utf8) else { return .utc }
    return Zone(named: String(link[folder.upperBound...])) ?? .utc
  }

  private static var localTimeLink: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/etc/localtime", &path, path.count)
    return count > 0 ? String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
