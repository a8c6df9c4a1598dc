import type { ApiObject, StoredRecord } from "../store/index.ts";
import { listOf, recordOf } from "../registry/index.ts";

/** What is still in a namespace whose deletion was asked for, and what went wrong with deleting it. */
export interface Remains {
  /** `plural.group`, with the dot also for the core group → the objects that are left. */
  readonly objects: ReadonlyMap<string, readonly StoredRecord[]>;
  readonly failures: readonly string[];
}

/** Condition types of a dying namespace in their order, with what each says when there is nothing to say. */
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

/** The conditions of a namespace with these remains; times of conditions that keep their status are kept. */
export function contentConditions(namespace: ApiObject, remains: Remains, now: string): readonly unknown[] {
  const before = listOf(recordOf(namespace["status"])["conditions"]).map(recordOf);
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

function problemsOf({ objects, failures }: Remains): ReadonlyMap<string, Problem> {
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
