import { realClock } from "@levelset/core";
import { B } from "./http.ts";
import type { Answer, Headers, HttpCaller } from "./http.ts";
import type { WireCondition, WireResource } from "./wire.ts";

/** The adapters that a cluster needs, as the scenarios have it. */
export const CLUSTER_ADAPTERS = ["validation", "dns", "pullsecret", "hypershift"] as const;
/** The adapters that a node pool needs. */
export const POOL_ADAPTERS = ["validation", "hypershift"] as const;

/** What a report says beyond the adapter, the generation and Available. */
export interface ReportMore {
  readonly finalized?: string;
  /** Milliseconds since 1970. Without it, later than every other report of this process. */
  readonly time?: number;
  readonly data?: unknown;
  /** In place of the usual conditions. */
  readonly conditions?: readonly unknown[];
}

let names = 0;
let latest = 0;

/** A name that no other resource of this run has. At most 15 characters, as a node pool needs it. */
export function freshName(): string {
  return `c-${(++names).toString(36)}x${process.pid.toString(36)}`;
}

/** A moment later than any that this function has given. */
export function freshTime(): number {
  latest = Math.max(latest + 1, realClock.now());
  return latest;
}

/** The body of a report. */
export function reportBody(adapter: string, generation: number, available: string, more: ReportMore = {}): object {
  const { finalized, time = freshTime(), data } = more;
  const conditions = more.conditions ?? [
    { type: "Available", status: available },
    { type: "Applied", status: "True" },
    { type: "Health", status: "True" },
    ...(finalized === undefined ? [] : [{ type: "Finalized", status: finalized }]),
  ];
  return {
    adapter,
    observed_generation: generation,
    observed_time: new Date(time).toISOString(),
    conditions,
    ...(data === undefined ? {} : { data }),
  };
}

/** Someone who declares clusters and reports on them, in the words of the scenarios. */
export class FleetUser {
  readonly http: HttpCaller;

  constructor(http: HttpCaller) {
    this.http = http;
  }

  with(headers: Headers): FleetUser {
    return new FleetUser(this.http.with(headers));
  }

  /** Creates something that is expected to be created. */
  async create(path: string, body: object): Promise<WireResource> {
    const answer = await this.http.post(`${B}${path}`, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return answer.resource;
  }

  /** C(): a new cluster. */
  cluster(more: object = {}): Promise<WireResource> {
    return this.create("/clusters", { kind: "Cluster", name: freshName(), spec: { region: "us-east1" }, ...more });
  }

  /** A new node pool. */
  pool(clusterId: string, more: object = {}): Promise<WireResource> {
    return this.create(`/clusters/${clusterId}/nodepools`, {
      kind: "NodePool",
      name: freshName(),
      spec: { replicas: 2 },
      ...more,
    });
  }

  /** A new resource of another kind that stands alone. */
  plain(kind: "Channel" | "WifConfig", more: object = {}): Promise<WireResource> {
    return this.create(`/${kind.toLowerCase()}s`, { kind, name: freshName(), spec: {}, ...more });
  }

  /** P(): a report on a cluster, by its id, or on anything by its path. */
  report(
    target: string,
    adapter: string,
    generation: number,
    available: string,
    more: ReportMore = {},
  ): Promise<Answer> {
    const path = target.startsWith("/") ? target : `${B}/clusters/${target}`;
    return this.http.put(`${path}/statuses`, reportBody(adapter, generation, available, more));
  }

  /** ALL(): the same report of every adapter, one after the other. Gives the observed times. */
  async all(
    target: string,
    generation: number,
    available: string,
    more: ReportMore & { readonly adapters?: readonly string[] } = {},
  ): Promise<readonly string[]> {
    const times: string[] = [];
    for (const adapter of more.adapters ?? CLUSTER_ADAPTERS) {
      const time = freshTime();
      const answer = await this.report(target, adapter, generation, available, { ...more, time });
      if (answer.status !== 201) throw new Error(`report of ${adapter}: ${answer.status} ${answer.text}`);
      times.push(new Date(time).toISOString());
    }
    return times;
  }

  /** A resource as it is now. */
  async read(target: WireResource | string): Promise<WireResource> {
    const path = typeof target === "string" ? `${B}/clusters/${target}` : target.href;
    const answer = await this.http.get(path);
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
    return answer.resource;
  }

  /** c(): a condition of a resource as it is now. */
  async condition(target: WireResource | string, type: string): Promise<WireCondition> {
    return conditionOf(await this.read(target), type);
  }
}

/** The condition of a type. */
export function conditionOf({ status, name }: WireResource, type: string): WireCondition {
  const found = status.conditions.find((condition) => condition.type === type);
  if (found === undefined) throw new Error(`${name} has no condition ${type}`);
  return found;
}

/** `F@1 ReconciledMissingAdapters`, as the scenarios write it. */
export function shown({ status, observed_generation: generation, reason }: WireCondition): string {
  return `${status.charAt(0)}@${generation} ${reason}`;
}

/** R and L of a resource. */
export function rollUps(resource: WireResource): readonly [ready: string, available: string] {
  return [shown(conditionOf(resource, "Reconciled")), shown(conditionOf(resource, "LastKnownReconciled"))];
}
