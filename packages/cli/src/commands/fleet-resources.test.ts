import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "@levelset/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runShell } from "../shell.fixture.ts";
import type { Said } from "../shell.fixture.ts";
import { FleetDirectory } from "./fleet.fixture.ts";

let place: FleetDirectory;
let count = 0;
let name: string;

beforeAll(async () => {
  place = await FleetDirectory.open();
});
afterAll(() => place[Symbol.asyncDispose]());
beforeEach(() => {
  count += 1;
  name = `c-${count}`;
});

const run: FleetDirectory["run"] = (...words) => place.run(...words);
const runWith: FleetDirectory["runWith"] = (options, ...words) => place.runWith(options, ...words);

/** A table without what differs from run to run. */
async function table(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run("get", ...words);
  return stdout
    .replaceAll(/\d+ s$|\d+ s(?= {2})/gmu, "N s")
    .replaceAll(/ {2,}/gu, "  ")
    .trimEnd()
    .split("\n");
}

describe("levelset create", () => {
  test("declares a resource from a file, flags and labels", async () => {
    await writeFile(join(place.cwd, "spec.yaml"), "region: eu\nnodes: {count: 1}\n");
    const sets = ["--set", "nodes.count=3", "--set", "tags=[a, b]", "--set-text", "version=4.20"];
    const said = await run("create", "cluster", name, "-f", "spec.yaml", ...sets, "-l", "env=prod", "-o", "json");
    expect(JSON.parse(said.stdout)).toMatchObject({
      name,
      spec: { region: "eu", nodes: { count: 3 }, tags: ["a", "b"], version: "4.20" },
      labels: { env: "prod" },
      generation: 1,
    });
    expect((await run("create", "channel", name)).stdout).toMatch(
      /^channel\/c-\d+ created: generation 1, id [0-9a-f-]{36}\n$/u,
    );
  });

  test("makes another one of what get has printed, and children below their parent", async () => {
    await run("create", "cluster", name, "--set", "a=1");
    const { stdout } = await run("get", `cluster/${name}`, "-o", "yaml");
    await runWith({ stdin: stdout }, "create", "cluster", `${name}-b`, "-f", "-");
    expect(JSON.parse((await run("get", `cluster/${name}-b`, "-o", "json")).stdout)).toMatchObject({ spec: { a: 1 } });
    await run("create", "nodepool", "blue", "--in", name);
    expect(await table("nodepools", "--in", name)).toEqual([
      "NAME  CLUSTER  GENERATION  READY  AVAILABLE  VALIDATION",
      `blue  ${name}  1  False (0 of 1)  False  … → 1 for N s`,
    ]);
  });

  test("declares all that a file holds, and says what of it is refused", async () => {
    const names = [`${name}-a`, `${name}-b`, `${name}-a`];
    const text = names.map((one) => `kind: Cluster\nname: ${one}\nspec: {size: 1}\n`).join("---\n");
    await writeFile(join(place.cwd, "many.yaml"), text);
    let heard: Said | undefined;
    const created = runWith({ onSaid: (said) => (heard = said) }, "create", "-f", "many.yaml", "-l", `shard=${name}`);
    await expect(created).rejects.toThrow("1 of 3 were not created");
    expect(heard?.stdout).toMatch(/^cluster\/c-\d+-a created: .*\ncluster\/c-\d+-b created: .*\n$/u);
    expect(heard?.stderr).toMatch(/^ {2}✗ cluster\/c-\d+-a: .*already exists.*\n$/u);
    expect((await run("get", "clusters", "-l", `shard=${name}`, "-o", "name")).stdout).toBe(
      `cluster/${name}-a\ncluster/${name}-b\n`,
    );
  });

  test.each([
    [["create"], "nothing is named"],
    [["create", "-f", "fleet.yaml"], "fleet.yaml, document 1 is no whole resource"],
    [["create", "cluster"], "one resource is created at a time"],
    [["create", "custer", "a"], 'the fleet has no kind "custer"'],
    [["create", "nodepool", "a"], "a NodePool is created below a Cluster"],
    [["create", "nodepool", "a", "--in", "nowhere"], 'there is no Cluster "nowhere"'],
    [["create", "channel", "a", "--in", "b"], "a Channel has no parent"],
    [["create", "cluster", "A_b"], "name"],
    [["create", "cluster", "a-b", "--set", "x"], '"x" sets nothing'],
    [["create", "cluster", "a-b", "--set", "__proto__.x=1"], "sets nothing"],
    [["create", "cluster", "a-b", "--set", "a=1", "--set", "a.b=1"], "a.b cannot be set: a is not an object"],
    [["create", "cluster", "a-b", "-l", "x"], '"x" is not a label'],
    [["create", "cluster", "a-b", "-f", "nowhere.yaml"], "cannot read nowhere.yaml"],
    [["create", "cluster", "a-b", "--ref", "x"], '"x" is not a reference'],
    [["get", "cluster/a", "nodepool/b"], "does not name resources"],
    [["get", "clusters", "--search", "nope='1'"], "nope"],
    [["get", "clusters", "-l", "x"], '"x" is not a selector'],
    [["get", "cluster", "nobody"], 'there is no Cluster "nobody"'],
    [["delete", "cluster"], "no resource is named"],
    [["delete", "cluster", "a", "--force"], "--force needs a --reason"],
    [["why", "cluster/nobody"], 'there is no Cluster "nobody"'],
    [["fleet", "report", "cluster/nobody", "dns"], 'there is no Cluster "nobody"'],
  ])("%j is refused", async (words, message) => {
    const error: unknown = await run(...words).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(message);
  });

  test("a name that is taken is refused", async () => {
    await run("create", "cluster", name);
    await expect(run("create", "cluster", name)).rejects.toThrow("already exists");
  });
});

