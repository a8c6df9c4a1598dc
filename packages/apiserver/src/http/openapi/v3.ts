import type { ServedVersion } from "../discovery/discovery.ts";
import { Components } from "./components.ts";
import { OPENAPI_V3 } from "./dialect.ts";
import { RESPONSE_MEDIA_TYPES, MediaSchemas } from "./media-schemas.ts";
import { pathItemsOf, PRETTY_PARAMETER } from "./operations.ts";
import type { OpenApiOperation, OpenApiParameter, PathItem } from "./operations.ts";

/** Returns the OpenAPI 3.0 document of one group and version. */
export function openapiV3(served: ServedVersion, version: string): unknown {
  const components = new Components(OPENAPI_V3);
  const tag = `${served.group === "" ? "core" : served.group.replaceAll(/\W/gu, "_")}_${served.version}`;
  const paths = served.resources.flatMap((resource) => {
    const media = new MediaSchemas(components, resource);
    // Publishes the schema even if no operation refers to it.
    components.object(resource);
    return pathItemsOf(resource).map((item) => [item.path, pathBody(item, media, tag)] as const);
  });
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version },
    paths: Object.fromEntries(paths.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: components.schemas },
  };
}

function pathBody(item: PathItem, media: MediaSchemas, tag: string): unknown {
  return {
    ...Object.fromEntries(item.operations.map((operation) => [operation.method, body(item, operation, media, tag)])),
    parameters: [...item.parameters.map(pathParameter), queryParameter(PRETTY_PARAMETER)],
  };
}

function body(item: PathItem, operation: OpenApiOperation, media: MediaSchemas, tag: string): unknown {
  const schema = media.of(item, operation.response);
  const types =
    operation.action === "list"
      ? [...RESPONSE_MEDIA_TYPES, "application/json;stream=watch"].toSorted()
      : RESPONSE_MEDIA_TYPES;
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const taken = operation.body;
  const ok = { description: "OK", content };
  return {
    tags: [tag],
    description: operation.description,
    operationId: operation.id,
    parameters: operation.parameters.map(queryParameter),
    ...(taken === undefined
      ? {}
      : {
          requestBody: {
            content: Object.fromEntries(taken.types.map((type) => [type, { schema: media.of(item, taken.of) }])),
            ...(taken.of === "options" ? {} : { required: true }),
          },
        }),
    responses: {
      "200": ok,
      ...(operation.method === "post" || operation.method === "put" || operation.method === "patch"
        ? { "201": { ...ok, description: "Created" } }
        : {}),
      "401": { description: "Unauthorized" },
    },
    "x-kubernetes-action": operation.action,
    "x-kubernetes-group-version-kind": operation.gvk,
  };
}

function queryParameter({ name, description, type }: OpenApiParameter): unknown {
  return { name, in: "query", description, schema: { type, uniqueItems: true } };
}

function pathParameter(name: string): unknown {
  const description = name === "name" ? "name of the object" : "namespace of the object";
  return { name, in: "path", description, required: true, schema: { type: "string", uniqueItems: true } };
}
