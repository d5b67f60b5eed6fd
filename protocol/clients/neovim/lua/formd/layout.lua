--- The lines of a form: a function of the session and of the width. It touches no buffer.
---
--- The text of a line is a prefix, which belongs to the plugin, and then the text that the user edits. Choices, marks,
--- computed values and messages are virtual text. So the buffer's text changes only where the user types, or where
--- lines are added or removed.

local json = require('formd.json')
local values = require('formd.values')

---@alias formd.LineKind
---| 'title'|'steps'|'blank'|'heading'|'text'|'secret'|'choice'|'choices'|'flag'|'fixed'
---| 'row'|'add'|'button'|'page'|'output'

---@class formd.Line
---@field key string which line it is, among all that the form ever has
---@field kind formd.LineKind
---@field prefix string
---@field text? string behind the prefix, of `text` lines
---@field address? string of a field, list or row
---@field field? table what form/describe says of it
---@field part? integer of a text of several lines
---@field is_multiline? boolean
---@field is_last? boolean whether no other line of the same text follows
---@field label? integer[] the bytes of the prefix that are the label
---@field shown? string what virtual text shows as the value
---@field name? string of an action, output or step

local M = {}

---@class formd.LayoutOptions
---@field width integer columns of the window
---@field narrow integer
---@field label_width integer
---@field outputs boolean

local INDENT = '  '

local width_of = vim.fn.strdisplaywidth

--- Whether a field is a multiple choice.
function M.is_choices(field)
  return field.isMultipleChoice == true
end

--- Whether a field's text has several lines.
local function is_multiline(session, address, field)
  if field.type ~= 'string' or field.isSecret then
    return false
  end
  return field.widget == 'textarea' or field.widget == 'multiline' or session:text(address):find('\n') ~= nil
end

--- The kind of line of a field without fields inside of it.
local function kind_of(session, address, field, state)
  if field.computed or state.isEnabled == false then
    return 'fixed'
  elseif field.isSecret then
    return 'secret'
  elseif session:options(address, field) then
    return 'choice'
  elseif field.type == 'boolean' then
    return 'flag'
  end
  return 'text'
end

---@class formd.Layout
local Layout = {}
Layout.__index = Layout

function Layout:add(line)
  line.text = line.text or ''
  table.insert(self.lines, line)
  return line
end

