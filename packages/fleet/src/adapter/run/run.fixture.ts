import { parseJson, silentLogger } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { parseYaml } from "../yaml.ts";
import { ExpressionCompiler } from "../expression/index.ts";
import { filesBelow, readTask } from "../task/index.ts";
import type { AdapterTask } from "../task/index.ts";
import { generationOf, isClaimed, NotOurs, ownershipOf, TransportFailure } from "../transport/index.ts";
import type { AppliedAs, ApplyOptions, Mark, Ownership, RemoveOptions, Target, Transport } from "../transport/index.ts";
import { ApiCaller, runTask } from "./index.ts";
import type { RunOutcome } from "./index.ts";
import { metadataOf, nameOf, objectOf } from "../json-parts.ts";

/** Objects in memory, with the operations that were asked for. Deleting what has finalizers leaves it there. */
export class MemoryTransport implements Transport {
  readonly kind = "kubernetes";
  readonly objects = new Map<string, JsonObject>();
  readonly asked: string[] = [];
  /** Names of objects that fail, and how. */
  readonly failing = new Map<string, { readonly at: "find" | "apply" | "remove"; readonly isTransient: boolean }>();

  /** An object without marks was made by an earlier run of the same test. */
  ownership(object: JsonObject, mark: Mark): Ownership {
    const ownership = ownershipOf(object, mark);
    return ownership.kind === "unowned" ? { kind: "ours" } : ownership;
  }

  async find(target: Target): Promise<readonly JsonObject[]> {
    const name = target.by.kind === "name" ? target.by.name : "";
    this.#fail(name, "find");
    const labels = target.by.kind === "name" ? {} : target.by.labels;
    return [...this.objects].flatMap(([key, object]) => {
      const found = objectOf(metadataOf(object)["labels"]);
      const isNamed = target.by.kind === "labels" || key === `${target.kind}/${name}`;
      const isKind = object["kind"] === target.kind;
      return isNamed && isKind && Object.entries(labels).every(([label, value]) => found[label] === value)
        ? [object]
        : [];
    });
  }

  async apply(
    { kind }: Target,
    manifest: JsonObject,
    live: JsonObject | undefined,
    options: ApplyOptions,
  ): Promise<{ readonly as: AppliedAs; readonly live: JsonObject }> {
    const name = nameOf(manifest);
    this.#fail(name, "apply");
    const { isRecreated, mark } = options;
    const named = this.objects.get(`${kind}/${name}`);
    const ownership: Ownership = named === undefined ? { kind: "ours" } : this.ownership(named, mark);
    if (named !== undefined && !isClaimed(ownership, options)) throw new NotOurs(named, ownership);
    const isSame = live !== undefined && generationOf(live) === generationOf(manifest);
    const as = live === undefined ? "created" : isRecreated ? "recreated" : isSame ? "unchanged" : "updated";
    this.asked.push(`${as} ${kind}/${name}`);
    const next = { ...(isRecreated ? {} : live), ...manifest };
    this.objects.set(`${kind}/${name}`, next);
    return { as, live: next };
  }

  async remove({ kind }: Target, live: JsonObject, { policy }: RemoveOptions): Promise<void> {
    const name = nameOf(live);
    this.#fail(name, "remove");
    this.asked.push(`deleted ${kind}/${name} ${policy}`);
    if (!name.includes("stuck")) this.objects.delete(`${kind}/${name}`);
  }

  #fail(name: string, at: "find" | "apply" | "remove"): void {
    const failure = this.failing.get(name);
    if (failure?.at === at) throw new TransportFailure(`${at} of ${name} failed`, failure.isTransient);
  }
}

/** A request as the API got it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: JsonValue;
  readonly authorization: string | null;
  /** The header that every request to the fleet's API has. */
  readonly gateway: string | null;
}

/** An API that answers from a table of `METHOD path`: a body for 200, or a status; several in a row are given one after the other. */
export class ScriptedApi {
  readonly sent: Sent[] = [];
  readonly #answers: Record<string, JsonValue | readonly (JsonValue | number)[] | number>;

  constructor(answers: Record<string, JsonValue | readonly (JsonValue | number)[] | number>) {
    this.#answers = answers;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const text = await request.text();
    const body = text === "" ? null : parseJson(text);
    const path = `${url.host === "fleet.test" ? "" : url.origin}${url.pathname}${url.search}`;
    const { headers, method } = request;
    this.sent.push({
      method,
      path,
      body,
      authorization: headers.get("authorization"),
      gateway: headers.get("x-gateway"),
    });
    const scripted = this.#answers[`${request.method} ${path.replace("/api/hyperfleet/v1", "")}`];
    const nth = this.sent.filter((one) => one.method === request.method && one.path === path).length - 1;
    const answer = Array.isArray(scripted) ? (scripted[nth] ?? scripted.at(-1)) : scripted;
    if (answer === undefined) return Response.json({ code: "HYPERFLEET-NTF-001" }, { status: 404 });
    if (typeof answer === "number")
      return Response.json({ code: CODES[answer] ?? "X" }, { status: Math.trunc(answer) });
    return Response.json(answer);
  };

  /** The bodies that were sent to a path. */
  bodies(method: string, path: string): readonly JsonValue[] {
    return this.sent.filter((one) => one.method === method && one.path.endsWith(path)).map(({ body }) => body);
  }
}

/** 404.5 stands for the answer to a path that the API does not have. */
const CODES: Readonly<Record<number, string>> = { 404: "HYPERFLEET-NTF-001", 404.5: "HYPERFLEET-NTF-000" };

/** The moment at which fixtures run. */
export const NOW: number = Date.parse("2027-01-15T08:00:00Z");

/** What a run is made of. */
export interface Setting {
  readonly task: JsonObject;
  readonly event?: JsonValue;
  readonly api?: ScriptedApi;
  readonly cluster?: MemoryTransport;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

function taskOf(content: JsonObject, clock: VirtualClock): AdapterTask {
  return readTask({
    file: "task.yaml",
    content,
    files: filesBelow("/etc", () => ""),
    parseYaml,
    compiler: new ExpressionCompiler(() => clock.now()),
  });
}

/** Runs a task once, with waits that take no time. */
export async function run({
  task,
  event = { id: "c1" },
  env = {},
  files = {},
  ...given
}: Setting): Promise<RunOutcome> {
  const clock = new VirtualClock(NOW);
  const random = seededRandom(1);
  const api = new ApiCaller({
    baseUrl: "http://fleet.test",
    version: "v1",
    headers: { "x-gateway": "let me in" },
    token: async () => "the-token",
    timeoutMs: 10_000,
    attemptsMax: 3,
    backoff: "exponential",
    baseDelayMs: 1_000,
    maxDelayMs: 30_000,
    fetch: (given.api ?? new ScriptedApi({})).fetch,
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (ms, callback) => clock.after(ms, callback),
      sleep: async () => undefined,
    },
    random,
  });
  const readFile = async (path: string): Promise<string> => {
    const text = files[path];
    if (text === undefined) throw new Error("no such file");
    return text;
  };
  const transports = { kubernetes: given.cluster ?? new MemoryTransport() };
  const world = { api, transports, template: clock, parseYaml, readFile, env, logger: silentLogger };
  const { signal } = new AbortController();
  return runTask(
    { task: taskOf(task, clock), event, adapter: { name: "dns", version: "1" }, config: {}, signal },
    world,
  );
}
