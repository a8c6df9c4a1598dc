import { crdOf } from "@levelset/core";
import { operandManager } from "@levelset/operator";
import { BenchClient } from "../apiserver-client.ts";
import type { Reachable } from "../apiserver-client.ts";
import { elapsed, within } from "../runtime/within.ts";
import type { Installer } from "./installer.ts";
import type { Manifest } from "./set.ts";

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

/** Declares the kinds of Operand on a server, and waits until they are served. */
export async function declareOperands(client: BenchClient): Promise<void> {
  for (const kind of operandManager().kinds ?? []) await client.send("POST", CRDS, JSON.stringify(crdOf(kind)));
  for (;;) {
    try {
      await client.send("GET", OPERANDS);
      return;
    } catch {
      // A new kind is served a moment after it was declared.
      await elapsed(POLL_MS);
    }
  }
}

/** Installs by an Operand, which the operators in another process reconcile. */
export class OperandInstaller implements Installer {
  readonly #operand: string;
  readonly #client: BenchClient;
  readonly #watching: BenchClient;
  #seen: OperandObject | undefined;
  #wake: () => void = () => {};
  #rest = "";
  #versions = 0;

  private constructor(operand: string, server: Reachable) {
    this.#operand = operand;
    this.#client = new BenchClient(server, 1);
    this.#watching = new BenchClient(server, 1);
  }

  /** Follows the Operand, so that how far it is is known at once. */
  static async start(operand: string, server: Reachable): Promise<OperandInstaller> {
    const installer = new OperandInstaller(operand, server);
    const query = `watch=true&timeoutSeconds=600&fieldSelector=metadata.name%3D${operand}`;
    await installer.#watching.watch(`${OPERANDS}?${query}`, (chunk) => installer.#take(chunk));
    return installer;
  }

  async apply(set: readonly Manifest[]): Promise<number> {
    const start = performance.now();
    const generation = await this.#write(set);
    await within(READY_MS, "the Operand is not Ready", this.#readyAt(generation));
    return performance.now() - start;
  }

  async #write(set: readonly Manifest[]): Promise<number> {
    this.#versions += 1;
    // Something that does not matter is always new, so that the same set is a new version too and can be waited for.
    const deletionPolicy = this.#versions % 2 === 0 ? "Delete" : "WaitForTermination";
    // No pods run here, and kubectl does not wait for any either.
    const spec = { steadyState: set, checkDeploymentHealth: false, deletionPolicy };
    const metadata = { name: this.#operand };
    const body = JSON.stringify({ apiVersion: "operand.levelset.dev/v1alpha1", kind: "Operand", metadata, spec });
    const path = `${OPERANDS}/${this.#operand}?fieldManager=bench&force=true`;
    const answer = await this.#client.send("PATCH", path, body, "application/apply-patch+yaml");
    return (JSON.parse(answer) as OperandObject).metadata.generation;
  }

  async #readyAt(generation: number): Promise<void> {
    while (!isReadyAt(this.#seen, generation)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  #take(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString()).split("\n");
    this.#rest = lines.pop() ?? "";
    // Only the newest state counts, and each is large.
    const newest = lines.findLast((line) => !line.startsWith('{"type":"BOOKMARK"'));
    if (newest === undefined) return;
    const { type, object } = JSON.parse(newest) as { readonly type: string; readonly object: OperandObject };
    this.#seen = type === "DELETED" ? undefined : object;
    this.#wake();
  }

  /** Removes the Operand with all that it installed but namespaces. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#seen !== undefined) await this.#client.send("DELETE", `${OPERANDS}/${this.#operand}`);
    while (this.#seen !== undefined) await elapsed(POLL_MS);
    await Promise.all([this.#client[Symbol.asyncDispose](), this.#watching[Symbol.asyncDispose]()]);
  }
}

function isReadyAt(object: OperandObject | undefined, generation: number): boolean {
  const { observedGeneration, conditions = [] } = object?.status ?? {};
  const isReady = conditions.some(({ type, status }) => type === "Ready" && status === "True");
  return isReady && observedGeneration === generation && object?.metadata.generation === generation;
}
