import { createHash } from "node:crypto";
import { stringifyJson } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core";
import { META_SCHEMA, patchTypesOf, resourceApiVersion } from "../registry/index.ts";
import type { Resource } from "../registry/index.ts";

const OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

/** `/openapi/v3`: where the document of each group and version is. The hash lets clients keep their copy. */
export function openapiIndex(resources: readonly Resource[]): unknown {
  const paths = new Map<string, readonly Resource[]>();
  for (const resource of resources) {
    const path = groupPath(resource).slice(1);
    paths.set(path, [...(paths.get(path) ?? []), resource]);
  }
  return {
    paths: Object.fromEntries(
      [...paths].map(([path, served]) => {
        const hash = createHash("sha256")
          .update(stringifyJson(openapiDocument(served)))
          .digest("hex")
          .toUpperCase();
        return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
      }),
    ),
  };
}

/** `/openapi/v3/apis/<group>/<version>`: schemas and operations, as far as kubectl reads them. */
export function openapiDocument(resources: readonly Resource[]): unknown {
  const schemas = resources.flatMap((resource) => [
    [schemaName(resource), objectSchema(resource)] as const,
    [`${schemaName(resource)}List`, listSchema(resource)] as const,
  ]);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: "v1.35.0+levelset" },
    paths: Object.fromEntries(resources.flatMap((resource) => pathsOf(resource))),
    components: {
      schemas: {
        ...Object.fromEntries(schemas),
        [OBJECT_META]: META_SCHEMA,
        [LIST_META]: {
          type: "object",
          properties: {
            resourceVersion: { type: "string" },
            continue: { type: "string" },
            remainingItemCount: { type: "integer", format: "int64" },
          },
        },
      },
    },
  };
}

function groupPath({ group, version }: Resource): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** As the real server names schemas: the group backwards, then version and kind. */
function schemaName(resource: Resource): string {
  if (resource.group === "") return `io.k8s.api.core.${resource.version}.${resource.kind}`;
  return [...resource.group.split(".").toReversed(), resource.version, resource.kind].join(".");
}

function reference(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function gvkOf({ group, version, kind }: Resource): unknown {
  return { group, version, kind };
}

const TYPE_FIELDS: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: "string", description: "The group and version of the schema that this object follows." },
  kind: { type: "string", description: "The kind of object." },
};

function objectSchema(resource: Resource): unknown {
  const { properties, ...rest } = resource.bodySchema;
  return {
    ...rest,
    type: "object",
    properties: {
      ...TYPE_FIELDS,
      metadata: { description: "Standard metadata of every object.", allOf: [reference(OBJECT_META)] },
      ...properties,
    },
    "x-kubernetes-group-version-kind": [gvkOf(resource)],
  };
}

function listSchema(resource: Resource): unknown {
  const { group, version, listKind } = resource;
  return {
    type: "object",
    required: ["items"],
    properties: {
      ...TYPE_FIELDS,
      metadata: { allOf: [reference(LIST_META)] },
      items: { type: "array", items: { allOf: [reference(schemaName(resource))] } },
    },
    "x-kubernetes-group-version-kind": [{ group, version, kind: listKind }],
  };
}

function pathsOf(resource: Resource): readonly (readonly [string, unknown])[] {
  const base = groupPath(resource);
  const namespaced = resource.scope === "Namespaced";
  const collection = `${base}${namespaced ? "/namespaces/{namespace}" : ""}/${resource.plural}`;
  const name = schemaName(resource);
  const list = operation(resource, "list", { answer: `${name}List` });
  const place = namespaced ? [pathParameter("namespace")] : [];
  const item = {
    parameters: [pathParameter("name"), ...place],
    get: operation(resource, "get", { answer: name }),
    put: operation(resource, "put", { answer: name, body: ["application/json"] }),
    patch: operation(resource, "patch", { answer: name, body: patchTypesOf(resource) }),
  };
  return [
    [
      collection,
      { parameters: place, get: list, post: operation(resource, "post", { answer: name, body: ["application/json"] }) },
    ],
    [`${collection}/{name}`, { ...item, delete: operation(resource, "delete", { answer: name }) }],
    ...(resource.hasStatus ? [[`${collection}/{name}/status`, item] as const] : []),
    ...(namespaced ? [[`${base}/${resource.plural}`, { get: list }] as const] : []),
  ];
}

const WRITES = ["post", "put", "patch", "delete"];

function operation(
  resource: Resource,
  action: string,
  shape: { readonly answer: string; readonly body?: readonly string[] },
): unknown {
  const content = { "application/json": { schema: reference(shape.answer) } };
  return {
    tags: [resourceApiVersion(resource)],
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": gvkOf(resource),
    parameters: parametersOf(action),
    ...(shape.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(shape.body.map((type) => [type, { schema: bodySchema(type, shape.answer) }])),
          },
        }),
    responses: { "200": { description: "OK", content } },
  };
}

function bodySchema(type: string, name: string): unknown {
  return type === "application/json" ? reference(name) : { type: "object" };
}

/** kubectl looks for fieldValidation and dryRun before it relies on them. */
function parametersOf(action: string): readonly unknown[] {
  if (!WRITES.includes(action)) return action === "list" ? LIST_PARAMETERS : [];
  const dryRun = queryParameter("dryRun", "All: check everything, store nothing.");
  if (action === "delete") return [dryRun];
  return [
    dryRun,
    queryParameter("fieldValidation", "Strict, Warn or Ignore unknown fields."),
    queryParameter("fieldManager"),
  ];
}

const LIST_PARAMETERS = ["labelSelector", "fieldSelector", "limit", "continue", "resourceVersion", "watch"].map(
  (name) => queryParameter(name),
);

function queryParameter(name: string, description = ""): unknown {
  return { name, in: "query", description, schema: { type: "string", uniqueItems: true } };
}

function pathParameter(name: string): unknown {
  return { name, in: "path", required: true, schema: { type: "string", uniqueItems: true } };
}
