import { isJsonObject, controllerOf, ControllerRevision } from "@levelset/core";
import { parseApiVersion } from "@levelset/core/internal";
import type { ObjectOf } from "@levelset/core";
import {
  requiredField,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  NONE_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { nonNegativeErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { immutableFieldErrors } from "./replicas.ts";

/** Strategy of ControllerRevisions: data is immutable. */
const controllerRevisionStrategy: KindStrategy = {
  validate: function* (object, old) {
    yield* nonNegativeErrors("revision", unvalidatedField<number>(object, "revision"));
    const { data } = object;
    if (old !== undefined) yield* immutableFieldErrors("data", data, old["data"]);
    else if (data === undefined) yield requiredField("data", "data is mandatory");
    else if (!isJsonObject(data)) yield requiredField("data", "data must be a valid JSON object");
  },
};

const controllerRevisionPrinter: Printer = printer<typeof ControllerRevision>(
  [
    NAME_COLUMN,
    tableColumn("Controller", "Owner of the revision."),
    tableColumn("Revision", "Revision number."),
    AGE_COLUMN,
  ],
  (revision) => [ownerText(revision), revision.revision],
);

function ownerText(revision: ObjectOf<typeof ControllerRevision>): string {
  const owner = controllerOf(revision);
  if (owner === undefined) return NONE_CELL;
  const { group } = parseApiVersion(owner.apiVersion);
  return `${owner.kind}${group === "" ? "" : `.${group}`}`.toLowerCase() + `/${owner.name}`;
}

/** ControllerRevisions. */
export const controllerRevisionResource: Resource = builtinResource({
  kind: ControllerRevision,
  strategy: controllerRevisionStrategy,
  printer: controllerRevisionPrinter,
});
