import * as core from "@levelset/core";
import type { Kind } from "@levelset/core";
import type { StructuralSchema } from "@levelset/core/schema";
import { describe, expect, test } from "vitest";
import { API_TYPES, kindTypeName } from "./index.ts";
import type { ApiField, ApiFieldMark } from "./index.ts";

const kinds = Object.values(core).filter(
  (value): value is Kind => typeof value === "object" && "kind" in value && "plural" in value && "schema" in value,
);

const EXTENSIONS: Readonly<Record<string, ApiFieldMark>> = {
  "x-kubernetes-list-type": "listType",
  "x-kubernetes-list-map-keys": "listMapKeys",
  "x-kubernetes-map-type": "mapType",
  "x-kubernetes-patch-strategy": "patchStrategy",
  "x-kubernetes-patch-merge-key": "patchMergeKey",
};

/** Intended differences. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // kube-apiserver treats the field so without publishing it.
  ControllerRevision: [".data mapType: atomic instead of "],
};

describe("apply and patch merge each field as Kubernetes does:", () => {
  test.each(kinds)("$kind", (kind) => {
    expect(compare(kind.schema, kindTypeName(kind), "")).toEqual(EXCEPTIONS[kind.kind] ?? []);
  });
});

function compare(schema: StructuralSchema, type: string, path: string): readonly string[] {
  const fields = API_TYPES.properties(type);
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const field = fields.get(name);
    return field === undefined ? [] : compareField(child, field, `${path}.${name}`);
  });
}

function compareField(schema: StructuralSchema, field: ApiField, path: string): readonly string[] {
  const differences = Object.entries(EXTENSIONS).flatMap(([extension, mark]) => {
    const ours = Object.entries(schema).find(([key]) => key === extension)?.[1];
    const text = marker(ours === undefined ? undefined : [ours].flat().map(String));
    const theirs = marker(field.marks.get(mark)?.split(","));
    return text === theirs ? [] : [`${path} ${mark}: ${text} instead of ${theirs}`];
  });
  const inner = schema.items ?? schema.additionalProperties ?? schema;
  return [...differences, ...compare(inner, field.type, path)];
}

/** Returns a comparable text. Maps are granular by default. */
function marker(values: readonly string[] | undefined): string {
  const text = values?.toSorted().join(",") ?? "";
  return text === "granular" ? "" : text;
}
