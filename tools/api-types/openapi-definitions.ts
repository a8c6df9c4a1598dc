/** Facts about a property that kube-apiserver publishes. */
export interface PublishedProperty {
  readonly enum: readonly string[] | undefined;
  /** Values of `x-kubernetes-*` extensions, by name without that prefix. */
  readonly extensions: ReadonlyMap<string, readonly string[]>;
}

/** Facts about a type that kube-apiserver publishes. */
export interface PublishedType {
  readonly required: readonly string[];
  /** `atomic` if server-side apply replaces values of the type as a whole. */
  readonly mapType: string | undefined;
  readonly properties: ReadonlyMap<string, PublishedProperty>;
}

/** Go package path and type, such as `k8s.io/api/core/v1.Pod` → published facts. */
export type PublishedTypes = ReadonlyMap<string, PublishedType>;

const FUNCTION = /^func (schema_\w+)\(ref [^\n]*\n(.*?)^\}/gmsu;
const PROPERTY = /^\t{5}"([^"]+)": \{\n(.*?)^\t{5}\},/gmsu;
const EXTENSION = /^\t{8}"x-kubernetes-([\w-]+)": +(?:"([^"]*)"|\[\]interface\{\}\{\n(.*?)^\t{8}\}),/gmsu;

/** Parses `pkg/generated/openapi/zz_generated.openapi.go` of Kubernetes, which openapi-gen writes and gofmt formats. */
export function parseOpenapiDefinitions(source: string): PublishedTypes {
  const paths = new Map(
    Array.from(source.matchAll(/^\t(\w+) "([^"]+)"$/gmu), ([, alias = "", path = ""]) => [alias, path]),
  );
  const bodies = new Map(Array.from(source.matchAll(FUNCTION), ([, name = "", body = ""]) => [name, body]));
  const entries = source.matchAll(/^\t\t(\w+)\.(\w+)\{\}\.OpenAPIModelName\(\): +(schema_\w+)\(ref\),$/gmu);
  return new Map(
    Array.from(entries, ([, alias = "", type = "", name = ""]) => [
      `${paths.get(alias) ?? alias}.${type}`,
      parseType(bodies.get(name) ?? ""),
    ]),
  );
}

function parseType(body: string): PublishedType {
  return {
    required: texts(/^\t{4}Required: +\[\]string\{(.*)\},$/mu.exec(body)?.[1] ?? ""),
    mapType: /^\t{5}"x-kubernetes-map-type": +"(\w+)",$/mu.exec(body)?.[1],
    properties: new Map(
      Array.from(body.matchAll(PROPERTY), ([, name = "", property = ""]) => [name, parseProperty(property)]),
    ),
  };
}

function parseProperty(body: string): PublishedProperty {
  // The enum of a list is that of its items.
  const values = /^\t+Enum: +\[\]interface\{\}\{(.*)\},$/mu.exec(body)?.[1];
  return {
    enum: values === undefined ? undefined : texts(values),
    extensions: new Map(
      Array.from(body.matchAll(EXTENSION), ([, name = "", value, list = ""]) => [
        name,
        value === undefined ? texts(list) : [value],
      ]),
    ),
  };
}

function texts(list: string): readonly string[] {
  return Array.from(list.matchAll(/"([^"]*)"/gu), ([, value = ""]) => value);
}
