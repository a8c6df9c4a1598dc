import type { JsonValue } from "@levelset/core";
import type { Alias, UnvalidatedObject } from "../resource/index.ts";
import type { ApiObject } from "../store/index.ts";
import { versionedObjectFrom } from "./versioned-object.ts";
import type { RegistryWriteResult } from "./write-options.ts";

/** Converts a write result from the stored resource to the requested alias. */
export function viewAs(
  alias: Alias,
  { view, warnings }: RegistryWriteResult,
  extra: readonly string[],
): RegistryWriteResult {
  return { view: versionedObjectFrom(alias.fromStorage(view.object)), warnings: [...extra, ...warnings] };
}

/** Returns a decoded object as a request body. */
export function asBody(object: UnvalidatedObject | ApiObject): JsonValue {
  // Decoded objects consist of JSON only.
  return object as unknown as JsonValue;
}
