import type { ApiObject, StoredRecord } from "../store/index.ts";
import { asArray, asRecord } from "../resource/index.ts";

/** Remaining content of a terminating namespace, and the errors of its deletion. */
export interface RemainingContent {
  /** Remaining objects by `plural.group`, with the dot also for the core group. */
  readonly objects: ReadonlyMap<string, readonly StoredRecord[]>;
  readonly failures: readonly string[];
}

/**
 * Condition types of a terminating namespace in order, with reason and message of the good state
 * (`pkg/controller/namespace/deletion/status_condition_utils.go`, Kubernetes 1.36).
 */
const CONDITIONS: readonly (readonly [type: string, reason: string, message: string])[] = [
  ["NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"],
  ["NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
  [
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ],
  ["NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"],
  ["NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"],
];

interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** Returns the conditions of a namespace with this remaining content. An unchanged status keeps its transition time. */
export function contentConditions(namespace: ApiObject, remains: RemainingContent, now: string): readonly unknown[] {
  const before = asArray(asRecord(namespace["status"])["conditions"]).map(asRecord);
  const problems = problemsOf(remains);
  const ours = CONDITIONS.map(([type, okReason, okMessage]) => {
    const problem = problems.get(type);
    const status = problem === undefined ? "False" : "True";
    const old = before.find((condition) => condition["type"] === type);
    const lastTransitionTime = old?.["status"] === status ? old["lastTransitionTime"] : now;
    return {
      type,
      status,
      lastTransitionTime,
      reason: problem?.reason ?? okReason,
      message: problem?.message ?? okMessage,
    };
  });
  const others = before.filter((condition) => !CONDITIONS.some(([type]) => type === condition["type"]));
  return [...others, ...ours];
}

function problemsOf({ objects, failures }: RemainingContent): ReadonlyMap<string, Problem> {
  const problems = new Map<string, Problem>();
  if (failures.length > 0) {
    problems.set("NamespaceDeletionContentFailure", {
      reason: "ContentDeletionFailed",
      message: `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(", ")}`,
    });
  }
  const left = [...objects].filter(([, records]) => records.length > 0);
  if (left.length > 0) {
    const counts = left.map(([resource, records]) => `${resource} has ${records.length} resource instances`);
    problems.set("NamespaceContentRemaining", {
      reason: "SomeResourcesRemain",
      message: `Some resources are remaining: ${counts.toSorted().join(", ")}`,
    });
  }
  const finalizers = left.flatMap(([, records]) => records.flatMap(({ object }) => object.metadata.finalizers ?? []));
  if (finalizers.length > 0) {
    const counts = [...new Set(finalizers)].map(
      (name) => `${name} in ${finalizers.filter((other) => other === name).length} resource instances`,
    );
    problems.set("NamespaceFinalizersRemaining", {
      reason: "SomeFinalizersRemain",
      message: `Some content in the namespace has finalizers remaining: ${counts.toSorted().join(", ")}`,
    });
  }
  return problems;
}
