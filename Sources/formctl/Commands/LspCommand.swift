internal import ArgumentParser
internal import FormProtocol
internal import LanguageServer

/// `formctl lsp`: runs a language server on standard input and output.
struct LspCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Serve an editor: forms, their tests and the data that they judge.",
    discussion: """
      A language server (LSP 3.17) on standard input and output. It says what is
      wrong while one types, with fixes; it completes, explains, finds and renames
      in *.form.json and *.test.json, and judges files of data that name their form
      (JSON, JSONC, YAML, env). A daemon is needed only for the checks of forms,
      which ask services, and only where the editor's settings want them.
      protocol/editors.md says more.

        Neovim 0.11   vim.lsp.config.formd = {cmd = {'formctl', 'lsp'},
                        filetypes = {'json', 'jsonc', 'yaml'},
                        root_markers = {'.git'}}
                      vim.lsp.enable('formd')
        Emacs         (add-to-list 'eglot-server-programs
                        '((js-json-mode json-ts-mode yaml-mode) . ("formctl" "lsp")))
        Helix         [language-server.formd]
                      command = "formctl"
                      args = ["lsp"]

      Exit status: 0 after the editor's shutdown and exit, 1 when it is gone without
      them.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Flag(help: "Use standard input and output, as some editors say; nothing else is done.") var stdio = false

  func run() throws {
    var conversation = EditorConversation(checkingAt: .forClient(named: connection.socket))
    throw ExitCode(try conversation.serve())
  }
}
