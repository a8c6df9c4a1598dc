import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@levelset/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runShell } from "../../terminal/shell.fixture.ts";
import type { CommandOutput } from "../../terminal/shell.fixture.ts";
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
const runWith: FleetDirectory["runWith"] = (options, ...args) => directory.runWith(options, ...args);

/** Returns a table with durations and column widths normalized. */
async function table(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run("get", ...args);
  return stdout
    .replaceAll(/\d+ s$|\d+ s(?= {2})/gmu, "N s")
    .replaceAll(/ {2,}/gu, "  ")
    .trimEnd()
    .split("\n");
}

describe("levelset create", () => {
  test("creates a resource from a file, flags and labels", async () => {
    await writeFile(join(directory.cwd, "spec.yaml"), "region: eu\nnodes: {count: 1}\n");
    const sets = ["--set", "nodes.count=3", "--set", "tags=[a, b]", "--set-text", "version=4.20"];
    const output = await run("create", "cluster", name, "-f", "spec.yaml", ...sets, "-l", "env=prod", "-o", "json");
    expect(JSON.parse(output.stdout)).toMatchObject({
      name,
      spec: { region: "eu", nodes: { count: 3 }, tags: ["a", "b"], version: "4.20" },
      labels: { env: "prod" },
      generation: 1,
    });
    expect((await run("create", "channel", name)).stdout).toMatch(
      /^channel\/c-\d+ created: generation 1, id [0-9a-f-]{36}\n$/u,
    );
  });

  test("accepts the output of get, and creates children of a parent", async () => {
    await run("create", "cluster", name, "--set", "a=1");
    const { stdout } = await run("get", `cluster/${name}`, "-o", "yaml");
    await runWith({ stdin: stdout }, "create", "cluster", `${name}-b`, "-f", "-");
    expect(JSON.parse((await run("get", `cluster/${name}-b`, "-o", "json")).stdout)).toMatchObject({ spec: { a: 1 } });
    await run("create", "nodepool", "blue", "--in", name);
    expect(await table("nodepools", "--in", name)).toEqual([
      "NAME  CLUSTER  GENERATION  STATE  AVAILABLE  VALIDATION",
      `blue  ${name}  1  Unknown (0 of 1)  False  … → 1 for N s`,
    ]);
  });

  test("creates all resources of a file and lists refused ones", async () => {
    const names = [`${name}-a`, `${name}-b`, `${name}-a`];
    const text = names.map((one) => `kind: Cluster\nname: ${one}\nspec: {size: 1}\n`).join("---\n");
    await writeFile(join(directory.cwd, "many.yaml"), text);
    let received: CommandOutput | undefined;
    const created = runWith(
      { onOutput: (output) => (received = output) },
      "create",
      "-f",
      "many.yaml",
      "-l",
      `shard=${name}`,
    );
    await expect(created).rejects.toThrow("1 of 3 resources were not created");
    expect(received?.stdout).toMatch(/^cluster\/c-\d+-a created: .*\ncluster\/c-\d+-b created: .*\n$/u);
    expect(received?.stderr).toMatch(/^ {2}✗ cluster\/c-\d+-a: .*already exists.*\n$/u);
    expect((await run("get", "clusters", "-l", `shard=${name}`, "-o", "name")).stdout).toBe(
      `cluster/${name}-a\ncluster/${name}-b\n`,
    );
  });

  test.each([
    [["create"], "no resource is named"],
    [["create", "-f", "fleet.yaml"], "fleet.yaml, document 1 is not a complete resource"],
    [["create", "cluster"], "only one resource can be created at a time"],
    [["create", "custer", "a"], 'the fleet has no kind "custer"'],
    [["create", "nodepool", "a"], "a NodePool needs a parent of the kind Cluster"],
    [["create", "nodepool", "a", "--in", "nowhere"], 'there is no Cluster "nowhere"'],
    [["create", "channel", "a", "--in", "b"], "a Channel has no parent"],
    [["create", "cluster", "A_b"], "name"],
    [["create", "cluster", "a-b", "--set", "x"], '"x" is not an assignment'],
    [["create", "cluster", "a-b", "--set", "__proto__.x=1"], "is not an assignment"],
    [["create", "cluster", "a-b", "--set", "a=1", "--set", "a.b=1"], "a.b cannot be set: a is not an object"],
    [["create", "cluster", "a-b", "-l", "x"], '"x" is not a label'],
    [["create", "cluster", "a-b", "-f", "nowhere.yaml"], "cannot read nowhere.yaml"],
    [["create", "cluster", "a-b", "--ref", "x"], '"x" is not a reference'],
    [["get", "cluster/a", "nodepool/b"], "does not name resources"],
    [["get", "clusters", "--search", "nope='1'"], "nope"],
    [["get", "clusters", "-l", "x"], '"x" is not a selector'],
    [["get", "cluster", "missing"], 'there is no Cluster "missing"'],
    [["delete", "cluster"], "no resource is named"],
    [["delete", "cluster", "a", "--force"], "--force needs a --reason"],
    [["why", "cluster/missing"], 'there is no Cluster "missing"'],
    [["fleet", "report", "cluster/missing", "dns"], 'there is no Cluster "missing"'],
  ])("%j is refused", async (args, message) => {
    const error: unknown = await run(...args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(message);
  });

  test("a name in use is refused", async () => {
    await run("create", "cluster", name);
    await expect(run("create", "cluster", name)).rejects.toThrow("already exists");
  });
});

describe("levelset get", () => {
  test("shows the state and the result of each adapter", async () => {
    await run("create", "cluster", name, "-l", `shard=${name}`);
    await run("fleet", "report", `cluster/${name}`, "dns");
    await run("fleet", "report", `cluster/${name}`, "validation");
    const titles = "NAME  GENERATION  STATE  AVAILABLE  DNS  VALIDATION";
    expect(await table("clusters", "-l", `shard=${name}`)).toEqual([titles, `${name}  1  Ready  True @1  ✓ 1  ✓ 1`]);
    await run("edit", "cluster", name, "--set", "x=1");
    await run("fleet", "report", `cluster/${name}`, "dns", "--available", "False", "--reason", "QuotaExceeded");
    expect(await table("cluster", name)).toEqual([
      titles,
      `${name}  2  Degraded (0 of 2)  True @1  ✗ 2 QuotaExceeded  … 1 → 2 for N s`,
    ]);
    const found = await run("get", "clusters", "--search", `labels.shard='${name}'`, "-o", "name");
    expect(found.stdout).toBe(`cluster/${name}\n`);
    expect(await run("get", "clusters", "-l", `shard=${name},shard!=${name}`)).toMatchObject({
      stdout: "",
      stderr: "no matching clusters\n",
    });
    expect(await table("clusters", "-l", `shard=${name}`, "--not-ready")).toHaveLength(2);
    for (const adapter of ["dns", "validation"]) await run("fleet", "report", `cluster/${name}`, adapter);
    expect((await run("get", "clusters", "-l", `shard=${name}`, "--not-ready")).stdout).toBe("");
  });

  test("counts many resources, and shows those that are not Ready first if not all fit", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `${name}-${String(index).padStart(2, "0")}`);
    for (const one of names) {
      await run("create", "cluster", one, "-l", `shard=${name}`);
      if (one === names[24]) continue;
      for (const adapter of ["dns", "validation"]) await run("fleet", "report", `cluster/${one}`, adapter);
    }
    const all = await run("get", "clusters", "-l", `shard=${name}`);
    expect(all.stdout.trimEnd().split("\n")).toHaveLength(26);
    expect(all.stderr).toBe("25 clusters, 24 Ready\n");

    const stop = new AbortController();
    const onOutput = ({ stdout }: CommandOutput): void => void (stdout.includes("25 clusters") && stop.abort());
    const terminal = { columns: 120, rows: 8, colors: false };
    const drawn = await runWith(
      { signal: stop.signal, terminal, onOutput },
      "get",
      "clusters",
      "-l",
      `shard=${name}`,
      "-w",
    );
    const frame = drawn.stdout.split("\u001B[0J").at(-1)?.trimEnd().split("\n") ?? [];
    expect(frame.map((line) => line.split("  ")[0])).toEqual([
      "NAME",
      ...names.slice(0, 4),
      names[24],
      "… and 20 more; 25 clusters, 24 Ready",
    ]);
  });

  test("watches changes line by line, and as a table on a terminal", async () => {
    const stop = new AbortController();
    const listed = Promise.withResolvers<void>();
    const deleted = Promise.withResolvers<void>();
    const onOutput = ({ stdout }: CommandOutput): void => {
      if (stdout.includes("… → 1")) listed.resolve();
      if (stdout.includes("  deleted")) deleted.resolve();
    };
    await run("create", "cluster", name);
    const lines = runWith({ signal: stop.signal, onOutput }, "get", "cluster", name, "-w");
    await listed.promise;
    const drawn = Promise.withResolvers<void>();
    const frame = runWith(
      {
        signal: stop.signal,
        terminal: { columns: 120, colors: false },
        onOutput: ({ stdout }) => stdout.includes("✓ 1") && drawn.resolve(),
      },
      "get",
      "cluster",
      name,
      "--watch",
    );
    await run("fleet", "report", `cluster/${name}`, "dns");
    await drawn.promise;
    await run("delete", "cluster", name, "--force", "--reason", "test");
    await deleted.promise;
    stop.abort();
    expect((await lines).stdout).toMatch(
      /^NAME +GENERATION [^]*\nc-\d+ +1 +Unknown \(0 of 2\)[^]*✓ 1[^]*\nc-\d+ {2}deleted\n$/u,
    );
    expect((await frame).stdout).toContain("\u001B[");
  });
});

