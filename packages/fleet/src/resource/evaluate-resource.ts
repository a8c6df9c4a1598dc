import { conditionStatusIn } from "./report/adapter-status.ts";
import type { AdapterStatus } from "./report/adapter-status.ts";
import { aggregate } from "./aggregate.ts";
import type { AggregateInput } from "./aggregate.ts";
import type { FleetKind } from "./kind/kind.ts";
import { isResourceDeleting } from "./resource.ts";
import type { Resource } from "./resource.ts";

/** Evaluation of a resource: it exists with these conditions, or has nothing left to wait for and is removed. */
export type EvaluatedResource =
  | { readonly kind: "present"; readonly resource: Resource }
  | { readonly kind: "gone"; readonly resource: Resource };

/**
 * Evaluates a resource after a report, a change of its declaration, or the removal of a child. If it is removed, the
 * caller must evaluate its parent too, with one child less and the same cause. Throws a RuleError.
 */
export function evaluateResource(input: AggregateInput): EvaluatedResource {
  const resource = { ...input.resource, conditions: aggregate(input) };
  return { kind: isFinished(input) ? "gone" : "present", resource };
}

/**
 * Returns whether a resource in deletion has nothing left to wait for. Not decided by expressions: a rule for Ready
 * must not remove a resource that an adapter still has to clean up.
 */
function isFinished({ kind, resource, statuses, children }: AggregateInput): boolean {
  return isResourceDeleting(resource) && children === 0 && unfinalizedAdapters(kind, resource, statuses).length === 0;
}

/** Returns the names of required adapters that have not finalized the current generation. */
export function unfinalizedAdapters(
  kind: FleetKind,
  resource: Pick<Resource, "generation">,
  statuses: readonly AdapterStatus[],
): readonly string[] {
  const finished = new Set(
    statuses
      .filter(({ verdict }) => {
        return (
          verdict?.observedGeneration === resource.generation && conditionStatusIn(verdict, "Finalized") === "True"
        );
      })
      .map(({ adapter }) => adapter),
  );
  return kind.requiredAdapters.filter((adapter) => !finished.has(adapter));
}
