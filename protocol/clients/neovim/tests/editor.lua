--- A Neovim under test: a child process that is typed into as a person would, and looked at.

local Editor = {}
Editor.__index = Editor

local PATIENCE_MS = tonumber(vim.env.FORMD_TEST_PATIENCE_MS) or 30000

local ROOT = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')

--- Runs in the child: what notifications said, and what is to be seen of a form, virtual text included.
local PRELUDE = [[
  _G.told = {}
  vim.notify = function(message, level)
    table.insert(told, message)
  end
  _G.shown = function(buffer)
    local namespace = vim.api.nvim_create_namespace('formd')
    local function text(chunks)
      return table.concat(vim.tbl_map(function(chunk) return chunk[1] end, chunks))
    end
    local lines = {}
    for row, line in ipairs(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false)) do
      local under = {}
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer or 0, namespace, { row - 1, 0 }, { row - 1, -1 }, { details = true })) do
        local details = mark[4]
        if details.virt_text and details.virt_text[1][1] ~= '│' then
          local is_over = details.virt_text_pos == 'overlay'
          line = (is_over and line:sub(1, mark[3]) or line .. ' ') .. text(details.virt_text)
        end
        for _, below in ipairs(details.virt_lines or {}) do
          table.insert(under, text(below))
        end
      end
      table.insert(lines, (line:gsub('%s+$', '')))
      vim.list_extend(lines, under)
    end
    return lines
  end
]]

--- Starts one.
---@param options? { socket?: string, settings?: table, env?: table }
function Editor.start(options)
  options = options or {}
  local env = vim.tbl_extend('force', { LANG = 'en_US.UTF-8', LC_ALL = 'C.UTF-8', TZ = 'UTC' }, options.env or {})
  if options.socket then
    env.FORMD_SOCKET = options.socket
  end
  local command = { vim.v.progpath, '--embed', '--headless', '-u', 'NONE', '-i', 'NONE', '-n' }
  local self = setmetatable({}, Editor)
  self.job = vim.fn.jobstart(command, { rpc = true, env = env })
  assert(self.job > 0, 'no editor could be started')
  self:lua(PRELUDE)
  self:lua(
    [[
      local root, settings = ...
      vim.opt.runtimepath:prepend(root)
      vim.cmd('filetype plugin on')
      vim.cmd('runtime plugin/formd.lua')
      require('formd').setup(settings)
    ]],
    ROOT,
    vim.tbl_extend('force', { locale = 'en', start = false, lsp = false }, options.settings or {})
  )
  vim.fn.rpcrequest(self.job, 'nvim_set_option', 'lines', 60)
  vim.fn.rpcrequest(self.job, 'nvim_set_option', 'columns', options.columns or 90)
  return self
end

--- Ends it as a crash would.
function Editor:kill()
  vim.loop.kill(vim.fn.jobpid(self.job), 9)
  vim.fn.jobwait({ self.job }, PATIENCE_MS)
end

function Editor:stop()
  vim.fn.jobstop(self.job)
  vim.fn.jobwait({ self.job }, PATIENCE_MS)
end

--- Runs Lua in the child; the value that it returns.
function Editor:lua(code, ...)
  return vim.fn.rpcrequest(self.job, 'nvim_exec_lua', code, { ... })
end

function Editor:command(command)
  vim.fn.rpcrequest(self.job, 'nvim_command', command)
end

