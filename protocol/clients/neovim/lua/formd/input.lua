--- The effects of keys in a form's buffer, and of cursor movements.

local config = require('formd.config')
local json = require('formd.json')
local layout = require('formd.layout')
local secret = require('formd.secret')
local values = require('formd.values')

local M = {}

-- Rows

--- The innermost row that is an address or contains it; nil: none.
---@param address? string
---@return string?
local function row_around(address)
  local names = address and json.names(address) or {}
  for length = #names, 1, -1 do
    if names[length]:match('^#') then
      return json.address(vim.list_slice(names, 1, length))
    end
  end
end

--- The list of a row, and the row's identity.
local function list_of(row)
  local names = json.names(row)
  local identity = table.remove(names):sub(2)
  return json.address(names), identity
end

--- The row under the cursor, if its list shows rows.
local function row_at_cursor(view)
  local line = view:line_at_cursor()
  local row = line and row_around(line.address)
  if not row then
    vim.notify('formd: there is no row here', vim.log.levels.INFO)
  end
  return row
end

--- Adds a row after the row under the cursor, or at the end of the list under it.
function M.add_row(view)
  local line = view:line_at_cursor()
  if not line or not line.address then
    return vim.notify('formd: there is no list here', vim.log.levels.INFO)
  end
  local list, before = line.address, nil
  local field = view.session:field(list)
  if not (field and field.items) then
    local row = row_around(line.address)
    if not row then
      return vim.notify('formd: there is no list here', vim.log.levels.INFO)
    end
    local identity
    list, identity = list_of(row)
    local order = view.session:state_of(list).order or {}
    for position, other in ipairs(order) do
      if other == identity then
        before = order[position + 1]
      end
    end
  end
  view.session:insert_row(list, before, function(row)
    view:draw()
    if vim.api.nvim_get_current_buf() ~= view.buffer then
      return
    end
    for position, candidate in ipairs(view.lines) do
      local is_inside = candidate.address and json.is_within(candidate.address, row)
      if is_inside and candidate.kind ~= 'row' and candidate.kind ~= 'heading' then
        vim.api.nvim_win_set_cursor(0, { position, #candidate.prefix + #candidate.text })
        return view:follow_cursor()
      end
    end
  end)
end

function M.remove_row(view)
  local row = row_at_cursor(view)
  if row then
    view.session:remove_row(row)
  end
end

---@param by 1|-1
function M.move_row(view, by)
  local row = row_at_cursor(view)
  if row then
    view.session:move_row(row, by)
  end
end

-- Choices

--- The choices that the user can take: the disabled ones only if they are the value.
local function offered(options, is_chosen)
  return vim.tbl_filter(function(option)
    return option.disabled ~= true or is_chosen(option)
  end, options or {})
end

--- Asks for a text that is not among the choices.
local function own_text(line, give)
  vim.ui.input({ prompt = (line.field.label or line.field.name) .. ': ' }, function(text)
    if text and text ~= '' then
      give(text)
    end
  end)
end

local function choose(view, line)
  local session = view.session
  local options = offered(session:options(line.address, line.field), function(option)
    return values.equal(option.value, session.values[line.address])
  end)
  if #options == 0 then
    local is_pending = session:state_of(line.address).isPending
    local why = is_pending and 'the choices are being loaded' or 'there are no choices'
    return vim.notify('formd: ' .. why, vim.log.levels.INFO)
  end
  if not session:state_of(line.address).isRequired and session.values[line.address] ~= nil then
    table.insert(options, { label = '(none)', is_none = true })
  end
  if line.field.admitsOther then
    table.insert(options, { label = 'Other…', is_other = true })
  end
  vim.ui.select(options, {
    prompt = line.field.label or line.field.name,
    kind = 'formd',
    format_item = function(option)
      local is_chosen = option.value ~= nil and values.equal(option.value, session.values[line.address])
      return (is_chosen and '● ' or '  ') .. values.label(option)
    end,
  }, function(option)
    if option and option.is_other then
      own_text(line, function(text)
        session:change(line.address, text)
      end)
    elseif option then
      local value = option.value
      session:change(line.address, value ~= vim.NIL and value or nil)
    end
  end)
end

--- Several choices: each pick adds or removes one, until the user is done.
local function choose_several(view, line)
  local session = view.session
  local taken = values.gather(session.values, line.address, line.field, session:state_of(line.address)) or {}
  local function position_of(option)
    for position, value in ipairs(taken) do
      if values.equal(value, option.value) then
        return position
      end
    end
  end
  --- Puts a value into the list, or takes it out of it.
  local function mark(option)
    local position = position_of(option)
    if position then
      table.remove(taken, position)
    else
      table.insert(taken, option.value)
    end
    session:change(line.address, #taken > 0 and taken or nil)
  end
  local function ask()
    local options = offered(session:options(json.inside(line.address, '*'), line.field.items), position_of)
    table.insert(options, 1, { label = 'Done', is_done = true })
    if line.field.items.admitsOther then
      table.insert(options, { label = 'Other…', is_other = true })
    end
    vim.ui.select(options, {
      prompt = line.field.label or line.field.name,
      kind = 'formd',
      format_item = function(option)
        if option.is_done or option.is_other then
          return option.label
        end
        return (position_of(option) and '[x] ' or '[ ] ') .. values.label(option)
      end,
    }, function(option)
      if not option or option.is_done then
        return
      end
      if option.is_other then
        return own_text(line, function(text)
          mark({ value = text })
          vim.schedule(ask)
        end)
      end
      mark(option)
      vim.schedule(ask)
    end)
  end
  ask()
end

-- Keys

local function toggle(view, line)
  view.session:change(line.address, view.session.values[line.address] ~= true)
end

--- Goes to the next or the previous step.
---@param by 1|-1
function M.show_step(view, by)
  local steps, position = layout.steps(view.session)
  local step = position and steps[position + by]
  if step then
    view.session:show_step(step.id)
  elseif not position then
    vim.notify('formd: this form has no steps', vim.log.levels.INFO)
  end
end

--- Performs the main action of a line.
function M.activate(view)
  local line = view:line_at_cursor()
  if not line then
    return
  elseif line.kind == 'choice' then
    choose(view, line)
  elseif line.kind == 'choices' then
    choose_several(view, line)
  elseif line.kind == 'flag' then
    toggle(view, line)
  elseif line.kind == 'add' then
    M.add_row(view)
  elseif line.kind == 'button' then
    M.tap(view, line.name)
  elseif line.kind == 'page' then
    view.session:show_step(line.name)
  elseif line.kind == 'text' or line.kind == 'secret' then
    vim.cmd('startinsert!')
  elseif line.kind == 'heading' or line.kind == 'row' then
    view:go_to_field(1)
  end
end

--- Space: toggles and chooses; on other lines it moves as usual.
local function toggle_key(view, key)
  local line = view:line_at_cursor()
  if line and (line.kind == 'flag' or line.kind == 'choice' or line.kind == 'choices') then
    M.activate(view)
  else
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(key, true, false, true), 'n', false)
  end
end

--- Removes the value of the field under the cursor.
function M.clear(view)
  local line = view:line_at_cursor()
  local inputs = { text = true, secret = true, choice = true, choices = true, flag = true }
  if line and inputs[line.kind] then
    view.session:change(line.address, nil)
  end
end

--- Taps an action; nil: the only action, or the action that the user chooses.
---@param name? string
function M.tap(view, name)
  local actions = name and view.session.description.actions or view.session:actions()
  if name then
    for _, action in ipairs(actions) do
      if action.name == name then
        return view.session:tap(name)
      end
    end
    local names = table.concat(
      vim.tbl_map(function(action)
        return action.name
      end, actions),
      ', '
    )
    return vim.notify(('formd: there is no action "%s"; the actions are: %s'):format(name, names), vim.log.levels.ERROR)
  elseif #actions == 0 then
    return vim.notify('formd: this form has no actions', vim.log.levels.WARN)
  elseif #actions == 1 then
    return view.session:tap(actions[1].name)
  end
  vim.ui.select(actions, {
    prompt = 'Action',
    kind = 'formd',
    format_item = function(action)
      return view.session:action_label(action.name)
    end,
  }, function(action)
    if action then
      view.session:tap(action.name)
    end
  end)
end

local HELP = {
  { 'activate', 'edit, choose, toggle, add a row, tap a button' },
  { 'toggle', 'toggle a check box, open choices' },
  { 'clear', 'remove the value' },
  { 'next_field', 'next field or button (in Insert mode, too)' },
  { 'previous_field', 'previous field or button' },
  { 'next_step', 'next step' },
  { 'previous_step', 'previous step' },
  { 'add_row', 'add a row' },
  { 'remove_row', 'remove the row' },
  { 'move_row_down', 'move the row down' },
  { 'move_row_up', 'move the row up' },
  { 'submit', 'tap the action (or :write)' },
  { 'outcome', 'show the last outcome again' },
  { 'help', 'this help' },
}

--- Lists the keys in a floating window.
function M.help()
  local lines = {}
  for _, entry in ipairs(HELP) do
    local key = config.current.keys[entry[1]]
    if key then
      table.insert(lines, ('%-10s %s'):format(key, entry[2]))
    end
  end
  return vim.lsp.util.open_floating_preview(lines, '', { border = 'rounded', focus_id = 'formd-help' })
end

--- Sets keys and autocommands of a form's buffer.
---@param view formd.View
---@param show_outcome fun()
function M.attach(view, show_outcome)
  local buffer = view.buffer
  local keys = config.current.keys
  local handlers = {
    activate = M.activate,
    clear = M.clear,
    next_field = function()
      view:go_to_field(1)
    end,
    previous_field = function()
      view:go_to_field(-1)
    end,
    next_step = function()
      M.show_step(view, 1)
    end,
    previous_step = function()
      M.show_step(view, -1)
    end,
    add_row = M.add_row,
    remove_row = M.remove_row,
    move_row_down = function()
      M.move_row(view, 1)
    end,
    move_row_up = function()
      M.move_row(view, -1)
    end,
    submit = function()
      M.tap(view)
    end,
    outcome = show_outcome,
    help = M.help,
    toggle = function()
      toggle_key(view, keys.toggle)
    end,
  }
  local can_be_drawn = function(handler)
    return function()
      if view.session.description then
        handler(view)
      end
    end
  end
  for _, entry in ipairs(HELP) do
    local name = entry[1]
    if keys[name] then
      vim.keymap.set('n', keys[name], can_be_drawn(handlers[name]), { buffer = buffer, desc = 'formd: ' .. entry[2] })
    end
  end
  for name, by in pairs({ next_field = 1, previous_field = -1 }) do
    if keys[name] then
      vim.keymap.set('i', keys[name], function()
        M.leave_insertion(view, by)
      end, { buffer = buffer, desc = 'formd: another field' })
    end
  end
  vim.keymap.set('i', '<CR>', function()
    local line = view:line_at_cursor()
    if line and line.is_multiline then
      return '<CR>'
    end
    vim.schedule(function()
      M.leave_insertion(view, 1)
    end)
    return ''
  end, { buffer = buffer, expr = true, desc = 'formd: next field' })
  secret.map(buffer)
  secret.take_pastes()
  M.follow(view)
end

--- Goes to another field. Insert mode stays on if the field is a text.
---@param by 1|-1
function M.leave_insertion(view, by)
  view:go_to_field(by)
  local line = view:line_at_cursor()
  if line and (line.kind == 'text' or line.kind == 'secret') then
    vim.cmd('startinsert!')
  else
    vim.cmd('stopinsert')
  end
end

--- Updates focus, secrets and widths after the editor's events.
---@param view formd.View
function M.follow(view)
  local group = vim.api.nvim_create_augroup('formd ' .. view.buffer, {})
  local function on(events, handler)
    vim.api.nvim_create_autocmd(events, {
      group = group,
      buffer = view.buffer,
      callback = function()
        if view.session.description then
          handler()
        end
      end,
    })
  end
  on({ 'CursorMoved', 'CursorMovedI', 'BufEnter' }, function()
    view:follow_cursor()
  end)
  on('InsertEnter', function()
    view:insertion_began()
    secret.insertion_began()
  end)
  on('InsertCharPre', secret.char_typed)
  on('BufLeave', function()
    view:left()
  end)
  on('BufWinEnter', function()
    view:set_window_options()
    view:refresh()
  end)
  vim.api.nvim_create_autocmd('BufWriteCmd', {
    group = group,
    buffer = view.buffer,
    callback = function()
      vim.bo[view.buffer].modified = false
      M.tap(view)
    end,
  })
  local resized = vim.fn.has('nvim-0.9') == 1 and { 'VimResized', 'WinResized' } or { 'VimResized' }
  vim.api.nvim_create_autocmd(resized, {
    group = group,
    callback = function()
      view:refresh()
    end,
  })
end

return M
