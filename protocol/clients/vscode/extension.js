// The client of formd's language server for VS Code: it starts `formctl lsp`, and opens forms in a terminal.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

/** The settings of the section `formd`. */
function setting(name) {
  return vscode.workspace.getConfiguration('formd').get(name);
}

/** Announces the command that this extension carries out, so that the server offers it above forms. */
const announcement = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { ...capabilities.experimental, commands: { commands: ['formd.openForm'] } };
  },
  initialize() {},
  getState() {
    return { kind: 'static' };
  },
  clear() {},
};

async function start() {
  client = new LanguageClient(
    'formd',
    'formd',
    { command: setting('command') || 'formctl', args: ['lsp'] },
    {
      documentSelector: ['json', 'jsonc', 'yaml', 'dotenv'].map((language) => ({ language })),
      synchronize: { configurationSection: 'formd' },
      initializationOptions: {
        files: setting('files'),
        locale: setting('locale'),
        checks: setting('checks'),
        configuration: setting('configuration'),
      },
    },
  );
  client.registerFeature(announcement);
  await client.start();
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

/**
 * Asks for the values of a form in a terminal. Without arguments it is the form of the active editor.
 *
 * The file is an argument of the program, and no text of a shell, so that no name can be a command.
 */
function openForm(_name, uri) {
  const target = uri ? vscode.Uri.parse(uri) : vscode.window.activeTextEditor?.document.uri;
  if (!target || target.scheme !== 'file' || !/\.form\.(jsonc?|ya?ml)$/.test(target.fsPath)) {
    vscode.window.showWarningMessage('Open the file of a form first: NAME.form.json or NAME.form.yaml.');
    return;
  }
  const terminal = vscode.window.createTerminal({
    name: `formd: ${target.fsPath.split(/[\\/]/).pop()}`,
    shellPath: setting('command') || 'formctl',
    shellArgs: ['fill', target.fsPath],
  });
  terminal.show();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('formd.openForm', openForm),
    vscode.commands.registerCommand('formd.restart', async () => {
      await stop();
      await start();
    }),
  );
  await start();
};

exports.deactivate = stop;
