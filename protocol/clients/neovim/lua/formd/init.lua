--- Forms of formd in Neovim. See `:help formd`.

local M = {}

--- Takes settings (`:help formd-settings`) and turns the language server on.
---@param options? table
function M.setup(options)
  local config = require('formd.config')
  config.set(options)
  if config.current.lsp then
    require('formd.lsp').enable()
  end
end

--- Opens a form in the current window.
---
---@param source string|table a form's name, or `{ form | definition | path, values?, locale?, zone? }`
---@param handlers? { on_event?: fun(event: table), on_opened?: fun() } `on_event` hears what becomes of taps
---@return formd.View?
function M.open(source, handlers)
  if type(source) == 'string' then
    source = { form = source }
  end
  return require('formd.commands').open_form(source, handlers)
end

return M
