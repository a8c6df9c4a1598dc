import { deepEqual } from "@levelset/core";
import type { PodTemplateSpec } from "@levelset/core";
import { invalidField, requiredField } from "../../field.ts";
import { notNegative } from "../check.ts";
import type { Errors } from "../check.ts";
import { isEmptySelector, parsedSelector, selectorErrors } from "../core/selector.ts";
import type { LooseSelector } from "../core/selector.ts";
import type { Loose } from "../loose.ts";
import { endlessErrors, selectedErrors, templateErrors } from "../pod/template.ts";

/** What those that keep a number of equal pods have in common. */

/** Counts of pods in a status. */
export interface Counts {
  readonly replicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly [count: string]: unknown;
}

/** A selector that must be there and ask for something. */
export function* ownSelectorErrors(path: string, selector: LooseSelector | undefined, kind: string): Errors {
  if (selector === undefined) yield requiredField(path);
  else {
    yield* selectorErrors(path, selector);
    if (isEmptySelector(selector)) yield invalidField(path, selector, `empty selector is invalid for ${kind}`);
  }
}

/** The template of pods that are all alike and are replaced when they end. */
export function* replicaTemplateErrors(
  path: string,
  selector: LooseSelector | undefined,
  template: Loose<PodTemplateSpec> = {},
): Errors {
  if (parsedSelector(selector) === undefined) {
    yield invalidField(`${path}.selector`, selector, "invalid label selector");
    return;
  }
  yield* selectedErrors(`${path}.template`, selector, template);
  yield* templateErrors(`${path}.template`, template);
  yield* endlessErrors(`${path}.template`, template, "ReplicaSet");
}

/** A field that stays as it was made. */
export function* unchangedErrors(path: string, next: unknown, old: unknown): Errors {
  if (!deepEqual(next, old)) yield invalidField(path, next ?? null, "field is immutable");
}

/** Counts are not below zero, and no part is more than the whole. `parts` are those of all replicas. */
export function* countErrors(
  status: Counts,
  fields: readonly string[],
  parts: readonly string[],
  ready: string,
): Errors {
  const count = (field: string): number | undefined => {
    const value = status[field];
    return typeof value === "number" ? value : undefined;
  };
  for (const field of fields) yield* notNegative(`status.${field}`, count(field));
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const part of parts) {
    const value = count(part) ?? 0;
    if (value > replicas) yield invalidField(`status.${part}`, value, "cannot be greater than status.replicas");
  }
  if (availableReplicas > readyReplicas) {
    yield invalidField("status.availableReplicas", availableReplicas, `cannot be greater than ${ready}`);
  }
}

/** Name collisions only become more. */
export function* collisionErrors(next: Counts, old: Counts): Errors {
  if (old.collisionCount === undefined || (next.collisionCount ?? -1) >= old.collisionCount) return;
  yield invalidField("status.collisionCount", next.collisionCount ?? 0, "cannot be decremented");
}
