--- A daemon that a test starts, kills and starts again.

local Daemon = {}
Daemon.__index = Daemon

local PATIENCE_MS = tonumber(vim.env.FORMD_TEST_PATIENCE_MS) or 30000

---@param forms string a folder with forms
---@param store? string a file for kept sessions
function Daemon.start(forms, store)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p', '0700')
  local self = setmetatable({ socket = folder .. '/formd.sock', forms = forms, store = store }, Daemon)
  self:again()
  return self
end

--- Starts the process, on the same socket, and waits until it listens.
function Daemon:again()
  local said = ''
  local function listen(_, lines)
    said = said .. table.concat(lines, '\n')
  end
  local command = { vim.env.FORMD_BIN, 'serve', '--socket', self.socket, '--forms', self.forms }
  self.job = vim.fn.jobstart(
    self.store and vim.list_extend(command, { '--store', self.store }) or command,
    { on_stderr = listen, on_stdout = listen, env = { XDG_CONFIG_HOME = '/nonexistent' } }
  )
  local is_listening = vim.wait(PATIENCE_MS, function()
    return said:find('listening', 1, true) ~= nil
  end, 10)
  assert(is_listening, 'the daemon does not listen; it said:\n' .. said)
end

--- Kills it at once, as nobody would want.
function Daemon:kill()
  vim.loop.kill(vim.fn.jobpid(self.job), 9)
  vim.fn.jobwait({ self.job }, PATIENCE_MS)
end

function Daemon:stop()
  vim.fn.jobstop(self.job)
  vim.fn.jobwait({ self.job }, PATIENCE_MS)
end

return Daemon
