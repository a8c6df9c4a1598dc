import { Eviction } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import { bodySchemaOf } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";
import type { Components } from "./components.ts";
import type { OpenApiSchema } from "./dialect.ts";
import type { OpenApiOperation, PathItem } from "./operations.ts";

/** Media types of responses. */
export const RESPONSE_MEDIA_TYPES: readonly string[] = ["application/json", "application/yaml"];

/** Evictions use the same options as deletions. */
const DELETE_OPTIONS: StructuralSchema = {
  ...Eviction.schema.properties?.["deleteOptions"],
  type: "object",
  description: "Options of a deletion.",
};

const STATUS: StructuralSchema = {
  type: "object",
  description: "Result of a request that does not return an object.",
  properties: {
    apiVersion: { type: "string", description: "v1." },
    kind: { type: "string", description: "Status." },
    code: { type: "integer", format: "int32", description: "HTTP status code." },
    message: { type: "string", description: "Message for people." },
    reason: { type: "string", description: "Machine-readable reason." },
    status: { type: "string", description: "Success or Failure." },
  },
};

const PATCH: StructuralSchema = { type: "object", description: "A patch in the format of the media type." };

/** Request and response schemas of the operations of one resource. */
export class MediaSchemas {
  readonly #components: Components;
  readonly #resource: Resource;

  constructor(components: Components, resource: Resource) {
    this.#components = components;
    this.#resource = resource;
  }

  /** Returns the schema of a request or response body. */
  of(
    { subresource }: PathItem,
    what: OpenApiOperation["response"] | NonNullable<OpenApiOperation["body"]>["of"],
  ): OpenApiSchema {
    const components = this.#components;
    switch (what) {
      case "object":
        return components.object(this.#resource);
      case "list":
        return components.list(this.#resource);
      case "part": {
        const kind = subresource?.body;
        return kind === undefined
          ? components.object(this.#resource)
          : components.kind({ ...kind, schema: bodySchemaOf(kind.schema) });
      }
      case "status":
        return components.meta("Status", STATUS);
      case "patch":
        return components.meta("Patch", PATCH);
      case "options":
        return components.meta("DeleteOptions", DELETE_OPTIONS);
    }
  }
}
