import { ConfigMap } from "@levelset/core";
import { expect, test } from "vitest";
import { pageFromResponse } from "./response-object.ts";
import { metadataOnly } from "./metadata-only.ts";

test("a metadata list whose items are null is an empty list", () => {
  const result = { kind: "PartialObjectMetadataList", metadata: { resourceVersion: "7" }, items: null };
  expect(pageFromResponse(metadataOnly(ConfigMap), result)).toEqual({ items: [], resourceVersion: "7" });
  expect(() => pageFromResponse(ConfigMap, { metadata: { resourceVersion: "7" } })).toThrow("not a list of ConfigMap");
});
