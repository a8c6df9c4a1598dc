import { Binding, Eviction, Scale, TokenRequest } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { bodySchemaOf } from "../../registry/index.ts";
import type { Resource, SubresourceFacts } from "../../registry/index.ts";
import type { Described } from "./components.ts";

const KINDS: Readonly<Record<string, Kind>> = { Binding, Eviction, Scale, TokenRequest };

/** What a part of an object is, where it is something else than the object. */
export function partKind(resource: Resource, part: SubresourceFacts): Described | undefined {
  if (part.kind === resource.kind) return undefined;
  const found = KINDS[part.kind];
  return found === undefined ? undefined : { ...found, schema: bodySchemaOf(found.schema) };
}
