-- The kit's adapter for the Neovim plugin: reads one command a line, and writes one report a line. Neovim takes the
-- standard input as the text of a buffer, so the commands come from file descriptor 3:
-- bash -c 'exec nvim --headless -u NONE -c "luafile neovim.lua" 3<&0 </dev/null'
local plugin = debug.getinfo(1, 'S').source:match('^@(.*)/Tests/') .. '/protocol/clients/neovim'
vim.opt.runtimepath:prepend(plugin)
local json = require('formd.json')

local session, problem
local is_closed = false
local events = {}
local observer = {
  opened = function()
    is_closed = false
  end,
  changed = function() end,
  event = function(event)
    table.insert(events, event.seq)
  end,
  failed = function(fault)
    problem = fault.code
  end,
  refused = function()
    is_closed = true
  end,
  told = function(message)
    if message:find('may have been executed', 1, true) then
      problem = 'unknown'
    elseif message:find('has closed the session', 1, true) then
      is_closed = true
    end
  end,
}

-- Whether all inputs are answered.
local function is_done()
  return is_closed
    or (problem ~= nil and problem ~= 'unknown')
    or (session.state == 'open' and not (next(session.unanswered) or next(session.late) or next(session.taps)))
end

local function perform(command)
  problem = nil
  if command['do'] == 'open' then
    require('formd').setup({ socket = command.socket, start = false, keep = command.keep })
    session = require('formd.session').open({ form = command.form }, observer)
    local rejected = session._rejected
    function session:_rejected(method, fault)
      problem = fault.code ~= 'lost' and fault.code or problem
      rejected(self, method, fault)
    end
  elseif is_closed then
    return
  elseif command['do'] == 'set' then
    session:change('/' .. command.field, command.value)
  else
    session:tap(command.action)
  end
  vim.wait(120000, is_done, 2)
end

local function serve(line)
  perform(json.decode(line))
  local report = { error = problem or is_closed and 'closed' or nil, document = session.document, events = events }
  io.stdout:write(json.encode(report) .. '\n')
  io.stdout:flush()
end

local commands = vim.loop.new_pipe(false)
commands:open(3)
local input = ''
commands:read_start(function(_, data)
  if not data then
    return vim.schedule(function()
      vim.cmd('qall!')
    end)
  end
  input = input .. data
  for line in input:gmatch('([^\n]*)\n') do
    vim.schedule(function()
      serve(line)
    end)
  end
  input = input:match('[^\n]*$')
end)
