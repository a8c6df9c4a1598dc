import { InputError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { ObjectRef } from "@levelset/operator";
import { isStoryName, parseRef } from "../../api/index.ts";
import type { StoriesDocument, StoryDocument } from "../../api/index.ts";
import { fleetResourcePage } from "../page/fleet-resource-page.ts";
import type { ClusterMonitor } from "../monitor/cluster-monitor.ts";
import type { FleetMonitor } from "../monitor/fleet-monitor.ts";
import { objectPage } from "../page/object-page.ts";
import type { ProblemList } from "../monitor/problem-list.ts";
import type { Processes } from "../monitor/processes.ts";
import type { Stories } from "../monitor/stories.ts";
import { runtimePage } from "../page/runtime-page.ts";
import { OperandPage } from "../page/operand-page.ts";
import { storiesPage, storyPage } from "../page/story-page.ts";

import type { Topic } from "./topic.ts";
import { pageTopic, tableTopic } from "./topics.ts";

/** Refresh intervals of pages that depend on polled data, such as runs and children. */
const REFRESH_MS = { object: 1_000, set: 2_000, cluster: 2_000, runtime: 2_000, stories: 2_000 } as const;

/** Sources of all topics. */
export interface TopicSources {
  readonly cluster?: ClusterMonitor | undefined;
  readonly fleet?: FleetMonitor | undefined;
  readonly processes: Processes;
  readonly stories?: Stories | undefined;
  readonly problems: ProblemList;
  readonly clock: Clock;
}

/**
 * Returns the topic of a name: `objects`, `object:v1/Pod/shop/web`, `cluster:clusters/ID`. Throws an InputError for
 * other names.
 */
export function resolveTopic(name: string, sources: TopicSources): Topic {
  const { problems, processes, clock } = sources;
  const colon = name.indexOf(":");
  const [type, rest] = colon === -1 ? [name, ""] : [name.slice(0, colon), name.slice(colon + 1)];
  switch (type) {
    case "problems":
      return pageTopic({
        source: "console",
        compute: () => Promise.resolve(problems.list()),
        subscribe: (listener) => problems.subscribe(listener),
      });
    case "objects":
      return tableTopic(clusterOf(sources).table);
    case "fleet":
      return tableTopic(fleetOf(sources).table);
    case "object":
      return objectTopic(rest, clusterOf(sources), processes);
    case "set": {
      const page = new OperandPage(decoded(rest), { cluster: clusterOf(sources), processes, clock });
      return pageTopic({ source: "cluster", compute: (signal) => page.compute(signal), refreshMs: REFRESH_MS.set });
    }
    case "cluster": {
      const fleet = fleetOf(sources);
      const [plural = "", id = "", ...others] = rest.split("/").map(decoded);
      if (id === "" || others.length > 0) throw new InputError(`${JSON.stringify(rest)} does not name a resource`);
      return pageTopic({
        source: "fleet",
        compute: (signal) => fleetResourcePage({ plural, id }, fleet, signal),
        refreshMs: REFRESH_MS.cluster,
      });
    }
    case "runtime":
      return pageTopic({
        source: "operators",
        compute: (signal) => runtimePage({ processes, clock, health: sources.cluster?.health ?? [] }, signal),
        refreshMs: REFRESH_MS.runtime,
      });
    case "simulations":
      return storyTopic((signal) => storiesPage(storiesOf(sources), signal));
    case "simulation": {
      if (!isStoryName(rest)) throw new InputError(`${JSON.stringify(rest)} does not name a story`);
      return storyTopic((signal) => storyPage(rest, storiesOf(sources), signal));
    }
    default:
      throw new InputError(`unknown topic ${JSON.stringify(type)}`);
  }
}

/** Decodes a part of a name. Throws an InputError if it is empty or has an invalid escape sequence. */
function decoded(part: string): string {
  try {
    if (part !== "") return decodeURIComponent(part);
  } catch {
    // invalid escape sequence
  }
  throw new InputError(`${JSON.stringify(part)} is not a valid name in a topic`);
}

/** The topic of an object page, computed again when the row of the object changes and at the refresh interval. */
function objectTopic(name: string, cluster: ClusterMonitor, processes: Processes): Topic {
  const ref = parseRef(name);
  if (ref === undefined) throw new InputError(`${JSON.stringify(name)} does not name an object`);
  return pageTopic({
    source: "cluster",
    compute: async (signal) => objectPage(await resolved(ref, cluster, signal), { cluster, processes }, signal),
    subscribe: (listener) => {
      let before = cluster.table.get(name);
      return cluster.table.subscribe(() => {
        const now = cluster.table.get(name);
        if (now !== before) listener();
        before = now;
      });
    },
    refreshMs: REFRESH_MS.object,
  });
}

function storyTopic(compute: (signal: AbortSignal) => Promise<StoriesDocument | StoryDocument>): Topic {
  return pageTopic({ source: "console", compute, refreshMs: REFRESH_MS.stories });
}

/** Resolves the version `*` of references from Operands to the preferred version of the cluster. */
async function resolved(ref: ObjectRef, { discovery }: ClusterMonitor, signal: AbortSignal): Promise<ObjectRef> {
  const group = /^(?<group>.*)\/\*$/u.exec(ref.apiVersion)?.groups?.["group"];
  if (group === undefined) return ref;
  const kind = await discovery.kindInGroup(group, ref.kind, { signal });
  if (kind === undefined) throw new InputError(`the cluster does not serve kind ${ref.kind} in group ${group}`);
  return { ...ref, apiVersion: `${kind.group}/${kind.version}` };
}

function clusterOf({ cluster }: TopicSources): ClusterMonitor {
  if (cluster !== undefined) return cluster;
  throw new InputError("no cluster is connected", { hint: "start the console with --kubeconfig" });
}

function fleetOf({ fleet }: TopicSources): FleetMonitor {
  if (fleet !== undefined) return fleet;
  throw new InputError("no fleet is connected", { hint: "start the console with --fleet" });
}

/** Called when the page is computed: a console without stories shows the reason instead of refusing the stream. */
function storiesOf({ stories }: TopicSources): Stories {
  if (stories !== undefined) return stories;
  throw new InputError("this console shows no simulations", { hint: "open it with levelset console" });
}
