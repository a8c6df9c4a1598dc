import type { ServedGroup } from "../discovery/discovery.ts";
import { Components } from "./components.ts";
import { OPENAPI_V2 } from "./dialect.ts";
import { RESPONSE_MEDIA_TYPES, MediaSchemas } from "./media-schemas.ts";
import { pathItemsOf, PRETTY_PARAMETER } from "./operations.ts";
import type { OpenApiOperation, OpenApiParameter, PathItem } from "./operations.ts";

/** Returns the Swagger 2.0 document of all served resources. */
export function openapiV2(groups: readonly ServedGroup[], version: string): unknown {
  const components = new Components(OPENAPI_V2);
  const paths = groups.flatMap(({ versions }) =>
    versions.flatMap(({ group, version: served, resources }) => {
      const tag = `${group === "" ? "core" : group.replaceAll(/\W/gu, "_")}_${served}`;
      return resources.flatMap((resource) => {
        const media = new MediaSchemas(components, resource);
        components.object(resource);
        return pathItemsOf(resource).map((item) => [item.path, pathBody(item, media, tag)] as const);
      });
    }),
  );
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version },
    paths: Object.fromEntries(paths.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    definitions: components.schemas,
  };
}

function pathBody(item: PathItem, media: MediaSchemas, tag: string): unknown {
  return {
    ...Object.fromEntries(item.operations.map((operation) => [operation.method, body(item, operation, media, tag)])),
    parameters: [...item.parameters.map(pathParameter), queryParameter(PRETTY_PARAMETER)],
  };
}

function body(item: PathItem, operation: OpenApiOperation, media: MediaSchemas, tag: string): unknown {
  const requestBody = operation.body;
  const bodyParameters =
    requestBody === undefined
      ? []
      : [
          {
            name: "body",
            in: "body",
            ...(requestBody.of === "options" ? {} : { required: true }),
            schema: media.of(item, requestBody.of),
          },
        ];
  return {
    description: operation.description,
    consumes: requestBody?.types ?? ["*/*"],
    produces:
      operation.action === "list" ? [...RESPONSE_MEDIA_TYPES, "application/json;stream=watch"] : RESPONSE_MEDIA_TYPES,
    schemes: ["https"],
    tags: [tag],
    operationId: operation.id,
    parameters: [...bodyParameters, ...operation.parameters.map(queryParameter)],
    responses: {
      "200": { description: "OK", schema: media.of(item, operation.response) },
      "401": { description: "Unauthorized" },
    },
    "x-kubernetes-action": operation.action,
    "x-kubernetes-group-version-kind": operation.gvk,
  };
}

function queryParameter({ name, description, type }: OpenApiParameter): unknown {
  return { uniqueItems: true, type, description, name, in: "query" };
}

function pathParameter(name: string): unknown {
  const description = name === "name" ? "name of the object" : "namespace of the object";
  return { uniqueItems: true, type: "string", description, name, in: "path", required: true };
}
