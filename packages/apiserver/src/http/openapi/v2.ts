import type { ServedGroup } from "../discovery.ts";
import { Components } from "./components.ts";
import { V2 } from "./dialect.ts";
import { ANSWER_TYPES, Media } from "./media.ts";
import { pathsOf, PRETTY } from "./operations.ts";
import type { Operation, Parameter, PathItem } from "./operations.ts";

/** The Swagger 2.0 document of everything served, for clients that know no newer one. */
export function openapiV2(groups: readonly ServedGroup[], version: string): unknown {
  const components = new Components(V2);
  const paths = groups.flatMap(({ versions }) =>
    versions.flatMap(({ group, version: served, resources }) => {
      const tag = `${group === "" ? "core" : group.replaceAll(/\W/gu, "_")}_${served}`;
      return resources.flatMap((resource) => {
        const media = new Media(components, resource);
        components.object(resource);
        return pathsOf(resource).map((item) => [item.path, pathBody(item, media, tag)] as const);
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

function pathBody(item: PathItem, media: Media, tag: string): unknown {
  return {
    ...Object.fromEntries(item.operations.map((operation) => [operation.method, body(item, operation, media, tag)])),
    parameters: [...item.parameters.map(pathParameter), queryParameter(PRETTY)],
  };
}

function body(item: PathItem, operation: Operation, media: Media, tag: string): unknown {
  const taken = operation.body;
  const given =
    taken === undefined
      ? []
      : [
          {
            name: "body",
            in: "body",
            ...(taken.of === "options" ? {} : { required: true }),
            schema: media.of(item, taken.of),
          },
        ];
  return {
    description: operation.description,
    consumes: taken?.types ?? ["*/*"],
    produces: operation.action === "list" ? [...ANSWER_TYPES, "application/json;stream=watch"] : ANSWER_TYPES,
    schemes: ["https"],
    tags: [tag],
    operationId: operation.id,
    parameters: [...given, ...operation.parameters.map(queryParameter)],
    responses: {
      "200": { description: "OK", schema: media.of(item, operation.answer) },
      "401": { description: "Unauthorized" },
    },
    "x-kubernetes-action": operation.action,
    "x-kubernetes-group-version-kind": operation.gvk,
  };
}

function queryParameter({ name, description, type }: Parameter): unknown {
  return { uniqueItems: true, type, description, name, in: "query" };
}

function pathParameter(name: string): unknown {
  const description = name === "name" ? "name of the object" : "the namespace it is in";
  return { uniqueItems: true, type: "string", description, name, in: "path", required: true };
}
