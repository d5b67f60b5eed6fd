// node peer.js SCHEMA INSTANCE SECONDS: ajv on one parsed value, validations per CPU second.
const fs = require("fs");
const Ajv = require("ajv");
const [schema, instance] = process.argv.slice(2, 4).map((path) => JSON.parse(fs.readFileSync(path)));
const validate = new Ajv({}).compile(schema);
if (!validate(instance)) throw new Error("the instance is not valid");
const cpu = () => {
  const used = process.cpuUsage();
  return (used.user + used.system) / 1e6;
};
const run = (count) => {
  let valid = 0;
  for (let i = 0; i < count; i++) if (validate(instance)) valid++;
  return valid;
};
for (const end = cpu() + 0.5; cpu() < end;) run(1000); // what is compiled while running is compiled now
let count = 0;
const start = cpu();
while (cpu() - start < Number(process.argv[4])) count += run(1000);
console.log(Math.floor(count / (cpu() - start)));
