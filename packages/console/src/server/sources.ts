import { InputError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { ObjectRef } from "@levelset/operator";
import { parseRef } from "../api/index.ts";
import { clusterPage } from "./cluster-page.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { FleetView } from "./fleet-view.ts";
import { objectPage } from "./object-page.ts";
import type { ProblemBoard } from "./problem-board.ts";
import type { Processes } from "./processes.ts";
import { runtimePage } from "./runtime-page.ts";
import { SetPage } from "./set-page.ts";
import type { Topic } from "./topic.ts";
import { pageTopic, tableTopic } from "./topics.ts";

/** How often pages are made anew that nobody calls for: runs and children are asked for, not watched. */
const EVERY_MS = { object: 1_000, set: 2_000, cluster: 2_000, runtime: 2_000 } as const;

/** Everything that can be looked at. */
export interface Sources {
  readonly cluster?: ClusterView | undefined;
  readonly fleet?: FleetView | undefined;
  readonly processes: Processes;
  readonly board: ProblemBoard;
  readonly clock: Clock;
}

/** The topic of a name: `objects`, `object:v1/Pod/shop/web`, `cluster:clusters/ID`. Throws an InputError for what is none. */
export function topicNamed(name: string, sources: Sources): Topic {
  const { board, processes, clock } = sources;
  const colon = name.indexOf(":");
  const [word, rest] = colon === -1 ? [name, ""] : [name.slice(0, colon), name.slice(colon + 1)];
  switch (word) {
    case "problems":
      return pageTopic({
        source: "console",
        compute: () => Promise.resolve(board.list()),
        subscribe: (listener) => board.subscribe(listener),
      });
    case "objects":
      return tableTopic(clusterOf(sources).table);
    case "fleet":
      return tableTopic(fleetOf(sources).table);
    case "object":
      return objectTopic(rest, clusterOf(sources), processes);
    case "set": {
      const page = new SetPage(decoded(rest), { cluster: clusterOf(sources), processes, clock });
      return pageTopic({ source: "cluster", compute: (signal) => page.compute(signal), everyMs: EVERY_MS.set });
    }
    case "cluster": {
      const fleet = fleetOf(sources);
      const [plural = "", id = "", ...others] = rest.split("/").map(decoded);
      if (id === "" || others.length > 0) throw new InputError(`${JSON.stringify(rest)} does not name a resource`);
      return pageTopic({
        source: "fleet",
        compute: (signal) => clusterPage({ plural, id }, fleet, signal),
        everyMs: EVERY_MS.cluster,
      });
    }
    case "runtime":
      return pageTopic({
        source: "operators",
        compute: (signal) => runtimePage({ processes, clock, health: sources.cluster?.health ?? [] }, signal),
        everyMs: EVERY_MS.runtime,
      });
    default:
      throw new InputError(`there is nothing called ${JSON.stringify(word)} to follow`);
  }
}

/** Reads a part of a name; throws an InputError for nothing, and for what is not escaped as ours are. */
function decoded(part: string): string {
  try {
    if (part !== "") return decodeURIComponent(part);
  } catch {
    // no escape of ours
  }
  throw new InputError(`${JSON.stringify(part)} names nothing`);
}

/** The page of an object: made anew when its row changes, and every while. */
function objectTopic(name: string, cluster: ClusterView, processes: Processes): Topic {
  const asked = parseRef(name);
  if (asked === undefined) throw new InputError(`${JSON.stringify(name)} does not name an object`);
  return pageTopic({
    source: "cluster",
    compute: async (signal) => objectPage(await resolved(asked, cluster, signal), { cluster, processes }, signal),
    subscribe: (listener) => {
      let before = cluster.table.get(name);
      return cluster.table.subscribe(() => {
        const now = cluster.table.get(name);
        if (now !== before) listener();
        before = now;
      });
    },
    everyMs: EVERY_MS.object,
  });
}

/** References of a set name no version: `apps/*` is the one that the cluster prefers. */
async function resolved(ref: ObjectRef, { discovery }: ClusterView, signal: AbortSignal): Promise<ObjectRef> {
  const group = /^(?<group>.*)\/\*$/u.exec(ref.apiVersion)?.groups?.["group"];
  if (group === undefined) return ref;
  const kind = await discovery.kindIn(group, ref.kind, { signal });
  if (kind === undefined) throw new InputError(`the cluster does not serve ${ref.kind} in ${group}`);
  return { ...ref, apiVersion: `${kind.group}/${kind.version}` };
}

function clusterOf({ cluster }: Sources): ClusterView {
  if (cluster !== undefined) return cluster;
  throw new InputError("no cluster is looked at", { hint: "start the console with --kubeconfig" });
}

function fleetOf({ fleet }: Sources): FleetView {
  if (fleet !== undefined) return fleet;
  throw new InputError("no fleet is looked at", { hint: "start the console with --fleet" });
}
