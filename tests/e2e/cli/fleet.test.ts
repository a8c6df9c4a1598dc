import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FleetClient } from "@levelset/fleet/client";
import { describe, expect, test } from "vitest";
import { runProcess } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import { levelset, start, stopped } from "./levelset-command.ts";

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
    expect(await stopped(api)).toBe(0);
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
  expect(await stopped(dev)).toBe(0);
});

test("levelset dev with adapters stops at once directly after its start", async () => {
  await using directory = await tempDirectory();
  await using dev = start(directory.path, "dev", "--adapters", join(ROOT, "examples/06-fleet/fleet.ts"));
  await dev.untilOutput(
    /adapters +dns, pullsecret, hypershift of clusters; validation, hypershift of nodepools; others simulated/u,
  );
  expect(await stopped(dev)).toBe(0);
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
  expect(await stopped(first)).toBe(0);
  await using second = start(cwd, "fleet", "api", "--port", new URL(url).port, ...side);
  await second.untilOutput(/^API/mu);
  await clusters.create({ name: "after", spec: {} });
  const reported = [await next(), await next()];
  expect(reported.toSorted()).toEqual(["present after", "synced"]);
  stop.abort();
  await expect(watch.next()).rejects.toMatchObject({ name: "AbortError" });
  expect(await stopped(second)).toBe(0);
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