describe("levelset edit", () => {
  /** Returns an editor command that replaces one text with another. */
  const editor = (from: string, to: string): Readonly<Record<string, string>> => ({
    EDITOR: `sed -i 's/${from}/${to}/'`,
  });

  test("applies the changes of the editor, and sends nothing without changes", async () => {
    await run("create", "cluster", name, "--set", "size=1", "-l", "a=b");
    const same = await runWith({ env: { EDITOR: "true" } }, "edit", "cluster", name);
    expect(same.stdout).toBe(`cluster/${name} unchanged\n`);
    const changed = await runWith({ env: editor("size: 1", "size: 2") }, "edit", `cluster/${name}`);
    expect(changed.stdout).toBe(`cluster/${name} changed: generation 1 → 2\n`);
    const flags = await run("edit", "cluster", name, "--set", "size=3", "-l", "c=d", "-l", "a-");
    expect(flags.stdout).toBe(`cluster/${name} changed: generation 2 → 3\n`);
    expect(JSON.parse((await run("get", "cluster", name, "-o", "json")).stdout)).toMatchObject({
      spec: { size: 3 },
      labels: { c: "d" },
    });
  });

  test("refuses a declaration of another kind", async () => {
    await run("create", "cluster", name);
    await writeFile(join(directory.cwd, "channel.yaml"), "kind: Channel\nspec: {a: 1}\n");
    const ended = run("edit", "cluster", name, "-f", "channel.yaml");
    await expect(ended).rejects.toThrow("channel.yaml declares a Channel, not a Cluster");
  });

  test("reports a conflicting change with its author, and retains the edited file", async () => {
    await run("create", "cluster", name, "--set", "size=1");
    const script = join(directory.cwd, "slow-editor.mjs");
    await writeFile(
      script,
      `import { readFileSync, writeFileSync } from "node:fs";
const [path] = process.argv.slice(2);
const [found] = (await (await fetch("${directory.fleet.client.url}/clusters?search=name='${name}'")).json()).items;
await fetch("${directory.fleet.client.url}/clusters/" + found.id, { method: "PATCH", body: JSON.stringify({ spec: { size: 7 } }) });
writeFileSync(path, readFileSync(path, "utf8").replace("size: 1", "size: 2"));`,
    );
    const env = { EDITOR: `"${process.execPath}" "${script}"` };
    const error: unknown = await runWith({ env }, "edit", "cluster", name).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    const { message, hint = "" } = error as InputError;
    expect(message).toMatch(
      /^cluster\/c-\d+ was changed by system@hyperfleet\.local: generation is now 2, you edited generation 1$/u,
    );
    const [, path = ""] = /saved in (\S+);/u.exec(hint) ?? [];
    expect(await readFile(path, "utf8")).toContain("size: 2");
    await rm(join(path, ".."), { recursive: true });
  });

  test.each([
    [editor("spec:", "sepc:"), "spec: must be an object"],
    [editor("labels:", "name:"), "name: only spec, labels and references can be changed"],
    [editor("labels:", "labels: ["), "is not YAML"],
    [{ EDITOR: "false" }, "the editor"],
  ])("refuses the result of the editor %j", async (env, message) => {
    await run("create", "cluster", name, "--set", "size=1");
    const error: unknown = await runWith({ env }, "edit", "cluster", name).catch((thrown: unknown) => thrown);
    expect((error as InputError).message).toContain(message);
    expect(await table("cluster", name)).toEqual([expect.anything(), expect.stringMatching(/^c-\d+ {2}1 {2}/u)]);
    const [, path] = /saved in (\S+)/u.exec((error as InputError).hint ?? "") ?? [];
    if (path !== undefined) await rm(join(path, ".."), { recursive: true });
  });
});

