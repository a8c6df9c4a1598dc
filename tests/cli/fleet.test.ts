import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FleetClient } from "@levelset/fleet/client";
import { describe, expect, test } from "vitest";
import { runProcess, TestProcess } from "../support/process.ts";
import type { Ended } from "../support/process.ts";
import { LAUNCHER, ROOT } from "../support/repository.ts";
import { scratch } from "../support/scratch.ts";

function start(cwd: string, ...args: readonly string[]): TestProcess {
  return new TestProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

function levelset(cwd: string, ...args: readonly string[]): Promise<Ended> {
  return runProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

/** Ctrl-C, and whether it stops at once: within a second, and what a busy machine takes for ten empty programs meanwhile. */
async function stopped(running: TestProcess): Promise<readonly [number | null, boolean]> {
  const before = performance.now();
  const idle = runProcess(process.execPath, { args: ["-e", "0"], cwd: ROOT }).then(() => performance.now() - before);
  running.signal("SIGINT");
  const { code } = await running.ended();
  const took = performance.now() - before;
  return [code, took < 1_000 + 10 * (await idle)];
}

describe("levelset fleet dev", () => {
  test("brings a cluster to ready with simulated adapters, stops at once, and has kept it", async () => {
    await using directory = await scratch();
    const cwd = directory.path;
    {
      await using dev = start(cwd, "fleet", "dev");
      await dev.says(/Resources, as they change/u);
      expect(dev.output).toMatch(/ {2}create +npx levelset create cluster eu-1 --set region=eu\n/u);
      const created = await levelset(cwd, "create", "cluster", "eu-1", "--set", "region=eu");
      expect(created).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("cluster/eu-1 created") });
      await dev.says(
        /cluster\/eu-1 {2}✗ not ready {3}generation 1 {3}waits for dns, hypershift, pullsecret, validation/u,
      );
      await dev.says(/cluster\/eu-1 {2}✓ ready {3}generation 1/u);
      expect(await levelset(cwd, "why", "cluster/eu-1")).toMatchObject({ code: 0 });
      const [, health = ""] = await dev.says(/health +(\S+)/u);
      expect((await fetch(health)).status).toBe(200);
      const [, metrics = ""] = await dev.says(/metrics +\S+ +(\S+)/u);
      expect(await (await fetch(metrics)).text()).toContain("hyperfleet_sentinel_events_published_total");
      expect(await stopped(dev)).toEqual([0, true]);
    }
    // What a killed one would leave.
    await writeFile(join(cwd, ".levelset", "fleet.json"), JSON.stringify({ url: "http://127.0.0.1:9", pid: 2 ** 22 }));
    const gone = await levelset(cwd, "get", "clusters");
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining("no fleet is named\nhint: levelset fleet dev"),
    ]);
    await using again = start(cwd, "fleet", "dev", "--no-simulate");
    await again.says(/cluster\/eu-1 {2}✓ ready {3}generation 1/u);
    const table = await levelset(cwd, "get", "clusters");
    expect(table.stdout).toMatch(/^eu-1 +1 +True +True @1 +✓ 1 +✓ 1 +✓ 1 +✓ 1$/mu);
    expect(await stopped(again)).toEqual([0, true]);
  });
});

