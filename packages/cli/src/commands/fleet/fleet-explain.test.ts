import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FleetDirectory } from "./fleet.fixture.ts";

let directory: FleetDirectory;
let count = 0;
let name: string;

beforeAll(async () => {
  directory = await FleetDirectory.open();
});
afterAll(() => directory[Symbol.asyncDispose]());
beforeEach(() => {
  count += 1;
  name = `c-${count}`;
});

const run: FleetDirectory["run"] = (...args) => directory.run(...args);

describe("levelset fleet history", () => {
  test("lists adapter reports, newest first", async () => {
    await run("create", "cluster", name);
    await expect(run("fleet", "history", `cluster/${name}`)).resolves.toMatchObject({
      stdout: "",
      stderr: "no reports yet\n",
    });
    await run("fleet", "report", `cluster/${name}`, "dns", "--available", "Unknown", "--reason", "Zone");
    await run("fleet", "report", `cluster/${name}`, "validation");
    await run(
      "fleet",
      "report",
      `cluster/${name}`,
      "dns",
      "--available",
      "False",
      "--reason",
      "Quota",
      "--message",
      "full",
    );
    const { stdout } = await run("fleet", "history", "cluster", name);
    expect(
      stdout
        .replaceAll(/\d+ s ago/gu, "now")
        .replaceAll(/ {2,}/gu, "  ")
        .trimEnd()
        .split("\n"),
    ).toEqual([
      "REPORTED  ADAPTER  GENERATION  AVAILABLE  WHY",
      "now  dns  1  False  Quota: full",
      "now  validation  1  True",
      "now  dns  1  Unknown  Zone",
    ]);
    const only = await run("fleet", "history", `cluster/${name}`, "--adapter", "validation", "-o", "json");
    expect(JSON.parse(only.stdout)).toMatchObject([{ adapter: "validation", action: "report" }]);
  });
});

describe("levelset why", () => {
  test("shows an adapter error of a resource that is Ready", async () => {
    await run("create", "cluster", name);
    for (const adapter of ["validation", "dns"]) await run("fleet", "report", `cluster/${name}`, adapter);
    const args = ["--reason", "ExecutionFailed", "--message", "connect ECONNREFUSED"];
    await run("fleet", "report", `cluster/${name}`, "dns", "--available", "Unknown", "--health", "False", ...args);
    const { stdout } = await run("why", `cluster/${name}`);
    expect(stdout).toMatch(
      /dns +✓ 1 +reported \d+ s ago; adapter error \d+ s ago: ExecutionFailed: connect ECONNREFUSED/u,
    );
  });

  test("shows the failed adapter with its reason, duration and next pulse", async () => {
    await run("create", "cluster", name);
    await run("fleet", "report", `cluster/${name}`, "validation");
    await run(
      "fleet",
      "report",
      `cluster/${name}`,
      "dns",
      "--available",
      "Unknown",
      "--reason",
      "Zone",
      "--message",
      "making it",
    );
    const waiting = await run("why", `cluster/${name}`);
    expect(waiting.code).toBe(3);
    expect(waiting.stdout.replaceAll(/\d+ s/gu, "N s")).toBe(
      [
        `Cluster ${name}  Progressing for N s  generation 1, not available`,
        "  dns         … → 1  no result yet (N s); last report N s ago: Zone: making it; next pulse in N s",
        "  validation  ✓ 1    reported N s ago",
        "  last change: system@hyperfleet.local, N s ago",
        "",
      ].join("\n"),
    );
    await run(
      "fleet",
      "report",
      `cluster/${name}`,
      "dns",
      "--available",
      "False",
      "--reason",
      "Quota",
      "--message",
      "no\u001B[31m room",
    );
    const failed = await run("why", "cluster", name);
    expect(failed.stdout).toMatch(/dns +✗ 1 +Quota: no \[31m room, for \d+ s; next pulse in \d+ s\n/u);
    await run("fleet", "report", `cluster/${name}`, "dns");
    const ready = await run("why", "Cluster", name, "-o", "json");
    expect([ready.code, JSON.parse(ready.stdout)]).toMatchObject([0, { isReady: true, runsAt: 1, generation: 1 }]);
    expect(ready.stdout).not.toContain("flapping");
    await run("create", "channel", name);
    expect((await run("why", `channel/${name}`)).stdout).toContain("Ready: the kind has no required adapters");
  });

  test("names a flapping adapter", async () => {
    await run("create", "cluster", name);
    for (const available of ["True", "False", "True", "False", "True"]) {
      await run("fleet", "report", `cluster/${name}`, "dns", "--available", available);
    }
    const { stdout } = await run("why", `cluster/${name}`);
    expect(stdout).toMatch(/\n {2}Flapping: dns changed its verdict 4 times in \d+ s; /u);
  });
});
