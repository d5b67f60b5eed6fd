--- The commands. `:Form` is global; the other commands belong to a form's buffer.

local connections = require('formd.connection')
local decoration = require('formd.decoration')
local definition = require('formd.definition')
local drafts = require('formd.drafts')
local json = require('formd.json')
local input = require('formd.input')
local outcome = require('formd.outcome')
local views = require('formd.view')

local M = {}

local function tell(message, level)
  vim.notify('formd: ' .. message, level or vim.log.levels.INFO)
end

-- Forms' names, for completion

--- Asks the daemon for the names of its forms. A completion waits for them, for a second at most.
---@return string[]
local function form_names()
  local names, is_done = {}, false
  local connection = connections.shared()
  local listener
  listener = {
    connected = function()
      connection:request('form/list', nil, function(fault, result)
        is_done = true
        for _, form in ipairs(not fault and result.forms or {}) do
          table.insert(names, form.form)
        end
      end)
    end,
    unreachable = function()
      is_done = true
    end,
  }
  connection:listen(listener)
  vim.wait(1000, function()
    return is_done
  end, 10)
  connection:forget(listener)
  return names
end

--- Completion of `:Form`: names, else paths of definitions.
function M.complete_form(lead)
  if definition.is_path(lead) or lead:match('^[.~]') then
    return vim.tbl_filter(function(path)
      return path:match('/$') or path:match('%.json$')
    end, vim.fn.getcompletion(lead, 'file'))
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, form_names())
end

-- A form's buffer

--- Goes to a field, on any page.
local function go_to(view, address)
  local step = view.session:step_of(address)
  if step and step ~= view.session.document.step then
    view.wanted = address
    view.session:show_step(step)
  else
    view:draw()
    view:go_to(address)
  end
end

--- The message of a field with its label, and how many more there are; nil: the field has no message.
---@param count integer the number of messages
local function message_of(session, address, count)
  local message = decoration.message(session, address)
  local more = count > 1 and (' (%d more)'):format(count - 1) or ''
  return message and decoration.named(session:label_of(address), message) .. more
end

