import type { FieldError } from "@levelset/core/schema";
import { ConfigMap } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  invalidField,
  asRecord,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { keyErrors, sizeErrors, immutableErrors, size } from "./config-data.ts";

/** Strategy of ConfigMaps: validates keys, size and immutability. */
const configMapStrategy: KindStrategy = {
  validate: (object, old) => [
    ...keyErrors(object, ["data", "binaryData"]),
    ...overlapErrors(object),
    ...sizeErrors(object, { data: "utf8", binaryData: "base64" }),
    ...immutableErrors(object, old, ["data", "binaryData"]),
  ],
};

function overlapErrors(object: ApiObject): readonly FieldError[] {
  const data = asRecord(object["data"]);
  return Object.keys(asRecord(object["binaryData"]))
    .filter((key) => Object.hasOwn(data, key))
    .map((key) => invalidField(`data[${key}]`, key, "duplicate of key present in binaryData"));
}

const configMapPrinter: Printer = printer<typeof ConfigMap>(
  [NAME_COLUMN, tableColumn("Data", "Number of keys."), AGE_COLUMN],
  (map) => [size(map.data) + size(map.binaryData)],
);

/** ConfigMaps. */
export const configMapResource: Resource = builtinResource({
  kind: ConfigMap,
  strategy: configMapStrategy,
  printer: configMapPrinter,
});
