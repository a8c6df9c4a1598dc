import { realClock, realRandom } from "@levelset/core";
import { BASE_PATH, DEFAULT_TTL } from "@levelset/fleet/server";
import { decideCreate, decideReport, parseReport, evaluateResource } from "@levelset/fleet/model";
import { DEFAULT_ENTITIES, readKinds } from "@levelset/fleet";
import { dueTime, LOCAL_IDENTITY, stableJitterTtl, UuidSource } from "@levelset/fleet/internal";
import type { AdapterStatus, Resource } from "@levelset/fleet/model";
import type { ChangeSet } from "@levelset/fleet/server";
import type { FleetKind, FleetStore } from "@levelset/fleet";

/** The default kinds of a fleet. */
export const KINDS = readKinds(DEFAULT_ENTITIES);

/** The kind of the seeded resources. */
export const CLUSTER: FleetKind = clusterKind();

const TOGETHER = 200;
const IDS = new UuidSource({ clock: realClock, random: realRandom });

/** A seeded resource and its reports. */
interface Stocked {
  readonly resource: Resource;
  readonly statuses: readonly AdapterStatus[];
}

/** Returns the body of a report. */
export function reportBody(adapter: string, generation: number, data: Readonly<Record<string, unknown>> = {}): object {
  const reason = "JobSucceeded";
  return {
    adapter,
    observed_generation: generation,
    observed_time: new Date(realClock.now()).toISOString(),
    conditions: ["Available", "Applied", "Health"].map((type) => {
      return { type, status: "True", reason, message: `the job of ${adapter} has ended well` };
    }),
    data: { job: { name: `${adapter}-1`, attempts: 1 }, ...data },
  };
}

/**
 * Fills a store up to `count` clusters, numbered from `ids.length`, and appends their ids. Each is ready at generation
 * 1 by the reports of all its adapters. Clusters are written in batches: the rows are the same, but the journal has one
 * entry per batch.
 */
export async function seedStore(store: FleetStore, ids: string[], count: number): Promise<void> {
  while (ids.length < count) {
    const size = Math.min(TOGETHER, count - ids.length);
    const batch = Array.from({ length: size }, (_, index) => readyCluster(ids.length + index));
    const committed = await store.commit(changeOf(batch));
    if (committed.kind !== "committed") throw new Error(`cannot seed the store: ${committed.kind}`);
    ids.push(...batch.map(({ resource }) => resource.id));
  }
}

function changeOf(batch: readonly Stocked[]): ChangeSet {
  const now = realClock.now();
  const first = batch[0]?.resource;
  if (first === undefined) throw new TypeError("a batch has at least one");
  const { id: resourceId, kind, name, tenancy, generation } = first;
  const about = { resourceId, kind, name, tenancy, generation };
  return {
    entry: { id: IDS.next(), time: now, action: "create", by: LOCAL_IDENTITY, requestId: "bench", ...about },
    created: batch.map(({ resource }) => resource),
    statuses: batch.flatMap(({ resource, statuses }) => {
      return statuses.map((status) => ({ resourceId: resource.id, status }));
    }),
    work: batch.map(({ resource, statuses }) => {
      const ttl = stableJitterTtl(resource, DEFAULT_TTL);
      const refreshTime = dueTime({ kind: CLUSTER, resource, statuses, pulsedTime: undefined, now, ttl });
      return { resourceId: resource.id, kind: resource.kind, refreshTime };
    }),
  };
}

/**
 * Returns a ready cluster. A team has 50 clusters, a region a twentieth of the fleet, a zone or a version a hundredth.
 */
function readyCluster(number: number): Stocked {
  const now = realClock.now();
  const decision = decideCreate(
    {
      kind: CLUSTER,
      id: IDS.next(),
      name: `cluster-${String(number).padStart(6, "0")}`,
      labels: {
        team: `team-${Math.floor(number / 50)}`,
        region: `region-${number % 20}`,
        zone: `zone-${Math.floor(number / 20) % 100}`,
        tier: number % 4 === 0 ? "gold" : "silver",
      },
      spec: specOf(number, 3),
      references: {},
      tenancy: {},
      parent: undefined,
      basePath: BASE_PATH,
    },
    { by: LOCAL_IDENTITY, now },
  );
  if (decision.kind !== "created") throw new TypeError("nothing stands in its way");
  const statuses = CLUSTER.requiredAdapters.map((adapter) => firstStatus(adapter, decision.resource));
  const { resource } = evaluateResource({
    kind: CLUSTER,
    resource: decision.resource,
    statuses,
    children: 0,
    causeTime: now,
  });
  return { resource, statuses };
}

/** Returns the spec of a cluster with a number of nodes. */
export function specOf(number: number, nodes: number): ClusterSpec {
  return {
    version: `4.${Math.floor(number / 20) % 100}.1`,
    platform: { type: number % 3 === 0 ? "aws" : "gcp", account: `account-${number % 500}` },
    network: { pods: "10.128.0.0/14", services: "172.30.0.0/16" },
    nodes,
  };
}

/** The spec of a cluster. */
export interface ClusterSpec {
  readonly version: string;
  readonly platform: { readonly type: string; readonly account: string };
  readonly network: { readonly pods: string; readonly services: string };
  readonly nodes: number;
  readonly [member: string]: string | number | { readonly [member: string]: string };
}

function firstStatus(adapter: string, resource: Resource): AdapterStatus {
  const parsed = parseReport(reportBody(adapter, 1), realClock.now());
  const intake = parsed.kind === "report" ? decideReport(parsed.report, resource, undefined) : undefined;
  if (intake?.kind !== "verdict") throw new TypeError("it is a first report");
  return intake.status;
}

function clusterKind(): FleetKind {
  const kind = KINDS.find("Cluster");
  if (kind === undefined) throw new TypeError("there are clusters without a configuration");
  return kind;
}
