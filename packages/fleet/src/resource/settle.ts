import { statusIn } from "./adapter-status.ts";
import type { AdapterStatus } from "./adapter-status.ts";
import { aggregate } from "./aggregate.ts";
import type { AggregateInput } from "./aggregate.ts";
import type { FleetKind } from "./kind.ts";
import { isDeleting } from "./resource.ts";
import type { Resource } from "./resource.ts";

/** Where a resource stands: it is there, with these conditions; or it has nothing left to wait for and is removed. */
export type Settled =
  | { readonly kind: "kept"; readonly resource: Resource }
  | { readonly kind: "gone"; readonly resource: Resource };

/**
 * Where a resource stands after anything that concerns it: a report, a change of its declaration, the end of a child. When it is gone,
 * its parent is to be settled too, with one child less and the same cause: nobody else would tell it. Throws a RuleError.
 */
export function settle(input: AggregateInput): Settled {
  const resource = { ...input.resource, conditions: aggregate(input) };
  return { kind: isFinished(input) ? "gone" : "kept", resource };
}

/**
 * Whether a resource that is being deleted has nothing left to wait for. This is no matter of expressions: a rule for Ready must not
 * remove what an adapter still has to clean up.
 */
function isFinished({ kind, resource, statuses, children }: AggregateInput): boolean {
  return isDeleting(resource) && children === 0 && unfinished(kind, resource, statuses).length === 0;
}

/** The required adapters that have not finalized the current generation, by name. */
export function unfinished(
  kind: FleetKind,
  resource: Pick<Resource, "generation">,
  statuses: readonly AdapterStatus[],
): readonly string[] {
  const finished = new Set(
    statuses
      .filter(({ verdict }) => {
        return verdict?.observedGeneration === resource.generation && statusIn(verdict, "Finalized") === "True";
      })
      .map(({ adapter }) => adapter),
  );
  return kind.requiredAdapters.filter((adapter) => !finished.has(adapter));
}