--- Types keys, as a person does: each is handled before the next.
function Editor:keys(keys)
  local rest = keys
  while rest ~= '' do
    local key = rest:match('^<%a[%w-]*>') or rest:match('^[%z\1-\127\194-\244][\128-\191]*')
    rest = rest:sub(#key + 1)
    vim.fn.rpcrequest(self.job, 'nvim_input', key)
    -- An answer comes when the key was handled. Within a mapping or an operator only the next key makes it go on.
    if not vim.fn.rpcrequest(self.job, 'nvim_get_mode').blocking then
      vim.fn.rpcrequest(self.job, 'nvim_eval', '1')
    end
  end
end

--- Types all at once, so that keys are handled before what they caused is drawn.
function Editor:burst(keys)
  vim.fn.rpcrequest(self.job, 'nvim_input', keys)
end

--- What is to be seen, as one text.
function Editor:shown()
  return table.concat(self:lua('return shown()'), '\n')
end

--- The text of the buffer alone.
function Editor:text()
  return table.concat(vim.fn.rpcrequest(self.job, 'nvim_buf_get_lines', 0, 0, -1, false), '\n')
end

function Editor:told()
  return table.concat(self:lua('return told'), '\n')
end

--- Waits until `condition` holds.
function Editor:wait(what, condition)
  local is_there = vim.wait(PATIENCE_MS, condition, 15)
  if not is_there then
    error(('%s did not come to be; there was:\n%s\ntold:\n%s'):format(what, self:shown(), self:told()), 2)
  end
end

--- Waits until a text is to be seen.
function Editor:sees(text)
  self:wait(('"%s"'):format(text), function()
    return self:shown():find(text, 1, true) ~= nil
  end)
end

--- Waits until a text is to be seen no more.
function Editor:misses(text)
  self:wait(('the end of "%s"'):format(text), function()
    return self:shown():find(text, 1, true) == nil
  end)
end

--- Waits until a line is to be seen that has all the texts, in this order.
function Editor:sees_line(...)
  local texts = { ... }
  self:wait('a line with ' .. vim.inspect(texts), function()
    for _, line in ipairs(self:lua('return shown()')) do
      local at = 1
      for _, text in ipairs(texts) do
        at = at and select(2, line:find(text, at, true))
      end
      if at then
        return true
      end
    end
    return false
  end)
end

--- Waits until the cursor stands in a line with this text alone, such as an empty field by its label.
function Editor:stands_at(text)
  self:wait(('the cursor at "%s"'):format(text), function()
    return vim.trim(self:lua('return vim.api.nvim_get_current_line()')) == text
  end)
end

--- Waits until the user is told something.
function Editor:hears(text)
  self:wait(('the words "%s"'):format(text), function()
    return self:told():find(text, 1, true) ~= nil
  end)
end

--- Opens a form and waits for it.
function Editor:form(arguments, sign)
  self:command('Form ' .. arguments)
  self:sees(sign)
end

--- Goes to the field with a label.
function Editor:go(label)
  self:lua(
    [[
      local label = ...
      for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
        if line:find(label, 1, true) then
          vim.api.nvim_win_set_cursor(0, { row, #line })
          vim.cmd('doautocmd CursorMoved')
          return
        end
      end
      error('no line has "' .. label .. '"')
    ]],
    label
  )
end

--- The values that the daemon has, secrets left out.
function Editor:values()
  return self:lua([[
    local session = require('formd.view').of(0).session
    local values
    session:flush()
    session.connection:request('session/get', { session = session.id }, function(_, whole) values = whole and whole.values or {} end)
    vim.wait(30000, function() return values ~= nil end, 10)
    return values
  ]])
end

--- The lines of the floating window; nil: there is none.
function Editor:float()
  return self:lua([[
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
      end
    end
  ]])
end

--- Answers the next `vim.ui.select` with the item that is shown with these words.
function Editor:will_choose(...)
  self:lua(
    [[
      local wanted = { ... }
      vim.ui.select = function(items, options, done)
        local next_one = table.remove(wanted, 1)
        local label_of = options.format_item or tostring
        _G.offered = vim.tbl_map(label_of, items)
        for _, item in ipairs(items) do
          local label = label_of(item)
          if next_one and label:find(next_one, 1, true) then
            return done(item)
          end
        end
        done(nil)
      end
    ]],
    ...
  )
end

--- Asserts that the last `vim.ui.select` had these items, as they were shown.
function Editor:offered(...)
  local labels = { ... }
  self:wait('the items', function()
    return vim.deep_equal(self:lua('return _G.offered'), labels)
  end)
end

--- Answers the next `vim.ui.input` with a text.
function Editor:will_type(text)
  self:lua(
    [[
      local text = ...
      vim.ui.input = function(_, done)
        done(text)
      end
    ]],
    text
  )
end

return Editor
