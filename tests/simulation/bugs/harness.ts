import { isReady } from "@levelset/core";
import type { AnyCustomKind, Fetch, Kind } from "@levelset/core";
import { isWatch, isWrite } from "@levelset/core/testing";
import type { RequestFilter } from "@levelset/core/testing";
import { policyRules } from "@levelset/operator";
import type { RunnableHandle, TestCluster } from "@levelset/apiserver/testing";
import { grants, needsRule, requestAttributes } from "../../../packages/operator/src/manager/authorizer.ts";
import type { ExternalWorld, Program } from "./program.ts";

/** Long enough for rollouts, retries and polls; shorter than every TTL of the programs. */
const SETTLE_MS = 60_000;

/** A program on a cluster, and the means to disturb it. */
export class Harness {
  readonly cluster: TestCluster;
  readonly #program: Program;
  #process: RunnableHandle | undefined;

  constructor(cluster: TestCluster, program: Program) {
    this.cluster = cluster;
    this.#program = program;
  }

  get external(): ExternalWorld {
    const { external } = this.#program;
    if (external === undefined) throw new Error("the program has no external world");
    return external;
  }

  /** Starts a process. Its requests go through `through`, if given. */
  start(through: (fetch: Fetch) => Fetch = (fetch) => fetch): void {
    const operator = this.#program.start();
    this.#process = this.cluster.run({
      name: operator.name,
      kinds: operator.kinds ?? [],
      start: (world) => operator.start({ ...world, fetch: through(world.fetch) }),
    });
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  /** Ends the process, also a crashed one, and starts a new one. */
  async restart(through?: (fetch: Fetch) => Fetch): Promise<void> {
    await this.stop();
    this.cluster.faults.restart();
    this.start(through);
  }

  /** Lets virtual time pass until all work has ended. */
  async settle(ms: number = SETTLE_MS): Promise<void> {
    await this.cluster.untilIdle();
    await this.cluster.clock.advance(ms);
    await this.cluster.untilIdle();
  }

  /** The process dies after the server has handled its next write that passes the filter. */
  crashAt(filter: RequestFilter): void {
    this.cluster.faults.failNth(1, { kind: "crash" }, (request) => isWrite(request) && filter(request));
  }

  /** The number of writes by processes so far. */
  get writes(): number {
    return this.cluster.faults.count(isWrite);
  }

  async isReady(kind: AnyCustomKind, name = "a", namespace?: string): Promise<boolean> {
    const object = await this.cluster.get(kind, name, namespace);
    return object !== undefined && isReady(object);
  }

  /** The names of the objects of a kind, in order. */
  async names(kind: Kind, namespace?: string): Promise<string> {
    const objects = await this.cluster.list(kind, namespace);
    return objects.map(({ metadata }) => metadata.name).join(" ");
  }

  /** The requests so far that the declared rights do not cover, as `verb resource`. */
  undeclared(): readonly string[] {
    const { cluster, namespaced } = policyRules([this.#program.start()]);
    const rules = [...cluster, ...Object.values(namespaced).flat()];
    const requests = this.cluster.requests().filter(needsRule).map(requestAttributes);
    const refused = requests.filter((request) => !rules.some((rule) => grants(rule, request)));
    return [...new Set(refused.map(({ verb, resource }) => `${verb} ${resource}`))];
  }

  /** The messages of logged programming errors. */
  get defects(): string {
    return this.cluster.logs
      .filter(({ level }) => level === "error")
      .map(({ message }) => message)
      .join(" ");
  }
}

/**
 * Records what the server lists now. The result answers the lists of a kind that a later process sends with that: an
 * API server that has fallen behind. Watches start there and are delayed, as `delayResponses` says.
 */
export async function staleLists(cluster: TestCluster, kind: Kind): Promise<(fetch: Fetch) => Fetch> {
  const path = `/apis/${kind.group}/${kind.version}/${kind.plural}`;
  const recorded = await (await cluster.fetch(new Request(`http://cluster.invalid${path}`))).text();
  return (fetch) => async (request) => {
    const url = new URL(request.url);
    if (request.method !== "GET" || url.pathname !== path) return fetch(request);
    const isStream = url.searchParams.has("sendInitialEvents");
    if (isStream) return new Response(INVALID, { status: 422, headers: JSON_TYPE });
    return isWatch({ method: "GET", path, query: url.search })
      ? fetch(request)
      : new Response(recorded, { headers: JSON_TYPE });
  };
}

const JSON_TYPE = { "content-type": "application/json" };
/** The answer of a server without streamed lists. */
const INVALID = JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "Invalid", code: 422 });
