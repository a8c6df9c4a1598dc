import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER } from "../../support/repository.ts";
import { tempDirectoryInRepository } from "../../support/temp-directory.ts";

const OPERATOR = `
  import { kind, s } from "@levelset/core";
  import { ok, operator, step } from "@levelset/operator";
  const Thing = kind({ group: "one.levelset.dev", version: "v1", kind: "Thing", spec: s.object({}) });
  export default operator(Thing, [step(Thing, "Do", { do: () => ok() })]);
`;

/** A directory with an operator, and another cluster in ~/.kube/config that records its requests. */
interface Harness extends AsyncDisposable {
  readonly path: string;
  readonly kubeconfig: string;
  /** Requests to the other cluster. */
  readonly otherRequests: readonly string[];
  start(...args: readonly string[]): TestProcess;
  run(...args: readonly string[]): Promise<ProcessResult>;
}

async function createHarness(): Promise<Harness> {
  const directory = await tempDirectoryInRepository();
  const { path } = directory;
  const otherRequests: string[] = [];
  const other = createServer((request, response) => {
    otherRequests.push(`${request.method} ${request.url}`);
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" ? address?.port : undefined;
  await mkdir(join(path, ".home", ".kube"), { recursive: true });
  const cluster = `{server: 'http://127.0.0.1:${port}'}`;
  const config = `{current-context: a, contexts: [{name: a, context: {cluster: a}}], clusters: [{name: a, cluster: ${cluster}}]}`;
  await writeFile(join(path, ".home", ".kube", "config"), config);
  await writeFile(join(path, "thing.ts"), OPERATOR);
  const env = { KUBECONFIG: "", HOME: join(path, ".home"), XDG_RUNTIME_DIR: join(path, ".run") };
  const options = (args: readonly string[]) => ({ args: [LAUNCHER, ...args], cwd: path, env });
  return {
    path,
    kubeconfig: join(path, ".levelset", "kubeconfig"),
    otherRequests,
    start: (...args) => new TestProcess(process.execPath, options(args)),
    run: async (...args) => {
      // Disposed with the test if it does not exit.
      await using running = new TestProcess(process.execPath, options(args));
      return await running.untilExit();
    },
    [Symbol.asyncDispose]: async () => {
      other.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

const DEV = ["dev", "thing.ts", "--no-console"] as const;

describe("levelset dev in a directory", () => {
  test("refuses a second start, and commands after its end never use another cluster", async () => {
    await using harness = await createHarness();
    await using first = harness.start(...DEV);
    const [, port] = await first.untilOutput(/API +https:\/\/127\.0\.0\.1:(\d+)/u);
    await first.untilOutput(/Objects, as they change/u);
    const before = await readFile(harness.kubeconfig, "utf8");

    for (const second of [DEV, ["apiserver"]]) {
      const ended = await harness.run(...second);
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([
        2,
        "",
        `levelset: levelset dev is already running in this directory: process ${first.pid}, https://127.0.0.1:${port}\n` +
          "hint: use it, stop it, or pass another --kubeconfig to run both\n",
      ]);
    }
    expect(await readFile(harness.kubeconfig, "utf8")).toBe(before);
    expect(await harness.run("why", "ns/default")).toMatchObject({ code: 0 });

    first.signal("SIGINT");
    expect((await first.untilExit()).code).toBe(0);
    await expect(stat(harness.kubeconfig)).rejects.toThrow("ENOENT");
    const commands = [
      ["why", "ns/default"],
      ["trace", "thing/a"],
      ["operand", "status", "a"],
      ["operand", "run"],
      ["run", "thing.ts", "--install-crds"],
      ["console"],
    ];
    const results = await Promise.all(
      commands.map(async (command) => ({ command, ...(await harness.run(...command)) })),
    );
    for (const { command, code, stderr } of results) {
      expect([command, code, stderr]).toEqual([
        command,
        2,
        expect.stringMatching(
          /^levelset: levelset dev is not running in this directory \(it ran here until \d{4}-[\d-]+T[\d:]+Z\)\nhint: start it again, or select a cluster with --kubeconfig, --context or KUBECONFIG\n$/u,
        ),
      ]);
    }
    expect(harness.otherRequests).toEqual([]);
    await harness.run("why", "ns/default", "--context", "a");
    expect(harness.otherRequests.length).toBeGreaterThan(0);
  });

  test("does not block the next start after a kill, and commands never use another cluster", async () => {
    await using harness = await createHarness();
    await using first = harness.start(...DEV);
    await first.untilOutput(/Objects, as they change/u);
    first.signal("SIGKILL");
    await first.untilExit();
    expect(await readFile(harness.kubeconfig, "utf8")).toContain("https://127.0.0.1");
    for (const command of [
      ["why", "ns/default"],
      ["run", "thing.ts"],
    ]) {
      const { code, stderr } = await harness.run(...command);
      expect([command, code, stderr]).toEqual([
        command,
        2,
        expect.stringMatching(
          /^(?:\.levelset\/kubeconfig, .*\n)?levelset: levelset dev is not running in this directory: cannot reach https:\/\/127\.0\.0\.1:\d+ \(from \.levelset\/kubeconfig\)\nhint: start it again, or select a cluster with --kubeconfig, --context or KUBECONFIG\n$/u,
        ),
      ]);
    }
    await using second = harness.start("apiserver");
    await second.untilOutput(/Ctrl-C stops/u);
    expect(await harness.run("why", "ns/default")).toMatchObject({ code: 0 });
    expect(harness.otherRequests).toEqual([]);
  });
});

test("a second fleet in a directory is refused, and the first remains", async () => {
  await using harness = await createHarness();
  await using first = harness.start("fleet", "dev", "--memory");
  const [, url] = await first.untilOutput(/API +(http:\/\/127\.0\.0\.1:\d+)/u);
  await first.untilOutput(/Resources, as they change/u);
  const second = await harness.run("fleet", "dev", "--memory");
  expect([second.code, second.stderr]).toEqual([
    2,
    `levelset: a fleet is already running in this directory: process ${first.pid}, ${url}\n` +
      "hint: use it, stop it, or start this one in another directory\n",
  ]);
  expect(await harness.run("create", "channel", "stable")).toMatchObject({ code: 0 });
  await first.untilOutput(/channel\/stable/u);
});
