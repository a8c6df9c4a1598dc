import type { Volume } from "@levelset/core";
import { invalidField, requiredField } from "../../../resource/index.ts";
import { fileModeErrors, requiredStringErrors, localNonReservedPathErrors } from "../../field-checks.ts";
import type { FieldErrors } from "../../field-checks.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { FILE_FIELDS, fieldRefErrors, resourceRefErrors } from "./env.ts";

/** Validation of files in ConfigMap, Secret and downwardAPI volumes. */

type LooseVolume = Unvalidated<Volume>;
type Items = NonNullable<NonNullable<LooseVolume["secret"]>["items"]>;

/** Validates `items`. */
export function* itemErrors(path: string, items: Items): FieldErrors {
  for (const [index, item] of items.entries()) {
    const at = `${path}[${index}]`;
    yield* requiredStringErrors(`${at}.key`, item.key);
    yield* requiredStringErrors(`${at}.path`, item.path);
    yield* localNonReservedPathErrors(`${at}.path`, item.path ?? "");
    yield* fileModeErrors(`${at}.mode`, item.mode);
  }
}

type DownwardFile = NonNullable<NonNullable<LooseVolume["downwardAPI"]>["items"]>[number];

/** Validates a file of the downward API. */
export function* downwardFileErrors(path: string, file: DownwardFile): FieldErrors {
  yield* requiredStringErrors(`${path}.path`, file.path);
  yield* localNonReservedPathErrors(`${path}.path`, file.path ?? "");
  if (file.fieldRef !== undefined) {
    yield* fieldRefErrors(`${path}.fieldRef`, file.fieldRef, FILE_FIELDS);
    if (file.resourceFieldRef !== undefined) {
      yield invalidField(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
    }
  } else if (file.resourceFieldRef !== undefined) {
    yield* resourceRefErrors(`${path}.resourceFieldRef`, file.resourceFieldRef, true);
  } else {
    yield requiredField(path, "one of fieldRef and resourceFieldRef is required");
  }
  yield* fileModeErrors(`${path}.mode`, file.mode);
}
