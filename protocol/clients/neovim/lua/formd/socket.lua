--- Where the daemon listens: protocol/wire.md, Transport.

local config = require('formd.config')
local uv = vim.uv or vim.loop

local M = {}

local function user()
  return uv.getuid()
end

local function private_folder()
  return '/tmp/formd-' .. user()
end

local function is_own_folder(path)
  local status = uv.fs_lstat(path)
  return status ~= nil and status.type == 'directory' and status.uid == user()
end

--- The path of the socket, and the source of the path.
---@return string path
---@return string source
function M.path()
  if config.current.socket then
    return vim.fn.expand(config.current.socket), 'the setting socket'
  end
  if (vim.env.FORMD_SOCKET or '') ~= '' then
    return vim.env.FORMD_SOCKET, '$FORMD_SOCKET'
  end
  if (vim.env.XDG_RUNTIME_DIR or '') ~= '' then
    return vim.env.XDG_RUNTIME_DIR .. '/formd/formd.sock', '$XDG_RUNTIME_DIR'
  end
  local runtime = '/run/user/' .. user()
  if is_own_folder(runtime) then
    return runtime .. '/formd/formd.sock', runtime
  end
  return private_folder() .. '/formd.sock', private_folder()
end

--- Why the plugin must not send to a path; nil: it may. Every user can make folders in /tmp.
---@param path string
---@return string?
function M.refusal(path)
  local folder = private_folder()
  if vim.fn.fnamemodify(path, ':h') ~= folder then
    return nil
  end
  local status = uv.fs_lstat(folder)
  if not status then
    return nil
  end
  if status.type ~= 'directory' or status.uid ~= user() or status.mode % 64 ~= 0 then
    return ('the folder %s is not private to you; remove it, or set $FORMD_SOCKET to another socket'):format(folder)
  end
  return nil
end

return M
