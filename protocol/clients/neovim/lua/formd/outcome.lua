--- The outcome of a tap, in a floating window that closes when the cursor moves.

local highlights = require('formd.highlights')
local json = require('formd.json')
local values = require('formd.values')

local M = {}

--- The days since 1970 of a date.
local function days(year, month, day)
  -- Years begin in March.
  local march = month <= 2 and year - 1 or year
  return 365 * march
    + math.floor(march / 4)
    - math.floor(march / 100)
    + math.floor(march / 400)
    + math.floor((153 * ((month + 9) % 12) + 2) / 5)
    + day
    - 719469
end

--- The text of a value for people. A point in time is in the time zone of the editor.
---@return string
function M.text(value)
  local pattern = '^(%d%d%d%d)-(%d%d)-(%d%d)[Tt](%d%d):(%d%d):(%d%d)%.?%d*([Zz+-])(%d?%d?):?(%d?%d?)$'
  local parts = type(value) == 'string' and { value:match(pattern) } or {}
  if #parts == 0 then
    return values.text(value)
  end
  local function number(position)
    return tonumber(parts[position]) or 0
  end
  local seconds = 86400 * days(number(1), number(2), number(3)) + 3600 * number(4) + 60 * number(5) + number(6)
  local offset = 3600 * number(8) + 60 * number(9)
  return tostring(os.date('%Y-%m-%d %H:%M:%S %Z', parts[7] == '-' and seconds + offset or seconds - offset))
end

--- A value as indented lines: `name: value`, with its members below.
local function lines_of(value, indent, into)
  if type(value) ~= 'table' or json.is_raw(value) then
    table.insert(into, indent .. M.text(value))
  elseif json.is_array(value) then
    for _, element in ipairs(value) do
      local start = #into + 1
      lines_of(element, indent .. '  ', into)
      into[start] = indent .. '- ' .. (into[start] or ''):sub(#indent + 3)
    end
  else
    local names = vim.tbl_keys(value)
    table.sort(names)
    for _, name in ipairs(names) do
      if type(value[name]) == 'table' then
        table.insert(into, ('%s%s:'):format(indent, name))
        lines_of(value[name], indent .. '  ', into)
      else
        table.insert(into, ('%s%s: %s'):format(indent, name, M.text(value[name]):gsub('\n', ' ')))
      end
    end
  end
  return into
end

--- The result or the error of an action in the document, as lines.
---@return string[]
function M.details(action)
  local value = action.error
  if value == nil then
    value = action.result
  end
  return value == nil and {} or lines_of(value, '', {})
end

--- An event in one line: its message, else its error or result.
---@return string
function M.line(session, event)
  local details = event.message or table.concat(M.details(event), ', ')
  local kind = event.kind == 'succeeded' and 'done' or event.kind
  return ('%s: %s'):format(session:action_label(event.action), details ~= '' and details or kind)
end

--- The text about an event.
---@return string[]
function M.lines(session, event)
  local label = session:action_label(event.action)
  local lines = {}
  if event.kind == 'succeeded' then
    table.insert(lines, '✓ ' .. label)
  elseif event.kind == 'failed' then
    table.insert(lines, '✗ ' .. label)
  else
    table.insert(lines, ('%s: %s'):format(label, event.kind))
  end
  if event.message then
    vim.list_extend(lines, vim.split(event.message, '\n', { plain = true }))
  end
  if event.error ~= nil and event.kind == 'failed' then
    lines_of(type(event.error) == 'table' and event.error or { error = event.error }, '', lines)
  end
  if event.result ~= nil and event.kind == 'succeeded' then
    lines_of(event.result, '', lines)
  end
  return lines
end

--- Shows an event.
---@return integer buffer
---@return integer window
function M.show(session, event)
  local buffer, window = vim.lsp.util.open_floating_preview(M.lines(session, event), '', {
    border = 'rounded',
    focus_id = 'formd',
    max_width = math.max(20, math.min(80, vim.o.columns - 4)),
    close_events = { 'CursorMoved', 'CursorMovedI', 'InsertCharPre', 'BufHidden' },
  })
  local group = event.kind == 'succeeded' and 'FormdSuccess' or 'FormdError'
  vim.api.nvim_buf_set_extmark(buffer, highlights.namespace, 0, 0, { end_row = 1, hl_group = group })
  return buffer, window
end

return M
