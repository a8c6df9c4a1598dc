import { InputError, observedGenerationOf, readinessOf } from "@levelset/core";
import type { Kind, KubeObject, ObjectKey } from "@levelset/core";
import { metadataOnly, WaitError } from "@levelset/operator";
import type { Client, WaitProgress } from "@levelset/operator";
import { clusterFlagsText } from "../cluster/index.ts";
import type { ClusterFlags } from "../cluster/index.ts";
import type { WaitTarget } from "./run-wait.ts";
import type { WaitGoal, WaitState } from "./wait-state.ts";

/** An object of a cluster that a command waits for. */
export interface ObjectWait {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly goal: WaitGoal;
  /** Ignores reads that are older than this generation. */
  readonly generation?: number | undefined;
  /** Waits only for the object with this UID. */
  readonly uid?: string | undefined;
  /** Keeps waiting when the object has failed. */
  readonly untilRecovered?: boolean | undefined;
  /** Cluster flags for the hint. */
  readonly flags: ClusterFlags;
  /** Suggested command that explains the state. Default: `levelset why`. */
  readonly hint?: string;
}

/** Returns a target for an object of a cluster. */
export function objectTarget(client: Client, wait: ObjectWait): WaitTarget {
  const { kind, key, goal, generation, uid, untilRecovered = false, flags } = wait;
  const name = `${kind.singular}/${key.name}`;
  const namespaceFlag = key.namespace === undefined ? "" : ` -n ${key.namespace}`;
  return {
    name,
    fields: { kind: kind.kind, namespace: key.namespace, name: key.name },
    hint: wait.hint ?? `levelset why ${name}${namespaceFlag}${clusterFlagsText(flags)}`,
    wait: async (report, signal) => {
      // Kinds without a status need only metadata, so Secret data is never read.
      const read = kind.hasStatus ? kind : metadataOnly(kind);
      const onProgress = (progress: WaitProgress<KubeObject>): void => report(stateOf(progress, "waiting"));
      const options = { for: goal, generation, uid, untilRecovered, onProgress, signal };
      try {
        const object = await client.waitUntilReady(read, key, options);
        return reached(object, goal);
      } catch (error) {
        if (!(error instanceof WaitError)) throw error;
        return ended(error);
      }
    },
  };
}

function stateOf(progress: WaitProgress<KubeObject>, kind: WaitState["kind"]): WaitState {
  const { generation, observedGeneration, state, reason, message } = progress;
  return { kind, generation, observedGeneration, state, reason, message };
}

function reached(object: KubeObject | undefined, goal: WaitGoal): WaitState {
  const generation = object?.metadata.generation;
  if (object === undefined || goal === "deleted") {
    return { kind: "reached", generation, state: "Unknown", message: "does not exist" };
  }
  const { kind, message } = readinessOf(object);
  const state = kind === "ready" ? "Ready" : "Progressing";
  return { kind: "reached", generation, observedGeneration: observedGenerationOf(object), state, message };
}

/** Returns the final state of a wait that did not reach its goal. */
function ended(error: WaitError): WaitState {
  switch (error.reason) {
    case "Failed":
      return stateOf(error.progress, "failed");
    case "Deleted":
      return stateOf(error.progress, "gone");
    case "Timeout":
      return stateOf(error.progress, "waiting");
    case "NoSuchCondition":
      throw new InputError(error.message, { hint: "use --for ready, which considers the whole status", cause: error });
  }
}
