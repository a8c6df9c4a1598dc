import { controllerReference } from "@levelset/core";
import { stringifyJson } from "@levelset/core/internal";
import type { KubeObject, NewOf } from "@levelset/core";
import { fnv1a64 } from "../../event-recorder.ts";
import type { POD_KIND } from "./pod.ts";

/** A pod template. */
export interface PodTemplateFields {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec?: NewOf<typeof POD_KIND>["spec"];
}

const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

/** Returns a short hash: equal for equal values, valid in names and labels. */
export function computeHash(value: unknown, collisions = 0): string {
  let rest = fnv1a64(stringifyJson(canonical([value, collisions]))) & 0xffff_ffff_ffn;
  let text = "";
  while (text.length < 10) {
    text += ALPHABET[Number(rest % 27n)] ?? "";
    rest /= 27n;
    if (rest === 0n) break;
  }
  return text;
}

/** Returns the value with sorted keys, so that equal values have equal JSON. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, canonical(field)]),
  );
}

/** Differences of a pod from its template. */
export interface PodOverrides {
  /** Exact name; generated if absent. */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Overrides fields of the spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

const PREFIX_MAX = 57;

/** Returns a new pod of a workload. */
export function podFromTemplate(
  owner: KubeObject,
  template: PodTemplateFields | undefined,
  details: PodOverrides = {},
): NewOf<typeof POD_KIND> {
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
    // Template and overrides together form a valid spec.
    spec: { ...template?.spec, ...details.spec } as NonNullable<NewOf<typeof POD_KIND>["spec"]>,
  };
}
