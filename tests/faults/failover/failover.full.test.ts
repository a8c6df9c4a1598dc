import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { crdOf, CustomResourceDefinition, Lease, realClock } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { Client } from "@levelset/operator";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { connectSession, startEmbeddedServer } from "../../support/test-server.ts";
import type { ServerSession, TestServer } from "../../support/test-server.ts";
import { Counter } from "./counter.ts";

const LEASE_MS = 3_000;
const OBJECTS = 10;

/** A server in this process, and a record of all writes to it. */
class Scenario implements AsyncDisposable {
  readonly client: Client;
  readonly kubeconfig: string;
  readonly #server: TestServer;
  readonly #session: ServerSession;
  readonly #stop = new AbortController();
  readonly #children = new Set<ChildProcess>();
  /** Lease holders and writers, with the server's revisions. */
  readonly #history: { readonly revision: number; readonly kind: "lease" | "write"; readonly who: string }[] = [];

  private constructor(server: TestServer, session: ServerSession) {
    this.#server = server;
    this.#session = session;
    this.kubeconfig = server.kubeconfig;
    this.client = new Client({ fetch: session.world.fetch, fieldManager: "test" });
  }

  static async start(): Promise<Scenario> {
    const server = await startEmbeddedServer();
    const scenario = new Scenario(server, await connectSession(server));
    await scenario.client.create(CustomResourceDefinition, crdOf(Counter));
    for (let n = 0; n < OBJECTS; n++) await scenario.client.create(Counter, counter(n));
    void scenario.#watch(Lease, (lease: ObjectOf<typeof Lease>) => ["lease", lease.spec?.holderIdentity ?? ""]);
    void scenario.#watch(Counter, (object: ObjectOf<typeof Counter>) => ["write", object.status?.by ?? ""]);
    return scenario;
  }

  async #watch<K extends typeof Lease | typeof Counter>(
    kind: K,
    read: (object: never) => readonly ["lease" | "write", string],
  ): Promise<void> {
    const options = { resourceVersion: "1", timeoutSeconds: 3_600, signal: this.#stop.signal };
    const before = new Map<string, string>();
    try {
      for await (const event of this.client.watch(kind, options)) {
        if (event.type === "BOOKMARK") continue;
        const object: KubeObject = event.object;
        const text = JSON.stringify({ ...object, metadata: object.metadata.name, spec: kind === Counter ? 0 : object });
        const [what, who] = read(object as never);
        // Edits of the spec by the test are not counted.
        if (what === "write" && before.get(object.metadata.name) === text) continue;
        before.set(object.metadata.name, text);
        if (who !== "") this.#history.push({ revision: Number(object.metadata.resourceVersion), kind: what, who });
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  candidate(identity: string): ChildProcess {
    const script = join(import.meta.dirname, "leader-candidate.ts");
    const args = ["-C", "levelset-source", script, this.kubeconfig, identity];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    this.#children.add(child);
    return child;
  }

  /** Edits all objects, and waits until the leader has reconciled each edit. */
  async load(value: number): Promise<void> {
    for (let n = 0; n < OBJECTS; n++) {
      await this.client.mergePatch(Counter, { namespace: "default", name: `c${n}` }, { spec: { value } });
    }
    await eventually(`every object has the value ${value}`, async () => {
      const { items } = await this.client.list(Counter);
      return items.every(({ status }) => status?.value === value);
    });
  }

  async holder(): Promise<string> {
    const lease = await this.client.get(Lease, { namespace: "default", name: "counter" }).catch(() => undefined);
    return lease?.spec?.holderIdentity ?? "";
  }

  /** Writes of processes that did not hold the lease at that revision. */
  get intruders(): readonly string[] {
    let holder = "";
    const found: string[] = [];
    for (const { revision, kind, who } of this.#history.toSorted((a, b) => a.revision - b.revision)) {
      if (kind === "lease") holder = who;
      else if (who !== holder) found.push(`revision ${revision}: ${who} wrote while ${holder} held the lease`);
    }
    return found;
  }

  get writes(): number {
    return this.#history.filter(({ kind }) => kind === "write").length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    this.#stop.abort();
    await this.#session[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

function counter(n: number): {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly spec: { readonly value: number };
} {
  return { metadata: { namespace: "default", name: `c${n}` }, spec: { value: 0 } };
}

let scenario: Scenario;
beforeEach(async () => {
  scenario = await Scenario.start();
});
afterEach(() => scenario[Symbol.asyncDispose]());

test("each killed leader is replaced within the lease duration, and only leaders write", async () => {
  const running = new Map(["p0", "p1"].map((identity) => [identity, scenario.candidate(identity)]));
  const takeovers: number[] = [];
  for (let round = 1; round <= 4; round++) {
    await scenario.load(round);
    const leader = await scenario.holder();
    const child = running.get(leader);
    expect(child).toBeDefined();
    const killedAt = realClock.now();
    child?.kill("SIGKILL");
    running.delete(leader);
    const next = `p${round + 1}`;
    running.set(next, scenario.candidate(next));
    await scenario.load(round + 100);
    takeovers.push(realClock.now() - killedAt);
  }
  process.stderr.write(`takeover after kill -9, with a lease of ${LEASE_MS} ms: ${takeovers.join(", ")} ms\n`);
  // The watches may lag behind the reads.
  await eventually("80 writes are seen", () => scenario.writes >= 80);
  expect(scenario.intruders).toEqual([]);
});

test("a leader that was stopped for longer than its lease does not write when it continues", async () => {
  const first = scenario.candidate("sleeper");
  await scenario.load(1);
  expect(await scenario.holder()).toBe("sleeper");
  scenario.candidate("second");
  first.kill("SIGSTOP");
  await scenario.load(2);
  expect(await scenario.holder()).toBe("second");
  const ended = new Promise<number | null>((resolve) => first.once("exit", (code) => resolve(code)));
  first.kill("SIGCONT");
  await scenario.load(3);
  expect(await ended).toBe(3);
  await scenario.load(4);
  expect(scenario.intruders).toEqual([]);
});
