--- The connection to the daemon: JSON-RPC 2.0, a line each, over a Unix socket. One for all forms.
---
--- A lost connection is restored with growing pauses while it has listeners.

local config = require('formd.config')
local json = require('formd.json')
local socket = require('formd.socket')
local uv = vim.uv or vim.loop

local RETRY_MS_MIN, RETRY_MS_MAX = 250, 8000

local M = {}

--- The time before a try: it grows with the number of tries before it.
---@param attempts integer
---@return number
function M.pause_ms(attempts)
  return math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ^ attempts)
end

--- The time that the daemon asks for before the next try.
---@param fault formd.Error
---@return number
function M.retry_after_ms(fault)
  return type(fault.data) == 'table' and fault.data.retryAfterMs or 0
end

---@class formd.Error
---@field code integer|string `lost` and `unreachable` are ours, others the daemon's (protocol/wire.md, Error codes)
---@field message string
---@field data? table

---@class formd.Listener
---@field connected fun() sessions can be opened; the daemon knows none
---@field lost fun(message: string) the connection ended
---@field unreachable fun(message: string) another attempt failed
---@field pushed fun(method: string, params: table) the daemon tells something

---@class formd.Connection
---@field state 'idle'|'connecting'|'open'|'waiting' `waiting`: until the next attempt
---@field listeners formd.Listener[]
---@field was_open boolean? whether there was a daemon once
---@field is_own boolean? whether the plugin started the daemon of the last connection
---@field attempts integer the number of tries since the daemon has answered a request
---@field retry_after_ms? number the time that the daemon asked for when it refused the connection
---@field may_start boolean whether a daemon may be started, where the settings say so
local Connection = {}
Connection.__index = Connection

---@return formd.Connection
local function new()
  return setmetatable({
    state = 'idle',
    listeners = {},
    may_start = true,
    pending = {},
    next_id = 0,
    attempts = 0,
    generation = 0,
  }, Connection)
end

function Connection:_tell(event, ...)
  for _, listener in ipairs(vim.list_slice(self.listeners)) do
    if listener[event] then
      listener[event](...)
    end
  end
end

--- Adds a listener. Opens the connection if it is not open.
---@param listener formd.Listener
function Connection:listen(listener)
  table.insert(self.listeners, listener)
  if self.state == 'open' then
    listener.connected()
  elseif self.state ~= 'connecting' then
    self:connect()
  end
end

--- Removes a listener. Without listeners, a lost connection is not restored.
---@param listener formd.Listener
function Connection:forget(listener)
  self.listeners = vim.tbl_filter(function(other)
    return other ~= listener
  end, self.listeners)
end

--- Connects now, without waiting for the end of a pause.
function Connection:connect()
  if self.state == 'open' or self.state == 'connecting' then
    return
  end
  self:_stop_timer()
  self.state = 'connecting'
  self.generation = self.generation + 1
  local generation = self.generation
  local path = socket.path()
  local refusal = socket.refusal(path)
  if refusal then
    return vim.schedule(function()
      self:_failed(generation, refusal)
    end)
  end
  self:_try(generation, path, false)
end

--- Why the plugin does not start a daemon; nil: it starts one.
---
--- A daemon that another program started has forms and a configuration that the plugin does not know, so the plugin
--- does not replace it (protocol/editors.md, Starting a daemon). A daemon that ended without cleaning up leaves its
--- socket.
---@return string?
function Connection:_objection(path)
  if not self.may_start or not config.current.start then
    return ''
  elseif not self.is_own and (self.was_open or uv.fs_lstat(path)) then
    return '; Neovim did not start the last one, so start it again with the options that it had'
  end
end

--- One attempt. If no daemon listens, the plugin may start one and makes a second attempt.
---@param is_started boolean whether the plugin has just started the daemon
function Connection:_try(generation, path, is_started)
  local pipe = uv.new_pipe(false)
  local function connected(fault)
    vim.schedule(function()
      if generation ~= self.generation then
        pipe:close()
      elseif not fault then
        self.is_own = is_started
        self:_opened(generation, pipe)
      else
        pipe:close()
        local objection = is_started and '' or self:_objection(path)
        if objection then
          self:_failed(generation, ('no daemon at %s (%s)%s'):format(path, fault, objection))
        else
          self:_start(generation, path)
        end
      end
    end)
  end
  -- A path that is too long for a socket raises an error.
  local ok, fault = pcall(function()
    pipe:connect(path, connected)
  end)
  if not ok then
    connected(tostring(fault))
  end
end