--- Shows an event of a tap. If the tap was refused, here or by a server, the cursor goes to the first field with an
--- error.
local function tell_event(view, event)
  local session = view.session
  view.last_event = event
  if event.kind == 'succeeded' then
    -- Below the button, the form shows the outcome in full.
    view:refresh()
    view:tell(outcome.line(session, event), vim.log.levels.INFO)
  elseif event.kind == 'failed' then
    view:refresh()
    local places = session:refused_by_server()
    local why = not event.message and places[1] and message_of(session, places[1], #places)
    local line = why and ('%s: %s'):format(session:action_label(event.action), why) or outcome.line(session, event)
    view:tell(line, vim.log.levels.ERROR)
    if places[1] then
      go_to(view, places[1])
    end
  elseif event.kind == 'rejected' then
    local first
    for _, blocker in ipairs(event.blockers or {}) do
      first = first or blocker.field
    end
    local why = first and message_of(session, first, #event.blockers) or 'not possible now'
    view:tell(('%s was refused: %s'):format(session:action_label(event.action), why), vim.log.levels.WARN)
    if first then
      go_to(view, first)
    end
  elseif event.kind == 'dropped' then
    tell(session:action_label(event.action) .. ' is already running')
  end
  if event.kind ~= 'dropped' then
    vim.api.nvim_exec_autocmds('User', { pattern = 'FormdEvent', modeline = false })
  end
end

local function show_last(view)
  if view.last_event then
    outcome.show(view.session, view.last_event)
  else
    tell('no action was tapped yet')
  end
end

--- The commands of a form's buffer.
---@param view formd.View
local function define_commands(view)
  local function define(name, handler, options)
    vim.api.nvim_buf_create_user_command(view.buffer, name, function(arguments)
      if view.session.description or name == 'FormReload' then
        handler(arguments)
      end
    end, options)
  end
  local function completed(candidates)
    return function(lead)
      return vim.tbl_filter(function(candidate)
        return vim.startswith(candidate, lead)
      end, candidates())
    end
  end
  define('FormSubmit', function(arguments)
    input.tap(view, arguments.args ~= '' and arguments.args or nil)
  end, {
    nargs = '?',
    desc = 'Tap an action of the form',
    complete = completed(function()
      return vim.tbl_map(function(action)
        return action.name
      end, view.session.description.actions)
    end),
  })
  define('FormStep', function(arguments)
    view.session:show_step(arguments.args)
  end, {
    nargs = 1,
    desc = 'Go to a step of the form',
    complete = completed(function()
      return vim.tbl_map(function(step)
        return step.id
      end, view.session.description.steps or {})
    end),
  })
  local rows = { add = input.add_row, remove = input.remove_row }
  rows.down = function()
    input.move_row(view, 1)
  end
  rows.up = function()
    input.move_row(view, -1)
  end
  define('FormRow', function(arguments)
    local handler = rows[arguments.args]
    if not handler then
      return tell('FormRow add, remove, up or down', vim.log.levels.ERROR)
    end
    handler(view)
  end, {
    nargs = 1,
    desc = 'Add, remove or move a row',
    complete = completed(function()
      return { 'add', 'down', 'remove', 'up' }
    end),
  })
  define('FormReset', function(arguments)
    view.session:reset(arguments.bang)
  end, { bang = true, desc = 'Reset the form; with !: the current values become the initial values' })
  define('FormUndo', function()
    view.session:undo()
  end, { desc = 'Take back the last edit, in a form with "undo"' })
  define('FormRedo', function()
    view.session:redo()
  end, { desc = 'Repeat the edit that was taken back last' })
  define('FormLocale', function(arguments)
    view.session:set_locale(arguments.args)
  end, { nargs = 1, desc = 'Show the form in another language' })
  define('FormReload', function()
    M.reload(view)
  end, { desc = 'Open the form again and keep the typed values' })
end

--- Reads the definition again, and opens the form with the typed values.
---@param view formd.View
function M.reload(view)
  local source = {}
  if view.path then
    local found, _, fault = definition.read(view.path)
    if not found then
      return tell(fault, vim.log.levels.ERROR)
    end
    source.definition = found
  end
  view.session:reopen(source)
end

--- The form could not be opened: shows why and what to do. The text is also in the buffer while it shows no form.
local function failed(view, source, fault)
  local function say(message)
    if not view.session.description then
      view:draw_waiting(message)
    end
    tell(message, vim.log.levels.ERROR)
  end
  local data = fault.data or {}
  if fault.code == -32601 then
    return say(('the daemon is older than this plugin (%s): install the current formd, and restart the daemon'):format(fault.message))
  elseif fault.code == 1003 then
    local closest = data.closest and ('; did you mean "%s"?'):format(data.closest) or '; :Form <Tab> lists the forms'
    return say(('there is no form "%s"%s'):format(source.form, closest))
  elseif view.path and data.errors then
    return definition.list_faults(view.path, data.errors, function(count)
      local what = count == 1 and 'a fault' or ('%d faults'):format(count)
      say(('%s has %s; :copen lists their places'):format(vim.fn.fnamemodify(view.path, ':~:.'), what))
    end)
  end
  local places = vim.tbl_map(function(wrong)
    local expected = wrong.expected and 'expected ' .. wrong.expected
    return ('%s: %s'):format(wrong.path or '', wrong.message or expected or wrong.code)
  end, data.errors or {})
  say(table.concat(vim.list_extend({ fault.message }, places), '\n'))
end

---@class formd.Source
---@field form? string
---@field definition? table|string
---@field path? string
---@field values? table
---@field locale? string
---@field zone? string
---@field keep? string how long the daemon keeps the session without clients
---@field key? string of a kept session

--- Opens a form in a buffer.
---@param source formd.Source
---@param handlers? { on_event?: fun(event: table), on_opened?: fun() }
---@return formd.View?
function M.open_form(source, handlers)
  handlers = handlers or {}
  if source.path then
    local path = vim.fn.fnamemodify(vim.fn.expand(source.path), ':p')
    local found, name, fault = definition.read(path)
    if not found then
      return tell(fault, vim.log.levels.ERROR)
    end
    source = vim.tbl_extend('force', source, { path = path, definition = found, title = name })
  end
  if type(source.definition) == 'string' then
    source = vim.tbl_extend('force', source, { definition = json.raw(source.definition) })
  end
  local view
  view = views.open(source, {
    on_event = function(event)
      tell_event(view, event)
      if handlers.on_event then
        handlers.on_event(event)
      end
    end,
    on_opened = handlers.on_opened,
    on_failed = function(fault)
      failed(view, source, fault)
    end,
  })
  view.path = source.path
  input.attach(view, function()
    show_last(view)
  end)
  define_commands(view)
  if view.path then
    -- When the definition is written, the form is opened again.
    vim.api.nvim_create_autocmd('BufWritePost', {
      group = vim.api.nvim_create_augroup('formd source ' .. view.buffer, {}),
      callback = function(event)
        if vim.fn.fnamemodify(event.file, ':p') == view.path and views.of(view.buffer) == view then
          M.reload(view)
        end
      end,
    })
  end
  return view
end

--- Completion of `:FormAttach`: the keys of the drafts.
function M.complete_draft(lead)
  return vim.tbl_filter(
    function(key)
      return vim.startswith(key, lead)
    end,
    vim.tbl_map(function(draft)
      return draft.key
    end, drafts.all())
  )
end

--- `:FormAttach [KEY]`; without a key the only draft, or the draft that the user chooses.
---@param key? string
function M.attach(key)
  local function open(draft)
    if not draft then
      return
    end
    local view = views.with_key(draft.key)
    if view then
      return vim.cmd('buffer ' .. view.buffer)
    end
    M.open_form({ key = draft.key, keep = draft.keep, title = draft.form and draft.form .. ' (draft)' or 'draft' })
  end
  if key then
    for _, draft in ipairs(drafts.all()) do
      if draft.key == key then
        return open(draft)
      end
    end
    return open({ key = key })
  end
  local all = vim.tbl_filter(function(draft)
    return not views.with_key(draft.key)
  end, drafts.all())
  if #all == 0 then
    tell('there is no draft here; :Form NAME keep=1h opens a form that is kept', vim.log.levels.WARN)
  elseif #all == 1 then
    open(all[1])
  else
    vim.ui.select(all, {
      prompt = 'Draft',
      kind = 'formd',
      format_item = function(draft)
        return ('%s  (%s)'):format(draft.title or draft.form, os.date('%Y-%m-%d %H:%M', draft.at))
      end,
    }, open)
  end
end

--- `:Form NAME|FILE [LOCALE] [keep=DURATION]`; without a name the user chooses.
function M.open(arguments)
  local name, locale, keep
  for _, word in ipairs(arguments.fargs) do
    if word:match('^keep=') then
      keep = word:sub(6)
    elseif not name then
      name = word
    elseif not locale and (word:match('^%a%a%a?$') or word:match('^%a%a%a?[-_][-_%w]+$')) then
      locale = word
    else
      local usage = ':Form NAME [LOCALE] [keep=DURATION], such as :Form invoice en keep=1h'
      return tell(('"%s" is neither a language nor keep=DURATION: %s'):format(word, usage), vim.log.levels.ERROR)
    end
  end
  if not name then
    local names = form_names()
    if #names == 0 then
      return tell('cannot get the forms from a daemon; see :checkhealth formd', vim.log.levels.ERROR)
    end
    return vim.ui.select(names, { prompt = 'Form', kind = 'formd' }, function(chosen)
      if chosen then
        M.open_form({ form = chosen, keep = keep })
      end
    end)
  end
  M.open_form({ [definition.is_path(name) and 'path' or 'form'] = name, locale = locale, keep = keep })
end

return M
