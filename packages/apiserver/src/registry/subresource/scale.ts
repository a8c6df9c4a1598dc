import {
  formatLabelSelector,
  invalidError,
  labelSelectorFromObject,
  Scale,
  SelectorError,
  stringifyJson,
} from "@levelset/core";
import type { JsonValue, ScalePaths } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { at, stepsOf } from "../crd/scale-value.ts";
import { decodeObject } from "../decode.ts";
import { badRequest, conflict, internal, STALE } from "../failure.ts";
import { invalidField } from "../field.ts";
import type { Registry, WriteOptions, Written } from "../registry.ts";
import type { Target } from "../target.ts";
import { builtinResource } from "../resource.ts";
import type { Resource } from "../resource.ts";
import { recordOf } from "../shape.ts";
import type { View } from "../view.ts";

/** The Scale of a built-in or declared kind, as a resource: for decoding and for showing. It has no path of its own. */
export const SCALES: Resource = {
  ...builtinResource(Scale, { unconditionalUpdate: true, hasGeneration: false, categories: [] }),
  verbs: [],
};

/** Where built-in kinds keep their numbers. */
const BUILTIN_PATHS: ScalePaths = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

/** How many objects of a target there are and should be. Throws NotFound. */
export function readScale(registry: Registry, target: Target): View {
  const { object } = registry.get(target);
  const { specReplicasPath } = pathsOf(target.resource);
  if (at(object, specReplicasPath) === undefined) {
    throw internal(`the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`);
  }
  return viewOfScale(target.resource, object);
}

/** Changes how many there should be. `change` makes the new Scale of the present one, as often as it takes. */
export async function writeScale(
  registry: Registry,
  target: Target,
  change: (scale: JsonValue) => JsonValue,
  options: WriteOptions,
): Promise<Written> {
  const { resource } = target;
  let said: readonly string[] = [];
  const { view, warnings } = await registry.patch(
    target,
    (whole) => {
      // A patch starts from the object as it is stored now.
      const old = whole as unknown as ApiObject;
      // A Scale is made of JSON only.
      const changed = change(scaleOf(resource, old) as unknown as JsonValue);
      const { draft, warnings: heard } = decodeObject(SCALES, changed, options.fieldValidation);
      said = heard;
      const { name = "", resourceVersion = "", uid = "" } = draft.metadata;
      if (name !== "" && name !== target.name) {
        throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
      }
      if (resourceVersion !== "" && resourceVersion !== old.metadata.resourceVersion) {
        throw conflict(resource, target.name, STALE);
      }
      if (uid !== "" && uid !== old.metadata.uid) {
        const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`;
        throw conflict(resource, target.name, why);
      }
      return withReplicas(resource, old, wantedOf(resource, draft["spec"], target.name));
    },
    "scale",
    options,
  );
  return { view: viewOfScale(resource, view.object), warnings: [...said, ...warnings] };
}

function wantedOf(resource: Resource, spec: unknown, name: string): number {
  const { replicas } = recordOf(spec);
  const wanted = typeof replicas === "number" ? replicas : 0;
  if (wanted >= 0 || resource.custom) return wanted;
  const error = invalidField("spec.replicas", wanted, "must be greater than or equal to 0");
  throw invalidError({ kind: "Scale", group: "autoscaling", name }, [error]);
}

function pathsOf(resource: Resource): ScalePaths {
  return resource.scale ?? BUILTIN_PATHS;
}

function viewOfScale(resource: Resource, object: ApiObject): View {
  const scale = scaleOf(resource, object);
  return { object: scale, json: stringifyJson(scale) };
}

/** The Scale of an object. */
function scaleOf(resource: Resource, object: ApiObject): ApiObject {
  const paths = pathsOf(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = at(object, paths.specReplicasPath);
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
    // Zero is not written, as in the real server.
    spec: typeof wanted === "number" && wanted !== 0 ? { replicas: wanted } : {},
    status: {
      replicas: Number(at(object, paths.statusReplicasPath) ?? 0),
      ...(selector === "" ? {} : { selector }),
    },
  };
}

function selectorOf(resource: Resource, object: ApiObject): string {
  if (resource.custom) {
    const path = resource.scale?.labelSelectorPath;
    const found = path === undefined ? undefined : at(object, path);
    return typeof found === "string" ? found : "";
  }
  const given = recordOf(object["spec"])["selector"];
  // A replication controller selects by plain labels.
  const selector = resource.kind === "ReplicationController" ? { matchLabels: recordOf(given) } : recordOf(given);
  try {
    // Checked when it was written, as far as the kind checks it.
    return formatLabelSelector(labelSelectorFromObject(selector));
  } catch (error) {
    if (error instanceof SelectorError) return "";
    throw error;
  }
}

function withReplicas(resource: Resource, object: ApiObject, replicas: number): JsonValue {
  const set = (value: unknown, [name = "", ...rest]: readonly string[]): unknown => {
    const fields = recordOf(value);
    return { ...fields, [name]: rest.length === 0 ? replicas : set(fields[name], rest) };
  };
  // The stored object is made of JSON only, and so is a number.
  return set(object, stepsOf(pathsOf(resource).specReplicasPath)) as JsonValue;
}
