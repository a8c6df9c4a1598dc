import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TestProcess } from "../support/process.ts";
import type { Ended } from "../support/process.ts";
import { LAUNCHER } from "../support/repository.ts";
import { scratchInside } from "../support/scratch.ts";

const OPERATOR = `
  import { kind, s } from "@levelset/core";
  import { ok, operator, step } from "@levelset/operator";
  const Thing = kind({ group: "one.levelset.dev", version: "v1", kind: "Thing", spec: s.object({}) });
  export default operator(Thing, [step(Thing, "Do", { do: () => ok() })]);
`;

/** A directory with an operator, whose user has another cluster in ~/.kube/config; that cluster counts its requests. */
interface Place extends AsyncDisposable {
  readonly path: string;
  readonly kubeconfig: string;
  /** The requests that the other cluster has got. */
  readonly elsewhere: readonly string[];
  start(...args: readonly string[]): TestProcess;
  run(...args: readonly string[]): Promise<Ended>;
}

async function place(): Promise<Place> {
  const directory = await scratchInside();
  const { path } = directory;
  const elsewhere: string[] = [];
  const other = createServer((request, response) => {
    elsewhere.push(`${request.method} ${request.url}`);
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
    elsewhere,
    start: (...args) => new TestProcess(process.execPath, options(args)),
    run: async (...args) => {
      // Ended with the test also if it does not end by itself.
      await using running = new TestProcess(process.execPath, options(args));
      return await running.ended();
    },
    [Symbol.asyncDispose]: async () => {
      other.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

const DEV = ["dev", "thing.ts", "--no-console"] as const;

describe("the levelset dev of a directory", () => {
  test("is not disturbed by a second one, which names it and ends; after it no command goes to another cluster", async () => {
    await using here = await place();
    await using first = here.start(...DEV);
    const [, port] = await first.says(/API +https:\/\/127\.0\.0\.1:(\d+)/u);
    await first.says(/Objects, as they change/u);
    const before = await readFile(here.kubeconfig, "utf8");

    for (const second of [DEV, ["apiserver"]]) {
      const ended = await here.run(...second);
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([
        2,
        "",
        `levelset: levelset dev is already running in this directory: process ${first.pid}, https://127.0.0.1:${port}\n` +
          "hint: use it, or stop it first; with another --kubeconfig FILE both run side by side\n",
      ]);
    }
    expect(await readFile(here.kubeconfig, "utf8")).toBe(before);
    expect(await here.run("why", "ns/default")).toMatchObject({ code: 0 });

    first.signal("SIGINT");
    expect((await first.ended()).code).toBe(0);
    await expect(stat(here.kubeconfig)).rejects.toThrow("ENOENT");
    const commands = [
      ["why", "ns/default"],
      ["trace", "thing/a"],
      ["operand", "status", "a"],
      ["operand", "run"],
      ["run", "thing.ts", "--install-crds"],
      ["console"],
    ];
    const results = await Promise.all(commands.map(async (command) => ({ command, ...(await here.run(...command)) })));
    for (const { command, code, stderr } of results) {
      expect([command, code, stderr]).toEqual([
        command,
        2,
        expect.stringMatching(
          /^levelset: levelset dev is not running in this directory \(it ran here until \d{4}-[\d-]+T[\d:]+Z\)\nhint: start it again, or name a cluster with --kubeconfig, --context or KUBECONFIG\n$/u,
        ),
      ]);
    }
    expect(here.elsewhere).toEqual([]);
    await here.run("why", "ns/default", "--context", "a");
    expect(here.elsewhere.length).toBeGreaterThan(0);
  });

  test("that was killed neither blocks the next one nor sends a command to another cluster", async () => {
    await using here = await place();
    await using first = here.start(...DEV);
    await first.says(/Objects, as they change/u);
    first.signal("SIGKILL");
    await first.ended();
    expect(await readFile(here.kubeconfig, "utf8")).toContain("https://127.0.0.1");
    for (const command of [
      ["why", "ns/default"],
      ["run", "thing.ts"],
    ]) {
      const { code, stderr } = await here.run(...command);
      expect([command, code, stderr]).toEqual([
        command,
        2,
        expect.stringMatching(
          /^(?:\.levelset\/kubeconfig, .*\n)?levelset: levelset dev is not running in this directory: no answer from https:\/\/127\.0\.0\.1:\d+, which \.levelset\/kubeconfig names\nhint: start it again, or name a cluster with --kubeconfig, --context or KUBECONFIG\n$/u,
        ),
      ]);
    }
    await using second = here.start("apiserver");
    await second.says(/Ctrl-C stops/u);
    expect(await here.run("why", "ns/default")).toMatchObject({ code: 0 });
    expect(here.elsewhere).toEqual([]);
  });
});

test("a second fleet in a directory names the first and ends, and the first stays the fleet of the directory", async () => {
  await using here = await place();
  await using first = here.start("fleet", "dev", "--memory");
  const [, url] = await first.says(/API +(http:\/\/127\.0\.0\.1:\d+)/u);
  await first.says(/Resources, as they change/u);
  const second = await here.run("fleet", "dev", "--memory");
  expect([second.code, second.stderr]).toEqual([
    2,
    `levelset: a fleet is already running in this directory: process ${first.pid}, ${url}\n` +
      "hint: use it, or stop it first, or start this one in another directory\n",
  ]);
  expect(await here.run("create", "channel", "stable")).toMatchObject({ code: 0 });
  await first.says(/channel\/stable/u);
});
