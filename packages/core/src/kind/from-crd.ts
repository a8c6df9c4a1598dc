import type { JsonObject } from "../json/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { PrinterColumn } from "./columns.ts";
import { CrdReader } from "./crd-reader.ts";
import { readStructural } from "./crd-schema.ts";
import type { CustomKind } from "./custom.ts";
import type { ScalePaths } from "./subresource.ts";

/** What may be said about reading a kind from a CustomResourceDefinition. */
export interface KindFromCrdOptions {
  /** The version to read. Default: the one that objects are stored in. */
  readonly version?: string;
}

/**
 * The kind that an existing CustomResourceDefinition (apiextensions.k8s.io/v1, as parsed from YAML) declares. Specs and statuses are
 * JSON objects to TypeScript. The status may lack what the engine keeps there; an engine refuses such a kind when it starts. Throws
 * a DeclarationError that names the field that cannot be read.
 */
export function kindFromCrd(
  crd: unknown,
  options: KindFromCrdOptions = {},
): CustomKind<JsonObject, JsonObject, JsonObject> {
  const root = new CrdReader("CustomResourceDefinition", crd);
  root.field("apiVersion").oneOf(["apiextensions.k8s.io/v1"]);
  root.field("kind").oneOf(["CustomResourceDefinition"]);
  const spec = root.field("spec");
  const names = spec.field("names");
  const group = spec.field("group").text();
  const plural = names.field("plural").text();
  checkName(root, `${plural}.${group}`);
  if (spec.field("preserveUnknownFields").flag()) {
    throw spec.field("preserveUnknownFields").refusal("no server takes it any more", "leave it out");
  }
  const version = versionOf(spec.field("versions"), options.version);
  const kind = names.field("kind").text();
  const subresources = optional(version.field("subresources"));
  const status = subresources?.field("status");
  return {
    group,
    version: version.field("name").text(),
    kind,
    plural,
    singular: names.field("singular").isAbsent ? kind.toLowerCase() : names.field("singular").text(),
    shortNames: texts(names.field("shortNames")),
    categories: texts(names.field("categories")),
    scope: spec.field("scope").oneOf(["Namespaced", "Cluster"]),
    hasStatus: status !== undefined && !status.isAbsent,
    schema: objectSchema(version.field("schema").field("openAPIV3Schema")),
    columns: version.field("additionalPrinterColumns").list().map(columnOf),
    scale: subresources === undefined ? undefined : scaleOf(subresources.field("scale")),
    selectable: version
      .field("selectableFields")
      .list()
      .map((field) => field.field("jsonPath").text()),
  };
}

function checkName(root: CrdReader, expected: string): void {
  const name = root.field("metadata").field("name");
  if (name.text() !== expected) throw name.refusal("is not spec.names.plural and spec.group", `write ${expected}`);
}

function versionOf(versions: CrdReader, wanted: string | undefined): CrdReader {
  const known = versions.list();
  const names = known.map((version) => version.field("name").text());
  if (wanted !== undefined) {
    const found = known[names.indexOf(wanted)];
    if (found !== undefined) return found;
    throw versions.refusal(`there is no version ${wanted}`, `take one of ${names.join(", ")}`);
  }
  const stored = known.filter((version) => version.field("storage").flag());
  const [only] = stored;
  if (only === undefined || stored.length > 1) {
    throw versions.refusal(`${stored.length} versions have storage: true`, "mark the one that objects are stored in");
  }
  return only;
}

/** The schema without what every object has; rules about the name stay. */
function objectSchema(at: CrdReader): StructuralSchema {
  if (at.isAbsent) throw at.refusal("is missing", "give the schema of the objects");
  const schema = readStructural(at);
  if (schema.type !== "object") throw at.field("type").refusal("an object of a kind is an object", "write object");
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...own } = schema.properties ?? {};
  const properties = metadata?.properties === undefined ? own : { ...own, metadata };
  return { ...schema, properties };
}

const COLUMN_TYPES = ["string", "integer", "number", "boolean", "date"] as const;

function columnOf(at: CrdReader): PrinterColumn {
  const { description, priority } = at.fields();
  return {
    name: at.field("name").text(),
    type: at.field("type").oneOf(COLUMN_TYPES),
    jsonPath: at.field("jsonPath").text(),
    ...(description === undefined || description === "" ? {} : { description: at.field("description").text() }),
    ...(typeof priority === "number" ? { priority } : {}),
  };
}

function scaleOf(at: CrdReader): ScalePaths | undefined {
  if (at.isAbsent) return undefined;
  const selector = at.field("labelSelectorPath");
  return {
    specReplicasPath: at.field("specReplicasPath").text(),
    statusReplicasPath: at.field("statusReplicasPath").text(),
    ...(selector.isAbsent ? {} : { labelSelectorPath: selector.text() }),
  };
}

function texts(at: CrdReader): readonly string[] {
  return at.list().map((item) => item.text());
}

function optional(at: CrdReader): CrdReader | undefined {
  return at.isAbsent ? undefined : at;
}
