import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FleetDirectory, RunningCommand } from "../../../packages/cli/src/commands/fleet/fleet.fixture.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";

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

/** Closes all connections as soon as there are `least` of them. */
async function cut(proxy: TcpProxy, least: number): Promise<void> {
  await expect.poll(() => proxy.openConnections, { timeout: 30_000 }).toBeGreaterThanOrEqual(least);
  proxy.cut();
}

describe("broken connections to a fleet", () => {
  test("do not end a wait, nor does the change of another resource", async () => {
    await using proxy = await TcpProxy.start(new URL(directory.fleet.url));
    const fleet = proxy.through(directory.fleet.url);
    await run("create", "cluster", name);
    await run("create", "cluster", `${name}-other`);
    const ready = start("wait", `cluster/${name}`, "--fleet", fleet);
    const deleted = start("wait", `cluster/${name}`, "--for", "deleted", "--fleet", fleet);
    await Promise.all([ready.prints("no result"), deleted.prints("is not being deleted")]);
    await cut(proxy, 2);
    await run("edit", "cluster", `${name}-other`, "--set", "size=2");
    for (const adapter of ["dns", "validation"]) await report(adapter);
    expect((await ready.ended).stdout).toBe(`cluster/${name} is Ready, generation 1\n`);
    await cut(proxy, 1);
    await run("edit", "cluster", `${name}-other`, "--set", "size=3");
    await run("delete", "cluster", name);
    await deleted.prints("to finalize");
    for (const adapter of ["dns", "validation"]) await report(adapter, "--finalized", "--available", "False");
    expect((await deleted.ended).stdout).toBe(`cluster/${name} is deleted\n`);
  });

  test("do not end delete --wait on the change of another resource", async () => {
    await using proxy = await TcpProxy.start(new URL(directory.fleet.url));
    const fleet = proxy.through(directory.fleet.url);
    const pool = `p-${count}`;
    for (const one of [name, `${name}-other`]) await run("create", "cluster", one);
    await run("create", "nodepool", pool, "--in", name);
    const deleting = start("delete", "cluster", name, "--wait", "--fleet", fleet);
    await deleting.prints("waiting for dns, validation to finalize");
    const finalized = ["--finalized", "--available", "False"];
    await report("dns", ...finalized);
    await deleting.prints("waiting for validation to finalize");
    // The watch has a position by now, so it resumes.
    await cut(proxy, 1);
    await run("edit", "cluster", `${name}-other`, "--set", "size=2");
    await report("validation", ...finalized);
    await deleting.prints(`waiting for its children: nodepool/${pool}`);
    await run("fleet", "report", `nodepool/${pool}`, "validation", ...finalized);
    expect((await deleting.ended).stdout).toMatch(/\ncluster\/w-\d+ is deleted\n$/u);
  });
});