--- A line without a value.
function Layout:plain(kind, key, indent, text, more)
  local line = vim.tbl_extend('error', { kind = kind, key = key, prefix = indent .. text }, more or {})
  line.label = { #indent, #indent + #text }
  return self:add(line)
end

function Layout:blank(key)
  if #self.lines > 0 and self.lines[#self.lines].kind ~= 'blank' then
    self:add({ kind = 'blank', key = 'blank ' .. key, prefix = '' })
  end
end

--- The prefix with a label, and the label's place in it. In a narrow window, the label has a line of its own.
function Layout:labelled(key, indent, label, line)
  if self.is_stacked then
    self:plain('heading', 'label ' .. key, indent, label, { address = line.address, field = line.field })
    line.prefix = indent .. INDENT
  else
    local gap = self.column - width_of(indent .. label)
    if gap < 2 then
      local fitting = label
      while width_of(indent .. fitting) > self.column - 3 do
        fitting = vim.fn.strcharpart(fitting, 0, vim.fn.strchars(fitting) - 1)
      end
      label = fitting .. '…'
      gap = self.column - width_of(indent .. label)
    end
    line.prefix = indent .. label .. (' '):rep(gap)
    line.label = { #indent, #indent + #label }
    line.has_bar = true
  end
  return self:add(line)
end

local function label_of(field, state)
  local label = field.label or (field.name ~= '*' and field.name) or ''
  return state.isRequired and label .. ' *' or label
end

--- The display of a field that is not edited as text.
local function shown(session, address, field, kind)
  local value = session.values[address]
  if kind == 'secret' or (kind == 'fixed' and field.isSecret) then
    -- After an attach, only the daemon has the secret.
    local is_kept = session.key and value == nil and session:state_of(address).isEmpty == false
    return ('•'):rep(is_kept and 8 or math.min(32, vim.fn.strchars(session:text(address))))
  elseif kind == 'flag' then
    return value == true and '[x]' or '[ ]'
  elseif value == nil and session.texts[address] == nil then
    return ''
  end
  if type(value) == 'boolean' and kind ~= 'choice' then
    return value and '[x]' or '[ ]'
  end
  local options = session:options(address, field)
  return options and values.chosen(value, options) or (session:text(address):gsub('\n', ' '))
end

function Layout:leaf(address, field, state, indent, label)
  local session = self.session
  local kind = kind_of(session, address, field, state)
  local line = { kind = kind, key = address, address = address, field = field }
  if kind ~= 'text' then
    line.shown = shown(session, address, field, kind)
    line.is_disabled = kind == 'fixed' and not field.computed
    self:labelled(address, indent, label, line)
    return
  end
  local parts = { session:text(address) }
  if is_multiline(session, address, field) then
    parts = vim.split(parts[1], '\n', { plain = true })
    line.is_multiline = true
  else
    parts[1] = parts[1]:gsub('\n', ' ')
  end
  line.text, line.part = parts[1], 1
  self:labelled(address, indent, label, line)
  for part = 2, #parts do
    self:add({
      kind = 'text',
      key = address .. ' line ' .. part,
      prefix = (' '):rep(width_of(line.prefix)),
      text = parts[part],
      address = address,
      field = field,
      part = part,
      is_multiline = true,
      has_bar = line.has_bar,
    })
  end
end

--- A field that takes a list of choices.
function Layout:choices(address, field, state, indent)
  local session = self.session
  local labels = {}
  for _, row in ipairs(state.order or {}) do
    local place = json.inside(address, '#' .. row)
    table.insert(labels, values.chosen(session.values[place], session:options(place, field.items) or {}))
  end
  self:labelled(address, indent, label_of(field, state), {
    kind = state.isEnabled == false and 'fixed' or 'choices',
    key = address,
    address = address,
    field = field,
    shown = table.concat(labels, ', '),
  })
end

--- The address of a row as a definition writes it: `/items/*`.
local function pattern_of(row)
  return json.address(vim.tbl_map(function(name)
    return name:match('^#') and '*' or name
  end, json.names(row)))
end

--- A list with its rows.
function Layout:list(address, field, state, indent)
  local order = state.order or {}
  self:blank(address)
  self:plain('heading', address, indent, label_of(field, state), { address = address, field = field })
  for position, row in ipairs(order) do
    local place = json.inside(address, '#' .. row)
    local row_state = (state.rows or {})[row] or {}
    if row_state.isVisible ~= false then
      self:row(place, position, field, row_state, indent .. INDENT)
    end
  end
  if state.isEnabled ~= false and not field.computed and #order < (field.maxItems or math.huge) then
    local label = ('[+ %s]'):format(field.label or field.name)
    self:plain('add', 'add ' .. address, indent .. INDENT, label, { address = address, field = field })
  end
  self:blank('behind ' .. address)
end

function Layout:row(place, position, field, state, indent)
  local items = field.items
  if items.fields or items.items then
    local title = (state.outputs or {}).title
    local text = tostring(position) .. (type(title) == 'string' and '  ' .. title:gsub('\n', ' ') or '')
    self:plain('row', 'row ' .. place, indent, text, { address = place, field = items })
    self:field(place, items, state, indent .. INDENT)
    for _, name in ipairs(self.session.description.outputs) do
      if self.options.outputs and name:match('^(.*)/[^/]+$') == pattern_of(place) then
        local output = name:match('[^/]+$')
        -- The row's heading has its title.
        if output ~= 'title' then
          self:output('output ' .. json.inside(place, output), output, (state.outputs or {})[output], indent .. INDENT, place)
        end
      end
    end
  else
    self:leaf(place, items, state, indent, tostring(position))
  end
end

function Layout:output(key, label, value, indent, place)
  local text = values.text(value):gsub('\n', ' ')
  if text ~= '' then
    self:labelled(key, indent, label, { kind = 'output', key = key, name = label, address = place, shown = text })
  end
end

--- Whether a field, or a field inside of it, belongs to the current step or to no step.
function Layout:is_on_page(address, field)
  if not self.page then
    return true
  elseif not field.fields then
    local step = self.session:step_of(address)
    return step == nil or step == self.page
  end
  for _, inner in ipairs(field.fields) do
    if self:is_on_page(json.inside(address, inner.name), inner) then
      return true
    end
  end
  return false
end

--- A field with all fields inside of it.
function Layout:field(address, field, state, indent)
  if state.isVisible == false or not self:is_on_page(address, field) then
    return
  end
  if M.is_choices(field) then
    self:choices(address, field, state, indent)
  elseif field.items then
    self:list(address, field, state, indent)
  elseif field.fields then
    local inside = indent
    if field.name ~= '*' and (field.label or #field.fields > 0) then
      self:blank(address)
      self:plain('heading', address, indent, label_of(field, state), { address = address, field = field })
      inside = indent .. INDENT
    end
    for _, inner in ipairs(field.fields) do
      local part = (state.fields or {})[inner.name] or {}
      self:field(json.inside(address, inner.name), inner, part, inside)
    end
    if field.name ~= '*' then
      self:blank('behind ' .. address)
    end
  else
    self:leaf(address, field, state, indent, label_of(field, state))
  end
end

--- The width of the labels' column: the width of the widest label with its indentation, within bounds.
local function column(session, options)
  local widest = 0
  local function measure(fields, depth)
    for _, field in ipairs(fields) do
      if field.items and not M.is_choices(field) then
        measure(field.items.fields and { field.items } or {}, depth + 1)
      elseif field.fields then
        measure(field.fields, depth + 1)
      else
        widest = math.max(widest, #INDENT * depth + width_of(label_of(field, { isRequired = true })))
      end
    end
  end
  measure(session.description.fields, 1)
  for _, name in ipairs(options.outputs and session.description.outputs or {}) do
    widest = math.max(widest, #INDENT * (name:match('/') and 3 or 1) + width_of(name:match('[^/]+$')))
  end
  return math.min(widest, options.label_width) + 4
end

--- The steps as one line with the current step marked, and their places in the line.
local function steps_line(session, visible)
  local text, marks = INDENT, {}
  for position, step in ipairs(visible) do
    local state = session.document.steps[step.id]
    if position > 1 then
      text = text .. ' › '
    end
    local start = #text
    local done = state.isTouched and state.isValid and '✓ ' or ''
    text = text .. done .. (step.label or step.id)
    table.insert(marks, { start, #text, step.id == session.document.step })
  end
  return text, marks
end

--- The visible steps, and the position of the current one.
---@return table[] visible
---@return integer? position
function M.steps(session)
  local visible, position = {}, nil
  for _, step in ipairs(session.description.steps or {}) do
    if session.document.steps[step.id].isVisible then
      table.insert(visible, step)
      if step.id == session.document.step then
        position = #visible
      end
    end
  end
  return visible, position
end

--- All lines of a form.
---@param session formd.Session
---@param options formd.LayoutOptions
---@return formd.Line[]
function M.lines(session, options)
  local layout = setmetatable({
    session = session,
    options = options,
    lines = {},
    page = session.document.step,
    is_stacked = options.width < options.narrow,
    column = column(session, options),
  }, Layout)
  layout:plain('title', 'title', '', session.description.title or session.description.form)
  local steps, at = M.steps(session)
  if at then
    local text, marks = steps_line(session, steps)
    layout:add({ kind = 'steps', key = 'steps', prefix = text, marks = marks })
  end
  layout:blank('title')
  for _, field in ipairs(session.description.fields) do
    layout:field(field.address, field, session:state_of(field.address), INDENT)
  end
  layout:blank('buttons')
  -- The action that leads to the next page checks the fields of this page. A page button would not.
  if at and at < #steps and not session:is_led_on() then
    layout:page_button('next', '', steps[at + 1], ' ›')
  end
  for _, action in ipairs(session:actions()) do
    local label = ('[ %s ]'):format(session:action_label(action.name))
    layout:plain('button', 'button ' .. action.name, INDENT, label, { name = action.name })
  end
  -- The way back is last: <Tab> behind the last field goes on.
  if at and at > 1 then
    layout:page_button('previous', '‹ ', steps[at - 1], '')
  end
  if options.outputs then
    layout:blank('outputs')
    for _, name in ipairs(session.description.outputs) do
      if name:sub(1, 1) ~= '/' then
        layout:output('output ' .. name, name, session.document.outputs[name], INDENT)
      end
    end
  end
  while layout.lines[#layout.lines].kind == 'blank' do
    table.remove(layout.lines)
  end
  for position, line in ipairs(layout.lines) do
    local after = layout.lines[position + 1]
    line.is_last = not (after and after.part and after.address == line.address)
  end
  return layout.lines
end

function Layout:page_button(key, before, step, behind)
  local label = ('[ %s%s%s ]'):format(before, step.label or step.id, behind)
  self:plain('page', 'page ' .. key, INDENT, label, { name = step.id })
end

return M
