--- The drafts: forms that the daemon keeps when the editor ends (protocol/editors.md, Drafts). Each is a file of the
--- user that is named for the session's key. The plugins for Emacs and Vim write the same files.

local json = require('formd.json')
local socket = require('formd.socket')

local M = {}

---@class formd.Draft
---@field key string
---@field form string
---@field title? string
---@field keep? string
---@field socket string
---@field at integer when it was opened, in seconds since 1970

local function folder()
  local state = vim.env.XDG_STATE_HOME or ''
  return (state ~= '' and state or vim.env.HOME .. '/.local/state') .. '/formd/drafts'
end

local function path_of(key)
  return folder() .. '/' .. key .. '.json'
end

--- Notes a draft. The key opens the session, so only the user may read the file.
---@param key string
---@param draft { form: string, title?: string, keep?: string }
function M.note(key, draft)
  draft.socket, draft.at = (socket.path()), os.time()
  local ok, fault = pcall(function()
    vim.fn.mkdir(folder(), 'p', '0700')
    local file = assert(vim.loop.fs_open(path_of(key), 'w', tonumber('600', 8)))
    vim.loop.fs_write(file, json.encode(draft), 0)
    vim.loop.fs_close(file)
  end)
  if not ok then
    vim.notify(('formd: the draft could not be noted (%s); its key is %s'):format(fault, key), vim.log.levels.WARN)
  end
end

---@param key string
function M.forget(key)
  os.remove(path_of(key))
end

--- The drafts at this daemon, the newest first.
---@return formd.Draft[]
function M.all()
  local found, here = {}, (socket.path())
  for _, path in ipairs(vim.fn.glob(folder() .. '/*.json', true, true)) do
    -- Another program's file, or a file that is being written, is no draft.
    local ok, draft = pcall(function()
      return json.decode(table.concat(vim.fn.readfile(path), '\n'))
    end)
    if ok and type(draft) == 'table' and draft.socket == here then
      draft.key = vim.fn.fnamemodify(path, ':t:r')
      table.insert(found, draft)
    end
  end
  table.sort(found, function(one, other)
    return one.at > other.at
  end)
  return found
end

return M