describe("levelset delete", () => {
  test("deletes a resource, waits for its adapters, and forces a deletion with a reason", async () => {
    await run("create", "cluster", name);
    await run("create", "nodepool", "blue", "--in", name);
    const requested = await run("delete", "cluster", name);
    expect(requested.stdout).toBe(`cluster/${name} is being deleted: waiting for dns, validation\n`);
    const why = await run("why", `cluster/${name}`);
    expect([why.code, why.stdout]).toEqual([3, expect.stringContaining("waiting for child resources: nodepool/blue")]);
    await expect(run("edit", "cluster", name, "--set", "a=1")).rejects.toThrow("delet");
    const finalized = ["--finalized", "--available", "False"];
    await run("fleet", "report", "nodepool/blue", "validation", "--in", name, ...finalized);
    await run("fleet", "report", `cluster/${name}`, "dns", ...finalized);
    const asking = Promise.withResolvers<void>();
    const waiting = runWith({ onOutput: () => asking.resolve() }, "delete", "cluster", name, "--wait");
    await asking.promise;
    await run("fleet", "report", `cluster/${name}`, "validation", ...finalized);
    expect((await waiting).stdout).toBe(
      `cluster/${name} is being deleted: waiting for validation\ncluster/${name} is deleted\n`,
    );
    await expect(run("get", "cluster", name)).rejects.toThrow("there is no Cluster");

    await run("create", "cluster", name);
    const forced = await run("delete", "cluster", name, "--force", "--reason", "the region is gone");
    expect(forced.stdout).toBe(`cluster/${name} deleted without cleanup; objects of its adapters may remain\n`);
    const audit = [];
    for await (const entry of directory.fleet.client.audit())
      if (entry.action === "force-delete") audit.push(entry.details);
    expect(audit).toContainEqual({ reason: "the region is gone" });
    await run("create", "channel", name);
    expect((await run("delete", "channel", name)).stdout).toBe(`channel/${name} is deleted\n`);
  });

  test("requests all deletions before it waits", async () => {
    const names = [`${name}-a`, `${name}-b`];
    for (const one of names) await run("create", "cluster", one);
    const requested = Promise.withResolvers<void>();
    const onOutput = ({ stdout }: CommandOutput): void => void (stdout.split("\n").length === 3 && requested.resolve());
    const waiting = runWith({ onOutput }, "delete", "cluster", ...names, "--wait");
    await requested.promise;
    for (const one of names.toReversed()) {
      for (const adapter of ["dns", "validation"]) {
        await run("fleet", "report", `cluster/${one}`, adapter, "--finalized", "--available", "False");
      }
    }
    expect((await waiting).stdout).toMatch(/-a is being deleted: .*\n.*-b is being deleted: /u);
    expect((await waiting).stdout).toMatch(/-a is deleted\n/u);
  });
});

