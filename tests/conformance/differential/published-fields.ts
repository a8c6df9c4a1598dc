/** The fields of a kind in an OpenAPI document, in a comparable form. */

/** Properties of fields by path. */
export type PublishedFields = ReadonlyMap<string, string>;

/** The parts of a schema that are compared. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly [extension: string]: unknown;
}

/** The parts of a document that are compared. */
export interface OpenapiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const EXTENSIONS = [
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-patch-strategy",
  "x-kubernetes-patch-merge-key",
];

/** Returns the fields of a kind, or undefined if the document does not have it. */
export function publishedFields(document: OpenapiDocument, gvk: Gvk): PublishedFields | undefined {
  const { schemas } = document.components;
  const root = Object.values(schemas).find((schema) => isOf(schema, gvk));
  if (root === undefined) return undefined;
  const fields = new Map<string, string>();
  visit(root, "", []);
  return fields;

  function visit(schema: Schema, path: string, above: readonly string[]): void {
    const { name, merged } = resolve(schema);
    if (name !== undefined && above.includes(name)) return;
    const next = name === undefined ? above : [...above, name];
    for (const [field, child] of Object.entries(merged.properties ?? {})) {
      const isRequired = merged.required?.includes(field) === true;
      fields.set(`${path}.${field}`, `${factsOf(child)}${isRequired ? " required" : ""}`);
      visit(innermost(child), `${path}.${field}`, next);
    }
  }

  /** Resolves the references of a schema. */
  function resolve(schema: Schema): { readonly name: string | undefined; readonly merged: Schema } {
    const [only] = schema.allOf ?? [];
    const reference = schema.$ref ?? (schema.allOf?.length === 1 ? only?.$ref : undefined);
    const name = reference?.replace("#/components/schemas/", "");
    return { name, merged: name === undefined ? schema : { ...schemas[name], ...schema } };
  }

  function innermost(schema: Schema): Schema {
    const { merged } = resolve(schema);
    if (merged.items !== undefined) return innermost(merged.items);
    return typeof merged.additionalProperties === "object" ? innermost(merged.additionalProperties) : schema;
  }

  function factsOf(schema: Schema): string {
    const { merged } = resolve(schema);
    const extensions = EXTENSIONS.filter((key) => merged[key] !== undefined).map(
      (key) => `${key.slice("x-kubernetes-".length)}=${String(merged[key])}`,
    );
    const values = merged.enum === undefined ? [] : [`enum=${merged.enum.toSorted().join("|")}`];
    return [typeOf(schema), ...values, ...extensions].join(" ");
  }

  /** Returns the type as `kubectl explain` shows it. */
  function typeOf(schema: Schema): string {
    const { name, merged } = resolve(schema);
    if (merged.items !== undefined) return `[]${typeOf(merged.items)}`;
    if (typeof merged.additionalProperties === "object") return `map[string]${typeOf(merged.additionalProperties)}`;
    const isNamed = name !== undefined && (merged.type === undefined || merged.type === "object");
    const type = isNamed ? (name.split(".").at(-1) ?? "") : (merged.type ?? "any");
    return isNamed || merged.format === undefined ? type : `${type}(${merged.format})`;
  }
}

function isOf(schema: Schema, { group, version, kind }: Gvk): boolean {
  const kinds = schema["x-kubernetes-group-version-kind"];
  return (
    Array.isArray(kinds) &&
    kinds.some((found: Gvk) => found.group === group && found.version === version && found.kind === kind)
  );
}
