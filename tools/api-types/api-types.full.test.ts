import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { API_TYPES_FILE, collectApiTypes, formatApiTypes } from "./api-types.ts";
import { downloadModules } from "./go-modules.ts";
import { servedKinds } from "./served-kinds.ts";

const hasGo = spawnSync("go", ["version"]).status === 0;
if (!hasGo) console.warn("Go is not installed: the generated API types are not compared with the Go modules.");

test.skipIf(!hasGo)(
  "the committed data file is what the Go modules give, byte for byte",
  async () => {
    const modules = await downloadModules({ env: process.env, cwd: tmpdir() });
    const text = formatApiTypes(collectApiTypes(modules, await servedKinds()));
    expect(text).toBe(readFileSync(API_TYPES_FILE, "utf8"));
  },
  600_000,
);
