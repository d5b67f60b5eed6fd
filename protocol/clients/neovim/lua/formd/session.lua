--- A session: one live copy of a form. It merges the daemon's updates into the document, knows the values of the fields
--- by address, and sends the user's inputs in order.
---
--- Typed values survive the daemon. If the connection is lost, the plugin attaches to the session again if it is kept.
--- Otherwise it opens another session and sends the typed values. The user's text takes precedence over the daemon's
--- value of a field until the daemon has answered the last input.

local config = require('formd.config')
local connections = require('formd.connection')
local drafts = require('formd.drafts')
local json = require('formd.json')
local values = require('formd.values')

---@class formd.Observer
---@field opened fun() the form can be drawn
---@field changed fun() the document, values or the state are others
---@field event fun(event: table) what became of a tap (protocol/sessions.md, Events)
---@field renamed fun(now: fun(address: string): string?) rows have other identities: the new address for an old one
---@field failed fun(fault: formd.Error) the form cannot be opened
---@field refused fun(fault: formd.Error) the form cannot be opened again; what was typed is kept
---@field told fun(message: string, level: integer) something for the user

---@class formd.Session
---@field form? string
---@field definition? table|formd.Raw
---@field state 'connecting'|'open'|'lost'|'failed'|'closed'
---@field notice? string why there is no connection
---@field id? integer the daemon's number of it
---@field keep? string how long the daemon keeps the session without clients
---@field key? string opens the kept session; a secret
---@field seq integer the number of the last event
---@field attempts integer the number of tries to attach since the last update
---@field is_submitted? boolean whether an action succeeded after the last input
---@field description? table what form/describe says
---@field document? table
---@field values table<string, any> of fields without fields inside of them, by address; rows by identity
---@field texts table<string, string> what the user typed, while it stands for the value
---@field focused? string
local Session = {}
Session.__index = Session

--- The address of the same place in another document: rows have other identities, in the same order.
---@param address string
---@param from table the document of the address
---@param to table the other document
---@return string? # nil: there is no such row
local function moved(address, from, to)
  local names = json.names(address)
  for position, name in ipairs(names) do
    if from.order and name:match('^#') then
      local inner
      for at, row in ipairs(from.order) do
        inner = inner or (row == name:sub(2) and (to.order or {})[at] or nil)
      end
      if not inner then
        return nil
      end
      names[position] = '#' .. inner
      from, to = (from.rows or {})[name:sub(2)] or {}, (to.rows or {})[inner] or {}
    else
      from, to = (from.fields or {})[name] or {}, (to.fields or {})[name] or {}
    end
  end
  return json.address(names)
end

---@param source { form?: string, definition?: table|formd.Raw, values?: table, locale?: string, zone?: string,
---  keep?: string, key?: string }
---@param observer formd.Observer
---@return formd.Session
local function open(source, observer)
  local session = setmetatable({
    form = source.form,
    definition = source.definition,
    initial = source.values,
    locale = source.locale or config.locale(),
    zone = source.zone or config.zone(),
    -- Drafts of Vim have '' for no time.
    keep = source.keep ~= '' and source.keep or config.current.keep,
    key = source.key,
    seq = 0,
    observer = observer,
    connection = connections.shared(),
    state = 'connecting',
    values = {},
    texts = {},
    -- Addresses whose values the user gave; and of these, the ones that the daemon may not have.
    given = {},
    late = {},
    -- By address, the number of changes that the daemon has not answered.
    unanswered = {},
    -- By address, the value that the daemon sent in that time.
    deferred = {},
    -- Addresses whose texts must be sent, in order.
    queue = {},
    taps = {},
    attempts = 0,
  }, Session)
  session.listener = {
    connected = function()
      session:_open()
    end,
    lost = function(message)
      session:_lost(message)
    end,
    unreachable = function(message)
      session.notice = message
      if session.state == 'connecting' and not session.is_told then
        session.is_told = true
        observer.told(message, vim.log.levels.ERROR)
      end
      observer.changed()
    end,
    pushed = function(method, params)
      session:_pushed(method, params)
    end,
  }
  session.connection:listen(session.listener)
  return session
end

-- Opening

