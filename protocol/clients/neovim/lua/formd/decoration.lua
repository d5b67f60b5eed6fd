--- The virtual text of a line: values that are not typed, marks, spinners, help, messages.

local config = require('formd.config')
local highlights = require('formd.highlights')
local json = require('formd.json')
local outcome = require('formd.outcome')

local M = {}

local SPINNER = { '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏' }

local ERROR, WARNING = vim.diagnostic.severity.ERROR, vim.diagnostic.severity.WARN

--- The current frame of spinners.
M.frame = 1

--- The next frame.
function M.turn()
  M.frame = M.frame % #SPINNER + 1
end

--- A text in lines of at most `width` columns, broken at spaces if possible.
---@param text string
---@param width integer
---@return string[]
function M.wrap(text, width)
  local lines, line = {}, ''
  width = math.max(width, 8)
  for _, paragraph in ipairs(vim.split(text, '\n', { plain = true })) do
    for word in paragraph:gmatch('%S+') do
      local longer = line == '' and word or line .. ' ' .. word
      if line ~= '' and vim.fn.strdisplaywidth(longer) > width then
        table.insert(lines, line)
        longer = word
      end
      line = longer
      while vim.fn.strdisplaywidth(line) > width do
        local count = vim.fn.strchars(line)
        local head = line
        while vim.fn.strdisplaywidth(head) > width do
          count = count - 1
          head = vim.fn.strcharpart(line, 0, count)
        end
        table.insert(lines, head)
        line = vim.fn.strcharpart(line, count)
      end
    end
    table.insert(lines, line)
    line = ''
  end
  return lines
end

--- The message at an address, with its severity; nil: none is shown.
---@return string? message
---@return integer? severity
---@return string? code
function M.message(session, address)
  local message = session.document.messages[address]
  if not message then
    return nil
  end
  for _, fault in ipairs(session:state_of(address).errors or {}) do
    if fault.message == message then
      return message, fault.severity == 'warning' and WARNING or ERROR, fault.code
    end
  end
  return message, ERROR
end

--- A message that names its field, because a screen reader reads each line alone. A message that begins with the label
--- stays as it is.
---@param label string
---@param message string
---@return string
function M.named(label, message)
  if label == '' or vim.startswith(vim.fn.tolower(message), vim.fn.tolower(label)) then
    return message
  end
  return label .. ': ' .. message
end

--- Whether a line has work in progress.
function M.is_busy(session, line)
  if session.state ~= 'open' then
    return false
  elseif line.kind == 'button' then
    return session.document.actions[line.name].isLoading
  end
  return line.address ~= nil
    and line.field ~= nil
    and not line.field.fields
    and not line.field.items
    and (line.part or 1) == 1
    and line.kind ~= 'heading'
    and session:state_of(line.address).isPending == true
end

local function value_highlight(line)
  if line.is_disabled then
    return 'FormdDisabled'
  elseif line.kind == 'secret' then
    return 'FormdSecret'
  elseif line.kind == 'fixed' or line.kind == 'output' then
    return 'FormdFixed'
  end
  return 'FormdChoice'
end

--- The text over the line, after its prefix.
local function overlay(line)
  if line.shown and line.shown ~= '' then
    return { { line.shown, value_highlight(line) } }
  elseif line.text == '' and line.field and line.field.placeholder and (line.part or 1) == 1 and line.kind == 'text' then
    return { { line.field.placeholder, 'FormdPlaceholder' } }
  elseif line.kind == 'choice' or line.kind == 'choices' then
    return { { line.field.placeholder or 'choose', 'FormdPlaceholder' } }
  elseif line.kind == 'secret' then
    return { { line.field.placeholder or 'unseen', 'FormdPlaceholder' } }
  end
end

--- The text at the end of a line, or after the text over it.
local function behind(session, line)
  if M.is_busy(session, line) then
    return { { ' ' .. SPINNER[M.frame], 'FormdSpinner' } }
  elseif line.kind == 'title' and session.state ~= 'open' then
    return { { session.state == 'lost' and 'not connected' or 'connecting', 'FormdOffline' } }
  elseif line.kind == 'choice' or line.kind == 'choices' then
    return { { ' ▾', 'FormdBar' } }
  elseif line.kind == 'button' then
    local action = session.document.actions[line.name]
    if action.message then
      return { { ' ' .. action.message, action.error ~= nil and 'FormdError' or 'FormdSuccess' } }
    end
  elseif line.kind == 'heading' and line.field and line.field.items then
    local count = #(session:state_of(line.address).order or {})
    return { { count == 1 and '1 row' or ('%d rows'):format(count), 'FormdHelp' } }
  elseif line.kind == 'row' and session:state_of(line.address).isValid == false and session.document.messages then
    for address in pairs(session.document.messages) do
      if json.is_within(address, line.address) then
        return { { '✗', 'FormdError' } }
      end
    end
  end
end

