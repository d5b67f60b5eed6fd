--- A form's buffer: it draws the session, and sends the user's edits to it.
---
--- `lines` describes each line of the buffer at any moment. Edits are followed as they happen (`edited`). They can
--- leave disorder: a label that was deleted with its value, or lines that were added or removed. The next drawing mends
--- it when the event loop runs. The user cannot undo changes of structure: when lines are added or removed, the history
--- is cleared.

local config = require('formd.config')
local decoration = require('formd.decoration')
local highlights = require('formd.highlights')
local json = require('formd.json')
local layout = require('formd.layout')
local sessions = require('formd.session')
local uv = vim.uv or vim.loop

local SPINNER_MS = 100

local INPUTS = { text = true, secret = true, choice = true, choices = true, flag = true }

--- Whether a line takes input: the first line of a field that does.
local function is_stop(line)
  return (INPUTS[line.kind] and (line.part or 1) == 1) or line.kind == 'add' or line.kind == 'button' or line.kind == 'page'
end

---@class formd.View
---@field buffer integer
---@field session formd.Session
---@field lines formd.Line[]
---@field wanted? string the address that the cursor goes to on the next page
local View = {}
View.__index = View

---@type table<integer, formd.View>
local views = {}

local M = {}

--- The view of a buffer; nil: it shows no form.
---@param buffer? integer
---@return formd.View?
function M.of(buffer)
  return views[(buffer == nil or buffer == 0) and vim.api.nvim_get_current_buf() or buffer]
end

--- The view of the session with a key; nil: none.
---@param key string
---@return formd.View?
function M.with_key(key)
  for _, view in pairs(views) do
    if view.session and view.session.key == key then
      return view
    end
  end
end

--- A buffer that shows a form, in the current window.
---@param source table see formd.session
---@param handlers { on_event?: fun(event: table), on_opened?: fun(), on_failed: fun(fault: formd.Error) }
---@return formd.View
function M.open(source, handlers)
  highlights.define()
  local title = source.title or source.form or 'form'
  local name = 'formd://' .. title
  local number = 1
  while vim.fn.bufexists(name) == 1 do
    number = number + 1
    name = ('formd://%s (%d)'):format(title, number)
  end
  vim.cmd(config.current.open .. ' ' .. vim.fn.fnameescape(name))
  local buffer = vim.api.nvim_get_current_buf()
  local view = setmetatable({ buffer = buffer, lines = {}, handlers = handlers, undo_levels = vim.o.undolevels }, View)
  views[buffer] = view
  local options = {
    buftype = 'acwrite',
    bufhidden = 'hide',
    swapfile = false,
    undofile = false,
    filetype = 'formd',
    textwidth = 0,
    autoindent = false,
    expandtab = true,
    complete = '',
    modifiable = false,
  }
  for option, value in pairs(options) do
    vim.bo[buffer][option] = value
  end
  view:set_window_options()
  view:attach()
  view:draw_waiting('…')
  view.session = sessions.open(source, view:observer())
  vim.api.nvim_create_autocmd('VimLeavePre', {
    group = vim.api.nvim_create_augroup('formd end', {}),
    callback = M.close_all,
  })
  return view
end

--- The editor ends, and with it all sessions that are no drafts. Their buffers are not unloaded.
function M.close_all()
  for _, view in pairs(views) do
    if view.session then
      view.session:close()
    end
  end
end

--- Listens to the buffer's changes and to its end.
function View:attach()
  local function is_over()
    return views[self.buffer] ~= self
  end
  vim.api.nvim_buf_attach(self.buffer, false, {
    on_lines = function(_, _, _, first, before, after)
      if is_over() then
        return true
      end
      if not self.is_drawing then
        self:edited(first, before, after)
      end
    end,
    on_detach = function()
      -- After `:edit` the buffer exists and is empty.
      vim.schedule(function()
        if is_over() then
          return
        elseif vim.api.nvim_buf_is_loaded(self.buffer) then
          self:attach()
          self:refresh()
        else
          self:closed()
        end
      end)
    end,
  })
end

