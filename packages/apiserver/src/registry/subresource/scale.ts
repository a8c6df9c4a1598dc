import { formatLabelSelector, labelSelectorFromObject, SelectorError } from "@levelset/core/schema";
import { invalidError, stringifyJson } from "@levelset/core/internal";
import { Scale } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { ScalePaths } from "@levelset/core/schema";
import type { ApiObject } from "../../store/index.ts";
import {
  valueAt,
  pathSegments,
  badRequestError,
  conflictError,
  internalError,
  OPTIMISTIC_LOCK_MESSAGE,
  invalidField,
  builtinResource,
  asRecord,
} from "../../resource/index.ts";
import { decodeObject } from "../decode.ts";
import type { Registry } from "../registry.ts";
import type { RegistryWriteResult, WriteOptions } from "../write-options.ts";
import type { ResourceObjectRef } from "../resource-object-ref.ts";
import type { Resource } from "../../resource/index.ts";
import type { VersionedObject } from "../versioned-object.ts";

/** The resource of Scales, for decoding and encoding only. It is not served. */
export const SCALE_RESOURCE: Resource = builtinResource({ kind: Scale, verbs: [] });

/** Scale paths of built-in kinds. */
const BUILTIN_PATHS: ScalePaths = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

/** Returns the Scale of an object. Throws NotFound. */
export function getScale(registry: Registry, target: ResourceObjectRef): VersionedObject {
  const { object } = registry.get(target);
  const { specReplicasPath } = pathsOf(target.resource);
  if (valueAt(object, specReplicasPath) === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`);
  }
  return viewOfScale(target.resource, object);
}

/** Updates the Scale of an object. `change` returns the new Scale; it is called again after concurrent writes. */
export async function updateScale(
  registry: Registry,
  target: ResourceObjectRef,
  change: (scale: JsonValue) => JsonValue,
  options: WriteOptions,
): Promise<RegistryWriteResult> {
  const { resource } = target;
  let scaleWarnings: readonly string[] = [];
  const { view, warnings } = await registry.patch(
    target,
    (whole) => {
      // The cast is safe: the value is the stored object.
      const old = whole as unknown as ApiObject;
      // A Scale consists of JSON only.
      const changed = change(scaleOf(resource, old) as unknown as JsonValue);
      const { object, warnings: received } = decodeObject(SCALE_RESOURCE, changed, options.fieldValidation);
      scaleWarnings = received;
      const { name = "", resourceVersion = "", uid = "" } = object.metadata;
      if (name !== "" && name !== target.name) {
        throw badRequestError(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
      }
      if (resourceVersion !== "" && resourceVersion !== old.metadata.resourceVersion) {
        throw conflictError(resource, target.name, OPTIMISTIC_LOCK_MESSAGE);
      }
      if (uid !== "" && uid !== old.metadata.uid) {
        const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`;
        throw conflictError(resource, target.name, why);
      }
      return withReplicas(resource, old, replicasOf(resource, object["spec"], target.name));
    },
    "scale",
    options,
  );
  return { view: viewOfScale(resource, view.object), warnings: [...scaleWarnings, ...warnings] };
}

function replicasOf(resource: Resource, spec: unknown, name: string): number {
  const { replicas } = asRecord(spec);
  const desired = typeof replicas === "number" ? replicas : 0;
  if (desired >= 0 || resource.isCustom) return desired;
  const error = invalidField("spec.replicas", desired, "must be greater than or equal to 0");
  throw invalidError({ kind: "Scale", group: "autoscaling", name }, [error]);
}

function pathsOf(resource: Resource): ScalePaths {
  return resource.scale ?? BUILTIN_PATHS;
}

function viewOfScale(resource: Resource, object: ApiObject): VersionedObject {
  const scale = scaleOf(resource, object);
  return { object: scale, json: stringifyJson(scale) };
}

/** Builds the Scale of an object. */
function scaleOf(resource: Resource, object: ApiObject): ApiObject {
  const paths = pathsOf(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const desired = valueAt(object, paths.specReplicasPath);
  const selector = selectorOf(resource, object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    // Zero is omitted: `replicas` has `omitempty` (k8s.io/api/autoscaling/v1/types.go, Kubernetes 1.36).
    spec: typeof desired === "number" && desired !== 0 ? { replicas: desired } : {},
    status: {
      replicas: Number(valueAt(object, paths.statusReplicasPath) ?? 0),
      ...(selector === "" ? {} : { selector }),
    },
  };
}

function selectorOf(resource: Resource, object: ApiObject): string {
  if (resource.isCustom) {
    const path = resource.scale?.labelSelectorPath;
    const found = path === undefined ? undefined : valueAt(object, path);
    return typeof found === "string" ? found : "";
  }
  const given = asRecord(asRecord(object["spec"])["selector"]);
  const selector = resource.selectorForm === "labels" ? { matchLabels: given } : given;
  try {
    // Validated when the object was written.
    return formatLabelSelector(labelSelectorFromObject(selector));
  } catch (error) {
    if (error instanceof SelectorError) return "";
    throw error;
  }
}

function withReplicas(resource: Resource, object: ApiObject, replicas: number): JsonValue {
  const set = (value: unknown, [name = "", ...rest]: readonly string[]): unknown => {
    const fields = asRecord(value);
    return { ...fields, [name]: rest.length === 0 ? replicas : set(fields[name], rest) };
  };
  // The result consists of JSON only.
  return set(object, pathSegments(pathsOf(resource).specReplicasPath)) as JsonValue;
}
