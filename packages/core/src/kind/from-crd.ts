import type { JsonObject } from "../json/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { PrinterColumn } from "./printer-columns.ts";
import { CrdReader } from "./crd-reader.ts";
import { parseStructuralSchema } from "./crd-schema.ts";
import type { CustomKind } from "./custom-kind.ts";
import type { ScalePaths } from "./subresource.ts";

/** Options of {@link kindFromCrd}. */
export interface KindFromCrdOptions {
  /** The version to read. Default: the storage version. */
  readonly version?: string;
}

/**
 * Reads the kind of an existing CustomResourceDefinition (apiextensions.k8s.io/v1, as parsed from YAML). Specs and
 * statuses are typed as JSON objects. The status may lack the engine's fields; an engine rejects such a kind when it
 * starts. Throws a DeclarationError that names the invalid field.
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
  const group = spec.field("group").string();
  const plural = names.field("plural").string();
  checkName(root, `${plural}.${group}`);
  if (spec.field("preserveUnknownFields").boolean()) {
    throw spec
      .field("preserveUnknownFields")
      .error("the field is not supported in apiextensions.k8s.io/v1", "remove it");
  }
  const version = versionOf(spec.field("versions"), options.version);
  const kind = names.field("kind").string();
  const subresources = optional(version.field("subresources"));
  const status = subresources?.field("status");
  return {
    group,
    version: version.field("name").string(),
    kind,
    plural,
    singular: names.field("singular").isAbsent ? kind.toLowerCase() : names.field("singular").string(),
    shortNames: texts(names.field("shortNames")),
    categories: texts(names.field("categories")),
    scope: spec.field("scope").oneOf(["Namespaced", "Cluster"]),
    hasStatus: status !== undefined && !status.isAbsent,
    schema: objectSchema(version.field("schema").field("openAPIV3Schema")),
    columns: version.field("additionalPrinterColumns").list().map(columnOf),
    scale: subresources === undefined ? undefined : scaleOf(subresources.field("scale")),
    selectableFields: version
      .field("selectableFields")
      .list()
      .map((field) => field.field("jsonPath").string()),
  };
}

function checkName(root: CrdReader, expected: string): void {
  const name = root.field("metadata").field("name");
  if (name.string() !== expected)
    throw name.error("does not match spec.names.plural and spec.group", `write ${expected}`);
}

function versionOf(versions: CrdReader, desired: string | undefined): CrdReader {
  const known = versions.list();
  const names = known.map((version) => version.field("name").string());
  if (desired !== undefined) {
    const found = known[names.indexOf(desired)];
    if (found !== undefined) return found;
    throw versions.error(`no version ${desired}`, `use one of ${names.join(", ")}`);
  }
  const stored = known.filter((version) => version.field("storage").boolean());
  const [only] = stored;
  if (only === undefined || stored.length > 1) {
    throw versions.error(`${stored.length} versions have storage: true`, "set it on the storage version only");
  }
  return only;
}

/** Returns the schema without apiVersion, kind and metadata. Rules about the name are kept. */
function objectSchema(at: CrdReader): StructuralSchema {
  if (at.isAbsent) throw at.error("is missing", "write the schema of the objects");
  const schema = parseStructuralSchema(at);
  if (schema.type !== "object") throw at.field("type").error("the root schema must have type object", "write object");
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...own } = schema.properties ?? {};
  const properties = metadata?.properties === undefined ? own : { ...own, metadata };
  return { ...schema, properties };
}

const COLUMN_TYPES = ["string", "integer", "number", "boolean", "date"] as const;

function columnOf(at: CrdReader): PrinterColumn {
  const { description, priority } = at.fields();
  return {
    name: at.field("name").string(),
    type: at.field("type").oneOf(COLUMN_TYPES),
    jsonPath: at.field("jsonPath").string(),
    ...(description === undefined || description === "" ? {} : { description: at.field("description").string() }),
    ...(typeof priority === "number" ? { priority } : {}),
  };
}

function scaleOf(at: CrdReader): ScalePaths | undefined {
  if (at.isAbsent) return undefined;
  const selector = at.field("labelSelectorPath");
  return {
    specReplicasPath: at.field("specReplicasPath").string(),
    statusReplicasPath: at.field("statusReplicasPath").string(),
    ...(selector.isAbsent ? {} : { labelSelectorPath: selector.string() }),
  };
}

function texts(at: CrdReader): readonly string[] {
  return at.list().map((item) => item.string());
}

function optional(at: CrdReader): CrdReader | undefined {
  return at.isAbsent ? undefined : at;
}
