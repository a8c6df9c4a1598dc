import { isJsonObject, parseApiVersion } from "@levelset/core";
import type { EmbeddedObject, JsonValue } from "@levelset/core";
import { OPERAND_GROUP } from "./kinds.ts";
import { describeLiveRef } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";

/** What is done about an object that is there already. */
export type ItemMode =
  /** It is kept as the manifest says. */
  | "Reconcile"
  /** It is made if it is not there, and otherwise left alone. */
  | "EnsureExists"
  /** It is part of the set, and never touched. */
  | "Ignore";

/** One manifest of a set, and what its annotations ask for. */
export interface Item {
  /** Where it stands, for messages: `steadyState[3]`. */
  readonly at: string;
  readonly object: EmbeddedObject;
  readonly ref: LiveRef;
  readonly mode: ItemMode;
  /** Lower ones come first, before anything else decides. */
  readonly wave: number;
  /** What must be there and ready before it. */
  readonly dependsOn: readonly LiveRef[];
  /** Whether it may be deleted and made anew when a field cannot be changed. */
  readonly recreate: boolean;
}

/** A manifest that cannot be understood, and why. */
export interface BadItem {
  readonly problem: string;
}

const MODES: readonly ItemMode[] = ["Reconcile", "EnsureExists", "Ignore"];

/** Reads one manifest of a list. */
export function readItem(object: EmbeddedObject, at: string): Item | BadItem {
  const { name, namespace, annotations } = object.metadata;
  const bad = (problem: string): BadItem => ({ problem: `${at}: ${problem}` });
  if (typeof name !== "string" || name === "") return bad("metadata.name is missing");
  if (namespace !== undefined && typeof namespace !== "string") return bad("metadata.namespace is no text");
  const { group } = parseApiVersion(object.apiVersion);
  const ref = { group, kind: object.kind, ...(namespace === undefined ? {} : { namespace }), name };
  const said = (key: string): string | undefined => text(annotations, `${OPERAND_GROUP}/${key}`);
  const problem = (message: string): BadItem => bad(`${describeLiveRef(ref)}: ${message}`);

  const mode = said("mode") ?? text(annotations, "operator.knative.dev/mode") ?? "Reconcile";
  const known = MODES.find((one) => one === mode);
  if (known === undefined) return problem(`mode is Reconcile, EnsureExists or Ignore, not ${mode}`);
  const wave = Number(said("wave") ?? "0");
  if (!Number.isSafeInteger(wave)) return problem(`wave is a whole number, not ${said("wave")}`);
  const dependsOn = (said("depends-on") ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const dependencies = dependsOn.map(parseDependency);
  if (dependencies.includes(undefined)) {
    return problem("depends-on is a list of group/Kind/name or group/namespaces/NAMESPACE/Kind/name");
  }
  const recreate = said("recreate");
  if (recreate !== undefined && recreate !== "true" && recreate !== "false")
    return problem("recreate is true or false");
  const prune = said("prune");
  if (prune !== undefined && prune !== "disabled" && prune !== "enabled")
    return problem("prune is enabled or disabled");
  return {
    at,
    object,
    ref,
    mode: known,
    wave,
    dependsOn: dependencies.filter((one) => one !== undefined),
    recreate: recreate === "true",
  };
}

function text(annotations: JsonValue | undefined, key: string): string | undefined {
  const value = isJsonObject(annotations) ? annotations[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** `apps/namespaces/shop/Deployment/web`, or `/namespaces/shop/Service/web` for the core group; without namespace `GROUP/KIND/NAME`. */
function parseDependency(words: string): LiveRef | undefined {
  const parts = words.split("/");
  const [group = "", second = "", third = "", fourth = "", fifth = ""] = parts;
  if (parts.length === 3 && second !== "" && third !== "") return { group, kind: second, name: third };
  if (parts.length !== 5 || second !== "namespaces" || parts.slice(1).includes("")) return undefined;
  return { group, namespace: third, kind: fourth, name: fifth };
}
