import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt, match } from "../suite/match.ts";
import { installCrd } from "../suite/objects.ts";
import type { CaseContext } from "../suite/case-context.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

async function now(t: CaseContext, resource = "secrets"): Promise<string> {
  return (await t.get(resource)).str("metadata.resourceVersion");
}

/** Watches. */
export const WATCH: readonly Case[] = group("watch", "requests", [
  [
    "a watch reports additions, modifications and deletions in order, with increasing resourceVersions",
    "API concepts: efficient detection of changes",
    async (t) => {
      using watch = await t.watch("secrets", { resourceVersion: await now(t) });
      await t.create("secrets", { metadata: { name: "a" } });
      await t.patch("merge", "secrets/a", { metadata: { labels: { x: "y" } } });
      const last = await t.delete("secrets/a");
      assert.equal(last.at("status"), "Success");
      const events = [
        await watch.expect("ADDED", { kind: "Secret", apiVersion: "v1", metadata: { name: "a", labels: undefined } }),
        await watch.expect("MODIFIED", { metadata: { labels: { x: "y" } } }),
        await watch.expect("DELETED", { metadata: { name: "a", labels: { x: "y" } } }),
      ];
      const versions = events.map(({ object }) => Number(valueAt(object, "metadata.resourceVersion")));
      assert.deepEqual(
        versions,
        versions.toSorted((left, right) => left - right),
      );
      assert.equal(new Set(versions).size, 3);
    },
  ],
  [
    "a watch without resourceVersion starts with the current objects",
    "API concepts: resource versions in watch, unset",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      await t.create("secrets", { metadata: { name: "b" } });
      using watch = await t.watch("secrets");
      await watch.named("ADDED", "a");
      await watch.named("ADDED", "b");
      await t.create("secrets", { metadata: { name: "c" } });
      await watch.named("ADDED", "c");
    },
  ],
  [
    "a watch from 0 starts with the current objects",
    "API concepts: resource versions in watch, 0",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      await now(t);
      using watch = await t.watch("secrets", { resourceVersion: 0 });
      await watch.named("ADDED", "a");
    },
  ],
  [
    "a watch from an earlier version replays all later events",
    "API concepts: resource versions in watch, exact",
    async (t) => {
      const from = (await t.create("secrets", { metadata: { name: "a" } })).str("metadata.resourceVersion");
      await t.create("secrets", { metadata: { name: "b" } });
      await t.patch("merge", "secrets/a", { metadata: { labels: { x: "y" } } });
      await t.delete("secrets/b");
      using watch = await t.watch("secrets", { resourceVersion: from });
      await watch.named("ADDED", "b");
      await watch.named("MODIFIED", "a");
      await watch.named("DELETED", "b");
    },
  ],
  [
    "a watch ends after timeoutSeconds",
    "apimachinery: metav1.ListOptions timeoutSeconds",
    async (t) => {
      using watch = await t.watch("secrets", { timeoutSeconds: 1, resourceVersion: await now(t) });
      assert.deepEqual(await watch.rest(), []);
    },
  ],
  [
    "a watch with bookmarks sends one before it ends",
    "API concepts: watch bookmarks",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      using watch = await t.watch("secrets", {
        timeoutSeconds: 3,
        allowWatchBookmarks: true,
        resourceVersion: await now(t),
      });
      await watch.expect("BOOKMARK", {
        kind: "Secret",
        apiVersion: "v1",
        metadata: { resourceVersion: /^\d+$/u, name: undefined },
      });
    },
  ],
  [
    "sendInitialEvents streams the current objects and an end bookmark",
    "KEP-3157: watch-list",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      await t.create("secrets", { metadata: { name: "b" } });
      using watch = await t.watch("secrets", {
        sendInitialEvents: true,
        allowWatchBookmarks: true,
        resourceVersionMatch: "NotOlderThan",
      });
      await watch.named("ADDED", "a");
      await watch.named("ADDED", "b");
      await watch.expect("BOOKMARK", {
        metadata: { annotations: { "k8s.io/initial-events-end": "true" }, resourceVersion: /^\d+$/u },
      });
      await t.create("secrets", { metadata: { name: "c" } });
      await watch.named("ADDED", "c");
    },
  ],
  [
    "sendInitialEvents needs resourceVersionMatch=NotOlderThan",
    "apimachinery: validation.ValidateListOptions, watch-list",
    async (t) => {
      await expectError(
        t.get("secrets", { watch: 1, sendInitialEvents: true, allowWatchBookmarks: true }),
        422,
        "Invalid",
        {
          causes: ["resourceVersionMatch: FieldValueForbidden"],
        },
      );
    },
  ],
  [
    "sendInitialEvents=false skips the current objects",
    "KEP-3157: watch-list",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      using watch = await t.watch("secrets", {
        sendInitialEvents: false,
        allowWatchBookmarks: true,
        resourceVersionMatch: "NotOlderThan",
        resourceVersion: await now(t),
      });
      await t.create("secrets", { metadata: { name: "b" } });
      await watch.named("ADDED", "b");
    },
  ],
  [
    "a watch from a compacted version returns 410 Expired",
    "API concepts: 410 Gone responses",
    async (t) => {
      await installCrd(t);
      using watch = await t.watch("widgets", { resourceVersion: "1" });
      await watch.expect("ERROR", {
        kind: "Status",
        code: 410,
        reason: "Expired",
        message: /too old resource version/u,
      });
    },
  ],
  [
    "a watch from a version that is not a number is rejected",
    "apiserver: storage.ParseResourceVersion",
    async (t) =>
      void (await expectError(t.get("secrets", { watch: 1, resourceVersion: "abc" }), 500, "", {
        message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      })),
  ],
  [
    "an object that starts to match a label selector is added, and one that stops is deleted",
    "API concepts: watch with selectors; apiserver: cacher",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a", labels: { tier: "x" } } });
      using watch = await t.watch("secrets", { resourceVersion: await now(t), labelSelector: "tier=y" });
      await t.patch("merge", "secrets/a", { metadata: { labels: { tier: "y" } } });
      await watch.expect("ADDED", { metadata: { name: "a", labels: { tier: "y" } } });
      await t.patch("merge", "secrets/a", { metadata: { labels: { more: "z" } } });
      await watch.expect("MODIFIED", { metadata: { labels: { more: "z" } } });
      const after = (await t.patch("merge", "secrets/a", { metadata: { labels: { tier: "x" } } })).str(
        "metadata.resourceVersion",
      );
      await watch.expect("DELETED", { metadata: { name: "a", labels: { tier: "y" }, resourceVersion: after } });
    },
  ],
  [
    "a watch by metadata.name reports one object only",
    "docs: field selectors; kubectl wait",
    async (t) => {
      using watch = await t.watch("secrets", { resourceVersion: await now(t), fieldSelector: "metadata.name=b" });
      await t.create("secrets", { metadata: { name: "a" } });
      await t.create("secrets", { metadata: { name: "b" } });
      await watch.named("ADDED", "b");
    },
  ],
  [
    "the deprecated watch path works",
    "API reference: watch individual changes, deprecated paths",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      using watch = await t.watch(`/api/v1/watch/namespaces/${t.namespace}/secrets`);
      await watch.named("ADDED", "a");
    },
  ],
  [
    "a watch of one object by its path",
    "API reference: get with watch=true acts as a watch of a list with one name",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      await t.create("secrets", { metadata: { name: "b" } });
      using watch = await t.watch(`/api/v1/watch/namespaces/${t.namespace}/secrets/b`);
      await watch.named("ADDED", "b");
    },
  ],
  [
    "a watch across namespaces reports all of them",
    "API concepts: resource URIs",
    async (t) => {
      const label = t.unique("all");
      using watch = await t.watch("/api/v1/secrets", { resourceVersion: await now(t), labelSelector: `l=${label}` });
      await t.create("secrets", { metadata: { name: "a", labels: { l: label } } });
      await watch.named("ADDED", "a");
    },
  ],
  [
    "a watch as Table has a Table in every event, with columns in the first",
    "API concepts: table fetches; kubectl get -w",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      using watch = await t.watch("secrets", {}, { accept: TABLE });
      await watch.expect("ADDED", {
        kind: "Table",
        columnDefinitions: [{ name: "Name" }, {}, {}, {}],
        rows: [{ cells: ["a", "Opaque", 0, /s$/u] }],
      });
      await t.create("secrets", { metadata: { name: "b" } });
      await watch.expect("ADDED", {
        kind: "Table",
        columnDefinitions: (value) => value === null || value === undefined,
        rows: [{ object: { metadata: { name: "b" } } }],
      });
    },
  ],
  [
    "a watch of metadata only",
    "API concepts: metadata-only fetches",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" }, stringData: { k: "v" } });
      using watch = await t.watch("secrets", {}, { accept: PARTIAL });
      await watch.expect("ADDED", {
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata: { name: "a" },
        data: undefined,
      });
    },
  ],
  [
    "a deletion that waits for a finalizer is a modification first",
    "docs: finalizers",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a", finalizers: ["example.com/x"] } });
      using watch = await t.watch("secrets", { resourceVersion: await now(t) });
      await t.delete("secrets/a");
      await watch.expect("MODIFIED", { metadata: { deletionTimestamp: /Z$/u } });
      await t.patch("merge", "secrets/a", { metadata: { finalizers: null } });
      const event = await watch.next();
      match(event?.type, /^(MODIFIED|DELETED)$/u);
      if (event?.type === "MODIFIED") await watch.named("DELETED", "a");
    },
  ],
  [
    "a watch of a custom resource",
    "apiextensions-apiserver: custom resources",
    async (t) => {
      await installCrd(t);
      using watch = await t.watch("widgets", { resourceVersion: await now(t, "widgets") });
      await t.create("widgets", { metadata: { name: "a" } });
      await watch.expect("ADDED", { kind: "Widget", metadata: { name: "a", generation: 1 } });
    },
  ],
  [
    "a write without changes is not an event",
    "apiserver: registry store, no-op updates",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a", labels: { x: "y" } } });
      using watch = await t.watch("secrets", { resourceVersion: await now(t) });
      await t.patch("merge", "secrets/a", { metadata: { labels: { x: "y" } } });
      await t.patch("merge", "secrets/a", { metadata: { labels: { x: "z" } } });
      await watch.expect("MODIFIED", { metadata: { labels: { x: "z" } } });
    },
  ],
]);
