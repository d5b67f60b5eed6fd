--- Definitions in the user's files, and the places of their faults.

local config = require('formd.config')
local json = require('formd.json')

local M = {}

--- Whether an argument of `:Form` means a file rather than a form's name.
---@param argument string
function M.is_path(argument)
  return argument:match('[/\\]') ~= nil or argument:match('%.json$') ~= nil
end

--- The definition in a file, or nil and the fault. If a buffer has the file open, the buffer's text is used.
---@param path string
---@return formd.Raw? definition in the words of the file: the order of its members is that of the fields
---@return string name what the form is called
---@return string? fault
function M.read(path)
  local lines
  local buffer = vim.fn.bufnr('^' .. vim.fn.fnameescape(path) .. '$')
  if buffer ~= -1 and vim.api.nvim_buf_is_loaded(buffer) then
    lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  elseif vim.fn.filereadable(path) == 1 then
    lines = vim.fn.readfile(path)
  else
    return nil, '', ('the file %s does not exist'):format(path)
  end
  local text = table.concat(lines, '\n')
  local definition, fault = json.decode(text)
  if type(definition) ~= 'table' then
    return nil, '', ('%s is not JSON: %s'):format(path, fault or 'it must be an object')
  end
  return json.raw(text), type(definition.form) == 'string' and definition.form or vim.fn.fnamemodify(path, ':t:r:r')
end

--- The suggested correction, without the drawing of the place above it.
local function remedy(finding)
  local last = finding.remedy and vim.trim(finding.remedy:match('[^\n]*$')) or ''
  return last ~= '' and last ~= '^' and '; ' .. last or ''
end

--- Lists the faults of a definition in the quickfix list. They have lines if `formctl check` finds them, else the
--- daemon's messages and pointers.
---@param path string
---@param faults table[] of the daemon: `{ path, message }`
---@param done fun(count: integer)
function M.list_faults(path, faults, done)
  local function set(items)
    vim.fn.setqflist({}, ' ', { title = 'formd: ' .. path, items = items })
    done(#items)
  end
  local function by_pointer()
    set(vim.tbl_map(function(fault)
      local place = (fault.path or ''):gsub('^/definition', '')
      return { filename = path, lnum = 1, type = 'E', text = ('%s: %s'):format(place, fault.message or fault.code) }
    end, faults))
  end
  if vim.fn.executable(config.current.formctl) == 0 then
    return by_pointer()
  end
  local said = {}
  vim.fn.jobstart({ config.current.formctl, 'check', '--json', '--encoding', 'utf-8', path }, {
    stdout_buffered = true,
    on_stdout = function(_, lines)
      said = lines
    end,
    on_exit = function()
      local items = {}
      for _, line in ipairs(said) do
        local finding = json.decode(line)
        if type(finding) == 'table' and finding.severity == 'error' then
          table.insert(items, {
            filename = path,
            lnum = finding.line,
            col = finding.column,
            type = 'E',
            text = finding.message .. remedy(finding),
          })
        end
      end
      if #items > 0 then
        set(items)
      else
        by_pointer()
      end
    end,
  })
end

return M
