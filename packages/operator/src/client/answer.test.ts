import { ConfigMap } from "@levelset/core";
import { expect, test } from "vitest";
import { readPage } from "./answer.ts";
import { metadataOnly } from "./metadata-only.ts";

test("an empty list of metadata, which Kubernetes writes as null, is a list", () => {
  const answer = { kind: "PartialObjectMetadataList", metadata: { resourceVersion: "7" }, items: null };
  expect(readPage(metadataOnly(ConfigMap), answer)).toEqual({ items: [], resourceVersion: "7" });
  expect(() => readPage(ConfigMap, { metadata: { resourceVersion: "7" } })).toThrow("not a list of ConfigMap");
});
