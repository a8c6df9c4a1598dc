import { deepEqual } from "@levelset/core/internal";
import type { PodTemplateSpec, Deployment, ObjectOf, StatefulSet } from "@levelset/core";
import { invalidField, requiredField, wideColumn } from "../../resource/index.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { isEmptySelector, parseUnvalidatedSelector, selectorErrors } from "../core/selector.ts";
import type { UnvalidatedSelector } from "../core/selector.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { alwaysRestartErrors, selectorMismatchErrors, templateErrors } from "../core/pod/template.ts";
import type { TableColumnDefinition } from "../../resource/index.ts";

/** Validation shared by the kinds that manage replicas. */

/** Replica counts in a status. */
export interface ReplicaStatusCounts {
  readonly replicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly [count: string]: unknown;
}

/** Validates a required, non-empty selector. */
export function* requiredSelectorErrors(
  path: string,
  selector: UnvalidatedSelector | undefined,
  kind: string,
): FieldErrors {
  if (selector === undefined) yield requiredField(path);
  else {
    yield* selectorErrors(path, selector);
    if (isEmptySelector(selector)) yield invalidField(path, selector, `empty selector is invalid for ${kind}`);
  }
}

/** Validates the pod template of a kind whose pods are always restarted. */
export function* replicaTemplateErrors(
  path: string,
  selector: UnvalidatedSelector | undefined,
  template: Unvalidated<PodTemplateSpec> = {},
): FieldErrors {
  if (parseUnvalidatedSelector(selector) === undefined) {
    yield invalidField(`${path}.selector`, selector, "invalid label selector");
    return;
  }
  yield* selectorMismatchErrors(`${path}.template`, selector, template);
  yield* templateErrors(`${path}.template`, template);
  yield* alwaysRestartErrors(`${path}.template`, template, "ReplicaSet");
}

/** Validates that a field has not changed. */
export function* immutableFieldErrors(path: string, next: unknown, old: unknown): FieldErrors {
  if (!deepEqual(next, old)) yield invalidField(path, next ?? null, "field is immutable");
}

/** Validates replica counts: not negative, and none of `parts` greater than the number of replicas. */
export function* countErrors(
  status: ReplicaStatusCounts,
  fields: readonly string[],
  parts: readonly string[],
  ready: string,
): FieldErrors {
  const count = (field: string): number | undefined => {
    const value = status[field];
    return typeof value === "number" ? value : undefined;
  };
  for (const field of fields) yield* nonNegativeErrors(`status.${field}`, count(field));
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const part of parts) {
    const value = count(part) ?? 0;
    if (value > replicas) yield invalidField(`status.${part}`, value, "cannot be greater than status.replicas");
  }
  if (availableReplicas > readyReplicas) {
    yield invalidField("status.availableReplicas", availableReplicas, `cannot be greater than ${ready}`);
  }
}

/** Validates that collisionCount does not decrease. */
export function* collisionCountErrors(next: ReplicaStatusCounts, old: ReplicaStatusCounts): FieldErrors {
  if (old.collisionCount === undefined || (next.collisionCount ?? -1) >= old.collisionCount) return;
  yield invalidField("status.collisionCount", next.collisionCount ?? 0, "cannot be decremented");
}

export const SELECTOR: TableColumnDefinition = wideColumn("Selector", "Label selector of the pods.");

export function readyText({ spec, status }: ObjectOf<typeof Deployment> | ObjectOf<typeof StatefulSet>): string {
  return `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`;
}
