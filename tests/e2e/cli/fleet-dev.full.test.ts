import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../support/repository.ts";
import { tempDirectory } from "../../support/temp-directory.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { levelset, start, stopped } from "./levelset-command.ts";

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
      await dev.untilOutput(/cluster\/eu-1 {2}✓ Ready {3}generation 1/u);
      expect(await levelset(cwd, "why", "cluster/eu-1")).toMatchObject({ code: 0 });
      const [, health = ""] = await dev.untilOutput(/health +(\S+)/u);
      expect((await fetch(health)).status).toBe(200);
      const [, metrics = ""] = await dev.untilOutput(/metrics +\S+ +(\S+)/u);
      expect(await (await fetch(metrics)).text()).toContain("hyperfleet_sentinel_events_published_total");
      expect(await stopped(dev)).toBe(0);
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
    // Without simulated adapters it stays Unknown.
    expect(await levelset(cwd, "create", "cluster", "eu-2")).toMatchObject({ code: 0 });
    await again.untilOutput(
      /cluster\/eu-2 {2}\? Unknown {3}generation 1 {3}waits for dns, hypershift, pullsecret, validation/u,
    );
    expect(await stopped(again)).toBe(0);
  });
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
  expect(await stopped(dev)).toBe(0);
  expect(dev.output).not.toMatch(/^!/mu);
});
