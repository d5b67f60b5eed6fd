internal import ArgumentParser
internal import FormProtocol
internal import LanguageServer

/// `formctl lsp`: runs a language server on standard input and output.
struct LspCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Run the language server for forms, their tests and their data.",
    discussion: """
      A language server (LSP 3.17) on standard input and output. It reports errors
      during typing, with fixes. In *.form.json and *.test.json (also .jsonc, .yaml),
      it completes, explains, finds and renames. It validates data files that name
      their form (JSON, JSONC, YAML, env). It needs a daemon only for the checks of
      forms, which call services, and only if the editor's settings turn them on. See
      protocol/editors.md.

        Neovim 0.11   vim.lsp.config.formd = {cmd = {'formctl', 'lsp'},
                        filetypes = {'json', 'jsonc', 'yaml'},
                        root_markers = {'.git'}}
                      vim.lsp.enable('formd')
        Emacs         (add-to-list 'eglot-server-programs
                        '((js-json-mode json-ts-mode yaml-mode) . ("formctl" "lsp")))
        Helix         [language-server.formd]
                      command = "formctl"
                      args = ["lsp"]

      Exit status: 0 after the editor's shutdown and exit, 1 if the editor ended
      without them.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Flag(help: "Accepted for editors that pass it. Standard input and output are always used.") var stdio = false

  func run() throws {
    var conversation = EditorConversation(checkingAt: .forClient(named: connection.socket))
    throw ExitCode(try conversation.serve())
  }
}
