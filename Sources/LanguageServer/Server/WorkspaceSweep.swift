internal import FormProtocol
internal import JSON
internal import JSONRPC

/// The work for `workspace/diagnostic`, one file after the other, so that other messages do not have to wait.
struct WorkspaceSweep {
  let token: RequestToken
  private let params: WorkspaceDiagnosticParams
  /// The paths of the files.
  private let files: [String]
  private let previous: [String: String]
  private var position = 0
  private var reports: [WorkspaceDocumentReport] = []

  init(token: RequestToken, params: WorkspaceDiagnosticParams, files: [String]) {
    self.token = token
    self.params = params
    self.files = files
    previous = Dictionary(params.previousResults.map { ($0.uri, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Whether all files are judged.
  var isDone: Bool { position == files.count }

  /// The rest of the answer, without the partial results that were sent before.
  var answer: WorkspaceReport {
    var report = WorkspaceReport()
    if params.partialResultToken == nil { report.items = reports }
    return report
  }

  /// The notification before the first file; nil if the editor wants no progress.
  var begun: Progress<JSON>? {
    progress { work in
      work.kind = "begin"
      work.title = "Judging forms"
      work.percentage = 0
    }
  }

  /// The notification behind the last file.
  var ended: Progress<JSON>? { progress { $0.kind = "end" } }

  /// Judges the next file. Returns the notifications to send.
  mutating func step(_ workspace: inout Workspace) -> [Progress<JSON>] {
    guard position < files.count else { return [] }
    let path = files[position]
    let percentage = percentage
    position += 1
    var said: [Progress<JSON>] = []
    if let (uri, version, report) = workspace.report(ofFile: path, previous: previous) {
      let item = WorkspaceDocumentReport(uri: uri, version: Nullable(version), report: report)
      if let token = params.partialResultToken {
        said.append(Progress(token: token, value: WorkspaceReport(items: [item]).json))
      } else {
        reports.append(item)
      }
    }
    if self.percentage != percentage, let progress = progress({ $0.percentage = self.percentage }) {
      said.append(progress)
    }
    return said
  }

  private var percentage: Int { files.isEmpty ? 100 : 100 * position / files.count }

  private func progress(_ fill: (inout WorkProgress) -> Void) -> Progress<JSON>? {
    guard let token = params.workDoneToken else { return nil }
    var work = WorkProgress()
    fill(&work)
    return Progress(token: token, value: work.json)
  }
}
