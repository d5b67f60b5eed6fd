internal import Findings
internal import FormImport
internal import JSON
internal import SourceTexts

/// The report of `formctl import` and `formctl export`.
enum LossReport {
  /// Writes the report to standard error, because the result may be on standard output.
  ///
  /// - Parameters:
  ///   - result: the losses, or the errors of the file.
  ///   - files: the files that were read.
  ///   - name: the format of the report.
  ///   - trouble: a message that nothing was written.
  /// - Returns: the exit status.
  static func tell(
    _ result: Result<[Loss], UnreadableInput>,
    files: [String],
    as name: ReportName,
    trouble: String
  ) -> Int32 {
    let told = files.map { file in
      switch result {
      case .success(let losses):
        var findings = FileFindings(file: file, losses.filter { $0.file == file }.map { Finding($0) })
        findings.isWrong = !findings.findings.isEmpty
        return findings
      case .failure(let unreadable):
        let diagnostics = unreadable.file == file ? unreadable.diagnostics : []
        var findings = FileFindings(file: file, diagnostics.map { Finding($0) })
        findings.trouble = trouble
        return findings
      }
    }
    var reporter: any FindingReporter =
      name.format.map { ReportOptions.reporter($0) } ?? TextReporter(totals: .none, isQuiet: true, hasColor: false)
    var text = reporter.begin()
    var summary = RunSummary()
    for findings in told {
      summary.count(findings)
      text += reporter.report(findings)
    }
    text += reporter.end(summary)
    if text.hasSuffix("\n") { Console.report(String(text.dropLast())) }
    return summary.exitStatus
  }
}

extension Finding {
  /// A loss: for people, its kind is in the place of the severity.
  fileprivate init(_ loss: Loss) {
    let diagnostic = loss.diagnostic
    let location = diagnostic.pointer.tokens.isEmpty ? "" : " [\(diagnostic.pointer)]"
    let words = "\(loss.kind.rawValue): \(loss.message)\(location)\n    \(loss.remedy)"
    self.init(diagnostic, lossKind: loss.kind.rawValue, lines: [Line(position: diagnostic.position, text: words)])
  }
}
