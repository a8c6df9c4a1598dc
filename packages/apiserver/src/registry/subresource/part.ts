import { deepEqual } from "@levelset/core";
import type { FieldError } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import type { Draft } from "../draft.ts";
import { forbiddenField } from "../field.ts";
import { listOf, recordOf } from "../shape.ts";

/** Which part of an object a request is about; undefined: all of it but status. */
export type Subresource = "status" | "scale" | "ephemeralcontainers" | "resize" | "finalize" | undefined;

/** What a write to a part may change of the object, and what is checked besides metadata. */
export interface PartRules {
  merge(old: ApiObject, draft: Draft): ApiObject;
  errors(next: ApiObject, old: ApiObject): readonly FieldError[];
}

const PARTS: Readonly<Record<string, PartRules>> = {
  ephemeralcontainers: {
    merge: (old, draft) => counted(old, withSpec(old, "ephemeralContainers", recordOf(draft["spec"]))),
    errors: ephemeralErrors,
  },
  resize: { merge: (old, draft) => counted(old, resized(old, draft)), errors: () => [] },
  finalize: { merge: (old, draft) => withSpec(old, "finalizers", recordOf(draft["spec"])), errors: () => [] },
};

/** The rules of a part; undefined for status and scale, which follow those of the object. */
export function partRules(subresource: Subresource): PartRules | undefined {
  return subresource === undefined ? undefined : PARTS[subresource];
}

function withSpec(old: ApiObject, field: string, given: Readonly<Record<string, unknown>>): ApiObject {
  const { [field]: _old, ...spec } = recordOf(old["spec"]);
  return { ...old, spec: given[field] === undefined ? spec : { ...spec, [field]: given[field] } };
}

/** A pod counts every change of its spec. */
function counted(old: ApiObject, next: ApiObject): ApiObject {
  const { generation } = old.metadata;
  if (generation === undefined || deepEqual(old["spec"], next["spec"])) return next;
  return { ...next, metadata: { ...next.metadata, generation: generation + 1 } };
}

/** Only what containers may use, and what happens to them when that changes. */
function resized(old: ApiObject, draft: Draft): ApiObject {
  const spec = recordOf(old["spec"]);
  const given = recordOf(draft["spec"]);
  const lists = ["containers", "initContainers"].filter((list) => spec[list] !== undefined);
  const changed = lists.map((list) => [
    list,
    listOf(spec[list]).map((container) => resizedOne(container, given[list])),
  ]);
  return { ...old, spec: { ...spec, ...Object.fromEntries(changed) } };
}

function resizedOne(container: unknown, given: unknown): unknown {
  const { resources: _r, resizePolicy: _p, ...rest } = recordOf(container);
  const wanted = listOf(given)
    .map(recordOf)
    .find((other) => other["name"] === rest["name"]);
  if (wanted === undefined) return container;
  const { resources, resizePolicy } = wanted;
  return {
    ...rest,
    ...(resources === undefined ? {} : { resources }),
    ...(resizePolicy === undefined ? {} : { resizePolicy }),
  };
}

function ephemeralErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const path = "spec.ephemeralContainers";
  const now = listOf(recordOf(next["spec"])["ephemeralContainers"]).map(recordOf);
  return listOf(recordOf(old["spec"])["ephemeralContainers"])
    .map(recordOf)
    .flatMap((before) => {
      const after = now.find((container) => container["name"] === before["name"]);
      const name = JSON.stringify(before["name"]);
      if (after === undefined)
        return [forbiddenField(path, `existing ephemeral containers ${name} may not be removed\n`)];
      if (deepEqual(after, before)) return [];
      return [forbiddenField(path, `existing ephemeral containers ${name} may not be changed\n`)];
    });
}
