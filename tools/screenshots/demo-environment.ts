import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FleetClient } from "@levelset/fleet/client";
import { Client, connect, loadKubeconfig, Operand } from "@levelset/operator";
import { Simple } from "../../examples/01-simple/simple.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LAUNCHER = join(ROOT, "packages", "cli", "bin", "levelset.cjs");
const BROKEN_IMAGE = "registry.example/greeter:does-not-exist";

/** The environment of `npm start`, with some failures. */
export class DemoEnvironment implements AsyncDisposable {
  /** Address of the console. */
  readonly url: string;
  /** The cluster that does not become ready. */
  readonly cluster: string;
  /** The recorded failure of a simulation. */
  readonly story: string;
  readonly #close: () => Promise<void>;

  private constructor(parts: {
    readonly url: string;
    readonly cluster: string;
    readonly story: string;
    readonly close: () => Promise<void>;
  }) {
    this.url = parts.url;
    this.cluster = parts.cluster;
    this.story = parts.story;
    this.#close = parts.close;
  }

  static async open(): Promise<DemoEnvironment> {
    // Inside of the repository, where a program can import the packages by name.
    mkdirSync(join(ROOT, ".levelset"), { recursive: true });
    const directory = mkdtempSync(join(ROOT, ".levelset", "demo-"));
    const example = (path: string): string => join(ROOT, "examples", path);
    const adapters = ["06-fleet/validation", "06-fleet/fleet.ts"].flatMap((path) => ["--adapters", example(path)]);
    const words = ["dev", example("start/start.ts"), "--apply", example("start/sample.yaml"), ...adapters];
    const child = spawn(process.execPath, [LAUNCHER, ...words], {
      cwd: directory,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const close = async (): Promise<void> => {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGTERM")) await ended;
      rmSync(directory, { recursive: true, force: true });
    };
    try {
      const output = await untilSaid(child, /(?=[^]*greeter {2}✓ Ready)(?=[^]* {2}console +http)/u);
      const story = await simulateVault(directory);
      await breakObjects(join(directory, ".levelset", "kubeconfig"));
      const cluster = await declareClusters(/ {2}fleet +(?<url>http:\/\/[\d.:]+)/u.exec(output)?.groups?.["url"] ?? "");
      return new DemoEnvironment({
        url: / {2}console +(?<url>\S+)/u.exec(output)?.groups?.["url"] ?? "",
        cluster,
        story,
        close,
      });
    } catch (error) {
      await close();
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

async function untilSaid({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  const said = Promise.withResolvers<string>();
  let text = "";
  // Reads to the end: a full pipe would block the writer.
  stdout?.on("data", (chunk: unknown) => {
    text += String(chunk);
    if (pattern.test(text)) said.resolve(text);
  });
  stdout?.once("end", () => said.reject(new Error(`the process ended without the output ${pattern}: ${text}`)));
  return said.promise;
}

const VAULT = `
apiVersion: examples.levelset.dev/v1
kind: Vault
metadata: { name: first }
spec: { value: open }
`;

/** Records a failure of the operator of the guide that has a bug. Returns the name of its story. */
async function simulateVault(directory: string): Promise<string> {
  mkdirSync(join(directory, "src"));
  copyFileSync(join(ROOT, "examples", "guide", "vault.ts"), join(directory, "src", "vault.ts"));
  writeFileSync(join(directory, "vault.yaml"), VAULT);
  const words = ["simulate", "src/vault.ts", "--samples", "vault.yaml"];
  const child = spawn(process.execPath, [LAUNCHER, ...words], { cwd: directory, stdio: "ignore" });
  await once(child, "exit");
  const [file = ""] = readdirSync(join(directory, ".levelset", "simulation"));
  return file.replace(/\.json$/u, "");
}

/** Makes one object divide by zero, and changes an Operand to a missing image and one object less. */
async function breakObjects(kubeconfig: string): Promise<void> {
  const connection = connect(await loadKubeconfig(kubeconfig));
  const client = new Client({ fetch: connection.fetch, fieldManager: "kubectl-edit" });
  for (const [name, divisor] of [
    ["ten-by-three", 3],
    ["ten-by-two", 2],
  ] as const) {
    await client.create(Simple, { metadata: { namespace: "default", name }, spec: { dividend: 10, divisor } });
  }
  await client.mergePatch(Simple, { namespace: "default", name: "ten-by-five" }, { spec: { divisor: 0 } });
  const { spec } = await client.get(Operand, { name: "greeter" });
  const text = JSON.stringify(spec.steadyState.slice(1)).replace("registry.example/greeter:1.0", BROKEN_IMAGE);
  await client.mergePatch(Operand, { name: "greeter" }, { spec: { steadyState: JSON.parse(text) as object[] } });
  await connection.close();
}

async function declareClusters(url: string): Promise<string> {
  const fleet = new FleetClient({ url });
  const clusters = fleet.collection({ kind: "Cluster", plural: "clusters" });
  for (const name of ["eu-1", "eu-2", "us-1", "ap-1"]) {
    const { resource } = await clusters.create({ name, spec: { region: name.slice(0, 2) }, labels: { env: "prod" } });
    const pools = fleet.collection({ kind: "NodePool", plural: "nodepools" }, resource);
    await pools.create({ name: `${name}-a`, spec: { size: 3 } });
  }
  const { resource } = await clusters.create({ name: "us-2", spec: { region: "us", version: "does-not-exist" } });
  return resource.id;
}