--- Options of the window that shows the form.
function View:set_window_options()
  local options = {
    wrap = true,
    linebreak = true,
    breakindent = true,
    number = false,
    relativenumber = false,
    spell = false,
    list = false,
    signcolumn = 'no',
    colorcolumn = '',
  }
  for option, value in pairs(options) do
    vim.opt_local[option] = value
  end
end

function View:observer()
  return {
    opened = function()
      self:opened()
    end,
    changed = function()
      self:refresh()
    end,
    renamed = function(now)
      self:renamed(now)
    end,
    event = function(event)
      if self.handlers.on_event then
        self.handlers.on_event(event)
      end
    end,
    failed = function(fault)
      self.handlers.on_failed(fault)
    end,
    refused = function(fault)
      self.handlers.on_failed(fault)
    end,
    told = function(message, level)
      self:tell(message, level)
      if self.session == nil or not self.session.description then
        self:draw_waiting(message)
      end
    end,
  }
end

--- Shows a message in the message line, where it covers no field.
---@param message string
---@param level integer
function View:tell(message, level)
  -- The user may be typing, and a message of more than a line would take the next key for its "Press ENTER".
  local line = 'formd: ' .. message:gsub('%s*\n%s*', ' ')
  local room = vim.v.echospace
  while vim.fn.strdisplaywidth(line) > room do
    line = vim.fn.strcharpart(line, 0, vim.fn.strchars(line) - 2) .. '…'
  end
  vim.notify(line, level)
end

function View:opened()
  local is_first = not self.is_opened
  self.is_opened = true
  self:draw()
  if is_first then
    self:go_to_field(1)
    if self.handlers.on_opened then
      self.handlers.on_opened()
    end
  end
  self:follow_cursor()
end

--- Rows have other identities. The lines are the same, so that the cursor stays in its field.
---@param now fun(address: string): string?
function View:renamed(now)
  for _, line in ipairs(self.lines) do
    local place = line.address and now(line.address)
    local first, last = line.key:find(line.address or '', 1, true)
    if place and first then
      line.key = line.key:sub(1, first - 1) .. place .. line.key:sub(last + 1)
      line.address = place
    end
  end
end

--- The buffer was unloaded.
function View:closed()
  if views[self.buffer] ~= self then
    return
  end
  views[self.buffer] = nil
  self:_stop_spinning()
  if self.session:is_draft() then
    self:tell('the form is kept as a draft; :FormAttach opens it again', vim.log.levels.INFO)
  end
  self.session:close()
end

-- Drawing

--- Draws when the event loop runs.
function View:refresh()
  if self.is_due then
    return
  end
  self.is_due = true
  vim.schedule(function()
    self.is_due = false
    if views[self.buffer] == self and self.session.description then
      self:draw()
    end
  end)
end

--- Shows one line while there is no form to draw.
function View:draw_waiting(text)
  self:_write(function()
    vim.api.nvim_buf_set_lines(self.buffer, 0, -1, false, vim.split(text, '\n', { plain = true }))
  end)
  self.lines = {}
end

function View:_width()
  local window = vim.fn.bufwinid(self.buffer)
  return window == -1 and vim.o.columns or vim.api.nvim_win_get_width(window)
end

--- Draws the session in the buffer.
function View:draw()
  local width = self:_width()
  local wanted = layout.lines(self.session, {
    width = width,
    narrow = config.current.narrow,
    label_width = config.current.label_width,
    outputs = config.current.outputs,
  })
  local places = self:_cursors()
  self:_write(function()
    self:_replace(wanted)
  end)
  self.lines = wanted
  self:_restore_cursors(places)
  decoration.draw(self.buffer, self.session, wanted, width)
  vim.diagnostic.set(highlights.namespace, self.buffer, decoration.diagnostics(self.session, wanted), {
    virtual_text = config.current.messages == 'eol',
    virtual_lines = false,
    update_in_insert = true,
    signs = false,
    underline = true,
  })
  self:_spin()
  self:follow_editability()
  local step = self.session.document.step
  if self.step and step ~= self.step then
    self.step = step
    self:_start_page()
  end
  self.step = step
end

