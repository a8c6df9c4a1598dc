import { apiVersionOf, isJsonObject } from "@levelset/core";
import type { AnyCustomKind, JsonObject, JsonValue, Random } from "@levelset/core";
import { mutateValue } from "@levelset/core/testing";
import { chance, pick, pickWeighted } from "../draw/index.ts";
import type { ChangeKind, Manifest } from "./operation.ts";
import { schemaSites } from "./schema-site.ts";
import type { SchemaSite } from "./schema-site.ts";
import { boundaryValues, similarValues } from "./value-variants.ts";

/** A changed object, and how it was changed. */
export interface DrawnChange {
  readonly object: Manifest;
  readonly how: ChangeKind;
  /** The changed field. */
  readonly path: string;
}

const ATTEMPTS_MAX = 10;

/** Draws a change of an object: of the spec of a custom resource along its schema, or of the values of an input. */
export function changeManifest(random: Random, object: Manifest, kinds: readonly AnyCustomKind[]): DrawnChange {
  const kind = kinds.find((each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion);
  return kind === undefined ? changeInput(random, object) : changeSpec(random, object, kind);
}

function changeSpec(random: Random, object: Manifest, kind: AnyCustomKind): DrawnChange {
  const schema = kind.schema.properties?.["spec"] ?? {};
  const spec = object["spec"] ?? {};
  const how = pickWeighted<ChangeKind>(random, [
    [10, "valid"],
    [4, "boundary"],
    [3, "removed"],
    [2, "invalid"],
  ]);
  if (how === "invalid") return { object: withSpec(object, mutateValue(schema, spec, random)), how, path: "spec" };
  const sites = schemaSites(schema, spec, "spec");
  for (let attempt = 0; attempt < ATTEMPTS_MAX && sites.length > 0; attempt++) {
    const site = pick(random, sites);
    const value = replacementOf(random, site, how);
    if (value !== undefined) return { object: withSpec(object, site.replace(value.value)), how, path: site.path };
  }
  return { object, how: "valid", path: "spec" };
}

function replacementOf(
  random: Random,
  site: SchemaSite,
  how: ChangeKind,
): { readonly value: JsonValue | undefined } | undefined {
  if (how === "removed") return site.isOptional ? { value: undefined } : undefined;
  const values = how === "boundary" ? boundaryValues(site) : similarValues(site, random);
  return values.length === 0 ? undefined : { value: pick(random, values) };
}

function withSpec(object: Manifest, spec: JsonValue): Manifest {
  return { ...object, spec };
}

/** Changes one text of a Secret or a ConfigMap, or removes it. Other inputs get a label. */
function changeInput(random: Random, object: Manifest): DrawnChange {
  for (const field of ["stringData", "data"]) {
    const texts = object[field];
    if (!isJsonObject(texts) || Object.keys(texts).length === 0) continue;
    const key = pick(random, Object.keys(texts));
    const rest = Object.fromEntries(Object.entries(texts).filter(([name]) => name !== key));
    const path = `${field}.${key}`;
    if (chance(random, 0.2)) return { object: { ...object, [field]: rest }, how: "removed", path };
    const value = variantOf(random, texts[key], field === "data" && object.kind === "Secret");
    return { object: { ...object, [field]: { ...rest, [key]: value } }, how: "changed", path };
  }
  const labels: JsonObject = { ...object.metadata.labels, changed: String(Math.floor(random.next() * 100)) };
  const metadata = { ...object.metadata, labels: labels as Record<string, string> }; // texts only
  return { object: { ...object, metadata }, how: "changed", path: "metadata.labels" };
}

function variantOf(random: Random, value: JsonValue | undefined, isBase64: boolean): string {
  const text = typeof value === "string" ? value : "";
  const plain = isBase64 ? atob(text) : text;
  const number = /^-?\d+$/u.test(plain) ? [String(Number(plain) + 1), "1", "0"] : [];
  const changed = pick(random, [...number, ...number, `${plain}-2`, "new", "x"]);
  return isBase64 ? btoa(changed) : changed;
}
