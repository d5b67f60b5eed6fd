--- `:checkhealth formd`.

local config = require('formd.config')
local connections = require('formd.connection')
local lsp = require('formd.lsp')
local socket = require('formd.socket')

-- The functions lost their prefix in Neovim 0.10.
local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local info = health.info or health.report_info
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

local M = {}

local WAIT_MS = 5000

local function check_formctl()
  start('formctl')
  local program = config.current.formctl
  if vim.fn.executable(program) == 0 then
    fail(('no program "%s"'):format(program), {
      'Install formd: `scripts/install` in its repository installs formctl into ~/.local/bin or another folder.',
      "Or set its path: require('formd').setup({ formctl = '/path/to/formctl' })",
    })
    return false
  end
  local version = vim.trim(vim.fn.system({ program, '--version' }))
  if vim.v.shell_error ~= 0 then
    fail(('%s --version fails: %s'):format(program, version))
    return false
  end
  ok(('%s, version %s'):format(vim.fn.exepath(program), version))
  return true
end

local function check_daemon(has_formctl)
  start('The daemon')
  local path, source = socket.path()
  info(('the socket is %s, by %s'):format(path, source))
  local refusal = socket.refusal(path)
  if refusal then
    return fail(refusal)
  end
  if #path > 107 then
    return fail('the path is too long for a socket', { 'Set $FORMD_SOCKET to a shorter path.' })
  end
  local server, fault
  local connection = connections.new()
  connection.may_start = false
  connection:listen({
    connected = function()
      connection:request('server/info', nil, function(wrong, result)
        server, fault = result, wrong and wrong.message
      end)
    end,
    unreachable = function(message)
      fault = message
    end,
  })
  vim.wait(WAIT_MS, function()
    return server ~= nil or fault ~= nil
  end, 10)
  connection.listeners = {}
  connection:close()
  if server then
    ok(('formd %s answers (process %d), with %d forms'):format(server.version, server.pid, server.forms))
  elseif (vim.uv or vim.loop).fs_lstat(path) then
    warn(fault or 'no answer', { 'Start the daemon again with the options that it had.' })
  elseif config.current.start and has_formctl then
    info((fault or 'no answer') .. '; :Form starts one')
  else
    warn(fault or 'no answer', { 'Start one: formctl start' })
  end
end

local function check_language_server(has_formctl)
  start('The language server')
  if not config.current.lsp then
    return info('the setting lsp = false turns it off')
  elseif not has_formctl then
    return warn('not checked, because formctl is missing')
  end
  local answer, fault = lsp.probe()
  if not answer then
    return fail(('formctl lsp does not start: %s'):format(fault), { 'Run `formctl lsp` in a terminal and read its output.' })
  end
  local server = answer.serverInfo or {}
  ok(('formctl lsp starts: %s %s'):format(server.name or 'a server', server.version or ''))
end

function M.check()
  start('Neovim')
  if vim.fn.has('nvim-0.7') == 1 then
    ok('0.7 or later')
  else
    fail('Neovim 0.7 or later is needed')
  end
  local has_formctl = check_formctl()
  check_daemon(has_formctl)
  check_language_server(has_formctl)
end

return M
