import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kindTypeName } from "../../packages/apiserver/src/api-types/api-types.ts";
import { KUBERNETES_VERSION } from "../envtest/index.ts";
import { SERVER_MODULE, SWAGGER_MODULE, TYPE_MODULES } from "./go-modules.ts";
import type { GoModules } from "./go-modules.ts";
import { modelNamePrefix, parseGoLists, parseGoStructs } from "./go-structs.ts";
import type { GoField, GoStructs } from "./go-structs.ts";
import { parseOpenapiDefinitions } from "./openapi-definitions.ts";
import type { PublishedProperty, PublishedTypes } from "./openapi-definitions.ts";
import { parseProtoFile } from "./proto-file.ts";
import type { ProtoField, ProtoFile } from "./proto-file.ts";
import type { ServedKinds } from "./served-kinds.ts";

/** A Go package with API types. */
interface GoPackage {
  /** Import path. */
  readonly path: string;
  /** Prefix of the OpenAPI names of its types; undefined if they are not published. */
  readonly openapi: string | undefined;
  readonly proto: ProtoFile;
  readonly structs: GoStructs;
  /** Types that are lists in Go. Their message has one field. */
  readonly lists: ReadonlySet<string>;
}

/** The data file, whose notation `packages/apiserver/src/api-types/api-types.ts` describes. */
export interface ApiTypesFile {
  /** The Kubernetes release of the modules. */
  readonly kubernetes: string;
  readonly packages: Readonly<Record<string, string>>;
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Path of the data file. */
export const API_TYPES_FILE: string = fileURLToPath(
  new URL("../../packages/apiserver/src/api-types/api-types.json", import.meta.url),
);

/**
 * Types that bodies contain beside the served kinds: the envelope of protobuf requests, options, and the Swagger
 * document in protobuf.
 */
const OTHER_ROOTS = ["runtime.Unknown", "meta.v1.DeleteOptions", "openapi.v2.Document"];

const SCALARS: ReadonlySet<string> = new Set(["string", "bytes", "bool", "int32", "int64", "double"]);

/** Collects the types of the served kinds, with all types of their fields. Throws if the modules lack one. */
export function collectApiTypes(modules: GoModules, kinds: ServedKinds): ApiTypesFile {
  const packages = readPackages(modules);
  const published = parseOpenapiDefinitions(
    readFileSync(join(directoryOf(modules, SERVER_MODULE), "pkg/generated/openapi/zz_generated.openapi.go"), "utf8"),
  );
  const types = new Map<string, Readonly<Record<string, string>>>();
  const pending = [...kindTypes(kinds), ...OTHER_ROOTS];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (types.has(name)) continue;
    const fields = fieldsOf(name, packages, published);
    types.set(name, Object.fromEntries(fields.map(({ key, text }) => [key, text])));
    pending.push(...fields.map(({ type }) => type).filter((type) => !SCALARS.has(type)));
  }
  const used = new Set([...types.keys()].map(packageOf));
  return {
    kubernetes: KUBERNETES_VERSION,
    packages: sorted(
      [...packages].flatMap(([key, { openapi }]) => (used.has(key) && openapi !== undefined ? [[key, openapi]] : [])),
    ),
    kinds: sorted(Object.entries(kinds).map(([apiVersion, names]) => [apiVersion, names.join(" ")])),
    types: sorted([...types]),
  };
}