function Connection:_start(generation, path)
  local program = config.current.formctl
  if vim.fn.executable(program) == 0 then
    return self:_failed(
      generation,
      ('no daemon at %s, and the program "%s" to start one is missing; install formd, or see :checkhealth formd'):format(path, program)
    )
  end
  local said = {}
  local command = { program, 'start', '--socket', path }
  for _, argument in ipairs(config.current.start_arguments) do
    -- `~` and variables, as a shell would.
    table.insert(command, argument:match('^[~$]') and vim.fn.expand(argument) or argument)
  end
  vim.fn.jobstart(command, {
    stderr_buffered = true,
    on_stderr = function(_, lines)
      said = lines
    end,
    on_exit = function(_, status)
      if generation ~= self.generation then
        return
      elseif status == 0 then
        self:_try(generation, path, true)
      else
        local reason = vim.trim(table.concat(said, '\n'))
        self:_failed(generation, ('%s start failed: %s'):format(program, reason ~= '' and reason or 'exit status ' .. status))
      end
    end,
  })
end

function Connection:_opened(generation, pipe)
  self.pipe = pipe
  self.state = 'open'
  self.was_open = true
  local chunks = {}
  local is_scheduled = false
  local ended = nil
  -- Arriving data is handled in the main loop, in its order.
  local function drain()
    is_scheduled = false
    local text = table.concat(chunks)
    local start = 1
    chunks = {}
    while generation == self.generation do
      local finish = text:find('\n', start, true)
      if not finish then
        break
      end
      self:_received(text:sub(start, finish - 1))
      start = finish + 1
    end
    if start <= #text then
      table.insert(chunks, 1, text:sub(start))
    end
    if ended and generation == self.generation then
      self:_lost(ended)
    end
  end
  pipe:read_start(function(fault, data)
    if data then
      chunks[#chunks + 1] = data
    else
      ended = fault or 'the daemon closed the connection'
    end
    if not is_scheduled and (ended or data:find('\n', 1, true)) then
      is_scheduled = true
      vim.schedule(drain)
    end
  end)
  self:_tell('connected')
end

function Connection:_received(line)
  local message = json.decode(line)
  if type(message) ~= 'table' then
    return
  end
  if message.method then
    self:_tell('pushed', message.method, message.params or {})
    return
  end
  local callback = self.pending[message.id]
  if callback then
    self.pending[message.id] = nil
    self.attempts = 0
    callback(message.error, message.result)
  elseif message.error then
    -- Without an id: the daemon refuses the connection, and ends it.
    self.retry_after_ms = M.retry_after_ms(message.error)
  end
end

function Connection:_drop_pipe()
  if self.pipe and not self.pipe:is_closing() then
    self.pipe:close()
  end
  self.pipe = nil
  self.generation = self.generation + 1
  local pending = self.pending
  self.pending = {}
  for _, callback in pairs(pending) do
    callback({ code = 'lost', message = 'the connection was lost' })
  end
end

function Connection:_lost(reason)
  self.state = 'idle'
  self:_drop_pipe()
  self:_tell('lost', reason)
  self:_retry()
end

function Connection:_failed(generation, reason)
  if generation ~= self.generation then
    return
  end
  self.state = 'idle'
  self:_tell('unreachable', reason)
  self:_retry()
end

function Connection:_retry()
  if #self.listeners == 0 or self.state ~= 'idle' then
    return
  end
  self.state = 'waiting'
  local pause = math.max(M.pause_ms(self.attempts), self.retry_after_ms or 0)
  self.attempts = self.attempts + 1
  self.retry_after_ms = nil
  self.timer = uv.new_timer()
  self.timer:start(
    pause,
    0,
    vim.schedule_wrap(function()
      if self.state == 'waiting' then
        self.state = 'idle'
        self:connect()
      end
    end)
  )
end

function Connection:_stop_timer()
  if self.timer then
    self.timer:stop()
    self.timer:close()
    self.timer = nil
  end
  if self.state == 'waiting' then
    self.state = 'idle'
  end
end

function Connection:_write(message)
  message.jsonrpc = '2.0'
  self.pipe:write(json.encode(message) .. '\n')
end

--- Calls a method; `callback` gets an error or the result, in the main loop.
---@param method string
---@param params? table
---@param callback? fun(fault: formd.Error?, result: any)
function Connection:request(method, params, callback)
  callback = callback or function() end
  if self.state ~= 'open' then
    return callback({ code = 'lost', message = 'there is no connection to the daemon' })
  end
  self.next_id = self.next_id + 1
  self.pending[self.next_id] = callback
  self:_write({ id = self.next_id, method = method, params = params })
end

--- Ends the connection, and with it its sessions.
function Connection:close()
  self:_stop_timer()
  self.state = 'idle'
  self:_drop_pipe()
end

M.new = new

---@type formd.Connection?
local shared

--- The connection of all forms.
---@return formd.Connection
function M.shared()
  shared = shared or new()
  return shared
end

return M
