import { Eviction } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core";
import type { Resource } from "../../registry/index.ts";
import type { Components } from "./components.ts";
import type { Remarks } from "./dialect.ts";
import type { Operation, PathItem } from "./operations.ts";
import { partKind } from "./parts.ts";

/** What answers are written in. */
export const ANSWER_TYPES: readonly string[] = ["application/json", "application/yaml"];

/** Evictions carry the same options as deletions. */
const DELETE_OPTIONS: StructuralSchema = {
  ...Eviction.schema.properties?.["deleteOptions"],
  type: "object",
  description: "How objects are deleted.",
};

const STATUS: StructuralSchema = {
  type: "object",
  description: "How a request ended, where there is no object to tell it.",
  properties: {
    apiVersion: { type: "string", description: "v1." },
    kind: { type: "string", description: "Status." },
    code: { type: "integer", format: "int32", description: "The HTTP code." },
    message: { type: "string", description: "What happened, for people." },
    reason: { type: "string", description: "What happened, in one word." },
    status: { type: "string", description: "Success or Failure." },
  },
};

const PATCH: StructuralSchema = { type: "object", description: "A change, in the form that the media type says." };

/** The schemas that operations of one resource take and give. */
export class Media {
  readonly #components: Components;
  readonly #resource: Resource;

  constructor(components: Components, resource: Resource) {
    this.#components = components;
    this.#resource = resource;
  }

  /** The schema of what is sent or answered at a path. */
  of({ part }: PathItem, what: Operation["answer"] | NonNullable<Operation["body"]>["of"]): Remarks {
    const components = this.#components;
    switch (what) {
      case "object":
        return components.object(this.#resource);
      case "list":
        return components.list(this.#resource);
      case "part": {
        const kind = part === undefined ? undefined : partKind(this.#resource, part);
        return kind === undefined ? components.object(this.#resource) : components.kind(kind);
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
