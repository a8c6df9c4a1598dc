import type { Volume } from "@levelset/core";
import { invalidField, requiredField } from "../../field.ts";
import { fileModeErrors, neededText, plainPathErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import type { Loose } from "../loose.ts";
import { FILE_FIELDS, fieldRefErrors, resourceRefErrors } from "./env.ts";

/** Files that volumes make of keys and of facts about the pod. */

type LooseVolume = Loose<Volume>;
type Items = NonNullable<NonNullable<LooseVolume["secret"]>["items"]>;

/** Keys as files. */
export function* itemErrors(path: string, items: Items): Errors {
  for (const [index, item] of items.entries()) {
    const at = `${path}[${index}]`;
    yield* neededText(`${at}.key`, item.key);
    yield* neededText(`${at}.path`, item.path);
    yield* plainPathErrors(`${at}.path`, item.path ?? "");
    yield* fileModeErrors(`${at}.mode`, item.mode);
  }
}

type DownwardFile = NonNullable<NonNullable<LooseVolume["downwardAPI"]>["items"]>[number];

/** A fact about the pod as a file. */
export function* downwardFileErrors(path: string, file: DownwardFile): Errors {
  yield* neededText(`${path}.path`, file.path);
  yield* plainPathErrors(`${path}.path`, file.path ?? "");
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
