import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FleetClient } from "@levelset/fleet/client";
import { describe, expect, test } from "vitest";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";

function start(cwd: string, ...args: readonly string[]): TestProcess {
  return new TestProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

function levelset(cwd: string, ...args: readonly string[]): Promise<ProcessResult> {
  return runProcess(process.execPath, { args: [LAUNCHER, ...args], cwd });
}

/** Sends Ctrl-C and reports whether the process stops within 1 s plus ten times the run time of an empty program. */
async function stopped(running: TestProcess): Promise<readonly [number | null, boolean]> {
  const before = performance.now();
  const idle = runProcess(process.execPath, { args: ["-e", "0"], cwd: ROOT }).then(() => performance.now() - before);
  running.signal("SIGINT");
  const { code } = await running.untilExit();
  const took = performance.now() - before;
  return [code, took < 1_000 + 10 * (await idle)];
}

describe("levelset fleet dev", () => {
  test("makes a cluster Ready with simulated adapters, stops at once, and stores it", async () => {
    await using directory = await tempDirectory();
    const cwd = directory.path;
    {
      await using dev = start(cwd, "fleet", "dev");
      await dev.untilOutput(/Resources, as they change/u);
      expect(dev.output).toMatch(/ {2}create +npx levelset create cluster eu-1 --set region=eu\n/u);
      const created = await levelset(cwd, "create", "cluster", "eu-1", "--set", "region=eu");
      expect(created).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("cluster/eu-1 created") });
      await dev.untilOutput(
        /cluster\/eu-1 {2}\? Unknown {3}generation 1 {3}waits for dns, hypershift, pullsecret, validation/u,
      );
      await dev.untilOutput(/cluster\/eu-1 {2}✓ Ready {3}generation 1/u);
      expect(await levelset(cwd, "why", "cluster/eu-1")).toMatchObject({ code: 0 });
      const [, health = ""] = await dev.untilOutput(/health +(\S+)/u);
      expect((await fetch(health)).status).toBe(200);
      const [, metrics = ""] = await dev.untilOutput(/metrics +\S+ +(\S+)/u);
      expect(await (await fetch(metrics)).text()).toContain("hyperfleet_sentinel_events_published_total");
      expect(await stopped(dev)).toEqual([0, true]);
    }
    // The address file of a killed fleet.
    await writeFile(join(cwd, ".levelset", "fleet.json"), JSON.stringify({ url: "http://127.0.0.1:9", pid: 2 ** 22 }));
    const killed = await levelset(cwd, "get", "clusters");
    expect([killed.code, killed.stderr]).toEqual([
      2,
      expect.stringContaining("no fleet is configured\nhint: start one with levelset fleet dev"),
    ]);
    await using again = start(cwd, "fleet", "dev", "--no-simulate");
    await again.untilOutput(/cluster\/eu-1 {2}✓ Ready {3}generation 1/u);
    const table = await levelset(cwd, "get", "clusters");
    expect(table.stdout).toMatch(/^eu-1 +1 +Ready +True @1 +✓ 1 +✓ 1 +✓ 1 +✓ 1$/mu);
    expect(await stopped(again)).toEqual([0, true]);
  });
});

describe("levelset fleet api", () => {
  test("serves a configured fleet, prints its address, logs without secrets, and stops at once", async () => {
    await using directory = await tempDirectory();
    const cwd = directory.path;
    const entities = "[{kind: Cell, plural: cells, required_adapters: [power]}]";
    const ports = "port: 0, health: {port: 0}, metrics: {port: 0}";
    await writeFile(join(cwd, "fleet.yaml"), `api: {${ports}}\nentities: ${entities}\nlog: {format: json}\n`);
    await using api = start(cwd, "fleet", "api", "--config", "fleet.yaml");
    const [, url = ""] = await api.untilOutput(/^API +(\S+)$/mu);
    const [, ready = ""] = await api.untilOutput(/^health +(\S+)$/mu);
    const client = new FleetClient({ url, token: "hunter2" });
    expect(await client.kinds()).toEqual([
      { kind: "Cell", plural: "cells", parentKind: undefined, requiredAdapters: ["power"] },
    ]);
    const cells = client.collection({ kind: "Cell", plural: "cells" });
    const { resource, etag } = await cells.create({ name: "a", spec: { secret: "hunter2" } });
    const key = { idempotencyKey: "k-1" };
    const first = await cells.patch(resource.id, { labels: { a: "b" } }, { ifMatch: etag, ...key });
    const repeated = await cells.patch(resource.id, { labels: { a: "b" } }, { ifMatch: etag, ...key });
    expect([first.resource.generation, repeated.resource.generation]).toEqual([2, 2]);
    await expect(cells.patch(resource.id, { labels: {} }, { ifMatch: etag })).rejects.toMatchObject({ kind: "stale" });
    expect((await fetch(ready)).status).toBe(200);
    expect(await stopped(api)).toEqual([0, true]);
    expect(api.output).not.toContain("hunter2");
    const addresses = await readFile(join(cwd, ".levelset", "fleet.json"), "utf8").catch(() => "none");
    expect(addresses).toBe("none");
  });

  test("reports errors in one line", async () => {
    await using directory = await tempDirectory();
    const { code, stderr } = await levelset(directory.path, "fleet", "api", "-s", "stor.kind=sqlite");
    expect([code, stderr]).toEqual([
      2,
      "levelset: stor.kind: unknown setting (--setting), did you mean store.kind?\nhint: list the settings and the source of each with: levelset fleet config\n",
    ]);
  });
});

