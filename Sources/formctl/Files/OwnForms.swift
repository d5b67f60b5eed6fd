internal import Files
internal import Findings
internal import Forms
internal import JSON
internal import LanguageServer
internal import SourceTexts

/// Judges files by the forms that they name, each form compiled once.
struct OwnForms: Sendable {
  private enum Judge: Sendable {
    case form(FormJudge)
    /// The form is broken, or does not admit the context.
    case unusable(String)
    case unknown(Diagnostic)
  }

  /// By file; a file without an entry names no form.
  private var judges: [String: Judge] = [:]

  /// - Parameter files: the paths, as the user named them.
  init(_ files: [String], _ options: JudgeOptions) {
    let folder = (try? FileIdentity.realPath(of: ".")) ?? "/"
    var forms = FormsOfData(folder: folder)
    var known: [String: Judge] = [:]
    for file in files {
      guard let path = try? FileIdentity.realPath(of: file) else { continue }
      switch forms.form(of: path) {
      case .form(let form):
        let name = form.hasPrefix(folder + "/") ? String(form.dropFirst(folder.count + 1)) : form
        let judge = known[form] ?? Self.judge(name, options)
        known[form] = judge
        judges[file] = judge
      case .unknown(let name, let position):
        judges[file] = .unknown(
          Diagnostic(
            file: file,
            position: position,
            code: "noForm",
            message: "there is no form \(JSON.string(name)) in this folder and below",
            remedy: "write the name of a form, or the path of its file"
          )
        )
      case .none: break
      }
    }
  }

  private static func judge(_ path: String, _ options: JudgeOptions) -> Judge {
    do throws(CommandFailure) {
      return .form(try FormJudge(FormFile.read(path), named: path, options))
    } catch {
      return .unusable("its form \(path) cannot be used: " + error.message)
    }
  }

  /// Whether a file names a form.
  func isNamed(by file: String) -> Bool { judges[file] != nil }

  /// The findings in a file.
  func findings(in file: String) -> FileFindings {
    switch judges[file] {
    case .form(let judge)?: judge.findings(in: file)
    case .unknown(let diagnostic)?: FileFindings(file: file, [Finding(diagnostic)])
    case .unusable(let reason)?: FileFindings(file: file, trouble: reason)
    case nil:
      FileFindings(
        file: file,
        trouble: "the file names no form; write \"$form\" at its top, or list it in .formd-files.json"
      )
    }
  }
}
