import { once } from "node:events";
import { createServer } from "node:net";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crdOf } from "@levelset/core";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { Simple } from "../../../examples/01-simple/simple.ts";
import { runProcess, TestProcess } from "../../support/test-process.ts";
import type { ProcessResult } from "../../support/test-process.ts";
import { LAUNCHER, ROOT } from "../../support/repository.ts";
import { tempDirectory, tempDirectoryInRepository } from "../../support/temp-directory.ts";

const SIMPLE = "examples/01-simple/simple.ts";

function levelset(...args: string[]): Promise<ProcessResult> {
  return runProcess(process.execPath, {
    args: [LAUNCHER, ...args],
    cwd: ROOT,
    env: { KUBECONFIG: "", HOME: "/nonexistent" },
  });
}

describe("the command line", () => {
  test("without arguments, or with --help, prints the command tree and succeeds", async () => {
    for (const args of [[], ["--help"], ["help"]]) {
      const { code, stdout } = await levelset(...args);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/Usage: levelset .*\bdev\b.*\brun\b.*\bapiserver\b/su)]);
    }
    expect((await levelset("run", "--help")).stdout).toContain("--install-crds");
    for (const args of [
      ["help", "operand", "status"],
      ["operand", "help", "status"],
    ]) {
      expect((await levelset(...args)).stdout).toMatch(/^Usage: levelset operand status /u);
    }
  });

  test("suggests a similar command, or the help, for an unknown command", async () => {
    expect((await levelset("operand", "statu", "shop")).stderr).toBe(
      "levelset: unknown command 'statu'\nhint: Did you mean status?\n",
    );
    expect(await levelset("operand", "fly", "--help")).toEqual({
      code: 2,
      stdout: "",
      stderr: "levelset: unknown command 'fly'\nhint: run levelset operand --help for the commands and options\n",
    });
    expect((await levelset("why")).stderr).toContain("hint: run levelset why --help for the usage");
  });

  test("prints its version", async () => {
    const manifest: unknown = JSON.parse(await readFile(join(ROOT, "packages/cli/package.json"), "utf8"));
    const { code, stdout } = await levelset("--version");
    expect(manifest).toMatchObject({ version: stdout.trim() });
    expect(code).toBe(0);
  });

  test.each([
    [["--nope"], "levelset: unknown option '--nope'"],
    [["run", SIMPLE, "--nope"], "levelset: unknown option '--nope'"],
    [["fly"], "levelset: unknown command 'fly'"],
    [["run"], "levelset: missing required argument 'file'"],
    [
      ["apiserver", "--port", "http"],
      "levelset: option '--port <number>' argument 'http' is invalid. write a port number from 0 to 65535.",
    ],
    [["run", "nowhere.ts"], "levelset: nowhere.ts does not exist"],
    [["run", "docs"], "levelset: docs is a directory"],
    [["run", "package.json"], "levelset: package.json cannot be loaded"],
    [["run", "vitest.config.ts"], "levelset: vitest.config.ts has no default export with an operator"],
    [["run", SIMPLE, "--kubeconfig", "nowhere"], `levelset: cannot read kubeconfig ${ROOT}/nowhere: no such file`],
    [["run", SIMPLE, "--kubeconfig", "README.md"], "levelset: kubeconfig"],
  ])("%j ends with one line, a hint and exit code 2", async (args, message) => {
    const { code, stdout, stderr } = await levelset(...args);
    const [line, hint, ...rest] = stderr.trimEnd().split("\n");
    expect(line).toContain(message);
    expect(hint ?? "hint: ").toMatch(/^hint: /u);
    expect(rest).toEqual([]);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("an unreachable cluster is a failure: one line, exit code 1, and a stack only with --verbose", async () => {
    await using directory = await tempDirectory();
    const kubeconfig = join(directory.path, "config");
    await writeFile(
      kubeconfig,
      `{current-context: a, contexts: [{name: a, context: {cluster: a}}], clusters: [{name: a, cluster: {server: 'http://127.0.0.1:${await closedPort()}'}}]}`,
    );
    const quiet = await levelset("run", SIMPLE, "--kubeconfig", kubeconfig);
    expect(quiet.stderr).toMatch(
      /^levelset: cannot reach http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*\nhint: .*--verbose.*\n$/u,
    );
    expect(quiet.code).toBe(1);
    const verbose = await levelset("run", SIMPLE, "--kubeconfig", kubeconfig, "--verbose");
    expect(verbose.stderr).toMatch(/\n\s+at /u);
  });

  test.each([
    ["20.1.0", "needs Node 22.19 or newer"],
    ["22.19.0", "in a clone needs Node 24 or newer"],
  ])("Node %s is refused as too old in one line", async (version, need) => {
    const script = `Object.defineProperty(process.versions, "node", { value: "${version}" }); require(${JSON.stringify(LAUNCHER)})`;
    const { code, stderr } = await runProcess(process.execPath, { args: ["-e", script], cwd: ROOT });
    expect([code, stderr]).toEqual([1, `levelset: ${need}, this is ${process.version}\n`]);
  });
});

