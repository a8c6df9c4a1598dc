import { realClock } from "@levelset/core";
import { API_BASE } from "./http.ts";
import type { FleetResponse, Headers, FleetHttpClient } from "./http.ts";
import type { WireCondition, WireResource } from "./wire.ts";

/** Required adapters of a cluster in the scenarios. */
export const CLUSTER_ADAPTERS = ["validation", "dns", "pullsecret", "hypershift"] as const;
/** Required adapters of a node pool. */
export const POOL_ADAPTERS = ["validation", "hypershift"] as const;

/** Content of a report beyond the adapter, the generation and Available. */
export interface ReportOverrides {
  readonly finalized?: string;
  /** Milliseconds since 1970. Default: later than every other report of this process. */
  readonly time?: number;
  readonly data?: unknown;
  /** Replaces the default conditions. */
  readonly conditions?: readonly unknown[];
}

let names = 0;
let latest = 0;

/** Returns a unique name of at most 15 characters, the limit of a node pool. */
export function freshName(): string {
  return `c-${(++names).toString(36)}x${process.pid.toString(36)}`;
}

/** Returns a time later than all earlier results. */
export function freshTime(): number {
  latest = Math.max(latest + 1, realClock.now());
  return latest;
}

/** Returns the body of a report. */
export function reportBody(adapter: string, generation: number, available: string, more: ReportOverrides = {}): object {
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

/** Client that creates clusters and reports on them, with the helpers of the scenarios. */
export class FleetUser {
  readonly http: FleetHttpClient;

  constructor(http: FleetHttpClient) {
    this.http = http;
  }

  with(headers: Headers): FleetUser {
    return new FleetUser(this.http.with(headers));
  }

  /** Creates a resource; rejects unless the response is 201. */
  async create(path: string, body: object): Promise<WireResource> {
    const response = await this.http.post(`${API_BASE}${path}`, body);
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${response.text}`);
    return response.resource;
  }

  /** C(): creates a cluster. */
  cluster(more: object = {}): Promise<WireResource> {
    return this.create("/clusters", { kind: "Cluster", name: freshName(), spec: { region: "us-east1" }, ...more });
  }

  /** Creates a node pool. */
  pool(clusterId: string, more: object = {}): Promise<WireResource> {
    return this.create(`/clusters/${clusterId}/nodepools`, {
      kind: "NodePool",
      name: freshName(),
      spec: { replicas: 2 },
      ...more,
    });
  }

  /** Creates a resource of another kind without a parent. */
  plain(kind: "Channel" | "WifConfig", more: object = {}): Promise<WireResource> {
    return this.create(`/${kind.toLowerCase()}s`, { kind, name: freshName(), spec: {}, ...more });
  }

  /** P(): reports on a cluster by id, or on any resource by path. */
  report(
    target: string,
    adapter: string,
    generation: number,
    available: string,
    more: ReportOverrides = {},
  ): Promise<FleetResponse> {
    const path = target.startsWith("/") ? target : `${API_BASE}/clusters/${target}`;
    return this.http.put(`${path}/statuses`, reportBody(adapter, generation, available, more));
  }

  /** ALL(): sends the same report for every adapter, one after the other. Returns the observed times. */
  async all(
    target: string,
    generation: number,
    available: string,
    more: ReportOverrides & { readonly adapters?: readonly string[] } = {},
  ): Promise<readonly string[]> {
    const times: string[] = [];
    for (const adapter of more.adapters ?? CLUSTER_ADAPTERS) {
      const time = freshTime();
      const response = await this.report(target, adapter, generation, available, { ...more, time });
      if (response.status !== 201) throw new Error(`report of ${adapter}: ${response.status} ${response.text}`);
      times.push(new Date(time).toISOString());
    }
    return times;
  }

  /** Reads the current resource. */
  async read(target: WireResource | string): Promise<WireResource> {
    const path = typeof target === "string" ? `${API_BASE}/clusters/${target}` : target.href;
    const response = await this.http.get(path);
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${response.text}`);
    return response.resource;
  }

  /** c(): reads a condition of the current resource. */
  async condition(target: WireResource | string, type: string): Promise<WireCondition> {
    return conditionOf(await this.read(target), type);
  }
}

/** Returns the condition of a type. */
export function conditionOf({ status, name }: WireResource, type: string): WireCondition {
  const found = status.conditions.find((condition) => condition.type === type);
  if (found === undefined) throw new Error(`${name} has no condition ${type}`);
  return found;
}

/** Formats a condition as `F@1 ReconciledMissingAdapters`. */
export function formatCondition({ status, observed_generation: generation, reason }: WireCondition): string {
  return `${status.charAt(0)}@${generation} ${reason}`;
}

/** Formats Ready and Available of a resource. */
export function rollUps(resource: WireResource): readonly [ready: string, available: string] {
  return [
    formatCondition(conditionOf(resource, "Reconciled")),
    formatCondition(conditionOf(resource, "LastKnownReconciled")),
  ];
}
