--- The language server `formctl lsp`: forms, their tests, and the data files that name their form.

local config = require('formd.config')
local json = require('formd.json')
local uv = vim.uv or vim.loop

local M = {}

M.filetypes = { 'json', 'jsonc', 'yaml', 'dotenv', 'sh', 'conf' }

local FIRST_LINES = 10

--- Whether `.formd-files.json` or the settings may name the form of a file.
local function has_patterns(root)
  local files = config.current.lsp and config.current.lsp.files
  return (files ~= nil and next(files) ~= nil) or vim.fn.filereadable(root .. '/.formd-files.json') == 1
end

--- Whether the server serves a buffer. It does not serve every JSON file.
---@param buffer integer
---@return boolean
function M.is_concerned(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == '' or name:match('^%w+://') or vim.bo[buffer].buftype ~= '' then
    return false
  elseif name:match('%.form%.json$') or name:match('%.test%.json$') or name:match('/formd%.json$') then
    return true
  end
  local tail = vim.fn.fnamemodify(name, ':t')
  if not (name:match('%.jsonc?$') or name:match('%.ya?ml$') or tail:match('%.env') or tail == 'env') then
    return false
  end
  if has_patterns(M.root(buffer)) then
    return true
  end
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, FIRST_LINES, false)) do
    if line:match('formd:') or line:match('"%$form"') or line:match('"%$schema"%s*:%s*"[^"]*%.form%.json"') then
      return true
    end
  end
  return false
end

--- The folder in which a buffer's forms are looked up: the nearest parent with `.formd-files.json` or `.git`, else the
--- buffer's own folder.
---@param buffer integer
---@return string
function M.root(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  for _, marker in ipairs({ '.formd-files.json', '.git' }) do
    local above = folder
    while true do
      if uv.fs_stat(above .. '/' .. marker) then
        return above
      end
      local parent = vim.fn.fnamemodify(above, ':h')
      if parent == above then
        break
      end
      above = parent
    end
  end
  return folder
end

--- The client's capabilities. They announce the command that opens a form, so that the server offers it above forms.
local function capabilities(given)
  local all = vim.deepcopy(given or vim.lsp.protocol.make_client_capabilities())
  all.experimental = vim.tbl_deep_extend('force', all.experimental or {}, {
    commands = { commands = { 'formd.openForm' } },
  })
  return all
end

--- The start configuration of the server, for `vim.lsp.start_client` and `vim.lsp.config`.
function M.configuration()
  local options = config.current.lsp or {}
  local settings = { files = options.files, locale = config.locale() }
  return {
    name = 'formd',
    cmd = { config.current.formctl, 'lsp' },
    filetypes = M.filetypes,
    settings = { formd = settings },
    init_options = next(settings) and settings or nil,
    capabilities = capabilities(options.capabilities),
    on_attach = function(client, buffer)
      -- Neovim sets this option itself since 0.8.
      if vim.bo[buffer].omnifunc == '' then
        vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc'
      end
      if options.on_attach then
        options.on_attach(client, buffer)
      end
    end,
  }
end

local is_told = false

--- Whether the server can be started. Reports once why it cannot.
local function is_there()
  local program = config.current.formctl
  if vim.fn.executable(program) == 1 then
    return true
  elseif not is_told then
    is_told = true
    local message = 'formd: the program "%s" is missing, so there is no language server; see :checkhealth formd'
    vim.notify_once(message:format(program), vim.log.levels.WARN)
  end
  return false
end

---@type table<string, integer> roots to clients
local clients = {}

--- Starts the server for a buffer that it serves, or attaches a running server. For Neovim up to 0.10.
---@param buffer integer
---@return integer? client
function M.attach(buffer)
  if not M.is_concerned(buffer) or not is_there() then
    return nil
  end
  local root = M.root(buffer)
  local options = M.configuration()
  options.root_dir = root
  options.workspace_folders = { { uri = vim.uri_from_fname(root), name = root } }
  if not (clients[root] and vim.lsp.get_client_by_id(clients[root])) then
    options.on_exit = function()
      clients[root] = nil
    end
    clients[root] = vim.lsp.start_client(options)
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
  return clients[root]
end

--- Starts the server for all files that it serves, including open ones.
function M.enable()
  vim.lsp.commands['formd.openForm'] = function(command)
    vim.cmd('Form ' .. vim.fn.fnameescape(command.arguments[1]))
  end
  if vim.fn.has('nvim-0.11') == 1 then
    local options = M.configuration()
    options.root_dir = function(buffer, use)
      if M.is_concerned(buffer) and is_there() then
        use(M.root(buffer))
      end
    end
    vim.lsp.config('formd', options)
    vim.lsp.enable('formd')
    return
  end
  vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup('formd language server', {}),
    pattern = { '*.json', '*.jsonc', '*.yaml', '*.yml', '*.env', '.env*', 'env' },
    callback = function(event)
      M.attach(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      M.attach(buffer)
    end
  end
end

--- The answer of `formctl lsp` to `initialize`, for `:checkhealth`; or nil and the reason.
---@return table? answer
---@return string? fault
function M.probe()
  local received, ended = {}, false
  local job = vim.fn.jobstart({ config.current.formctl, 'lsp' }, {
    on_stdout = function(_, lines)
      table.insert(received, table.concat(lines, '\n'))
    end,
    on_exit = function()
      ended = true
    end,
  })
  if job <= 0 then
    return nil, 'the program cannot be run'
  end
  local body = json.encode({
    jsonrpc = '2.0',
    id = 1,
    method = 'initialize',
    params = { capabilities = vim.empty_dict(), processId = vim.NIL, rootUri = vim.NIL },
  })
  pcall(vim.fn.chansend, job, ('Content-Length: %d\r\n\r\n%s'):format(#body, body))
  local answer
  vim.wait(10000, function()
    local text = table.concat(received)
    local length, start = text:match('[Cc]ontent%-[Ll]ength: (%d+).-\r\n\r\n()')
    if length and #text >= start + tonumber(length) - 1 then
      answer = json.decode(text:sub(start, start + tonumber(length) - 1))
    end
    return answer ~= nil or ended
  end, 10)
  vim.fn.jobstop(job)
  if answer and answer.result then
    return answer.result
  end
  return nil, ended and 'the server ended without an answer' or 'the server does not answer'
end

return M
