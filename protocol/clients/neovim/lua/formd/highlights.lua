--- The highlight groups. Each is linked to a group that every colour scheme has. A user's own `:highlight FormdLabel
--- ...` takes precedence.

local M = {}

M.namespace = vim.api.nvim_create_namespace('formd')

local LINKS = {
  FormdTitle = 'Title',
  FormdHeading = 'Statement',
  FormdLabel = 'Identifier',
  FormdRequired = 'Special',
  FormdBar = 'NonText',
  FormdHelp = 'Comment',
  FormdPlaceholder = 'NonText',
  FormdChoice = 'Constant',
  FormdSecret = 'Constant',
  FormdFixed = 'PreProc',
  FormdDisabled = 'NonText',
  FormdRow = 'Number',
  FormdAdd = 'Function',
  FormdButton = 'Function',
  FormdButtonDisabled = 'NonText',
  FormdStep = 'Comment',
  FormdStepNow = 'Title',
  FormdSpinner = 'WarningMsg',
  FormdError = 'DiagnosticError',
  FormdWarning = 'DiagnosticWarn',
  FormdSuccess = 'String',
  FormdOffline = 'WarningMsg',
}

--- Links the groups that are not defined.
function M.define()
  for group, target in pairs(LINKS) do
    vim.cmd(('highlight default link %s %s'):format(group, target))
  end
end

return M
