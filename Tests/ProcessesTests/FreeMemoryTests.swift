internal import Files
internal import Processes

#if canImport(Glibc)
  import Foundation
  import Glibc
  import JSON
  import Testing

  struct FreeMemoryTests {
    @Test(.disabled(if: hasSanitizer, "a sanitizer brings a heap of its own"))
    func `goes back to the system from a thread's own heap, whatever was freed before`() async {
      await #expect(processExitsWith: .success) {
        FreeMemory.setLimits()
        // Without the limits, this would teach the C library that pieces of 30 MiB are usual. The end of each heap
        // would then keep twice as much.
        useMemory(pieces: 1, of: 30 << 20)
        let before = try residentBytes()
        await DetachedThread.result {
          // After this first use, no lasting memory lies behind the pieces of the second use.
          useMemory(pieces: 1, of: 1_000)
          useMemory(pieces: 40_000, of: 1_000)
        }
        #expect(try residentBytes() - before < 8 << 20)
      }
    }
  }

  private let hasSanitizer = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// Allocates this many pieces of memory and frees them.
  private func useMemory(pieces count: Int, of size: Int) {
    let pieces = (0..<count).map { _ in malloc(size) }
    for case let piece? in pieces { memset(piece, 1, size) }
    for piece in pieces { free(piece) }
  }

  /// How much memory the process has (proc_pid_statm(5)).
  private func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(pages[1])) * sysconf(Int32(_SC_PAGESIZE))
  }
#endif
