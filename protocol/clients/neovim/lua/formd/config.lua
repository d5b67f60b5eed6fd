--- The settings, with their defaults.

local M = {}

---@class formd.Config
M.defaults = {
  --- The daemon's socket; nil: `$FORMD_SOCKET`, else the daemon's default.
  socket = nil,
  --- The program that starts the daemon and serves as the language server.
  formctl = 'formctl',
  --- Whether to run `formctl start` if no daemon listens.
  start = true,
  --- More arguments of `formctl start`, such as `{ '--forms', '~/forms' }`.
  start_arguments = {},
  --- How long the daemon keeps a form that no editor shows, such as `1h`; nil: not at all.
  keep = nil,
  --- The language of forms, such as `ko`. nil: the language of the editor's messages (`:language`), else of the
  --- environment.
  locale = nil,
  --- The user's time zone (a name of the IANA database); nil: `$TZ` if it is such a name, else the daemon's zone.
  zone = nil,
  --- How a form is opened: a command that takes a buffer's name.
  open = 'edit',
  --- The place of messages: `below` their fields, or at the end of the line (`eol`), as `vim.diagnostic` shows them.
  messages = 'below',
  --- Whether the form's outputs are shown.
  outputs = true,
  --- The largest width of labels. Windows with fewer columns than `narrow` have labels above their values.
  label_width = 24,
  narrow = 50,
  --- Keys in a form's buffer; false: none.
  keys = {
    activate = '<CR>',
    toggle = '<Space>',
    clear = '<BS>',
    next_field = '<Tab>',
    previous_field = '<S-Tab>',
    next_step = ']]',
    previous_step = '[[',
    add_row = 'ga',
    remove_row = 'gx',
    move_row_down = ']e',
    move_row_up = '[e',
    submit = 'gs',
    outcome = 'K',
    help = 'g?',
  },
  --- The language server; false: it is not started.
  lsp = {
    --- The form of data files, by patterns: `{ ['deploy/*.yaml'] = 'deploy' }`.
    files = nil,
    --- Called with the client and the buffer when the server is attached, as by `vim.lsp.start_client`.
    on_attach = nil,
    --- The capabilities of the editor; a completion plugin has a function that returns them.
    capabilities = nil,
  },
}

---@type formd.Config
M.current = vim.deepcopy(M.defaults)

--- Merges settings into the defaults.
---@param options? table
function M.set(options)
  options = options or {}
  for name in pairs(options) do
    -- Settings whose default is nil.
    local known = { socket = true, keep = true, locale = true, zone = true }
    if M.defaults[name] == nil and not known[name] then
      vim.notify(('formd: there is no setting "%s"; see :help formd-settings'):format(name), vim.log.levels.WARN)
    end
  end
  M.current = vim.tbl_deep_extend('force', vim.deepcopy(M.defaults), options)
end

--- The language of forms (BCP 47); nil: the form's own language.
---@return string?
function M.locale()
  if M.current.locale then
    return M.current.locale
  end
  -- If the system lacks the locale of the environment, the editor's own messages are in English.
  for _, name in ipairs({ vim.v.lang, vim.env.LC_ALL or '', vim.env.LC_MESSAGES or '', vim.env.LANG or '' }) do
    local language = name:gsub('[.@].*$', ''):gsub('_', '-')
    if language ~= '' and language ~= 'C' and language ~= 'POSIX' then
      return language
    end
  end
end

--- The user's time zone; nil: the daemon decides.
---@return string?
function M.zone()
  local zone = vim.env.TZ
  return M.current.zone or (zone and zone:match('^%a[%w_+-]*/[%w_/+-]+$')) or nil
end

return M
