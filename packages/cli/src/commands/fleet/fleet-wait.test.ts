import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fetch } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { FleetClient } from "@levelset/fleet/client";
import { findKind, findResource } from "../../fleet/resource-arg.ts";
import { resourceTarget } from "../../fleet/wait-fleet.ts";
import type { WaitTarget } from "../../wait/index.ts";
import { FleetDirectory, RunningCommand } from "./fleet.fixture.ts";

let directory: FleetDirectory;
let count = 0;
let name: string;

beforeAll(async () => {
  directory = await FleetDirectory.open();
});
afterAll(() => directory[Symbol.asyncDispose]());
beforeEach(() => {
  count += 1;
  name = `w-${count}`;
});

const run: FleetDirectory["run"] = (...args) => directory.run(...args);
const start = (...args: readonly string[]): RunningCommand => new RunningCommand(directory, args);

async function report(adapter: string, ...more: readonly string[]): Promise<void> {
  await run("fleet", "report", `cluster/${name}`, adapter, ...more);
}

async function makeReady(): Promise<void> {
  for (const adapter of ["dns", "validation"]) await report(adapter);
}

describe("levelset wait", () => {
  test("ends when the latest generation is Ready, and prints the pending adapters meanwhile", async () => {
    await run("create", "cluster", name);
    await makeReady();
    await run("edit", "cluster", name, "--set", "size=2");
    const waiting = start("wait", `cluster/${name}`);
    await waiting.prints("no result for generation 2 from dns, validation");
    await report("validation");
    await waiting.prints("no result for generation 2 from dns\n");
    await report("dns", "--available", "False", "--reason", "Quota", "--message", "no room");
    await waiting.prints("dns: Quota: no room");
    await report("dns");
    const { stdout, stderr, code } = await waiting.ended;
    expect([stdout, code]).toEqual([`cluster/${name} is Ready, generation 2\n`, 0]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      `cluster/${name}  Progressing  generation 2, observed 2  no result for generation 2 from dns, validation`,
      `cluster/${name}  Progressing  generation 2, observed 2  no result for generation 2 from dns`,
      `cluster/${name}  Degraded  generation 2, observed 2  dns: Quota: no room`,
    ]);
  });

  test("ends at once if the goal is already reached or the kind has no required adapters", async () => {
    await run("create", "cluster", name);
    await makeReady();
    expect((await run("wait", "cluster", name)).stdout).toBe(`cluster/${name} is Ready, generation 1\n`);
    await run("edit", "cluster", name, "--set", "size=2");
    const available = await run("wait", "cluster", name, "--for", "available");
    expect([available.stdout, available.code]).toEqual([`cluster/${name} is Available, generation 2\n`, 0]);
    expect((await run("wait", "cluster/absent", "--for", "deleted")).stdout).toBe("cluster/absent is deleted\n");
    await run("create", "channel", name);
    expect((await run("wait", `channel/${name}`)).stdout).toBe(`channel/${name} is Ready, generation 1\n`);
  });

  test("exits with 3 on timeout, with the last state and a hint", async () => {
    await run("create", "cluster", name);
    await run("create", "nodepool", "blue", "--in", name);
    const clock = new VirtualClock();
    const waiting = new RunningCommand(directory, ["wait", "nodepool/blue", "--in", name, "--timeout", "200ms"], {
      clock,
    });
    await waiting.prints("no result for generation 1 from validation");
    await clock.advance(200);
    const ended = await waiting.ended;
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain("nodepool/blue is Unknown, generation 1: ");
    expect(ended.stdout).toContain("no result for generation 1 from validation");
    expect(ended.stdout).toContain(`Try: levelset why nodepool/blue --in ${name}\n`);
  });

  test("prints one JSON document at the end", async () => {
    await run("create", "cluster", name);
    await makeReady();
    await run("edit", "cluster", name, "--set", "size=2");
    const flags = ["--for", "available", "--generation", "2", "--timeout", "200ms", "-o", "json"];
    const clock = new VirtualClock();
    const waiting = new RunningCommand(directory, ["wait", "cluster", name, ...flags], { clock });
    await waiting.prints("no result for generation 2");
    await clock.advance(200);
    const late = await waiting.ended;
    expect([late.code, JSON.parse(late.stdout)]).toMatchObject([
      3,
      {
        for: "available",
        outcome: "timeout",
        objects: [{ object: `cluster/${name}`, kind: "Cluster", generation: 2, observedGeneration: 1 }],
      },
    ]);
  });

  test("refuses missing resources and unknown kinds", async () => {
    await expect(run("wait", `cluster/${name}`)).rejects.toThrow(`there is no Cluster "${name}"`);
    await expect(run("wait", `nodepool/blue`, "--in", name)).rejects.toThrow(`there is no Cluster "${name}"`);
  });

  test("exits with 3 if the resource is deleted", async () => {
    await run("create", "cluster", name);
    const waiting = start("wait", `cluster/${name}`);
    await waiting.prints("no result");
    await run("delete", "cluster", name);
    const { stdout, code } = await waiting.ended;
    expect(code).toBe(3);
    expect(stdout).toMatch(/ is being deleted: deletion requested at .* by system@hyperfleet\.local\n/u);
  });

  test("waits for a deletion to complete, also if the name is in use again", async () => {
    const pool = `p-${count}`;
    await run("create", "cluster", name);
    await run("create", "nodepool", pool, "--in", name);
    const waiting = start("wait", `cluster/${name}`, "--for", "deleted");
    await waiting.prints("is not being deleted");
    await run("delete", "cluster", name);
    await waiting.prints("waiting for dns, validation to finalize");
    const finalized = ["--finalized", "--available", "False"];
    for (const adapter of ["dns", "validation"]) await report(adapter, ...finalized);
    await waiting.prints(`waiting for its children: nodepool/${pool}`);
    await run("create", "cluster", name);
    const again = start("wait", `cluster/${name}`, "--for", "deleted");
    await again.prints(`waiting for its children: nodepool/${pool}`);
    await run("fleet", "report", `nodepool/${pool}`, "validation", ...finalized);
    for (const { ended } of [waiting, again]) {
      expect(await ended).toMatchObject({ stdout: `cluster/${name} is deleted\n`, code: 0 });
    }
  });

  test("waits for several resources, and ends when one of them cannot reach the goal", async () => {
    const [a, b] = [`${name}-a`, `${name}-b`];
    for (const one of [a, b]) await run("create", "cluster", one);
    const waiting = start("wait", `cluster/${a}`, `cluster/${b}`);
    await waiting.prints(`cluster/${b}  Unknown`);
    for (const adapter of ["dns", "validation"]) await run("fleet", "report", `cluster/${a}`, adapter);
    await run("delete", "cluster", b);
    const { stdout, code } = await waiting.ended;
    expect(code).toBe(3);
    expect(stdout).toContain(`cluster/${b} is being deleted`);
  });

  test("prints the message of the resource while adapter statuses cannot be read", async () => {
    await run("create", "cluster", name);
    const failing: Fetch = async (request) => {
      if (request.url.includes("/statuses")) throw new TypeError("fetch failed");
      return globalThis.fetch(request);
    };
    const { url } = directory.fleet.client;
    const client = new FleetClient({ url, fetch: failing, retry: { triesMax: 1 } });
    const { signal } = new AbortController();
    const kinds = await client.kinds({ signal });
    const session = { client, kinds, signal };
    const kind = findKind(kinds, "cluster");
    const { resource } = await findResource(session, kind, name, undefined);
    const states: string[] = [];
    const isReported = Promise.withResolvers<void>();
    const report: Parameters<WaitTarget["wait"]>[0] = ({ message }) => {
      states.push(message);
      isReported.resolve();
    };
    const waiting = resourceTarget({ session, kind, resource, goal: "ready" }).wait(report, signal);
    await Promise.race([isReported.promise, waiting]);
    await makeReady();
    expect(await waiting).toMatchObject({ kind: "reached", state: "Ready", generation: 1 });
    expect(states[0]).toBe("no result for generation 1 from dns, validation");
  });

  test("exits with 3 when it is stopped", async () => {
    await run("create", "cluster", name);
    const stop = new AbortController();
    const waiting = new RunningCommand(directory, ["wait", `cluster/${name}`], { signal: stop.signal });
    await waiting.prints("no result");
    stop.abort();
    expect((await waiting.ended).code).toBe(3);
  });
});