describe("levelset get", () => {
  test("shows whether the latest declaration has been reached, and what each adapter has to do with it", async () => {
    await run("create", "cluster", name, "-l", `shard=${name}`);
    await run("fleet", "report", `cluster/${name}`, "dns");
    await run("fleet", "report", `cluster/${name}`, "validation");
    const titles = "NAME  GENERATION  READY  AVAILABLE  DNS  VALIDATION";
    expect(await table("clusters", "-l", `shard=${name}`)).toEqual([titles, `${name}  1  True  True @1  ✓ 1  ✓ 1`]);
    await run("edit", "cluster", name, "--set", "x=1");
    await run("fleet", "report", `cluster/${name}`, "dns", "--available", "False", "--reason", "QuotaExceeded");
    expect(await table("cluster", name)).toEqual([
      titles,
      `${name}  2  False (0 of 2)  True @1  ✗ 2 QuotaExceeded  … 1 → 2 for N s`,
    ]);
    const found = await run("get", "clusters", "--search", `labels.shard='${name}'`, "-o", "name");
    expect(found.stdout).toBe(`cluster/${name}\n`);
    expect(await run("get", "clusters", "-l", `shard=${name},shard!=${name}`)).toMatchObject({
      stdout: "",
      stderr: "there are no such clusters\n",
    });
    expect(await table("clusters", "-l", `shard=${name}`, "--not-ready")).toHaveLength(2);
    for (const adapter of ["dns", "validation"]) await run("fleet", "report", `cluster/${name}`, adapter);
    expect((await run("get", "clusters", "-l", `shard=${name}`, "--not-ready")).stdout).toBe("");
  });

  test("of many counts them, and draws only what fits, what needs a look first", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `${name}-${String(index).padStart(2, "0")}`);
    for (const one of names) {
      await run("create", "cluster", one, "-l", `shard=${name}`);
      if (one === names[24]) continue;
      for (const adapter of ["dns", "validation"]) await run("fleet", "report", `cluster/${one}`, adapter);
    }
    const all = await run("get", "clusters", "-l", `shard=${name}`);
    expect(all.stdout.trimEnd().split("\n")).toHaveLength(26);
    expect(all.stderr).toBe("25 clusters, 24 ready\n");

    const stop = new AbortController();
    const onSaid = ({ stdout }: Said): void => void (stdout.includes("25 clusters") && stop.abort());
    const terminal = { columns: 120, rows: 8, colors: false };
    const drawn = await runWith(
      { signal: stop.signal, terminal, onSaid },
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
      "… and 20 more; 25 clusters, 24 ready",
    ]);
  });

  test("follows changes line by line, and as a table on a terminal", async () => {
    const stop = new AbortController();
    const seen = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const onSaid = ({ stdout }: Said): void => {
      if (stdout.includes("… → 1")) seen.resolve();
      if (stdout.includes("gone")) gone.resolve();
    };
    await run("create", "cluster", name);
    const lines = runWith({ signal: stop.signal, onSaid }, "get", "cluster", name, "-w");
    await seen.promise;
    const drawn = Promise.withResolvers<void>();
    const frame = runWith(
      {
        signal: stop.signal,
        terminal: { columns: 120, colors: false },
        onSaid: ({ stdout }) => stdout.includes("✓ 1") && drawn.resolve(),
      },
      "get",
      "cluster",
      name,
      "--watch",
    );
    await run("fleet", "report", `cluster/${name}`, "dns");
    await drawn.promise;
    await run("delete", "cluster", name, "--force", "--reason", "test");
    await gone.promise;
    stop.abort();
    expect((await lines).stdout).toMatch(
      /^NAME +GENERATION [^]*\nc-\d+ +1 +False \(0 of 2\)[^]*✓ 1[^]*\nc-\d+ {2}gone\n$/u,
    );
    expect((await frame).stdout).toContain("\u001B[");
  });
});