function Session:_open()
  if self.key then
    return self:_attach()
  end
  local source = self.definition and { definition = self.definition } or { form = self.form }
  local options = { values = self.initial, locale = self.locale, zone = self.zone, keep = self.keep }
  local params = vim.tbl_extend('error', source, options)
  self.id = nil
  self.seq = 0
  self.connection:request('session/open', params, function(fault, opened)
    if self.state == 'closed' then
      if opened then
        self.connection:request('session/close', { session = opened.session })
      end
      return
    elseif fault then
      return self:_refused(fault)
    end
    self.key = opened.key
    self:_describe(opened, self._described)
  end)
end

--- Asks for the description of a session that was opened or attached.
---@param taken fun(self: formd.Session, description: table, opened: table)
function Session:_describe(opened, taken)
  self.id = opened.session
  -- Messages that arrive before the form can be drawn; they are handled then.
  self.early = {}
  self.connection:request('form/describe', { session = self.id }, function(wrong, description)
    if wrong then
      return self:_refused(wrong)
    end
    if self.key then
      drafts.note(self.key, { form = description.form, title = description.title, keep = self.keep })
    end
    taken(self, description, opened)
  end)
end

--- Attaches to the kept session, which has the input, the messages and the step.
function Session:_attach()
  self.id = nil
  self.connection:request('session/attach', { key = self.key, seq = self.seq }, function(fault, attached)
    if self.state == 'closed' then
      return
    elseif fault and fault.code == 1001 then
      drafts.forget(self.key)
      if not self.description then
        fault.message = 'there is no such draft: it has expired, was sent, or was lost with its daemon'
        return self:_refused(fault)
      end
      -- The daemon has lost the session: another session gets the typed values.
      self.key = nil
      return self:_open()
    elseif fault and self.description and (fault.code == 1010 or fault.code == 1011) then
      return self:_attach_again(connections.retry_after_ms(fault))
    elseif fault then
      return self:_refused(fault)
    end
    self:_describe(attached, self._attached)
  end)
end

--- Attaches again, after a pause if that was tried before.
---@param wait_ms number the time that the daemon asks for
function Session:_attach_again(wait_ms)
  local pause = self.attempts > 0 and connections.pause_ms(self.attempts - 1) or 0
  local generation = self.connection.generation
  self.attempts = self.attempts + 1
  self.state = 'lost'
  vim.defer_fn(function()
    -- Another connection attaches by itself.
    if self.state == 'lost' and generation == self.connection.generation then
      self:_attach()
    end
  end, math.max(pause, wait_ms))
end