--- The page has changed: the cursor goes to its first field, or to the wanted place.
function View:_start_page()
  local wanted = self.wanted
  self.wanted = nil
  if wanted and vim.api.nvim_get_current_buf() == self.buffer and self:go_to(wanted) then
    return
  end
  for row, line in ipairs(self.lines) do
    if is_stop(line) then
      for _, window in ipairs(vim.fn.win_findbuf(self.buffer)) do
        vim.api.nvim_win_set_cursor(window, { row, #line.prefix + #line.text })
      end
      return self:follow_cursor()
    end
  end
end

--- Runs a function that changes the buffer for the plugin.
function View:_write(change)
  self.is_drawing = true
  vim.bo[self.buffer].modifiable = true
  local ok, fault = pcall(change)
  vim.bo[self.buffer].modifiable = false
  vim.bo[self.buffer].modified = false
  self.is_drawing = false
  if not ok then
    error(fault, 0)
  end
end

--- Replaces the lines that differ.
---@param wanted formd.Line[]
function View:_replace(wanted)
  local there = vim.api.nvim_buf_get_lines(self.buffer, 0, -1, false)
  local texts = vim.tbl_map(function(line)
    return line.prefix .. line.text
  end, wanted)
  local first, last_there, last = 1, #there, #texts
  while first <= last_there and first <= last and there[first] == texts[first] do
    first = first + 1
  end
  while last_there >= first and last >= first and there[last_there] == texts[last] do
    last_there, last = last_there - 1, last - 1
  end
  if first > last_there and first > last then
    return
  end
  local is_structure = #there ~= #texts or #self.lines ~= #wanted or self.holds_secret
  for row = first, is_structure and 0 or last do
    is_structure = is_structure or self.lines[row].key ~= wanted[row].key or self.lines[row].text == nil
  end
  self.holds_secret = nil
  local function set()
    vim.api.nvim_buf_set_lines(self.buffer, first - 1, last_there, false, vim.list_slice(texts, first, last))
  end
  if is_structure then
    self:_forget_history(set)
  else
    -- The form's change of a text is undone together with the text. Right after an undo, there may be nothing to join.
    vim.api.nvim_buf_call(self.buffer, function()
      pcall(vim.cmd, 'undojoin')
    end)
    set()
  end
end

--- Makes a change that cannot be undone, and clears the history: `:help clear-undo`.
function View:_forget_history(change)
  vim.bo[self.buffer].undolevels = -1
  change()
  vim.bo[self.buffer].undolevels = self.undo_levels
end

-- Spinners turn while work is in progress.

function View:_spin()
  local is_busy = false
  for _, line in ipairs(self.lines) do
    is_busy = is_busy or decoration.is_busy(self.session, line)
  end
  if not is_busy then
    self:_stop_spinning()
  elseif not self.spinner then
    self.spinner = uv.new_timer()
    self.spinner:start(
      SPINNER_MS,
      SPINNER_MS,
      vim.schedule_wrap(function()
        if self.spinner and views[self.buffer] == self then
          decoration.turn()
          decoration.draw(self.buffer, self.session, self.lines, self:_width())
        end
      end)
    )
  end
end

function View:_stop_spinning()
  if self.spinner then
    self.spinner:stop()
    self.spinner:close()
    self.spinner = nil
  end
end

-- The cursor

--- The cursors of the windows with the buffer, by line and by the place in the line's text.
function View:_cursors()
  local places = {}
  for _, window in ipairs(vim.fn.win_findbuf(self.buffer)) do
    local row, column = unpack(vim.api.nvim_win_get_cursor(window))
    local line = self.lines[row]
    if line and line.kind == 'stray' then
      -- Lines that were pasted or opened after a text of one line belong to it.
      while line and line.kind == 'stray' do
        row = row - 1
        line = self.lines[row]
      end
      column = math.huge
    end
    if line then
      local offset = column - #line.prefix
      table.insert(places, { window = window, row = row, key = line.key, part = line.part, offset = offset })
    end
  end
  return places
end

function View:_restore_cursors(places)
  local rows = {}
  for row, line in ipairs(self.lines) do
    rows[line.key] = row
  end
  for _, place in ipairs(places) do
    local row = rows[self.emptied or place.key] or rows[place.key] or math.min(place.row, #self.lines)
    local line = self.lines[row]
    local column = line.part and #line.prefix + math.max(place.offset, 0) or #line.prefix + place.offset
    column = math.max(0, math.min(column, #line.prefix + #line.text))
    local before = vim.api.nvim_win_get_cursor(place.window)
    if before[1] ~= row or before[2] ~= column then
      vim.api.nvim_win_set_cursor(place.window, { row, column })
    end
  end
  self.emptied = nil
end

--- The line under the cursor of the current window.
---@return formd.Line?
---@return integer row
function View:line_at_cursor()
  local row = vim.api.nvim_win_get_cursor(0)[1]
  return self.lines[row], row
end

function View:_go(row)
  local line = self.lines[row]
  local column = line.kind == 'text' and #line.prefix + #line.text or #line.prefix
  vim.cmd('normal! m\'')
  vim.api.nvim_win_set_cursor(0, { row, column })
  self:follow_cursor()
end

--- Goes to the next place that takes input, or to the previous one; wraps around at the end.
---@param by 1|-1
function View:go_to_field(by)
  local _, row = self:line_at_cursor()
  local address = self.lines[row] and self.lines[row].part and self.lines[row].address
  for distance = 1, #self.lines do
    local candidate = (row - 1 + by * distance) % #self.lines + 1
    local line = self.lines[candidate]
    if is_stop(line) and line.address ~= address or (is_stop(line) and line.kind ~= 'text') then
      return self:_go(candidate)
    end
  end
end

--- Goes to the first line of an address, or of an address inside of it.
---@param address string
---@return boolean found
function View:go_to(address)
  for _, exact in ipairs({ true, false }) do
    for row, line in ipairs(self.lines) do
      local is_it = line.address
        and (exact and line.address == address or not exact and json.is_within(line.address, address))
      if is_it and not line.key:match('^label ') and (not exact or line.kind ~= 'output') then
        self:_go(row)
        return true
      end
    end
  end
  return false
end

--- Makes only editable lines modifiable; on other lines, edits fail with E21.
function View:follow_editability()
  if vim.api.nvim_get_current_buf() ~= self.buffer then
    return
  end
  local line = self:line_at_cursor()
  vim.bo[self.buffer].modifiable = line ~= nil and (line.kind == 'text' or line.kind == 'secret')
end

--- An insertion begins behind the label. Nvim restores the cursor after `InsertEnter` unless `v:char` is set. It does
--- not yet let the cursor stand behind the last character, so a key moves it there.
function View:insertion_began()
  local line, row = self:line_at_cursor()
  if line and vim.api.nvim_win_get_cursor(0)[2] < #line.prefix then
    vim.api.nvim_win_set_cursor(0, { row, #line.prefix })
    vim.v.char = 'moved'
    if line.text == '' then
      vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<End>', true, false, true), 'ni', false)
    end
  end
  self:follow_cursor()
end

--- The cursor has moved: its field is being edited, and the cursor of an insertion stays out of labels.
function View:follow_cursor()
  if vim.api.nvim_get_current_buf() ~= self.buffer or #self.lines == 0 then
    return
  end
  local line, row = self:line_at_cursor()
  if not line then
    return
  end
  self:follow_editability()
  if vim.api.nvim_get_mode().mode:sub(1, 1) == 'i' then
    local column = vim.api.nvim_win_get_cursor(0)[2]
    if column < #line.prefix then
      vim.api.nvim_win_set_cursor(0, { row, #line.prefix })
    end
  end
  local is_field = line.address and line.field and INPUTS[line.kind]
  self.session:focus(is_field and line.address or nil)
end

--- The cursor left the buffer.
function View:left()
  self.session:focus(nil)
end

-- Edits

--- The length of the common end of `text` and `value`, in bytes.
local function common_end(text, value)
  local count = 0
  while count < #text and count < #value and text:byte(#text - count) == value:byte(#value - count) do
    count = count + 1
  end
  return count
end

--- Takes the new text of a line. If a part of the prefix was deleted, the rest of the value is the new value. If the
--- whole prefix was deleted (`cc`), the whole line is the new value. The drawing that follows mends the prefix.
local function take(line, text)
  if vim.startswith(text, line.prefix) then
    line.text = text:sub(#line.prefix + 1)
    return
  end
  local kept = common_end(text, line.text)
  if kept == 0 and not vim.startswith(text, '  ') then
    kept = #text
  end
  line.prefix, line.text = text:sub(1, #text - kept), text:sub(#text - kept + 1)
end

--- A line that the user opened below `above`: a further line of a text, else a line that the next drawing removes.
local function opened_line(above, text)
  if not (above and above.kind == 'text' and above.is_multiline) then
    -- A line that was yanked from a field contains the label.
    if above and above.label and vim.startswith(text, above.prefix) then
      text = text:sub(#above.prefix + 1)
    end
    return { kind = 'stray', key = 'stray', prefix = '', text = text, address = above and above.address }
  end
  local line = { kind = 'text', key = 'new', prefix = '', text = text, address = above.address, field = above.field }
  line.part, line.is_multiline = math.huge, true
  -- A line that was yanked here contains the indentation.
  local indent = (' '):rep(vim.fn.strdisplaywidth(above.prefix))
  if indent ~= '' and vim.startswith(text, indent) then
    line.prefix, line.text = indent, text:sub(#indent + 1)
  end
  return line
end

--- The user changed lines: the lines from `first` to `before` are now the lines from `first` to `after`, counted from 0
--- as in `nvim_buf_attach`.
function View:edited(first, before, after)
  local new = vim.api.nvim_buf_get_lines(self.buffer, first, after, false)
  local old = vim.list_slice(self.lines, first + 1, before)
  local owner = self.lines[first]
  local touched = {}
  local function touch(line)
    if line and line.address and (line.kind == 'text' or line.kind == 'secret') then
      touched[line.address] = true
    end
  end
  -- Lines that still exist, at the beginning and at the end of the range.
  local head, tail = 0, 0
  if #old == #new then
    head = #old
  else
    while
      head < #old
      and head < #new
      and vim.startswith(new[head + 1], old[head + 1].prefix)
      and old[head + 1].prefix ~= ''
    do
      head = head + 1
    end
    while tail < #old - head and tail < #new - head do
      local line = old[#old - tail]
      if line.prefix == '' or new[#new - tail] ~= line.prefix .. line.text then
        break
      end
      tail = tail + 1
    end
  end
  local lines = {}
  for position, text in ipairs(new) do
    local line = position <= head and old[position] or (position > #new - tail and old[#old - #new + position]) or nil
    if line then
      if line.prefix .. line.text ~= text then
        take(line, text)
        touch(line)
      end
    else
      line = opened_line(lines[#lines] or owner, text)
      touched[line.address or ''] = true
    end
    table.insert(lines, line)
  end
  for position = head + 1, #old - tail do
    -- `dd` on a field removes its value. A larger deletion only removes lines of longer texts.
    local line = old[position]
    if line.is_multiline or #old - tail - head == 1 then
      touch(line)
      self.emptied = line.key
    end
  end
  for _ = 1, before - first do
    table.remove(self.lines, first + 1)
  end
  for position, line in ipairs(lines) do
    table.insert(self.lines, first + position, line)
  end
  for address in pairs(touched) do
    self:_typed(address)
  end
  self:refresh()
end

--- Sends the text of a field in the buffer to the session.
function View:_typed(address)
  local field = address ~= '' and self.session:field(address)
  if not field then
    return
  end
  local parts, is_multiline, is_emptied = {}, false, true
  for _, line in ipairs(self.lines) do
    if line.address == address and (line.kind == 'text' or line.kind == 'secret') then
      is_multiline = is_multiline or line.is_multiline
      is_emptied = line.prefix == ''
      table.insert(parts, line.text)
    elseif line.address == address and line.kind == 'stray' and vim.trim(line.text) ~= '' then
      table.insert(parts, vim.trim(line.text))
    end
  end
  if field.isSecret then
    -- The text was not typed but put; it is removed from the buffer at once. `dd` and `cc` remove it.
    self.holds_secret = true
    local added = table.concat(parts)
    if is_emptied then
      self.session:type(address, added)
    elseif added ~= '' then
      self.session:type(address, self.session:text(address) .. added)
    end
    return
  end
  self.session:type(address, table.concat(parts, is_multiline and '\n' or ' '))
end

return M