describe("levelset edit", () => {
  /** An editor that replaces one text with another. */
  const editor = (from: string, to: string): Readonly<Record<string, string>> => ({
    EDITOR: `sed -i 's/${from}/${to}/'`,
  });

  test("changes what the editor changed, and nothing if it changed nothing", async () => {
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

  test("takes no declaration of another kind", async () => {
    await run("create", "cluster", name);
    await writeFile(join(place.cwd, "channel.yaml"), "kind: Channel\nspec: {a: 1}\n");
    const ended = run("edit", "cluster", name, "-f", "channel.yaml");
    await expect(ended).rejects.toThrow("channel.yaml declares a Channel, not a Cluster");
  });

  test("says who was faster, and keeps what was written", async () => {
    await run("create", "cluster", name, "--set", "size=1");
    const script = join(place.cwd, "slow-editor.mjs");
    await writeFile(
      script,
      `import { readFileSync, writeFileSync } from "node:fs";
const [path] = process.argv.slice(2);
const [found] = (await (await fetch("${place.fleet.client.url}/clusters?search=name='${name}'")).json()).items;
await fetch("${place.fleet.client.url}/clusters/" + found.id, { method: "PATCH", body: JSON.stringify({ spec: { size: 7 } }) });
writeFileSync(path, readFileSync(path, "utf8").replace("size: 1", "size: 2"));`,
    );
    const env = { EDITOR: `"${process.execPath}" "${script}"` };
    const error: unknown = await runWith({ env }, "edit", "cluster", name).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    const { message, hint = "" } = error as InputError;
    expect(message).toMatch(
      /^cluster\/c-\d+ was changed by system@hyperfleet\.local meanwhile: it is at generation 2, you began with 1$/u,
    );
    const [, path = ""] = /kept in (\S+);/u.exec(hint) ?? [];
    expect(await readFile(path, "utf8")).toContain("size: 2");
    await rm(join(path, ".."), { recursive: true });
  });

  test.each([
    [editor("spec:", "sepc:"), "spec: must be an object"],
    [editor("labels:", "name:"), "name: only spec, labels and references can be changed"],
    [editor("labels:", "labels: ["), "is not YAML"],
    [{ EDITOR: "false" }, "the editor"],
  ])("refuses what %j makes of it", async (env, message) => {
    await run("create", "cluster", name, "--set", "size=1");
    const error: unknown = await runWith({ env }, "edit", "cluster", name).catch((thrown: unknown) => thrown);
    expect((error as InputError).message).toContain(message);
    expect(await table("cluster", name)).toEqual([expect.anything(), expect.stringMatching(/^c-\d+ {2}1 {2}/u)]);
    const [, path] = /kept in (\S+)/u.exec((error as InputError).hint ?? "") ?? [];
    if (path !== undefined) await rm(join(path, ".."), { recursive: true });
  });
});

describe("levelset delete", () => {
  test("asks for a deletion, waits for its adapters, and forces it with a reason", async () => {
    await run("create", "cluster", name);
    await run("create", "nodepool", "blue", "--in", name);
    const asked = await run("delete", "cluster", name);
    expect(asked.stdout).toBe(`cluster/${name} is being deleted: waits for dns, validation\n`);
    const why = await run("why", `cluster/${name}`);
    expect([why.code, why.stdout]).toEqual([3, expect.stringContaining("waits for what is below it: nodepool/blue")]);
    await expect(run("edit", "cluster", name, "--set", "a=1")).rejects.toThrow("delet");
    const finalized = ["--finalized", "--available", "False"];
    await run("fleet", "report", "nodepool/blue", "validation", "--in", name, ...finalized);
    await run("fleet", "report", `cluster/${name}`, "dns", ...finalized);
    const asking = Promise.withResolvers<void>();
    const waiting = runWith({ onSaid: () => asking.resolve() }, "delete", "cluster", name, "--wait");
    await asking.promise;
    await run("fleet", "report", `cluster/${name}`, "validation", ...finalized);
    expect((await waiting).stdout).toBe(
      `cluster/${name} is being deleted: waits for validation\ncluster/${name} is deleted\n`,
    );
    await expect(run("get", "cluster", name)).rejects.toThrow("there is no Cluster");

    await run("create", "cluster", name);
    const forced = await run("delete", "cluster", name, "--force", "--reason", "the region is gone");
    expect(forced.stdout).toBe(`cluster/${name} removed; what its adapters made may still be there\n`);
    const audit = [];
    for await (const entry of place.fleet.client.audit())
      if (entry.action === "force-delete") audit.push(entry.details);
    expect(audit).toContainEqual({ reason: "the region is gone" });
    await run("create", "channel", name);
    expect((await run("delete", "channel", name)).stdout).toBe(`channel/${name} is deleted\n`);
  });

  test("of several asks for all of them before it waits for any", async () => {
    const names = [`${name}-a`, `${name}-b`];
    for (const one of names) await run("create", "cluster", one);
    const asked = Promise.withResolvers<void>();
    const onSaid = ({ stdout }: Said): void => void (stdout.split("\n").length === 3 && asked.resolve());
    const waiting = runWith({ onSaid }, "delete", "cluster", ...names, "--wait");
    await asked.promise;
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
  test("that takes long to answer is waited for, and that is said", async () => {
    const asked = Promise.withResolvers<void>();
    const server = createServer((_request, response) => void asked.promise.then(() => response.writeHead(404).end()));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo; // it listens on a port
      const url = `http://127.0.0.1:${port}`;
      let heard = "";
      const onSaid = ({ stderr }: Said): void => {
        heard = stderr;
        asked.resolve();
      };
      await expect(runShell({ cwd: place.cwd, onSaid }, "get", "clusters", "--fleet", url)).rejects.toThrow("404");
      expect(heard).toBe(`${url} has not answered yet; waiting\n`);
    } finally {
      server.close();
    }
  });

  test("is found by its flag, its variable, or in the directory", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "levelset-fleet-"));
    try {
      const none = runShell({ cwd: elsewhere }, "get", "clusters");
      await expect(none).rejects.toMatchObject({
        message: "no fleet is named",
        hint: expect.stringContaining("fleet dev"),
      });
      const flag = await runShell({ cwd: elsewhere }, "get", "channels", "--fleet", place.fleet.url, "-o", "json");
      expect(JSON.parse(flag.stdout)).toMatchObject({ items: expect.any(Array) });
      const env = { LEVELSET_FLEET_URL: place.fleet.url };
      expect((await runShell({ cwd: elsewhere, env }, "get", "channels", "-o", "json")).stdout).toBe(flag.stdout);
      const dead = runShell({ cwd: elsewhere, env: { LEVELSET_FLEET_URL: "http://127.0.0.1:9" } }, "get", "clusters");
      await expect(dead).rejects.toThrow("no fleet answers at http://127.0.0.1:9, which LEVELSET_FLEET_URL names");
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });
});
