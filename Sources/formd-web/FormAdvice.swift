internal import Configuration
internal import Forms
internal import Processes
internal import Server
internal import Texts

/// What `formd-web --check` says about the forms that the block `web` names.
struct FormAdvice {
  /// One line for each form that browsers may open and of which they do not get everything, for each form that they
  /// cannot open because it requires a context, and for folders that were not read.
  private(set) var lines: [String] = []
  /// A form that is named and does not exist; nil if there is none.
  private(set) var problem: StartError?

  /// - Parameter forms: the folders with definitions; empty: the daemon gets them in another way.
  init(_ web: WebConfiguration, forms folders: [String]) {
    guard !web.forms.isEmpty else { return }
    guard !folders.isEmpty else {
      lines.append("web.forms is not checked: the configuration names no folder in \"forms\"")
      return
    }
    let reading = FormCatalog.read(folders: folders)
    for (name, rules) in web.forms.sorted(by: { $0.key.precedesInUTF8($1.key) }) {
      guard let form = reading.catalog.forms.first(where: { $0.name.hasSameUTF8(as: name) }) else {
        note(missing: name, in: reading)
        continue
      }
      if rules.isOpen, form.problem(ofContext: nil) != nil {
        lines.append(
          "web.forms.\(name.printable): the form requires a context, which no browser can give, so none can open it"
        )
      }
      let hidden = form.notPublic
      if rules.isOpen, !hidden.isEmpty {
        lines.append(
          "web.forms.\(name.printable): browsers do not get the results of \(hidden.joined(separator: ", ")), which are not "
            + "\"public\" in the form"
        )
      }
    }
  }

  private mutating func note(missing name: String, in reading: FormCatalog.Reading) {
    guard problem == nil else { return }
    let closest = closestName(to: name, among: reading.catalog.forms.map(\.name))
    let advice = closest.map { "did you mean \"\($0)\"?" } ?? "run formd check-config, which names files with mistakes"
    problem = StartError("web.forms.\(name.printable): the folders in \"forms\" have no such form; \(advice)")
  }
}

extension Form {
  /// The lookups and actions whose results browsers do not get.
  fileprivate var notPublic: [String] {
    lookups.filter { !$0.isPublic }.map { "the lookup \"\($0.address)\"" }
      + actions.filter { $0.hasResult && !$0.isPublic }.map { "the action \"\($0.name)\"" }
  }
}
