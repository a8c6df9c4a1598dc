import { crdOf } from "@levelset/core";
import { operandManager } from "@levelset/operator";
import { BenchClient } from "../apiserver-client.ts";
import type { ServerAccess } from "../apiserver-client.ts";
import { sleep, withTimeout } from "../runtime/with-timeout.ts";
import type { Installer } from "./installer.ts";
import type { Manifest } from "./manifest-set.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const OPERANDS = "/apis/operand.levelset.dev/v1alpha1/operands";
const READY_MS = 60_000;
const POLL_MS = 20;

interface OperandObject {
  readonly metadata: { readonly name: string; readonly generation: number; readonly resourceVersion: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Installs the Operand CRDs on a server, and waits until they are served. */
export async function installOperandCrds(client: BenchClient): Promise<void> {
  for (const kind of operandManager().kinds ?? []) await client.send("POST", CRDS, JSON.stringify(crdOf(kind)));
  for (;;) {
    try {
      await client.send("GET", OPERANDS);
      return;
    } catch {
      // A new kind is served shortly after its CRD is created.
      await sleep(POLL_MS);
    }
  }
}

/** Installs with an Operand, which operators in another process reconcile. */
export class OperandInstaller implements Installer {
  readonly #operand: string;
  readonly #client: BenchClient;
  readonly #watching: BenchClient;
  #seen: OperandObject | undefined;
  #notify: () => void = () => {};
  #rest = "";
  #versions = 0;

  private constructor(operand: string, server: ServerAccess) {
    this.#operand = operand;
    this.#client = new BenchClient(server, 1);
    this.#watching = new BenchClient(server, 1);
  }

  /** Watches the Operand for its progress. */
  static async start(operand: string, server: ServerAccess): Promise<OperandInstaller> {
    const installer = new OperandInstaller(operand, server);
    const query = `watch=true&timeoutSeconds=600&fieldSelector=metadata.name%3D${operand}`;
    await installer.#watching.watch(`${OPERANDS}?${query}`, (chunk) => installer.#take(chunk));
    return installer;
  }

  async apply(set: readonly Manifest[]): Promise<number> {
    const start = performance.now();
    const generation = await this.#write(set);
    await withTimeout(READY_MS, "the Operand is not Ready", this.#readyAt(generation));
    return performance.now() - start;
  }

  async #write(set: readonly Manifest[]): Promise<number> {
    this.#versions += 1;
    // An irrelevant field changes each time, so that an unchanged set is a new generation too.
    const deletionPolicy = this.#versions % 2 === 0 ? "Delete" : "WaitForTermination";
    // No pods run here, and kubectl does not wait for pods either.
    const spec = { steadyState: set, checkDeploymentHealth: false, deletionPolicy };
    const metadata = { name: this.#operand };
    const body = JSON.stringify({ apiVersion: "operand.levelset.dev/v1alpha1", kind: "Operand", metadata, spec });
    const path = `${OPERANDS}/${this.#operand}?fieldManager=bench&force=true`;
    const result = await this.#client.send("PATCH", path, body, "application/apply-patch+yaml");
    return (JSON.parse(result) as OperandObject).metadata.generation;
  }

  async #readyAt(generation: number): Promise<void> {
    while (!isReadyAt(this.#seen, generation)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#notify = resolve;
      await promise;
    }
  }

  #take(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString()).split("\n");
    this.#rest = lines.pop() ?? "";
    // Only the newest state is parsed, because each is large.
    const newest = lines.findLast((line) => !line.startsWith('{"type":"BOOKMARK"'));
    if (newest === undefined) return;
    const { type, object } = JSON.parse(newest) as { readonly type: string; readonly object: OperandObject };
    this.#seen = type === "DELETED" ? undefined : object;
    this.#notify();
  }

  /** Deletes the Operand with all its objects except namespaces. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#seen !== undefined) await this.#client.send("DELETE", `${OPERANDS}/${this.#operand}`);
    while (this.#seen !== undefined) await sleep(POLL_MS);
    await Promise.all([this.#client[Symbol.asyncDispose](), this.#watching[Symbol.asyncDispose]()]);
  }
}

function isReadyAt(object: OperandObject | undefined, generation: number): boolean {
  const { observedGeneration, conditions = [] } = object?.status ?? {};
  const isReady = conditions.some(({ type, status }) => type === "Ready" && status === "True");
  return isReady && observedGeneration === generation && object?.metadata.generation === generation;
}