test("levelset dev --fleet runs a fleet with the operator, and stops at once", async () => {
  await using directory = await tempDirectory();
  const cwd = directory.path;
  const example = join(ROOT, "examples/01-simple");
  const args = [join(example, "simple.ts"), "--apply", join(example, "sample.yaml"), "--fleet"];
  await using dev = start(cwd, "dev", ...args);
  await dev.untilOutput(
    / {2}fleet +http:\/\/127\.0\.0\.1:\d+\/api\/hyperfleet\/v1, in memory\n {2}adapters +simulated\n/u,
  );
  await dev.untilOutput(/Simple default\/ten-by-five {2}✓ Ready/u);
  expect(await levelset(cwd, "create", "channel", "stable")).toMatchObject({ code: 0 });
  await dev.untilOutput(/channel\/stable {2}✓ Ready/u);
  expect(await levelset(cwd, "why", "simple/ten-by-five")).toMatchObject({ code: 0 });
  expect(await stopped(dev)).toEqual([0, true]);
});

/** Runs a suggested command of the output. */
async function runSuggested(cwd: string, output: string, label: string): Promise<ProcessResult> {
  const [, command = ""] = new RegExp(String.raw`^  ${label} +npx levelset (.+)$`, "mu").exec(output) ?? [];
  return levelset(cwd, ...command.split(" "));
}

test("npm start shows an object, an Operand and a fleet; its suggested commands work, and it stops at once", async () => {
  await using directory = await tempDirectory();
  const cwd = directory.path;
  const { scripts }: { readonly scripts?: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  );
  const [, , ...args] = scripts?.["start"]?.split(" ") ?? [];
  await using dev = start(cwd, ...args.map((arg) => (arg.startsWith("examples/") ? join(ROOT, arg) : arg)));
  await dev.untilOutput(
    / {2}adapters +validation, dns, pullsecret, hypershift of clusters; validation, hypershift of nodepools\n/u,
  );
  await dev.untilOutput(/Simple default\/ten-by-five {2}✓ Ready/u);
  await dev.untilOutput(/Operand greeter {2}✓ Ready/u);
  await dev.untilOutput(/operand status greeter/u);
  expect(await levelset(cwd, "operand", "status", "greeter")).toMatchObject({ code: 0 });

  expect(await runSuggested(cwd, dev.output, "create")).toMatchObject({ code: 0, stderr: "" });
  await dev.untilOutput(/cluster\/eu-1 {2}✓ Ready {3}generation 1/u);
  expect(await levelset(cwd, "create", "nodepool", "blue", "--in", "eu-1")).toMatchObject({ code: 0 });
  await dev.untilOutput(/nodepool\/blue {2}✓ Ready {3}generation 1/u);
  expect(await runSuggested(cwd, dev.output, "change")).toMatchObject({ code: 0 });
  await dev.untilOutput(/cluster\/eu-1 {2}✓ Ready {3}generation 2/u);
  expect(await runSuggested(cwd, dev.output, "break")).toMatchObject({ code: 0 });
  await dev.untilOutput(/cluster\/eu-1 {2}… Progressing {3}generation 3 {3}waits for hypershift\n/u);
  const why = await runSuggested(cwd, dev.output, "explain");
  expect(why.stdout).toMatch(/Progressing .* generation 3, available at 2/u);
  expect(why.stdout).toMatch(/hypershift .*control-plane: 1 of 2 replicas updated/u);
  expect(await runSuggested(cwd, dev.output, "delete")).toMatchObject({ code: 0 });
  await dev.untilOutput(/nodepool\/blue {2}deleted[^]*cluster\/eu-1 {2}deleted/u);
  expect(await stopped(dev)).toEqual([0, true]);
  expect(dev.output).not.toMatch(/^!/mu);
});

test("levelset dev with adapters stops at once directly after its start", async () => {
  await using directory = await tempDirectory();
  await using dev = start(directory.path, "dev", "--adapters", join(ROOT, "examples/06-fleet/fleet.ts"));
  await dev.untilOutput(
    /adapters +dns, pullsecret, hypershift of clusters; validation, hypershift of nodepools; others simulated/u,
  );
  expect(await stopped(dev)).toEqual([0, true]);
});

test("levelset dev reports adapters that it cannot run, and refuses to start with nothing to run", async () => {
  await using directory = await tempDirectory();
  const cwd = directory.path;
  const nothing = await levelset(cwd, "dev");
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringMatching(/^levelset: nothing to run\nhint: /u)]);
  const nowhere = await levelset(cwd, "dev", "--adapters", "nowhere");
  expect([nowhere.code, nowhere.stderr]).toEqual([
    2,
    expect.stringMatching(/^levelset: nowhere does not exist\nhint: pass a file with adapters as default export/u),
  ]);
});

test("the client watches a fleet across a restart of the API", async () => {
  await using directory = await tempDirectory();
  const cwd = directory.path;
  const side = ["-s", "api.health.port=0", "-s", "api.metrics.port=0"];
  await using first = start(cwd, "fleet", "api", "--port", "0", ...side);
  const [, url = ""] = await first.untilOutput(/^API +(\S+)$/mu);
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
  await second.untilOutput(/^API/mu);
  await clusters.create({ name: "after", spec: {} });
  const reported = [await next(), await next()];
  expect(reported.toSorted()).toEqual(["present after", "synced"]);
  stop.abort();
  await expect(watch.next()).rejects.toMatchObject({ name: "AbortError" });
  expect(await stopped(second)).toEqual([0, true]);
});

test("a closed pipe ends a command without an error", async () => {
  await using directory = await tempDirectory();
  const piped = `"${process.execPath}" "${LAUNCHER}" fleet config --all | true`;
  const ended = await runProcess("sh", { args: ["-c", piped], cwd: directory.path });
  expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("the reference lists every setting, its default and its description", async () => {
  await using directory = await tempDirectory();
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
