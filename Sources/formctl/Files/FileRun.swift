internal import Files
internal import Findings
internal import JSON

/// Judges files, several at a time, and reports the findings in the order of the files.
struct FileRun {
  private let entries: [FileSelection.Entry]
  private var reporter: any FindingReporter
  private var summary = RunSummary()

  init(_ selection: FileSelection, reporter: any FindingReporter) {
    entries = selection.entries
    self.reporter = reporter
  }

  /// Judges all files and writes the report. Files that could not be judged are also listed on standard error.
  ///
  /// - Parameters:
  ///   - threads: the number of files judged at a time.
  ///   - stackBytes: the stack size that a judgment needs; nil if the default is enough.
  ///   - judge: judges one file.
  /// - Returns: the exit status.
  /// - Throws: ``CommandFailure`` if the system cannot create a thread with such a stack.
  mutating func perform(
    threads: Int = OrderedWork.processors,
    stackBytes: Int? = nil,
    _ judge: @Sendable (String) -> FileFindings
  ) throws(CommandFailure) -> Int32 {
    begin()
    do throws(SystemError) {
      try OrderedWork.perform(on: entries, threads: threads, stackBytes: stackBytes) { entry in
        switch entry {
        case .file(let path): judge(path)
        case .trouble(let path, let trouble): FileFindings(file: path, trouble: trouble)
        }
      } take: {
        tell($0)
      }
    } catch {
      throw CommandFailure(message: "the system cannot provide a stack of \((stackBytes ?? 0) >> 20) MiB: \(error)")
    }
    return end()
  }

  /// Reports a run that ends before its first file because of another file.
  ///
  /// - Returns: the exit status.
  mutating func giveUp(because file: FileFindings) -> Int32 {
    begin()
    tell(file)
    return end()
  }

  private mutating func begin() { Console.show(reporter.begin()) }

  private mutating func tell(_ file: FileFindings) {
    summary.count(file)
    Console.show(reporter.report(file))
    if let trouble = file.trouble { Console.complain("\(file.file): \(trouble)") }
  }

  private mutating func end() -> Int32 {
    Console.show(reporter.end(summary))
    return summary.exitStatus
  }
}

extension FileFindings {
  /// Reads a file, or reports why it cannot be read.
  static func reading(
    _ file: String,
    bytesMax: Int = FileBytes.bytesMax,
    _ judge: ([UInt8]) -> FileFindings
  ) -> FileFindings {
    do throws(SystemError) {
      return judge(try Console.bytes(of: file, bytesMax: bytesMax))
    } catch {
      return FileFindings(file: file, trouble: "\(error)")
    }
  }
}
