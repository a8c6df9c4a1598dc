import { Binding, Eviction } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import type { FieldPattern } from "@levelset/core/apply";
import type { ApiObject } from "../../../store/index.ts";
import { asArray, asRecord, forbiddenField, wholeObjectSubresource } from "../../../resource/index.ts";
import type { SubresourceInfo, SubresourceStrategy, UnvalidatedObject } from "../../../resource/index.ts";
import { withSpecField } from "../../spec-field.ts";

const RESIZABLE: FieldPattern = { "*": { "f:resources": "all", "f:resizePolicy": "all" } };

const ephemeralContainers: SubresourceStrategy = {
  merge: (old, draft) => counted(old, withSpecField(old, "ephemeralContainers", asRecord(draft["spec"]))),
  errors: ephemeralErrors,
  fields: { "f:spec": { "f:ephemeralContainers": "all" } },
};

const resize: SubresourceStrategy = {
  merge: (old, draft) => counted(old, resized(old, draft)),
  fields: { "f:spec": { "f:containers": RESIZABLE, "f:initContainers": RESIZABLE } },
};

/** Subresources of pods other than `status`. */
export const POD_SUBRESOURCES: readonly SubresourceInfo[] = [
  { name: "binding", body: Binding, verbs: ["create"] },
  wholeObjectSubresource("ephemeralcontainers", ephemeralContainers),
  { name: "eviction", body: Eviction, verbs: ["create"] },
  { name: "log", verbs: ["get"] },
  wholeObjectSubresource("resize", resize),
];

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
