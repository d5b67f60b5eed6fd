--- Secrets are typed in place and kept in memory only. No character of a secret gets into the buffer. So none gets into
--- its history, a register, a swap file or a completion.
---
--- A typed character is taken in `InsertCharPre` and replaced by nothing. A paste of the terminal is taken before it
--- reaches the buffer. Text that arrives in other ways (a put) is removed by the view, which then clears the history.

local views = require('formd.view')

local M = {}

--- The view and the line of the secret under the cursor; nil: there is none.
---@return formd.View?
---@return formd.Line?
local function at_cursor()
  local view = views.of(0)
  local line = view and view:line_at_cursor()
  if line and line.kind == 'secret' then
    return view, line
  end
end

local function add(view, line, text)
  view.session:type(line.address, view.session:text(line.address) .. text)
  view:refresh()
end

--- A character is about to be inserted.
function M.char_typed()
  local view, line = at_cursor()
  if view then
    add(view, line, vim.v.char)
    vim.v.char = ''
  end
end

--- The rest of a secret after an erasing key; nil: the key erases nothing.
local ERASERS = {
  ['<BS>'] = function(text)
    return vim.fn.strcharpart(text, 0, vim.fn.strchars(text, true) - 1, true)
  end,
  ['<C-W>'] = function(text)
    return (text:gsub('%S*%s*$', '', 1))
  end,
  ['<C-U>'] = function()
    return ''
  end,
}
ERASERS['<C-H>'] = ERASERS['<BS>']

--- Keys that would insert other text than the typed text, which Vim would keep as the last inserted text.
local FORBIDDEN = { '<C-V>', '<C-Q>', '<C-A>', '<C-@>', '<C-N>', '<C-P>', '<C-X>', '<C-Y>', '<C-E>', '<C-O>', '<Del>' }

--- Sets the keys of insertions in a form's buffer.
---@param buffer integer
function M.map(buffer)
  for key, erased in pairs(ERASERS) do
    vim.keymap.set('i', key, function()
      local view, line = at_cursor()
      if view then
        view.session:type(line.address, erased(view.session:text(line.address)))
        view:refresh()
        return ''
      end
      local current = views.of(0)
      local text_line = current and current:line_at_cursor()
      local is_at_start = text_line and vim.api.nvim_win_get_cursor(0)[2] <= #text_line.prefix
      if is_at_start and (text_line.part or 1) == 1 then
        -- Before the value there is only the label.
        return ''
      elseif is_at_start then
        return ('<BS>'):rep(#text_line.prefix + 1)
      end
      return key
    end, { buffer = buffer, expr = true, desc = 'Erase, but no label' })
  end
  for _, key in ipairs(FORBIDDEN) do
    vim.keymap.set('i', key, function()
      return at_cursor() and '' or key
    end, { buffer = buffer, expr = true, desc = 'Not in secrets' })
  end
end

--- An insertion begins: warns if a recording would record the secret.
function M.insertion_began()
  if at_cursor() and vim.fn.reg_recording() ~= '' then
    vim.cmd('stopinsert')
    vim.notify('formd: stop recording (q) before you type a secret', vim.log.levels.WARN)
  end
end

--- Takes pastes of the terminal into a secret. They go to `vim.paste`, which plugins may wrap.
function M.take_pastes()
  if M.is_taking_pastes then
    return
  end
  M.is_taking_pastes = true
  local paste = vim.paste
  vim.paste = function(lines, phase)
    local view, line = at_cursor()
    if not view then
      return paste(lines, phase)
    end
    add(view, line, table.concat(lines))
    -- Reports the paste as cancelled. Otherwise Nvim would keep the text for a repeat.
    return false
  end
end

return M
