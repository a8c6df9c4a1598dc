import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../tests/support/repository.ts";
import { tempDirectory } from "../../tests/support/temp-directory.ts";
import { isPureTest } from "./pure-test.ts";

const FILES: Readonly<Record<string, string>> = {
  "packages/a/src/rule.test.ts": `import { rule } from "./rule.ts"; import "./table.fixture.ts"; import "node:fs"; new URL("../src", import.meta.url); new URL("data.json", import.meta.url);`,
  "packages/a/src/rule.ts": `import "./server.ts";`,
  "packages/a/src/table.fixture.ts": `import type { Server } from "node:net";\nexport {};`,
  "packages/a/src/server.ts": `import { createServer } from "node:http";`,
  "packages/a/src/server.test.ts": `import "./server.ts";`,
  "packages/a/src/clock.test.ts": `import { realClock as clock } from "@levelset/core";`,
  "packages/a/src/poll.test.ts": `await expect.poll(read).toBe(1);`,
  "packages/a/src/listen.test.ts": `const { url } = await api.listen();`,
  "packages/a/src/serve.test.ts": `import { serveSentinels as serve } from "./rule.ts"; await serve({ port: 0 });`,
  "packages/a/src/fetch.test.ts": `const { url } = await start({ port: 0 }); await fetch(url);`,
  "packages/a/src/port.test.ts": `expect(parse("0")).toEqual({ port: 0 }); await cluster.fetch(request);`,
  "tests/x/x.test.ts": `import "./helper.ts";`,
  "tests/x/helper.ts": `import "../support/process.ts";`,
  "tests/support/process.ts": `import { spawn } from "node:child_process";`,
};

test.for([
  ["packages/a/src/rule.test.ts", true],
  ["packages/a/src/server.test.ts", false],
  ["packages/a/src/clock.test.ts", false],
  ["packages/a/src/poll.test.ts", false],
  ["packages/a/src/listen.test.ts", false],
  ["packages/a/src/serve.test.ts", false],
  ["packages/a/src/fetch.test.ts", false],
  ["packages/a/src/port.test.ts", true],
  ["tests/x/x.test.ts", false],
] as const)("%s is pure: %s", async ([file, isPure]) => {
  await using directory = await tempDirectory();
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory.path, path)), { recursive: true });
    await writeFile(join(directory.path, path), text);
  }
  expect(isPureTest(directory.path, file)).toBe(isPure);
});

test("the test of a Sentinel that serves its endpoints is not pure", () => {
  expect(isPureTest(ROOT, "packages/fleet/src/sentinel/polling-sentinel.test.ts")).toBe(false);
});