describe("a fleet", () => {
  test("with slow responses causes one notice", async () => {
    const requested = Promise.withResolvers<void>();
    const server = createServer(
      (_request, response) => void requested.promise.then(() => response.writeHead(404).end()),
    );
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo; // it listens on a port
      const url = `http://127.0.0.1:${port}`;
      let received = "";
      const onOutput = ({ stderr }: CommandOutput): void => {
        received = stderr;
        requested.resolve();
      };
      await expect(runShell({ cwd: directory.cwd, onOutput }, "get", "clusters", "--fleet", url)).rejects.toThrow(
        "404",
      );
      expect(received).toBe(`${url} has not responded yet; waiting\n`);
    } finally {
      server.close();
    }
  });

  test("is selected by the flag, the environment variable or the directory", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "levelset-fleet-"));
    try {
      const none = runShell({ cwd: elsewhere }, "get", "clusters");
      await expect(none).rejects.toMatchObject({
        message: "no fleet is configured",
        hint: expect.stringContaining("fleet dev"),
      });
      const flag = await runShell({ cwd: elsewhere }, "get", "channels", "--fleet", directory.fleet.url, "-o", "json");
      expect(JSON.parse(flag.stdout)).toMatchObject({ items: expect.any(Array) });
      const env = { LEVELSET_FLEET_URL: directory.fleet.url };
      expect((await runShell({ cwd: elsewhere, env }, "get", "channels", "-o", "json")).stdout).toBe(flag.stdout);
      const dead = runShell({ cwd: elsewhere, env: { LEVELSET_FLEET_URL: "http://127.0.0.1:9" } }, "get", "clusters");
      await expect(dead).rejects.toThrow("cannot reach the fleet at http://127.0.0.1:9 (from LEVELSET_FLEET_URL)");
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });
});
