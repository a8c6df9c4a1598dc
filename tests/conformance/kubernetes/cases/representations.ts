import assert from "node:assert/strict";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt, match } from "../suite/match.ts";
import { createPod, installCrd } from "../suite/objects.ts";
import type { CaseContext } from "../suite/case-context.ts";

async function maps(t: CaseContext, ...names: readonly string[]): Promise<readonly string[]> {
  const versions: string[] = [];
  for (const name of names) {
    versions.push(
      (await t.create("configmaps", { metadata: { name, labels: { name, set: "yes" } }, data: { name } })).str(
        "metadata.resourceVersion",
      ),
    );
  }
  return versions;
}

const MINE = { labelSelector: "set=yes" };

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

const PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

const PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

/** Tables, metadata-only objects and encodings. */
export const REPRESENTATIONS: readonly Case[] = group("views", "requests", [
  [
    "get at a resourceVersion returns the object",
    "API concepts: resource versions in get",
    async (t) => {
      const [version = ""] = await maps(t, "a");
      (await t.get("configmaps/a", { resourceVersion: version })).expectShape({ metadata: { name: "a" } });
    },
  ],
  [
    "a Table of ConfigMaps has columns and rows with partial objects",
    "API concepts: table fetches",
    async (t) => {
      await maps(t, "a");
      const response = await t.get("configmaps", MINE, { accept: TABLE });
      response.expectShape({
        kind: "Table",
        apiVersion: "meta.k8s.io/v1",
        columnDefinitions: [
          { name: "Name", type: "string", format: "name", priority: 0 },
          { name: "Data", type: "string", priority: 0 },
          { name: "Age", type: "string", priority: 0 },
        ],
        rows: [
          {
            cells: ["a", 1, /^\d+s$/u],
            object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name: "a" } },
          },
        ],
      });
    },
  ],
  [
    "a Table of one object has one row",
    "API concepts: table fetches",
    async (t) => {
      await maps(t, "a");
      (await t.get("configmaps/a", {}, { accept: TABLE })).expectShape({
        kind: "Table",
        rows: [{ cells: ["a", 1, /s$/u] }],
      });
    },
  ],
  [
    "includeObject selects the content of rows",
    "apimachinery: metav1.TableOptions",
    async (t) => {
      await maps(t, "a");
      const rows = async (includeObject: string): Promise<unknown> =>
        valueAt((await t.get("configmaps/a", { includeObject }, { accept: TABLE })).json, "rows.0.object");
      match(await rows("Object"), { kind: "ConfigMap", data: { name: "a" } });
      match(await rows("Metadata"), { kind: "PartialObjectMetadata" });
      match(await rows("None"), (value) => value === null || value === undefined);
    },
  ],
  [
    "a Table of pods has the columns of kubectl",
    "kubernetes: printers, pods",
    async (t) => {
      await createPod(t, "a");
      const response = await t.get("pods", {}, { accept: TABLE });
      const columns = response
        .list("columnDefinitions")
        .map((column) => [valueAt(column, "name"), valueAt(column, "priority")]);
      assert.deepEqual(columns, [
        ["Name", 0],
        ["Ready", 0],
        ["Status", 0],
        ["Restarts", 0],
        ["Age", 0],
        ["IP", 1],
        ["Node", 1],
        ["Nominated Node", 1],
        ["Readiness Gates", 1],
      ]);
      match(valueAt(response.json, "rows.0.cells"), [
        "a",
        "0/1",
        "Pending",
        "0",
        /s$/u,
        "<none>",
        "<none>",
        "<none>",
        "<none>",
      ]);
    },
  ],
  [
    "a Table is preferred over JSON if both are accepted",
    "API concepts: table fetches, Accept of kubectl",
    async (t) => {
      await maps(t, "a");
      const accept = `${TABLE},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`;
      (await t.get("configmaps", MINE, { accept })).expectShape({ kind: "Table" });
    },
  ],
  [
    "an object can be read as metadata only",
    "API concepts: metadata-only fetches",
    async (t) => {
      await maps(t, "a");
      const response = await t.get("configmaps/a", {}, { accept: PARTIAL });
      response.expectShape({
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata: { name: "a", labels: { name: "a" } },
        data: undefined,
      });
      match(response.headers["content-type"], /^application\/json/u);
    },
  ],
  [
    "a list can be read as metadata only",
    "API concepts: metadata-only fetches",
    async (t) => {
      await maps(t, "a", "b");
      const response = await t.get("configmaps", { ...MINE, limit: 1 }, { accept: PARTIAL_LIST });
      response.expectShape({
        kind: "PartialObjectMetadataList",
        apiVersion: "meta.k8s.io/v1",
        metadata: { continue: /./u },
        items: [{ metadata: { name: "a" }, data: undefined }],
      });
    },
  ],
  [
    "an object as YAML",
    "apimachinery: serializers, application/yaml",
    async (t) => {
      await maps(t, "a");
      const response = await t.get("configmaps/a", {}, { accept: "application/yaml" });
      match(response.headers["content-type"], "application/yaml");
      match(response.text, /^kind: ConfigMap$/mu);
    },
  ],
  [
    "pretty JSON is indented",
    "apiserver: the pretty parameter",
    async (t) => {
      await maps(t, "a");
      match(
        (await t.get("configmaps/a", { pretty: "true" })).text,
        /^\{\n {2}"(kind": "ConfigMap|apiVersion": "v1)",\n/u,
      );
    },
  ],
  [
    "printer columns of a CRD are the columns of its Table",
    "docs: additional printer columns",
    async (t) => {
      await installCrd(t, {
        spec: { properties: { size: { type: "integer" }, note: { type: "string" } } },
        version: {
          additionalPrinterColumns: [
            { name: "Size", type: "integer", jsonPath: ".spec.size", description: "How big." },
            { name: "Note", type: "string", jsonPath: ".spec.note", priority: 1 },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
        },
      });
      await t.create("widgets", { metadata: { name: "a" }, spec: { size: 3 } });
      (await t.get("widgets", {}, { accept: TABLE })).expectShape({
        columnDefinitions: [
          { name: "Name" },
          { name: "Size", type: "integer", description: "How big.", priority: 0 },
          { name: "Note", type: "string", priority: 1 },
          { name: "Age", type: "date" },
        ],
        rows: [{ cells: ["a", 3, null, /s$/u] }],
      });
    },
  ],
]);