--- The lines below a line: help, and the message if messages are below.
local function below(session, line, width)
  local indent = vim.fn.strdisplaywidth(line.prefix)
  if line.kind == 'heading' or line.kind == 'row' then
    indent = line.label[1]
  end
  local lines = {}
  local function say(text, highlight, mark)
    for position, part in ipairs(M.wrap(text, width - indent - 3)) do
      local lead = mark and (position == 1 and mark .. ' ' or '  ') or ''
      table.insert(lines, { { (' '):rep(indent) .. lead .. part, highlight } })
    end
  end
  local is_label = line.key:match('^label ')
  if line.field and line.field.help and not is_label and line.kind ~= 'add' and (line.is_last or line.kind == 'heading') then
    say(line.field.help, 'FormdHelp')
  end
  if config.current.messages == 'below' and M.bears_message(line) then
    local message, severity = M.message(session, line.address)
    if message then
      local is_error = severity == ERROR
      say(M.named(session:label_of(line.address), message), is_error and 'FormdError' or 'FormdWarning', is_error and '✗' or '!')
    end
  end
  local action = line.kind == 'button' and session.document.actions[line.name]
  if action and not action.message then
    for _, text in ipairs(outcome.details(action)) do
      say(text, action.error ~= nil and 'FormdError' or 'FormdSuccess')
    end
  end
  if line.kind == 'title' then
    for _, fault in ipairs(session.document.errors) do
      say(fault.message or fault.code, fault.severity == 'warning' and 'FormdWarning' or 'FormdError', '✗')
    end
    if session.state == 'lost' and session.notice then
      say(session.notice, 'FormdOffline')
    end
  end
  return lines
end

--- Whether a line shows the message of its address: the last line of a text does, the label above it and the button
--- below it do not.
function M.bears_message(line)
  return line.address ~= nil
    and line.kind ~= 'add'
    and line.kind ~= 'output'
    and not line.key:match('^label ')
    and (line.kind ~= 'text' or line.is_last == true)
end

local PREFIX_HIGHLIGHTS = {
  title = 'FormdTitle',
  heading = 'FormdHeading',
  row = 'FormdRow',
  add = 'FormdAdd',
  page = 'FormdButton',
  output = 'FormdHelp',
}

local function prefix_highlight(session, line)
  if line.kind == 'button' then
    return session.document.actions[line.name].isEnabled and 'FormdButton' or 'FormdButtonDisabled'
  end
  return PREFIX_HIGHLIGHTS[line.kind] or 'FormdLabel'
end

--- Decorates all lines of a buffer again.
---@param buffer integer
---@param session formd.Session
---@param lines formd.Line[]
---@param width integer
function M.draw(buffer, session, lines, width)
  local namespace = highlights.namespace
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  local function mark(row, column, options)
    vim.api.nvim_buf_set_extmark(buffer, namespace, row, column, options)
  end
  for position, line in ipairs(lines) do
    local row = position - 1
    if line.label then
      local start, finish = line.label[1], line.label[2]
      mark(row, start, { end_col = finish, hl_group = prefix_highlight(session, line) })
      if line.prefix:sub(finish - 1, finish) == ' *' then
        mark(row, finish - 1, { end_col = finish, hl_group = 'FormdRequired', priority = 5000 })
      end
    end
    for _, place in ipairs(line.marks or {}) do
      mark(row, place[1], { end_col = place[2], hl_group = place[3] and 'FormdStepNow' or 'FormdStep' })
    end
    if line.has_bar then
      mark(row, #line.prefix - 2, { virt_text = { { '│', 'FormdBar' } }, virt_text_pos = 'overlay' })
    end
    local written, more = overlay(line), behind(session, line)
    if written then
      mark(row, #line.prefix, { virt_text = vim.list_extend(written, more or {}), virt_text_pos = 'overlay' })
    elseif more then
      mark(row, 0, { virt_text = more, virt_text_pos = 'eol' })
    end
    local under = below(session, line, width)
    if #under > 0 then
      mark(row, 0, { virt_lines = under })
    end
  end
end

--- The messages as diagnostics.
---@param lines formd.Line[]
---@return table[]
function M.diagnostics(session, lines)
  local found = {}
  local function add(row, from, to, message, severity, code)
    table.insert(found, {
      lnum = row,
      end_lnum = row,
      col = from,
      end_col = math.max(to, from),
      message = message,
      severity = severity,
      code = code,
      source = 'formd',
    })
  end
  for position, line in ipairs(lines) do
    if M.bears_message(line) then
      local message, severity, code = M.message(session, line.address)
      if message then
        local from = line.label and (line.kind == 'heading' or line.kind == 'row') and line.label[1] or #line.prefix
        local named = M.named(session:label_of(line.address), message)
        add(position - 1, from, #line.prefix + #line.text, named, severity, code)
      end
    elseif line.kind == 'title' then
      for _, fault in ipairs(session.document.errors) do
        local severity = fault.severity == 'warning' and WARNING or ERROR
        add(position - 1, 0, #line.prefix, fault.message or fault.code, severity, fault.code)
      end
    end
  end
  return found
end

return M