describe("levelset fleet api", () => {
  test("serves a configured fleet, tells where, logs without secrets, and stops at once", async () => {
    await using directory = await scratch();
    const cwd = directory.path;
    const entities = "[{kind: Cell, plural: cells, required_adapters: [power]}]";
    const ports = "port: 0, health: {port: 0}, metrics: {port: 0}";
    await writeFile(join(cwd, "fleet.yaml"), `api: {${ports}}\nentities: ${entities}\nlog: {format: json}\n`);
    await using api = start(cwd, "fleet", "api", "--config", "fleet.yaml");
    const [, url = ""] = await api.says(/^API +(\S+)$/mu);
    const [, ready = ""] = await api.says(/^health +(\S+)$/mu);
    const client = new FleetClient({ url, token: "hunter2" });
    expect(await client.kinds()).toEqual([
      { kind: "Cell", plural: "cells", parentKind: undefined, requiredAdapters: ["power"] },
    ]);
    const cells = client.collection({ kind: "Cell", plural: "cells" });
    const { resource, tag } = await cells.create({ name: "a", spec: { secret: "hunter2" } });
    const key = { idempotencyKey: "k-1" };
    const first = await cells.patch(resource.id, { labels: { a: "b" } }, { ifMatch: tag, ...key });
    const repeated = await cells.patch(resource.id, { labels: { a: "b" } }, { ifMatch: tag, ...key });
    expect([first.resource.generation, repeated.resource.generation]).toEqual([2, 2]);
    await expect(cells.patch(resource.id, { labels: {} }, { ifMatch: tag })).rejects.toMatchObject({ kind: "stale" });
    expect((await fetch(ready)).status).toBe(200);
    expect(await stopped(api)).toEqual([0, true]);
    expect(api.output).not.toContain("hunter2");
    const addresses = await readFile(join(cwd, ".levelset", "fleet.json"), "utf8").catch(() => "none");
    expect(addresses).toBe("none");
  });

  test("says in one line what is wrong", async () => {
    await using directory = await scratch();
    const { code, stderr } = await levelset(directory.path, "fleet", "api", "-s", "stor.kind=sqlite");
    expect([code, stderr]).toEqual([
      2,
      "levelset: stor.kind: unknown setting (--setting), did you mean store.kind?\nhint: levelset fleet config lists the settings, and where each is from\n",
    ]);
  });
});

test("levelset dev --fleet runs a fleet beside the operator, and stops at once", async () => {
  await using directory = await scratch();
  const cwd = directory.path;
  const example = join(ROOT, "examples/01-simple");
  const words = [join(example, "simple.ts"), "--apply", join(example, "sample.yaml"), "--fleet"];
  await using dev = start(cwd, "dev", ...words);
  await dev.says(/ {2}fleet +http:\/\/127\.0\.0\.1:\d+\/api\/hyperfleet\/v1, in memory\n {2}adapters +simulated\n/u);
  await dev.says(/Simple default\/ten-by-five {2}✓ ready/u);
  expect(await levelset(cwd, "create", "channel", "stable")).toMatchObject({ code: 0 });
  await dev.says(/channel\/stable {2}✓ declared/u);
  expect(await levelset(cwd, "why", "simple/ten-by-five")).toMatchObject({ code: 0 });
  expect(await stopped(dev)).toEqual([0, true]);
});

/** Runs a command of the screen, as it stands there. */
async function tried(cwd: string, screen: string, label: string): Promise<Ended> {
  const [, words = ""] = new RegExp(String.raw`^  ${label} +npx levelset (.+)$`, "mu").exec(screen) ?? [];
  return levelset(cwd, ...words.split(" "));
}

test("npm start shows an object, a set and a fleet: what its screen says to try is true, and it stops at once", async () => {
  await using directory = await scratch();
  const cwd = directory.path;
  const { scripts }: { readonly scripts?: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  );
  const [, , ...words] = scripts?.["start"]?.split(" ") ?? [];
  await using dev = start(cwd, ...words.map((word) => (word.startsWith("examples/") ? join(ROOT, word) : word)));
  await dev.says(
    / {2}adapters +validation, dns, pullsecret, hypershift of clusters; validation, hypershift of nodepools\n/u,
  );
  await dev.says(/Simple default\/ten-by-five {2}✓ ready/u);
  await dev.says(/Operand greeter {2}✓ ready/u);
  await dev.says(/operand status greeter/u);
  expect(await levelset(cwd, "operand", "status", "greeter")).toMatchObject({ code: 0 });

  expect(await tried(cwd, dev.output, "create")).toMatchObject({ code: 0, stderr: "" });
  await dev.says(/cluster\/eu-1 {2}✓ ready {3}generation 1/u);
  expect(await levelset(cwd, "create", "nodepool", "blue", "--in", "eu-1")).toMatchObject({ code: 0 });
  await dev.says(/nodepool\/blue {2}✓ ready {3}generation 1/u);
  expect(await tried(cwd, dev.output, "change")).toMatchObject({ code: 0 });
  await dev.says(/cluster\/eu-1 {2}✓ ready {3}generation 2/u);
  expect(await tried(cwd, dev.output, "break")).toMatchObject({ code: 0 });
  await dev.says(/cluster\/eu-1 {2}✗ not ready {3}generation 3 {3}waits for hypershift\n/u);
  const why = await tried(cwd, dev.output, "ask why");
  expect(why.stdout).toMatch(/not ready .* generation 3, runs at 2/u);
  expect(why.stdout).toMatch(/hypershift .*control-plane: 1 of 2 replicas updated/u);
  expect(await tried(cwd, dev.output, "delete")).toMatchObject({ code: 0 });
  await dev.says(/nodepool\/blue {2}gone[^]*cluster\/eu-1 {2}gone/u);
  expect(await stopped(dev)).toEqual([0, true]);
  expect(dev.output).not.toMatch(/^!/mu);
});

