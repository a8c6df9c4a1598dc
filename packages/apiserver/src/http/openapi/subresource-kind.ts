import { Binding, Eviction, Scale, TokenRequest } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { bodySchemaOf } from "../../resource/index.ts";
import type { Resource, SubresourceInfo } from "../../resource/index.ts";
import type { OpenApiKind } from "./components.ts";

const KINDS: Readonly<Record<string, Kind>> = { Binding, Eviction, Scale, TokenRequest };

/** Returns the kind of a subresource if it differs from the object. */
export function subresourceKind(resource: Resource, part: SubresourceInfo): OpenApiKind | undefined {
  if (part.kind === resource.kind) return undefined;
  const found = KINDS[part.kind];
  return found === undefined ? undefined : { ...found, schema: bodySchemaOf(found.schema) };
}