/** Returns a loopback port that is not in use. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("levelset crd print writes YAML that kubectl apply accepts", async () => {
  const { code, stdout, stderr } = await levelset("crd", "print", SIMPLE);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^apiVersion: apiextensions\.k8s\.io\/v1\nkind: CustomResourceDefinition\n/u);
  expect(load(stdout)).toEqual(crdOf(Simple));
});

describe("levelset apiserver", () => {
  test("writes a kubeconfig that only its owner can read, and removes it when it stops", async () => {
    await using directory = await tempDirectory();
    const kubeconfig = join(directory.path, "deep", "config");
    await using server = new TestProcess(process.execPath, {
      args: [LAUNCHER, "apiserver", "--kubeconfig", kubeconfig],
      cwd: ROOT,
    });
    const [, url] = await server.untilOutput(/API +(https:\/\/127\.0\.0\.1:\d+)/u);
    await server.untilOutput(/Ctrl-C/u);
    expect(await readFile(kubeconfig, "utf8")).toContain(url);
    expect((await stat(kubeconfig)).mode & 0o777).toBe(0o600);
    server.signal("SIGTERM");
    expect((await server.untilExit()).code).toBe(0);
    await expect(stat(kubeconfig)).rejects.toThrow("ENOENT");
  });

  test("reads a token from a file, and warns if other machines can reach the server", async () => {
    await using directory = await tempDirectory();
    const [kubeconfig, tokenFile] = [join(directory.path, "config"), join(directory.path, "token")];
    await writeFile(tokenFile, "known-before\n");
    const options = ["--kubeconfig", kubeconfig, "--token-file", tokenFile, "--host", "0.0.0.0"];
    await using server = new TestProcess(process.execPath, { args: [LAUNCHER, "apiserver", ...options], cwd: ROOT });
    await server.untilOutput(/warning: other machines can reach 0\.0\.0\.0/u);
    await server.untilOutput(/https:\/\/127\.0\.0\.1:\d+[^]*Ctrl-C/u);
    expect(await readFile(kubeconfig, "utf8")).toContain('"token": "known-before"');
    // A kubeconfig of another server at the same path is not removed.
    await writeFile(kubeconfig, "another");
    server.signal("SIGINT");
    expect((await server.untilExit()).code).toBe(0);
    expect(await readFile(kubeconfig, "utf8")).toBe("another");
  });

  test("writes a kubeconfig with a client certificate with --credential certificate", async () => {
    await using directory = await tempDirectory();
    const kubeconfig = join(directory.path, "config");
    const args = [LAUNCHER, "apiserver", "--kubeconfig", kubeconfig, "--credential", "certificate"];
    await using server = new TestProcess(process.execPath, { args, cwd: ROOT });
    await server.untilOutput(/Ctrl-C/u);
    const text = await readFile(kubeconfig, "utf8");
    expect(text).toContain('"client-certificate-data"');
    expect(text).not.toContain('"token"');
  });

  test("an invalid token file is an error", async () => {
    await using directory = await tempDirectory();
    const file = join(directory.path, "token");
    expect((await levelset("apiserver", "--token-file", file)).stderr).toContain("cannot read the token file");
    await writeFile(file, " \n");
    const empty = await levelset("apiserver", "--token-file", file);
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("has no valid token\nhint: ")]);
  });

  test("a port in use is an error with a hint", async () => {
    await using directory = await tempDirectory();
    const kubeconfig = join(directory.path, "a");
    await using first = new TestProcess(process.execPath, {
      args: [LAUNCHER, "apiserver", "--kubeconfig", kubeconfig],
      cwd: ROOT,
    });
    const [, port] = await first.untilOutput(/127\.0\.0\.1:(\d+)/u);
    const second = await levelset("apiserver", "--port", port ?? "", "--kubeconfig", join(directory.path, "b"));
    expect(second.stderr).toMatch(
      /^levelset: cannot listen on port \d+: .*EADDRINUSE.*\nhint: pass another --port, or 0 for a free one\n$/u,
    );
    expect(second.code).toBe(2);
  });
});

describe("levelset dev", () => {
  const operator = (message: string): string => `
    import { kind, s } from "@levelset/core";
    import { operator, step, wait } from "@levelset/operator";
    const Thing = kind({ group: "dev.levelset.dev", version: "v1", kind: "Thing", spec: s.object({}) });
    export default operator(Thing, [step(Thing, "Wait", { condition: "Waited", do: () => wait("${message}") })]);
  `;
  const sample = "{apiVersion: dev.levelset.dev/v1, kind: Thing, metadata: {name: a}, spec: {}}";

  test("runs an operator on an embedded server, reloads it on save, survives a broken save, and stops on Ctrl-C", async () => {
    await using directory = await tempDirectoryInRepository();
    const file = join(directory.path, "thing.ts");
    await writeFile(file, operator("first message"));
    await writeFile(join(directory.path, "sample.yaml"), sample);
    const args = [
      LAUNCHER,
      "dev",
      file,
      "--apply",
      join(directory.path, "sample.yaml"),
      "--kubeconfig",
      join(directory.path, "config"),
    ];
    await using dev = new TestProcess(process.execPath, { args, cwd: ROOT });
    await dev.untilOutput(/Thing default\/a .* Ready False\/Info Requested: first message {3}Waited ✗/u);
    await writeFile(file, operator("second message"));
    await dev.untilOutput(
      /reloading: \.levelset\/scratch-\w+\/thing\.ts changed[^]* Ready False\/Info Requested: second message {3}Waited ✗/u,
    );
    await writeFile(file, "export default 5;");
    await dev.untilOutput(/has no default export with an operator[^]*the operator has exited; save a change/u);
    await writeFile(file, operator("third message"));
    await dev.untilOutput(/third message/u);
    dev.signal("SIGINT");
    const { code, stderr } = await dev.untilExit();
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/\n\s+at /u);
  });

  test("leaves no operator process behind when it is killed", async () => {
    await using directory = await tempDirectoryInRepository();
    const [file, config] = [join(directory.path, "thing.ts"), join(directory.path, "config")];
    await writeFile(file, operator("message"));
    // Only the launcher is killed, not its process group, as by the OOM killer.
    const args = [LAUNCHER, "dev", file, "--no-console", "--kubeconfig", config];
    const script = `"$@" & echo "pid $!"; wait; until ! ps -eo args | grep -q "[r]un ${file}"; do :; done; echo all have exited`;
    await using dev = new TestProcess("bash", { args: ["-c", script, "", process.execPath, ...args], cwd: ROOT });
    await dev.untilOutput(/Objects, as they change/u);
    const [, pid] = await dev.untilOutput(/pid (\d+)/u);
    process.kill(Number(pid), "SIGKILL");
    await dev.untilOutput(/all have exited/u);
    expect((await dev.untilExit()).code).toBe(0);
  });

  test("applies objects and prints suggestions at the first successful start", async () => {
    await using directory = await tempDirectoryInRepository();
    const [file, objects] = [join(directory.path, "thing.ts"), join(directory.path, "sample.yaml")];
    await writeFile(file, "export default 5;");
    await writeFile(objects, sample);
    const args = [LAUNCHER, "dev", file, "--apply", objects, "--kubeconfig", join(directory.path, "config")];
    await using dev = new TestProcess(process.execPath, { args, cwd: ROOT });
    await dev.untilOutput(/the operator has exited; save a change/u);
    await writeFile(file, operator("first message"));
    await dev.untilOutput(/Try, in another terminal:[^]*Thing default\/a .* first message/u);
    await writeFile(file, operator("second message"));
    await dev.untilOutput(/second message/u);
    expect(dev.output.match(/Try, in another terminal:/gu)).toHaveLength(1);
    dev.signal("SIGINT");
    expect((await dev.untilExit()).code).toBe(0);
  });
});
