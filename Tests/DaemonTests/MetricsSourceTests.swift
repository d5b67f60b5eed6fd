import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import Daemon

struct MetricsSourceTests {
  @Test
  func `calls that come before the first answer share it`() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (reports, answers) = (NIOLockedValueBox(0), NIOLockedValueBox(0))
    let source = MetricsSource(on: loop) {
      reports.withLockedValue { $0 += 1 }
      return MetricsSource.Report()
    }
    // The report is made after both calls, because they keep the loop busy.
    try await loop.submit {
      for _ in 0..<2 { source.report { _ in answers.withLockedValue { $0 += 1 } } }
    }.get()
    try await loop.submit {}.get()
    #expect(reports.withLockedValue { $0 } == 1 && answers.withLockedValue { $0 } == 2)
  }
}
