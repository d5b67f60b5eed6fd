--- Runs the tests: `nvim --headless -u NONE -i NONE -n -S tests/run.lua`.
---
--- Tests are functions in `*_spec.lua`. Each is given to `it` with a sentence that is its name. FORMD_BIN and
--- FORMCTL_BIN name the programs, and FORMD_SOCKET the socket of a daemon that serves the example forms. The report, a
--- JSON object per test, goes to the file in FORMD_TEST_REPORT, else to standard output. If FORMD_TEST_ONLY is set,
--- only tests whose names contain it run.

-- LuaJIT 2.1.0-beta3, which Debian 12 has, has died twice in its collector while it marked compiled traces. This editor
-- only drives others, and needs no compiler.
if jit then
  jit.off()
end

local folder = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
package.path = folder .. '/?.lua;' .. package.path

local report = vim.env.FORMD_TEST_REPORT and assert(io.open(vim.env.FORMD_TEST_REPORT, 'w')) or io.stdout
local failures = 0

--- Runs one test; what it gave to `after` is run in the end.
function _G.it(name, test)
  if vim.env.FORMD_TEST_ONLY and not name:find(vim.env.FORMD_TEST_ONLY, 1, true) then
    return
  end
  local endings = {}
  local ok, fault = xpcall(function()
    test(function(ending)
      table.insert(endings, 1, ending)
    end)
  end, debug.traceback)
  for _, ending in ipairs(endings) do
    pcall(ending)
  end
  failures = failures + (ok and 0 or 1)
  report:write(vim.json.encode({ name = name, ok = ok, fault = not ok and fault or nil }) .. '\n')
  report:flush()
end

local ok, fault = xpcall(function()
  local specs = vim.fn.glob(folder .. '/*_spec.lua', false, true)
  table.sort(specs)
  for _, spec in ipairs(specs) do
    dofile(spec)
  end
end, debug.traceback)
if not ok then
  report:write(vim.json.encode({ name = 'the specs can be read', ok = false, fault = fault }) .. '\n')
end
report:close()
vim.cmd((ok and failures == 0) and 'qall!' or 'cquit')
