import { controllerReference, stringifyJson } from "@levelset/core";
import type { KubeObject, NewOf } from "@levelset/core";
import { hashText } from "../recorder.ts";
import type { PodResource } from "./pod.ts";

/** Part of a workload that says what its pods are. */
export interface Template {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec?: NewOf<typeof PodResource>["spec"];
}

const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

/** A short text that names a value: equal for equal values, safe in names and labels. */
export function hashOf(value: unknown, collisions = 0): string {
  let rest = hashText(stringifyJson(canonical([value, collisions]))) & 0xffff_ffff_ffn;
  let text = "";
  while (text.length < 10) {
    text += ALPHABET[Number(rest % 27n)] ?? "";
    rest /= 27n;
    if (rest === 0n) break;
  }
  return text;
}

/** The value with the keys of its objects in order, so that equal values have equal texts. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, canonical(field)]),
  );
}

/** How a pod differs from its template. */
export interface PodDetails {
  /** Exactly this name; one with a random end where it is absent. */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Replaces fields of the spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

const PREFIX_MAX = 57;

/** A new pod of a workload. */
export function podFrom(
  owner: KubeObject,
  template: Template | undefined,
  details: PodDetails = {},
): NewOf<typeof PodResource> {
  const { labels = {}, annotations = {}, finalizers } = template?.metadata ?? {};
  return {
    metadata: {
      ...(details.name === undefined
        ? { generateName: `${owner.metadata.name.slice(0, PREFIX_MAX)}-` }
        : { name: details.name }),
      ...(owner.metadata.namespace === undefined ? {} : { namespace: owner.metadata.namespace }),
      labels: { ...labels, ...details.labels },
      annotations: { ...annotations, ...details.annotations },
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    // What the template and a controller say together is a spec again.
    spec: { ...template?.spec, ...details.spec } as NonNullable<NewOf<typeof PodResource>["spec"]>,
  };
}
