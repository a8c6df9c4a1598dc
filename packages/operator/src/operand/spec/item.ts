import { isJsonObject } from "@levelset/core";
import { parseApiVersion } from "@levelset/core/internal";
import type { EmbeddedObject, JsonValue } from "@levelset/core";
import { OPERAND_GROUP } from "./operand-kinds.ts";
import { describeLiveRef } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { shapeProblem } from "./manifest-shape.ts";
import { parseJobSettings } from "./job-settings.ts";
import type { JobSettings } from "./job-settings.ts";

/** How an existing object is handled. */
export type ItemMode =
  /** The object is reconciled to its manifest. */
  | "Reconcile"
  /** The object is created if it is missing, and never updated. */
  | "EnsureExists"
  /** The object is part of the set and never written. */
  | "Ignore";

/** One manifest of a set with the settings from its annotations. */
export interface ManifestItem {
  /** Location in the spec, for messages: `steadyState[3]`. */
  readonly at: string;
  readonly object: EmbeddedObject;
  readonly ref: LiveRef;
  readonly mode: ItemMode;
  /** Lower waves come first and take precedence over stages. */
  readonly wave: number;
  /** Objects that must exist and be ready first. */
  readonly dependsOn: readonly LiveRef[];
  /** True if the object may be deleted and recreated when an immutable field changes. */
  readonly recreate: boolean;
  /** Settings of a Job, which runs once for each content; absent for other kinds and for mode Ignore. */
  readonly job?: JobSettings;
  /** Overrides `spec.adoptedFields` for this object. */
  readonly adoptedFields: "Remove" | "Keep" | undefined;
  /** In the merged set: the manifest of steadyState that this object of postInstall replaces. */
  readonly replaces?: EmbeddedObject;
  /** In steadyState: the object of postInstall that replaces this one. */
  readonly replacedBy?: ManifestItem;
}

/** An invalid manifest and its problem. */
export interface InvalidItem {
  readonly problem: string;
}

const MODES: readonly ItemMode[] = ["Reconcile", "EnsureExists", "Ignore"];

/** Parses one manifest of a list. */
export function parseItem(object: EmbeddedObject, at: string): ManifestItem | InvalidItem {
  const bad = (problem: string): InvalidItem => ({ problem: `${at}: ${problem}` });
  const shape = shapeProblem(object);
  if (shape !== undefined) return bad(shape);
  const { name, namespace, annotations } = object.metadata;
  if (typeof name !== "string") return bad("metadata.name is missing");
  if (namespace !== undefined && typeof namespace !== "string") return bad("metadata.namespace must be a string");
  const { group } = parseApiVersion(object.apiVersion);
  const ref = { group, kind: object.kind, ...(namespace === undefined ? {} : { namespace }), name };
  const setting = (key: string): string | undefined => text(annotations, `${OPERAND_GROUP}/${key}`);
  const problem = (message: string): InvalidItem => bad(`${describeLiveRef(ref)}: ${message}`);

  const mode = setting("mode") ?? text(annotations, "operator.knative.dev/mode") ?? "Reconcile";
  const known = MODES.find((one) => one === mode);
  if (known === undefined) return problem(`mode must be Reconcile, EnsureExists or Ignore, not ${mode}`);
  const wave = Number(setting("wave") ?? "0");
  if (!Number.isSafeInteger(wave)) return problem(`wave must be an integer, not ${setting("wave")}`);
  const dependsOn = (setting("depends-on") ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const dependencies = dependsOn.map(parseDependency);
  if (dependencies.includes(undefined)) {
    return problem("depends-on must be a list of group/Kind/name or group/namespaces/NAMESPACE/Kind/name");
  }
  const recreate = setting("recreate");
  if (recreate !== undefined && recreate !== "true" && recreate !== "false")
    return problem("recreate must be true or false");
  const prune = setting("prune");
  if (prune !== undefined && prune !== "disabled" && prune !== "enabled")
    return problem("prune must be enabled or disabled");
  const job = parseJobSettings(ref, known, setting);
  if (job !== undefined && "problem" in job) return problem(job.problem);
  const adoptedFields = setting("adopted-fields");
  if (adoptedFields !== undefined && adoptedFields !== "Remove" && adoptedFields !== "Keep")
    return problem(`adopted-fields must be Remove or Keep, not ${adoptedFields}`);
  return {
    at,
    object,
    ref,
    mode: known,
    wave,
    dependsOn: dependencies.filter((one) => one !== undefined),
    recreate: recreate === "true",
    ...(job === undefined ? {} : { job }),
    adoptedFields,
  };
}

function text(annotations: JsonValue | undefined, key: string): string | undefined {
  const value = isJsonObject(annotations) ? annotations[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/**
 * Parses `apps/namespaces/shop/Deployment/web`, `/namespaces/shop/Service/web` for the core group, or `GROUP/KIND/NAME`
 * without namespace.
 */
function parseDependency(reference: string): LiveRef | undefined {
  const parts = reference.split("/");
  const [group = "", second = "", third = "", fourth = "", fifth = ""] = parts;
  if (parts.length === 3 && second !== "" && third !== "") return { group, kind: second, name: third };
  if (parts.length !== 5 || second !== "namespaces" || parts.slice(1).includes("")) return undefined;
  return { group, namespace: third, kind: fourth, name: fifth };
}
