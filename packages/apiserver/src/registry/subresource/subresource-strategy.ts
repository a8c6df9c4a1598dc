import { deepEqual } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import type { UnvalidatedObject } from "../unvalidated-object.ts";
import { forbiddenField } from "../field-errors.ts";
import { asArray, asRecord } from "../json-access.ts";

/** Subresource of a request; undefined for the object itself. */
export type SubresourceName = "status" | "scale" | "ephemeralcontainers" | "resize" | "finalize" | undefined;

/** Behaviour of a subresource: the changes that it allows, and its validation in addition to metadata. */
export interface SubresourceStrategy {
  merge(old: ApiObject, draft: UnvalidatedObject): ApiObject;
  errors(next: ApiObject, old: ApiObject): readonly FieldError[];
}

const PARTS: Readonly<Record<string, SubresourceStrategy>> = {
  ephemeralcontainers: {
    merge: (old, draft) => counted(old, withSpec(old, "ephemeralContainers", asRecord(draft["spec"]))),
    errors: ephemeralErrors,
  },
  resize: { merge: (old, draft) => counted(old, resized(old, draft)), errors: () => [] },
  finalize: { merge: (old, draft) => withSpec(old, "finalizers", asRecord(draft["spec"])), errors: () => [] },
};

/** Returns the strategy of a subresource; undefined for status and scale, which use the strategy of the kind. */
export function subresourceStrategyOf(subresource: SubresourceName): SubresourceStrategy | undefined {
  return subresource === undefined ? undefined : PARTS[subresource];
}

function withSpec(old: ApiObject, field: string, given: Readonly<Record<string, unknown>>): ApiObject {
  const { [field]: _old, ...spec } = asRecord(old["spec"]);
  return { ...old, spec: given[field] === undefined ? spec : { ...spec, [field]: given[field] } };
}

/** Increments the generation if the spec changed. */
function counted(old: ApiObject, next: ApiObject): ApiObject {
  const { generation } = old.metadata;
  if (generation === undefined || deepEqual(old["spec"], next["spec"])) return next;
  return { ...next, metadata: { ...next.metadata, generation: generation + 1 } };
}

/** Applies only resources and resizePolicy of containers (KEP-1287). */
function resized(old: ApiObject, draft: UnvalidatedObject): ApiObject {
  const spec = asRecord(old["spec"]);
  const given = asRecord(draft["spec"]);
  const lists = ["containers", "initContainers"].filter((list) => spec[list] !== undefined);
  const changed = lists.map((list) => [
    list,
    asArray(spec[list]).map((container) => resizedOne(container, given[list])),
  ]);
  return { ...old, spec: { ...spec, ...Object.fromEntries(changed) } };
}

function resizedOne(container: unknown, given: unknown): unknown {
  const { resources: _r, resizePolicy: _p, ...rest } = asRecord(container);
  const desired = asArray(given)
    .map(asRecord)
    .find((other) => other["name"] === rest["name"]);
  if (desired === undefined) return container;
  const { resources, resizePolicy } = desired;
  return {
    ...rest,
    ...(resources === undefined ? {} : { resources }),
    ...(resizePolicy === undefined ? {} : { resizePolicy }),
  };
}

function ephemeralErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const path = "spec.ephemeralContainers";
  const now = asArray(asRecord(next["spec"])["ephemeralContainers"]).map(asRecord);
  return asArray(asRecord(old["spec"])["ephemeralContainers"])
    .map(asRecord)
    .flatMap((before) => {
      const after = now.find((container) => container["name"] === before["name"]);
      const name = JSON.stringify(before["name"]);
      if (after === undefined)
        return [forbiddenField(path, `existing ephemeral containers ${name} may not be removed\n`)];
      if (deepEqual(after, before)) return [];
      return [forbiddenField(path, `existing ephemeral containers ${name} may not be changed\n`)];
    });
}