/** Returns the text of the data file. */
export function formatApiTypes(file: ApiTypesFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function kindTypes(kinds: ServedKinds): readonly string[] {
  return Object.entries(kinds).flatMap(([apiVersion, names]) => {
    const [version = "", group = ""] = apiVersion.split("/").toReversed();
    return names.map((kind) => kindTypeName({ group, version, kind }));
  });
}

/** Reads all packages with a `generated.proto`, by their key, such as `core.v1` or `runtime`. */
function readPackages(modules: GoModules): ReadonlyMap<string, GoPackage> {
  const packages = TYPE_MODULES.flatMap((module) => {
    const directory = directoryOf(modules, module);
    const files = readdirSync(directory, { recursive: true, encoding: "utf8" });
    return files
      .filter((file) => file.endsWith("generated.proto"))
      .map((file): [string, GoPackage] => {
        const folder = file.slice(0, -"/generated.proto".length).replaceAll("\\", "/");
        const [last = "", parent = ""] = folder.split("/").toReversed();
        const key = /^v\d/u.test(last) ? `${parent}.${last}` : last;
        return [key, readPackage(`${module}/${folder}`, join(directory, folder))];
      });
  });
  const swagger = join(directoryOf(modules, SWAGGER_MODULE), "openapiv2/OpenAPIv2.proto");
  return new Map([...packages, ["openapi.v2", swaggerPackage(readFileSync(swagger, "utf8"))]]);
}

/** Returns the package of Swagger documents. Its field names are those of JSON in snake case, with `_ref` for `$ref`. */
function swaggerPackage(text: string): GoPackage {
  const proto = parseProtoFile(text);
  const messages = [...proto.messages].map(([message, fields]): [string, readonly ProtoField[]] => [
    message,
    fields.map((field) => ({ ...field, name: camelCase(field.name) })),
  ]);
  const path = `${SWAGGER_MODULE}/openapiv2`;
  return {
    path,
    openapi: undefined,
    proto: { ...proto, messages: new Map(messages) },
    structs: new Map(),
    lists: new Set(),
  };
}

function camelCase(name: string): string {
  if (name === "_ref") return "$ref";
  return name.replaceAll(/_(\w)/gu, (_match, letter: string) => letter.toUpperCase());
}

function readPackage(path: string, directory: string): GoPackage {
  const files = readdirSync(directory).filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
  const sources = files.map((file) => readFileSync(join(directory, file), "utf8"));
  const names = files.indexOf("zz_generated.model_name.go");
  return {
    path,
    openapi: modelNamePrefix(sources[names] ?? ""),
    proto: parseProtoFile(readFileSync(join(directory, "generated.proto"), "utf8")),
    structs: parseGoStructs(sources),
    lists: parseGoLists(sources),
  };
}

interface FieldEntry {
  readonly key: string;
  readonly type: string;
  readonly text: string;
}

function fieldsOf(
  name: string,
  packages: ReadonlyMap<string, GoPackage>,
  published: PublishedTypes,
): readonly FieldEntry[] {
  const key = packageOf(name);
  const message = name.slice(key.length + 1);
  const found = packages.get(key);
  const fields = found?.proto.messages.get(message);
  if (found === undefined || fields === undefined) throw new Error(`${name} has no message in the Go modules.`);
  const facts = published.get(`${found.path}.${message}`);
  const goFields = found.structs.get(message);
  return fields.map((field) => {
    const go = goFields?.get(field.number);
    const jsonName = go?.jsonName ?? field.name;
    const type = typeName(field.type, key, packages);
    const target = packages.get(packageOf(type));
    const typeFacts = target && published.get(`${target.path}.${type.slice(packageOf(type).length + 1)}`);
    const marks = [
      ...(found.lists.has(message) ? ["self"] : []),
      ...goMarks(field, type, go),
      ...(facts?.required.includes(jsonName) === true ? ["required"] : []),
      ...publishedMarks(facts?.properties.get(jsonName), field.shape === "one" ? typeFacts?.mapType : undefined),
    ];
    const isPointer = SCALARS.has(type) && field.shape === "one" && go?.isPointer === true;
    const prefix = { one: isPointer ? "*" : "", list: "[]", map: "map[string]" }[field.shape];
    return { key: jsonName, type, text: [field.number, prefix + type, ...marks].join(" ") };
  });
}

/** Returns the marks of Go's JSON encoding: `omitempty` has no effect on an object that is not a pointer. */
function goMarks(field: ProtoField, type: string, go: GoField | undefined): readonly string[] {
  if (go?.isInline === true) return ["inline"];
  if (field.isOneof) return ["oneof"];
  if (go?.jsonName === undefined) return [];
  if (field.shape !== "one" || go.isPointer) return go.isOmitEmpty ? [] : ["zero=null"];
  if (SCALARS.has(type)) return go.isOmitEmpty ? ["omitempty"] : ["zero=empty"];
  return go.isOmitZero ? [] : ["zero=empty"];
}

function publishedMarks(property: PublishedProperty | undefined, mapType: string | undefined): readonly string[] {
  const extension = (name: string): string | undefined => property?.extensions.get(name)?.join(",");
  const marks = {
    enum: property?.enum?.join(","),
    listType: extension("list-type"),
    listMapKeys: extension("list-map-keys"),
    mapType: extension("map-type") ?? mapType,
    patchStrategy: extension("patch-strategy"),
    patchMergeKey: extension("patch-merge-key"),
  };
  return Object.entries(marks).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}

/** Returns the name of a type: itself for a scalar, else the key of its package and its name in the package. */
function typeName(type: string, owner: string, packages: ReadonlyMap<string, GoPackage>): string {
  if (SCALARS.has(type)) return type;
  if (!type.startsWith(".")) return `${owner}.${type}`;
  const at = type.lastIndexOf(".");
  const name = type.slice(1, at);
  const found = [...packages].find(([, { proto }]) => proto.package === name);
  if (found === undefined) throw new Error(`The Go modules have no protobuf package ${name}.`);
  return found[0] + type.slice(at);
}

function packageOf(type: string): string {
  return type.slice(0, Math.max(0, type.lastIndexOf(".")));
}

function directoryOf(modules: GoModules, path: string): string {
  const directory = modules.get(path);
  if (directory === undefined) throw new Error(`The go tool did not report the directory of ${path}.`);
  return directory;
}

function sorted<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