--- The form has its session again, and gets what the user typed in the meantime.
function Session:_attached(description, attached)
  local is_first = not self.description
  if not is_first then
    self:_take_texts()
  end
  for address in pairs(self.unanswered) do
    self.late[address] = true
  end
  for _, address in ipairs(self.queue) do
    self.late[address] = true
  end
  local before, texts, late = self.values, self.texts, self.late
  self.description, self.document = description, attached.document
  if not self.definition then
    self.form = description.form
  end
  self.notice = nil
  self.unanswered, self.deferred, self.texts, self.queue, self.late = {}, {}, {}, {}, {}
  self.focused = nil
  self:_take_all(attached.values)
  self.state = 'open'
  -- A daemon that was restarted has no secrets.
  for address, value in pairs(before) do
    local field = self:field(address)
    if field and field.isSecret and value ~= nil and self:state_of(address).isEmpty then
      late[address] = true
    end
  end
  for address in pairs(late) do
    if self:field(address) then
      self.values[address], self.texts[address] = before[address], texts[address]
      self:_send(address, before[address])
    end
  end
  local early = self.early
  self.early = nil
  for _, params in ipairs(early) do
    self:_update(params)
  end
  self.observer.opened()
  if is_first then
    -- The events before the first attach are no news.
    local last = attached.events[#attached.events]
    self.seq = last and last.seq or 0
  else
    self:_happened(attached.events)
  end
end

--- Whether the daemon keeps the input when the editor ends.
---@return boolean
function Session:is_draft()
  return self.key ~= nil
    and not self.is_submitted
    and self.document ~= nil
    and (next(self.given) ~= nil or self.document.isDirty == true)
end

function Session:_refused(fault)
  if fault.code == 'lost' then
    return
  elseif self.description then
    -- The typed values are still drawn. The next daemon, or another definition, may accept them.
    self.state = 'lost'
    self.notice = fault.message .. '; :FormReload tries again'
    self.observer.refused(fault)
    return self.observer.changed()
  end
  self.state = 'failed'
  self.notice = fault.message
  self.key = nil
  self.connection:forget(self.listener)
  self.observer.failed(fault)
end

--- The form is known. After a loss, the new session gets all values that were typed until now.
function Session:_described(description, opened)
  if self.document then
    return self:_restore(description)
  end
  self.description, self.document = description, opened.document
  self.notice = nil
  self.unanswered, self.deferred, self.texts, self.queue, self.values, self.late = {}, {}, {}, {}, {}, {}
  self.focused = nil
  self:_take_all(opened.values)
  self.state = 'open'
  local early = self.early
  self.early = nil
  for _, params in ipairs(early) do
    self:_update(params)
  end
  self.observer.opened()
end

--- Takes the values of the whole session from the daemon: all values except secrets.
function Session:_take_all(whole)
  local before = self.values
  self.values = {}
  for address, value in pairs(before) do
    local field = self:field(address)
    self.values[address] = field and field.isSecret and value or nil
  end
  for _, field in ipairs(self.description.fields) do
    values.spread(self.values, field.address, field, self:state_of(field.address), whole[field.name])
  end
end

--- Calls a function for each field and row, in the order of the form: what is inside of a field comes before it.
---@param visitor fun(address: string, place: string, field: table, state: table) `place`: with positions of rows
function Session:_visit(visitor)
  local function visit(address, place, field, state)
    if field.fields then
      for _, inner in ipairs(field.fields) do
        local inner_state = (state.fields or {})[inner.name] or {}
        visit(json.inside(address, inner.name), json.inside(place, inner.name), inner, inner_state)
      end
    elseif field.items then
      for position, row in ipairs(state.order or {}) do
        local row_state = (state.rows or {})[row] or {}
        visit(json.inside(address, '#' .. row), json.inside(place, tostring(position - 1)), field.items, row_state)
      end
    end
    visitor(address, place, field, state)
  end
  for _, field in ipairs(self.description.fields) do
    visit(field.address, field.address, field, self:state_of(field.address))
  end
end

--- The addresses whose message is an error of a server, in the order of the form.
---@return string[]
function Session:refused_by_server()
  local found = {}
  self:_visit(function(address, _, _, state)
    for _, fault in ipairs(state.errors or {}) do
      if fault.code == 'server' and fault.message == self.document.messages[address] then
        table.insert(found, address)
        break
      end
    end
  end)
  return found
end

--- The user's values, as whole values of the top-level fields, and the places that were left once.
function Session:_typed()
  self:_take_texts()
  local typed = { values = vim.empty_dict(), left = {}, step = self.document.step }
  for _, field in ipairs(self.description.fields) do
    local is_given = false
    for address in pairs(self.given) do
      is_given = is_given or json.is_within(address, field.address)
    end
    if is_given and not field.computed then
      local value = values.gather(self.values, field.address, field, self:state_of(field.address))
      typed.values[field.address] = value == nil and vim.NIL or value
    end
  end
  -- Rows get new identities, so places in rows are kept by position.
  self:_visit(function(_, place, field, state)
    if state.isTouched and not field.fields then
      table.insert(typed.left, place)
    end
  end)
  return typed
end

--- Gives the new session the user's values, and shows the same messages and the same step as before. Until that is
--- done, the form stays as it was, so that the user's text and place do. What is typed in this time is sent afterwards.
function Session:_restore(description)
  local before = self:_typed()
  self.state = 'lost'
  self.unanswered, self.deferred, self.queue, self.late = {}, {}, {}, {}
  if next(before.values) then
    self:_request('field/change', { values = before.values, origin = 'restore' })
  end
  -- The daemon or the form may have changed.
  local function ignore() end
  for _, address in ipairs(before.left) do
    self:_request('field/blur', { field = address }, ignore)
  end
  if before.step then
    self:_request('step/show', { step = before.step }, ignore)
  end
  self:_request('session/get', {}, function(fault, whole)
    if not fault then
      return self:_restored(description, whole)
    elseif self.key then
      -- A session without all values is no draft.
      drafts.forget(self.key)
      self.key = nil
    end
    self:_refused(fault)
  end)
end

--- The new session has the user's values. Its rows have other identities.
function Session:_restored(description, whole)
  self:_take_texts()
  for _, address in ipairs(self.queue) do
    self.late[address] = true
  end
  local before = self.document
  local function now(address)
    return moved(address, before, whole.document)
  end
  local function renamed(by_address)
    local result = {}
    for address, value in pairs(by_address) do
      local place = now(address)
      if place then
        result[place] = value
      end
    end
    return result
  end
  local typed, texts, late = renamed(self.values), renamed(self.texts), renamed(self.late)
  local given = {}
  for address in pairs(self.given) do
    -- The list of a row that was removed.
    given[now(address) or json.names(address)[1]] = true
  end
  self.given = given
  self.description, self.document = description, whole.document
  self.notice = nil
  self.early, self.focused = nil, nil
  self.values, self.texts, self.queue, self.late = typed, {}, {}, {}
  self:_take_all(whole.values)
  self.state = 'open'
  for address, text in pairs(texts) do
    local field = self:field(address)
    if field and (late[address] or values.equal(typed[address], self.values[address])) then
      self.texts[address] = text
    end
  end
  for address in pairs(late) do
    if self:field(address) then
      self.values[address] = typed[address]
      self:_send(address, typed[address])
    end
  end
  self.observer.renamed(now)
  self.observer.opened()
end

function Session:_lost(message)
  if self.state == 'failed' or self.state == 'closed' then
    return
  end
  self.state = self.description and 'lost' or 'connecting'
  self.notice = message
  local under_way = vim.tbl_keys(self.taps)
  self.taps = {}
  self.observer.told(message .. '; typed values are kept', vim.log.levels.WARN)
  for _, action in ipairs(under_way) do
    self.observer.told(
      ('"%s" may have been executed: the connection was lost before the answer'):format(self:action_label(action)),
      vim.log.levels.WARN
    )
  end
  self.observer.changed()
end

--- Opens the form again, with another definition or language; typed values are kept.
---@param source { definition?: table|formd.Raw, locale?: string }
function Session:reopen(source)
  self.definition = source.definition or self.definition
  self.locale = source.locale or self.locale
  if self.state == 'failed' or self.state == 'closed' then
    self.state = 'connecting'
    self.connection:listen(self.listener)
  elseif self.connection.state == 'open' then
    self:flush()
    self:_give_up_session()
    self:_open()
  else
    self.connection:connect()
  end
end

--- Ends the session for the daemon, and its draft.
function Session:_give_up_session()
  if self.id then
    self.connection:request('session/close', { session = self.id })
  end
  if self.key then
    drafts.forget(self.key)
    self.key = nil
  end
end

--- Ends the session, unless it is a draft.
function Session:close()
  if self.state == 'open' then
    self:flush()
    if self:is_draft() then
      self.connection:request('session/detach', { session = self.id })
    else
      self:_give_up_session()
    end
  end
  self.state = 'closed'
  self.connection:forget(self.listener)
  if #self.connection.listeners == 0 then
    self.connection:close()
  end
end

-- What the daemon tells

function Session:_pushed(method, params)
  if method == 'session/update' and params.session == self.id then
    if self.early then
      table.insert(self.early, params)
    else
      self:_update(params)
    end
  elseif method == 'session/closed' and params.session == self.id then
    if self.key and (params.reason == 'store' or params.reason == 'lost') then
      -- The daemon could not store the last input. It has the session as it was before.
      self:_attach_again(0)
    elseif params.reason == 'draining' then
      -- The end of the connection follows.
      self.notice = 'the daemon is ending'
    else
      self:_lost('the daemon has closed the session: ' .. params.reason)
    end
  elseif method == 'session/desync' and params.session == self.id then
    self:_request('session/get', {}, function(fault, whole)
      if not fault then
        self.document = whole.document
        self:_take_all(whole.values)
        self.observer.changed()
      end
    end)
  elseif method == 'server/rejected' then
    self:_rejected(params.method, params.error)
  end
end

function Session:_update(params)
  self.attempts = 0
  json.merge(self.document, params.patch)
  for address, value in pairs(params.values or {}) do
    self:_told(address, value)
  end
  for _, address in ipairs(params.absent or {}) do
    self:_told(address, nil)
  end
  self.observer.changed()
  self:_happened(params.events or {})
end

function Session:_happened(events)
  for _, event in ipairs(events) do
    -- An attach can return events that the session had already.
    if event.seq > self.seq then
      self:_ended(event)
    end
  end
end

--- A tap has ended.
function Session:_ended(event)
  self.seq = event.seq
  self.taps[event.action] = nil
  local action = self:action(event.action)
  if event.kind == 'succeeded' then
    if action.leadsTo then
      self:_go_on(action)
    else
      self.is_submitted = true
    end
  end
  self.observer.event(event)
end

--- The action of a page has succeeded: shows the next page, unless the user is on another page already.
function Session:_go_on(action)
  if self.document.step ~= action.step then
    return
  end
  local is_behind = false
  for _, step in ipairs(self.description.steps) do
    if is_behind and self.document.steps[step.id].isVisible then
      return self:show_step(step.id)
    end
    is_behind = is_behind or step.id == action.step
  end
end

--- The daemon sent the value at an address.
function Session:_told(address, value)
  local field = self.description and self:field(address)
  if not field then
    return
  end
  local told = {}
  values.spread(told, address, field, self:state_of(address), value)
  for place in pairs(self.values) do
    if told[place] == nil and json.is_within(place, address) and not self:_is_ahead(place) then
      -- For a secret, the daemon only sends its removal, at its own address.
      local inner = self:field(place)
      if place == address or not (inner and inner.isSecret) then
        self.values[place], self.texts[place] = nil, nil
      end
    end
  end
  local is_leaf = not field.fields and not field.items
  if is_leaf and self:_is_ahead(address) then
    self.deferred[address] = { value = value }
    return
  end
  for place, part in pairs(told) do
    if self:_is_ahead(place) then
      self.deferred[place] = { value = part }
    else
      self.values[place], self.texts[place] = part, nil
    end
  end
  if is_leaf and value == nil then
    self.texts[address] = nil
  end
end

--- Whether the daemon has not answered the user's last input.
function Session:_is_ahead(address)
  return self.queue[address] ~= nil or self.unanswered[address] ~= nil
end

function Session:_rejected(method, fault)
  -- Unanswered inputs of a removed row are dropped.
  if fault.code == 'lost' or (fault.code == 1004 and fault.data and fault.data.reason) then
    return
  end
  local places = vim.tbl_map(function(wrong)
    return ('%s: %s'):format(wrong.path or '', wrong.message or wrong.expected or wrong.code)
  end, fault.data and fault.data.errors or {})
  local more = #places > 0 and ' (' .. table.concat(places, '; ') .. ')' or ''
  self.observer.told(('%s was refused: %s%s'):format(method, fault.message, more), vim.log.levels.WARN)
end

-- What the user does

function Session:_request(method, params, callback)
  params.session = self.id
  self.connection:request(method, params, callback or function(fault)
    if fault then
      self:_rejected(method, fault)
    end
  end)
end

--- The user typed. The text is sent at the end of the event loop's turn, and before any other input.
---@param address string
---@param text string
function Session:type(address, text)
  self.texts[address] = text
  self.given[address] = true
  self.is_submitted = nil
  if not self.queue[address] then
    self.queue[address] = true
    table.insert(self.queue, address)
  end
  if not self.is_flushing then
    self.is_flushing = true
    vim.schedule(function()
      self:flush()
    end)
  end
end

--- Turns the typed texts into values.
function Session:_take_texts()
  for _, address in ipairs(self.queue) do
    local field = self:field(address)
    if field and self.texts[address] then
      self.values[address] = values.of_text(self.texts[address], field)
    end
  end
end

--- Sends the typed values.
function Session:flush()
  self.is_flushing = false
  self:_take_texts()
  local queue = self.queue
  self.queue = {}
  for _, address in ipairs(queue) do
    self:_send(address, self.values[address])
  end
end

function Session:_send(address, value)
  if self.state ~= 'open' then
    self.late[address] = true
    return
  end
  self.unanswered[address] = (self.unanswered[address] or 0) + 1
  local id = self.id
  self:_request('field/change', { field = address, value = value == nil and vim.NIL or value }, function(fault)
    if id ~= self.id then
      return
    elseif fault and fault.code == 'lost' then
      self.late[address] = true
    end
    self.unanswered[address] = self.unanswered[address] > 1 and self.unanswered[address] - 1 or nil
    if fault then
      self:_rejected('field/change', fault)
    end
    local deferred = self.deferred[address]
    if deferred and not self:_is_ahead(address) then
      -- The daemon's value is newer.
      self.deferred[address] = nil
      self.values[address], self.texts[address] = deferred.value, nil
      self.observer.changed()
    end
  end)
end

--- The user gave a value without typing; nil removes the value.
function Session:change(address, value)
  self:flush()
  self.given[address] = true
  self.is_submitted = nil
  self.texts[address] = nil
  local field = self:field(address)
  if field and field.items then
    -- First, rows get their identities.
    self:_request('field/change', { field = address, value = value == nil and vim.NIL or value }, function(fault)
      if fault then
        return self:_rejected('field/change', fault)
      end
      values.spread(self.values, address, field, self:state_of(address), value)
      self.observer.changed()
    end)
  else
    self.values[address] = value
    self:_send(address, value)
  end
  self.observer.changed()
end

--- The user entered a field; nil: left all fields.
---@param address? string
function Session:focus(address)
  if address == self.focused then
    return
  end
  self:flush()
  local left = self.focused
  self.focused = address
  if self.state ~= 'open' then
    return
  end
  if left then
    self:_request('field/blur', { field = left })
  end
  if address then
    self:_request('field/focus', { field = address })
  end
end

--- Adds a row to a list; `done` gets its address.
---@param list string
---@param before? string the identity of the row before which it comes; nil: behind the last
function Session:insert_row(list, before, done)
  if not self:_needs_connection() then
    return
  end
  self:flush()
  self.given[list] = true
  local params = { field = list, at = before and ('#' .. before) or nil }
  self:_request('field/insert', params, function(fault, result)
    if fault then
      return self:_rejected('field/insert', fault)
    end
    -- The value with the schema's defaults.
    self:_request('session/get', {}, function(wrong, whole)
      if wrong then
        return
      end
      local row = json.inside(list, '#' .. result.row)
      local field = self:field(row)
      local found = {}
      values.spread(found, row, field, self:state_of(row), self:_part(whole.values, row))
      for place, value in pairs(found) do
        if not self.given[place] then
          self.values[place] = value
        end
      end
      self.observer.changed()
      done(row)
    end)
  end)
end

--- The part of whole values at an address.
function Session:_part(whole, address)
  local names = json.names(address)
  local states, part = { fields = self.document.fields }, whole
  for _, name in ipairs(names) do
    if type(part) ~= 'table' then
      return nil
    end
    if states.order and name:sub(1, 1) == '#' then
      for position, row in ipairs(states.order) do
        if row == name:sub(2) then
          part = part[position]
          states = states.rows[row] or {}
          break
        end
      end
    else
      part = part[name]
      states = (states.fields or {})[name] or {}
    end
  end
  return part
end

---@param row string its address
function Session:remove_row(row)
  if not self:_needs_connection() then
    return
  end
  self:flush()
  self.given[row] = true
  self:_request('field/remove', { field = row })
end

--- Moves a row by a number of places.
---@param row string its address
function Session:move_row(row, by)
  local names = json.names(row)
  local identity = table.remove(names):sub(2)
  local order = self:state_of(json.address(names)).order or {}
  for position, other in ipairs(order) do
    local to = position - 1 + by
    if other == identity and to >= 0 and to < #order and self:_needs_connection() then
      self:flush()
      self.given[row] = true
      return self:_request('field/move', { field = row, to = to })
    end
  end
end

---@param step string
function Session:show_step(step)
  if self:_needs_connection() then
    self:focus(nil)
    self:_request('step/show', { step = step })
  end
end

--- Taps an action. An event reports its outcome.
---@param action string
function Session:tap(action)
  if not self:_needs_connection() then
    return
  end
  self:flush()
  self.taps[action] = true
  self:_request('action/tap', { action = action }, function(fault, result)
    if fault and fault.code == 'lost' then
      -- The session tells the user that the action may have been executed.
      return
    elseif fault then
      self.taps[action] = nil
      return self:_rejected('action/tap', fault)
    end
    if result.outcome ~= 'started' and result.outcome ~= 'held' then
      self.taps[action] = nil
    end
  end)
end

---@param keeps_values? boolean
function Session:reset(keeps_values)
  if self:_needs_connection() then
    self:flush()
    self.given = keeps_values and self.given or {}
    self:_request('session/reset', { keepValues = keeps_values or nil })
  end
end

--- Takes back the last edit of the form's users.
function Session:undo()
  if self:_needs_connection() then
    self:flush()
    self:_request('session/undo', {})
  end
end

--- Repeats the edit that was taken back last.
function Session:redo()
  if self:_needs_connection() then
    self:flush()
    self:_request('session/redo', {})
  end
end

--- Changes the language of the texts.
---@param locale string
function Session:set_locale(locale)
  self.locale = locale
  if not self:_needs_connection() then
    return
  end
  self:_request('session/setLocale', { locale = locale })
  self:_request('form/describe', { locale = locale }, function(fault, description)
    if fault then
      return self:_rejected('form/describe', fault)
    end
    self.description = description
    self.observer.changed()
  end)
end

function Session:_needs_connection()
  if self.state ~= 'open' then
    self.observer.told('there is no connection to the daemon yet', vim.log.levels.WARN)
  end
  return self.state == 'open'
end

-- What is known

--- The description of the field at an address; nil: no field.
function Session:field(address)
  local field
  for _, name in ipairs(json.names(address)) do
    local inner
    if field and field.items and name:match('^#') then
      inner = field.items
    else
      for _, candidate in ipairs(field and field.fields or (not field and self.description.fields) or {}) do
        if candidate.name == name then
          inner = candidate
        end
      end
    end
    field = inner
    if not field then
      return nil
    end
  end
  return field
end

--- The name of a field or row for people: its label; of a row the label of its list, and its position.
---@param address string
---@return string
function Session:label_of(address)
  local names = json.names(address)
  local last = table.remove(names)
  if last and last:match('^#') and #names > 0 then
    local list = json.address(names)
    for position, row in ipairs(self:state_of(list).order or {}) do
      if row == last:sub(2) then
        return ('%s %d'):format(self:label_of(list), position)
      end
    end
  end
  local field = self:field(address)
  return field and (field.label or field.name) or ''
end

--- The document's entry for the field or row at an address, completed with defaults.
---@return table
function Session:state_of(address)
  local state = { fields = self.document.fields }
  for _, name in ipairs(json.names(address)) do
    if state.rows and name:match('^#') then
      state = state.rows[name:sub(2)] or {}
    else
      state = (state.fields or {})[name] or {}
    end
  end
  return state
end

--- The text in the input of a field.
---@return string
function Session:text(address)
  return self.texts[address] or self:state_of(address).text or values.text(self.values[address])
end

--- The choices of a field; nil: it is no choice.
---@return table[]?
function Session:options(address, field)
  if not field.hasLiveOptions then
    return field.options
  end
  local live = self:state_of(address).options
  if live then
    return live
  end
  -- A member that is equal for all rows is at the outmost list.
  local names = json.names(address)
  for length = 1, #names - 1 do
    local around = self:state_of(json.address(vim.list_slice(names, 1, length))).options
    if around then
      return around[field.address] or {}
    end
  end
  return {}
end

--- The step that a field is in; nil: none.
---@return string?
function Session:step_of(address)
  local best, depth = nil, 0
  for _, step in ipairs(self.description.steps or {}) do
    for _, field in ipairs(step.fields) do
      if json.is_within(address, field) and #json.names(field) > depth then
        best, depth = step.id, #json.names(field)
      end
    end
  end
  return best
end

--- The actions of the current page. An action whose scope is a step is only on the page of that step.
---@return table[]
function Session:actions()
  return vim.tbl_filter(function(action)
    return action.step == nil or action.step == self.document.step
  end, self.description.actions)
end

--- The description of an action.
---@param name string
---@return table
function Session:action(name)
  for _, action in ipairs(self.description.actions) do
    if action.name == name then
      return action
    end
  end
  return { name = name }
end

--- Whether an action of the current page leads to the next page.
---@return boolean
function Session:is_led_on()
  for _, action in ipairs(self:actions()) do
    if action.leadsTo then
      return true
    end
  end
  return false
end

--- The label of an action. If another action of the page has the same label, its name is added.
---@return string
function Session:action_label(name)
  local namesakes, label = 0, self:action(name).label or name
  for _, action in ipairs(self:actions()) do
    namesakes = namesakes + ((action.label or action.name) == label and 1 or 0)
  end
  return namesakes > 1 and ('%s (%s)'):format(label, name) or label
end

return { open = open }