describe("a command that writes, with --wait", () => {
  test("creates a resource and ends when it is Ready", async () => {
    const waiting = start("create", "cluster", name, "--wait");
    await waiting.prints("no result for generation 1");
    await makeReady();
    const { stdout, code } = await waiting.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^cluster\/w-\d+ created: .*\ncluster\/w-\d+ is Ready, generation 1\n$/u);
  });

  test("prints only data to stdout with -o", async () => {
    const waiting = start("create", "cluster", name, "--wait", "-o", "json");
    await waiting.prints("no result for generation 1");
    await makeReady();
    const { stdout, stderr } = await waiting.ended;
    expect(JSON.parse(stdout)).toMatchObject({ name, generation: 1 });
    expect(stderr).toContain(`cluster/${name} is Ready, generation 1\n`);
  });

  test("waits for all resources of a file, and for none of them if one is refused", async () => {
    const names = ["a", "b"].map((each) => `${name}-${each}`);
    const text = names.map((one) => `kind: Cluster\nname: ${one}\nspec: {size: 1}\n`).join("---\n");
    await writeFile(join(directory.cwd, "many.yaml"), text);
    const waiting = start("create", "-f", "many.yaml", "--wait");
    for (const one of names) await waiting.prints(`cluster/${one}  Unknown`);
    for (const one of names) {
      for (const adapter of ["dns", "validation"]) await run("fleet", "report", `cluster/${one}`, adapter);
    }
    expect((await waiting.ended).stdout).toContain(
      names.map((one) => `cluster/${one} is Ready, generation 1\n`).join(""),
    );
    await expect(run("create", "-f", "many.yaml", "--wait")).rejects.toThrow("2 of 2 resources were not created");
  });

  test("changes a resource and ends when the new generation is Ready", async () => {
    await run("create", "cluster", name);
    await makeReady();
    const waiting = start("edit", "cluster", name, "--set", "size=2", "--wait");
    await waiting.prints("no result for generation 2 from dns, validation");
    await makeReady();
    expect((await waiting.ended).stdout).toBe(
      `cluster/${name} changed: generation 1 → 2\ncluster/${name} is Ready, generation 2\n`,
    );
    const same = await run("edit", "cluster", name, "--set", "size=2", "--wait");
    expect(same.stdout).toBe(`cluster/${name} unchanged\ncluster/${name} is Ready, generation 2\n`);
  });

  test("exits with 3 on timeout, and retains the change", async () => {
    const late = await run("create", "cluster", name, "--wait", "--timeout", "200ms");
    expect([late.code, late.stderr]).toEqual([3, expect.stringContaining("timed out")]);
    expect((await run("get", "cluster", name, "-o", "name")).stdout).toBe(`cluster/${name}\n`);
    const pending = await run("delete", "cluster", name, "--wait", "--timeout", "200ms");
    expect([pending.code, pending.stdout]).toEqual([3, expect.stringContaining("is not deleted")]);
  });

  test.each(["create", "edit", "delete"])("%s refuses --timeout without --wait", async (command) => {
    await expect(run(command, "cluster", name, "--timeout", "1s")).rejects.toThrow("without --wait");
  });
});