test("levelset dev with adapters stops at once also in the moment in which it has started", async () => {
  await using directory = await scratch();
  await using dev = start(directory.path, "dev", "--adapters", join(ROOT, "examples/06-fleet/fleet.ts"));
  await dev.says(
    /adapters +dns, pullsecret, hypershift of clusters; validation, hypershift of nodepools; others simulated/u,
  );
  expect(await stopped(dev)).toEqual([0, true]);
});

test("levelset dev says in one line which adapters it cannot run, and without anything to run it does not start", async () => {
  await using directory = await scratch();
  const cwd = directory.path;
  const nothing = await levelset(cwd, "dev");
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringMatching(/^levelset: nothing to run\nhint: /u)]);
  const nowhere = await levelset(cwd, "dev", "--adapters", "nowhere");
  expect([nowhere.code, nowhere.stderr]).toEqual([
    2,
    expect.stringMatching(/^levelset: there is no nowhere\nhint: name a file that exports adapters by default/u),
  ]);
});

test("the client follows what happens in a real fleet, across a restart of the API", async () => {
  await using directory = await scratch();
  const cwd = directory.path;
  const side = ["-s", "api.health.port=0", "-s", "api.metrics.port=0"];
  await using first = start(cwd, "fleet", "api", "--port", "0", ...side);
  const [, url = ""] = await first.says(/^API +(\S+)$/mu);
  const client = new FleetClient({ url });
  const clusters = client.collection({ kind: "Cluster", plural: "clusters" });
  await clusters.create({ name: "before", spec: {} });
  const stop = new AbortController();
  const watch = clusters.watch({ signal: stop.signal });
  const next = async (): Promise<string> => {
    const { value } = await watch.next();
    return value === undefined ? "" : "resource" in value ? `${value.kind} ${value.resource.name}` : value.kind;
  };
  expect([await next(), await next()]).toEqual(["present before", "synced"]);
  await clusters.create({ name: "during", spec: {} });
  expect(await next()).toBe("present during");
  expect(await stopped(first)).toEqual([0, true]);
  await using second = start(cwd, "fleet", "api", "--port", new URL(url).port, ...side);
  await second.says(/^API/mu);
  await clusters.create({ name: "after", spec: {} });
  const told = [await next(), await next()];
  expect(told.toSorted()).toEqual(["present after", "synced"]);
  stop.abort();
  await expect(watch.next()).rejects.toMatchObject({ name: "AbortError" });
  expect(await stopped(second)).toEqual([0, true]);
});

test("a reader that leaves ends a command without a word", async () => {
  await using directory = await scratch();
  const piped = `"${process.execPath}" "${LAUNCHER}" fleet config --all | true`;
  const ended = await runProcess("sh", { args: ["-c", piped], cwd: directory.path });
  expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("the reference lists every setting, its default and what it is for", async () => {
  await using directory = await scratch();
  const { stdout } = await levelset(directory.path, "fleet", "config", "--all");
  const printed = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/u));
  const reference = await readFile(join(ROOT, "docs/reference/fleet-config.md"), "utf8");
  for (const [path = "", value = "", , about = ""] of printed) {
    const shown = value === "-" ? "" : `\`${value}\``;
    expect(reference).toContain(`| \`${path}\` | ${shown} | ${about.replaceAll("|", String.raw`\|`)}`);
  }
  expect(printed.length).toBeGreaterThan(50);
});
