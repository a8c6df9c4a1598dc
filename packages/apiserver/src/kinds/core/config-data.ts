import { deepEqual } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import type { ApiObject } from "../../store/index.ts";
import { forbiddenField, invalidField, configKeyProblems, asRecord } from "../../resource/index.ts";

const DATA_MAX_BYTES = 1024 * 1024;

export function keyErrors(object: ApiObject, fields: readonly string[]): readonly FieldError[] {
  return fields.flatMap((field) =>
    Object.keys(asRecord(object[field])).flatMap((key) =>
      configKeyProblems(key).map((problem) => invalidField(`${field}[${key}]`, key, problem)),
    ),
  );
}

/** How the values of a field encode their bytes. */
type ValueEncodings = Readonly<Record<string, "utf8" | "base64">>;

/** The limit counts the bytes of the decoded values, without the keys (`ValidateSecret`, `ValidateConfigMap`). */
export function sizeErrors(object: ApiObject, encodings: ValueEncodings): readonly FieldError[] {
  const fields = Object.entries(encodings);
  const size = fields
    .flatMap(([field, encoding]) =>
      Object.values(asRecord(object[field])).map((value) => Buffer.byteLength(String(value), encoding)),
    )
    .reduce((sum, bytes) => sum + bytes, 0);
  if (size <= DATA_MAX_BYTES) return [];
  const message = `Too long: may not be more than ${DATA_MAX_BYTES} bytes`;
  return [{ reason: "FieldValueTooLong", field: fields.length > 1 ? "[]" : "data", message }];
}

export function immutableErrors(
  object: ApiObject,
  old: ApiObject | undefined,
  fields: readonly string[],
): readonly FieldError[] {
  if (old?.["immutable"] !== true) return [];
  const frozen = "field is immutable when `immutable` is set";
  return [
    ...(object["immutable"] === true ? [] : [forbiddenField("immutable", frozen)]),
    ...fields
      .filter((field) => !deepEqual(asRecord(object[field]), asRecord(old[field])))
      .map((field) => forbiddenField(field, frozen)),
  ];
}

export const size = (map: object | undefined): number => Object.keys(map ?? {}).length;
