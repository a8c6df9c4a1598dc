import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { createPod } from "../suite/objects.ts";
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

/** Lists: pages, revisions and selectors. */
export const LIST: readonly Case[] = group("list", "requests", [
  [
    "a list has a kind, a resourceVersion and items ordered by name",
    "API concepts: lists",
    async (t) => {
      await maps(t, "b", "a", "c");
      const response = (await t.get("configmaps", MINE)).expectShape({
        kind: "ConfigMapList",
        apiVersion: "v1",
        metadata: { resourceVersion: /^\d+$/u, continue: undefined },
      });
      assert.deepEqual(response.names, ["a", "b", "c"]);
      response.expectShape({ items: [{ kind: undefined, apiVersion: undefined }, {}, {}] });
    },
  ],
  [
    "an empty list has an empty items array",
    "API concepts: lists",
    async (t) => void (await t.get("secrets")).expectShape({ kind: "SecretList", items: [] }),
  ],
  [
    "a list across namespaces contains objects of all namespaces",
    "API concepts: resource URIs",
    async (t) => {
      await maps(t, "a");
      const label = t.unique("all");
      await t.create("configmaps", { metadata: { name: "x", labels: { label } } });
      await t.create("/api/v1/namespaces/default/configmaps", { metadata: { name: label, labels: { label } } });
      const response = await t.get("/api/v1/configmaps", { labelSelector: `label=${label}` });
      assert.deepEqual(response.names.toSorted(), [label, "x"].toSorted());
    },
  ],
  [
    "limit returns pages, and continue returns the next one",
    "API concepts: retrieving large results sets in chunks",
    async (t) => {
      await maps(t, "a", "b", "c", "d", "e");
      const first = await t.get("configmaps", { limit: 2, fieldSelector: "metadata.name!=kube-root-ca.crt" });
      assert.deepEqual(first.names, ["a", "b"]);
      const second = await t.get("configmaps", {
        limit: 2,
        continue: first.str("metadata.continue"),
        fieldSelector: "metadata.name!=kube-root-ca.crt",
      });
      assert.deepEqual(second.names, ["c", "d"]);
      assert.equal(second.at("metadata.resourceVersion"), first.at("metadata.resourceVersion"));
      const third = await t.get("configmaps", {
        limit: 2,
        continue: second.str("metadata.continue"),
        fieldSelector: "metadata.name!=kube-root-ca.crt",
      });
      assert.deepEqual(third.names, ["e"]);
      third.expectShape({ metadata: { continue: undefined, remainingItemCount: undefined } });
    },
  ],
  [
    "remainingItemCount counts the remaining objects, unless there is a selector",
    "apimachinery: metav1.ListMeta remainingItemCount",
    async (t) => {
      for (const name of ["a", "b", "c"]) await t.create("secrets", { metadata: { name, labels: { set: "yes" } } });
      (await t.get("secrets", { limit: 1 })).expectShape({ metadata: { remainingItemCount: 2 } });
      (await t.get("secrets", { limit: 1, ...MINE })).expectShape({
        metadata: { remainingItemCount: undefined, continue: /./u },
      });
    },
  ],
  [
    "later pages show the state of the first page",
    "API concepts: consistent continue",
    async (t) => {
      for (const name of ["a", "b", "c"]) await t.create("secrets", { metadata: { name } });
      const first = await t.get("secrets", { limit: 1 });
      await t.delete("secrets/b");
      await t.create("secrets", { metadata: { name: "bb" } });
      const rest = await t.get("secrets", { continue: first.str("metadata.continue") });
      assert.deepEqual(rest.names, ["b", "c"]);
    },
  ],
  [
    "a continue token with a resourceVersion is a bad request",
    "API concepts: continue; storage.GetList options",
    async (t) => {
      for (const name of ["a", "b"]) await t.create("secrets", { metadata: { name } });
      const token = (await t.get("secrets", { limit: 1 })).str("metadata.continue");
      await expectError(t.get("secrets", { limit: 1, continue: token, resourceVersion: "5" }), 400, "BadRequest", {
        message: /specifying resource version is not allowed when using continue/u,
      });
    },
  ],
  [
    "a malformed continue token is a bad request",
    "apiserver: storage.DecodeContinue",
    async (t) => {
      await expectError(t.get("secrets", { limit: 1, continue: "nonsense" }), 400, "BadRequest", {
        message: /continue key is not valid/u,
      });
    },
  ],
  [
    "a resourceVersion without a match is a minimum, and 0 is any version",
    "API concepts: resource versions in lists",
    async (t) => {
      const [version = ""] = await maps(t, "a");
      const response = await t.get("configmaps", { resourceVersion: version, ...MINE });
      assert.deepEqual(response.names, ["a"]);
      (await t.get("configmaps", { resourceVersion: "0" })).expectShape({ kind: "ConfigMapList" });
    },
  ],
  [
    "Exact shows the state at that version",
    "API concepts: resourceVersionMatch=Exact",
    async (t) => {
      const [, second = ""] = await maps(t, "a", "b", "c");
      const response = await t.get("configmaps", { resourceVersion: second, resourceVersionMatch: "Exact", ...MINE });
      assert.deepEqual(response.names, ["a", "b"]);
      assert.equal(response.at("metadata.resourceVersion"), second);
    },
  ],
  [
    "NotOlderThan shows the state at that version or later",
    "API concepts: resourceVersionMatch=NotOlderThan",
    async (t) => {
      const versions = await maps(t, "a", "b");
      const response = await t.get("configmaps", {
        resourceVersion: versions[1] ?? "",
        resourceVersionMatch: "NotOlderThan",
        ...MINE,
      });
      assert.deepEqual(response.names, ["a", "b"]);
    },
  ],
  [
    "resourceVersionMatch without resourceVersion is forbidden",
    "apimachinery: validation.ValidateListOptions",
    async (t) => {
      await expectError(t.get("configmaps", { resourceVersionMatch: "Exact" }), 422, "Invalid", {
        causes: ["resourceVersionMatch: FieldValueForbidden"],
        message: /resourceVersionMatch is forbidden unless resourceVersion is provided/u,
      });
    },
  ],
  [
    "Exact at 0 is forbidden, and so is an unknown match",
    "apimachinery: validation.ValidateListOptions",
    async (t) => {
      await expectError(t.get("configmaps", { resourceVersion: "0", resourceVersionMatch: "Exact" }), 422, "Invalid", {
        causes: ["resourceVersionMatch: FieldValueForbidden"],
      });
      await expectError(
        t.get("configmaps", { resourceVersion: "5", resourceVersionMatch: "Perhaps" }),
        422,
        "Invalid",
        {
          causes: ["resourceVersionMatch: FieldValueNotSupported"],
        },
      );
    },
  ],
  [
    "sendInitialEvents is for watches only",
    "apimachinery: validation.ValidateListOptions",
    async (t) => {
      await expectError(
        t.get("configmaps", { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" }),
        422,
        "Invalid",
        {
          causes: ["resourceVersionMatch: FieldValueForbidden", "sendInitialEvents: FieldValueForbidden"],
        },
      );
    },
  ],
  [
    "a resourceVersion that is not a number is rejected",
    "apiserver: storage, invalid resource version",
    async (t) => {
      await expectError(t.get("configmaps", { resourceVersion: "abc" }), 400, "BadRequest", {
        message: /[Ii]nvalid/u,
      });
    },
  ],
  [
    "a limit that is not a number is a bad request",
    "apimachinery: conversion of query parameters",
    async (t) => void (await expectError(t.get("configmaps", { limit: "many" }), 400, "BadRequest", {})),
  ],
  [
    "label selectors: equality, sets, existence, and combinations",
    "docs: label selectors",
    async (t) => {
      for (const [name, labels] of Object.entries({ a: { tier: "x", app: "1" }, b: { tier: "y" }, c: { app: "2" } })) {
        await t.create("secrets", { metadata: { name, labels } });
      }
      const names = async (labelSelector: string): Promise<unknown> =>
        (await t.get("secrets", { labelSelector })).names;
      assert.deepEqual(await names("tier=x"), ["a"]);
      assert.deepEqual(await names("tier==x"), ["a"]);
      assert.deepEqual(await names("tier!=x"), ["b", "c"]);
      assert.deepEqual(await names("tier in (x, y)"), ["a", "b"]);
      assert.deepEqual(await names("tier notin (x)"), ["b", "c"]);
      assert.deepEqual(await names("app"), ["a", "c"]);
      assert.deepEqual(await names("!app"), ["b"]);
      assert.deepEqual(await names("app > 1"), ["c"]);
      assert.deepEqual(await names("app,tier=x"), ["a"]);
    },
  ],
  [
    "a malformed label selector is a bad request",
    "apimachinery: labels.Parse",
    async (t) => {
      await expectError(t.get("secrets", { labelSelector: "a in" }), 400, "BadRequest", {
        message: /unable to parse/u,
      });
      await expectError(t.get("secrets", { labelSelector: "a=b!" }), 400, "BadRequest", {});
    },
  ],
  [
    "every kind can be selected by name and namespace",
    "docs: field selectors",
    async (t) => {
      await maps(t, "a", "b");
      const names = async (fieldSelector: string): Promise<unknown> =>
        (await t.get("configmaps", { fieldSelector, ...MINE })).names;
      assert.deepEqual(await names("metadata.name=b"), ["b"]);
      assert.deepEqual(await names("metadata.name!=b"), ["a"]);
      assert.deepEqual(await names(`metadata.namespace=${t.namespace},metadata.name=a`), ["a"]);
      assert.deepEqual(await names("metadata.namespace=other"), []);
    },
  ],
  [
    "an unsupported field selector is a bad request",
    "docs: field selectors, supported fields",
    async (t) => {
      await expectError(t.get("configmaps", { fieldSelector: "data.x=y" }), 400, "BadRequest", {
        message: '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
      });
      await expectError(t.get("configmaps", { fieldSelector: "metadata.name" }), 400, "BadRequest", {
        message: /invalid selector|unable to parse/u,
      });
    },
  ],
  [
    "pods are selected by node, phase and restart policy",
    "docs: field selectors; pod strategy's selectable fields",
    async (t) => {
      await createPod(t, "a", { nodeName: t.unique("node") });
      await createPod(t, "b", { restartPolicy: "Never" });
      const names = async (fieldSelector: string): Promise<unknown> => (await t.get("pods", { fieldSelector })).names;
      assert.deepEqual(await names(`spec.nodeName=${t.unique("node")}`), ["a"]);
      assert.deepEqual(await names("spec.nodeName="), ["b"]);
      assert.deepEqual(await names("spec.restartPolicy=Never"), ["b"]);
      assert.deepEqual(await names("status.phase=Pending"), ["a", "b"]);
      assert.deepEqual(await names("status.phase!=Pending"), []);
    },
  ],
  [
    "secrets are selected by type, and namespaces by phase",
    "core: secret and namespace strategies' selectable fields",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" }, type: "example.com/x" });
      await t.create("secrets", { metadata: { name: "b" } });
      assert.deepEqual((await t.get("secrets", { fieldSelector: "type=example.com/x" })).names, ["a"]);
      const active = await t.get("namespaces", { fieldSelector: `status.phase=Active,metadata.name=${t.namespace}` });
      assert.deepEqual(active.names, [t.namespace]);
    },
  ],
  [
    "events are selected by the object they are about",
    "core: event strategy's selectable fields",
    async (t) => {
      const involvedObject = { kind: "ConfigMap", name: "a", namespace: t.namespace, uid: "u" };
      await t.create("events", { metadata: { name: "e" }, involvedObject, reason: "R", type: "Normal", message: "m" });
      const names = async (fieldSelector: string): Promise<unknown> => (await t.get("events", { fieldSelector })).names;
      assert.deepEqual(await names("involvedObject.name=a,involvedObject.kind=ConfigMap,involvedObject.uid=u"), ["e"]);
      assert.deepEqual(await names("reason=R,type=Normal"), ["e"]);
      assert.deepEqual(await names("type=Warning"), []);
    },
  ],
  [
    "a list at a future resourceVersion returns a timeout",
    "apiserver: storage.NewTooLargeResourceVersionError",
    async (t) => {
      const version = (await t.get("configmaps")).str("metadata.resourceVersion");
      await expectError(
        t.get("configmaps", { resourceVersion: `${version}000`, resourceVersionMatch: "NotOlderThan" }),
        504,
        "Timeout",
        {
          message: /Too large resource version/u,
          causes: ["ResourceVersionTooLarge"],
        },
      );
    },
  ],
]);
