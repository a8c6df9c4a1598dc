// `node -C levelset-source tests/e2e/upgrade/main.ts --version 0.2`: records the upgrade fixtures of this version; needs
// PostgreSQL.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { record } from "./record.ts";
import { folderOf } from "./recorded.ts";

const { values } = parseArgs({ options: { version: { type: "string" }, force: { type: "boolean", default: false } } });
const { version = "", force } = values;
const problem = problemOf();
if (problem === undefined) await record(folderOf(version));
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}

function problemOf(): string | undefined {
  if (!/^\d+\.\d+$/u.test(version)) return "upgrade: name the version to record: --version 0.2";
  if (existsSync(folderOf(version)) && !force)
    return `upgrade: tests/e2e/upgrade/${version} exists; a released version must not be recorded again (--force overwrites it)`;
  return undefined;
}
