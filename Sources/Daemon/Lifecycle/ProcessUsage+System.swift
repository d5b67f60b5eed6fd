internal import FormProtocol

#if canImport(Glibc)
  internal import Glibc
#endif

extension ProcessUsage {
  /// The system's numbers about this process: getrusage(2), proc(5). Asking for them does not block.
  static var ofSystem: ProcessUsage {
    var usage = ProcessUsage()
    var times = rusage()
    if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &times) == 0 {
      usage.cpuMs = milliseconds(times.ru_utime) + milliseconds(times.ru_stime)
    }
    usage.residentBytes = residentPages * Int(sysconf(CInt(_SC_PAGESIZE)))
    return usage
  }

  private static func milliseconds(_ time: timeval) -> Int { time.tv_sec * 1_000 + Int(time.tv_usec) / 1_000 }

  /// The second number of `/proc/self/statm`.
  private static var residentPages: Int {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = Glibc.read(file, &text, text.count)
    guard count > 0 else { return 0 }
    let numbers = text[..<count].split(separator: UInt8(ascii: " "))
    return numbers.count > 1 ? Int(String(decoding: numbers[1], as: UTF8.self)) ?? 0 : 0
  }
}
