import type { CrdVersion } from "@levelset/core/internal";
import type { FieldError, PrinterColumn, StructuralSchema } from "@levelset/core/schema";
import { duplicateField, invalidField, requiredField, tooManyField } from "../../../resource/index.ts";
import { schemaAt, simplePathErrors } from "./json-path.ts";

type Errors = Generator<FieldError, void>;

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const SELECTABLE_MAX = 8;
const WARNING_MAX = 256;

/** Validates the deprecation warning of a version. */
export function* deprecationErrors(path: string, version: Partial<CrdVersion>): Errors {
  const { deprecated = false, deprecationWarning: warning } = version;
  if (warning === undefined) return;
  const refuse = (why: string): FieldError => invalidField(path, warning, why);
  if (!deprecated) {
    yield refuse("can only be set for deprecated versions");
    return;
  }
  if (Buffer.byteLength(warning) > WARNING_MAX) yield refuse("must be <= 256 characters long");
  if (warning === "") yield refuse("must not be an empty string");
  const at = warning.search(/[\p{C}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u);
  if (at >= 0) {
    const index = Buffer.byteLength(warning.slice(0, at));
    yield refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
}

/** Validates the subresources of a version. */
export function* subresourcesErrors(path: string, subresources: CrdVersion["subresources"] | undefined): Errors {
  const scale: Partial<NonNullable<NonNullable<CrdVersion["subresources"]>["scale"]>> | undefined = subresources?.scale;
  if (scale === undefined) return;
  yield* scalePathErrors(`${path}.scale.specReplicasPath`, scale.specReplicasPath ?? "", [".spec."], ".spec");
  yield* scalePathErrors(`${path}.scale.statusReplicasPath`, scale.statusReplicasPath ?? "", [".status."], ".status");
  const { labelSelectorPath: labels = "" } = scale;
  if (labels === "") return;
  const either = "either .spec or .status";
  yield* scalePathErrors(`${path}.scale.labelSelectorPath`, labels, [".spec.", ".status."], either);
}

function* scalePathErrors(path: string, given: string, starts: readonly string[], where: string): Errors {
  if (given === "") {
    yield requiredField(path);
    return;
  }
  const errors = [...simplePathErrors(path, given)];
  yield* errors;
  if (errors.length === 0 && !starts.some((start) => given.startsWith(start))) {
    yield invalidField(path, given, `should be a json path under ${where}`);
  }
}

/** Validates a printer column. */
export function* columnErrors(path: string, column: Partial<PrinterColumn>): Errors {
  const { name = "", type = "", format = "", jsonPath = "" } = column as Readonly<Record<string, string | undefined>>;
  if (name === "") yield requiredField(`${path}.name`);
  const types = `must be one of ${COLUMN_TYPES.join(",")}`;
  if (type === "") yield requiredField(`${path}.type`, types);
  else if (!COLUMN_TYPES.includes(type)) yield invalidField(`${path}.type`, type, types);
  if (format !== "" && !COLUMN_FORMATS.includes(format)) {
    yield invalidField(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(",")}`);
  }
  // The field path is upper-case here
  // (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, Kubernetes 1.36).
  if (jsonPath === "") yield requiredField(`${path}.JSONPath`);
  else yield* simplePathErrors(`${path}.JSONPath`, jsonPath);
}

/** Validates the selectable fields of a version. */
export function* selectableErrors(
  path: string,
  fields: readonly { readonly jsonPath?: string }[],
  schema: StructuralSchema,
): Errors {
  const seen = new Set<string>();
  for (const [index, { jsonPath = "" }] of fields.entries()) {
    const at = `${path}[${index}].jsonPath`;
    if (jsonPath === "") {
      yield requiredField(at);
      continue;
    }
    const found = schemaAt(schema, jsonPath, "forbidden");
    if (found.kind === "wrong") {
      yield invalidField(at, jsonPath, `is an invalid path: ${found.why}`);
      continue;
    }
    if (found.root === "metadata") yield invalidField(at, jsonPath, "must not point to fields in metadata");
    if (!["string", "boolean", "integer"].includes(found.schema.type ?? "")) {
      const why =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      yield invalidField(at, jsonPath, why);
    }
    if (seen.has(jsonPath)) yield duplicateField(at, jsonPath);
    seen.add(jsonPath);
  }
  if (seen.size > SELECTABLE_MAX) yield tooManyField(path, seen.size, SELECTABLE_MAX);
}
