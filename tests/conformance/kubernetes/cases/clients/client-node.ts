import assert from "node:assert/strict";
import type * as Kubernetes from "@kubernetes/client-node";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { installCrd } from "../../suite/objects.ts";
import type { CaseContext } from "../../suite/case-context.ts";
import { eventually } from "../../../../support/eventually.ts";
import { withTimeout } from "../../suite/with-timeout.ts";

type Library = typeof Kubernetes;

async function library(t: CaseContext): Promise<{ k8s: Library; config: InstanceType<Library["KubeConfig"]> }> {
  await t.ready();
  // Loaded on demand, because it is slow to load.
  const k8s = await import("@kubernetes/client-node");
  const config = new k8s.KubeConfig();
  config.loadFromFile(t.stage.kubeconfig);
  return { k8s, config };
}

/** The JavaScript client of the Kubernetes project. */
export const CLIENT_NODE: readonly Case[] = group("client-node", "client-node", [
  [
    "creates, reads, replaces and deletes",
    "@kubernetes/client-node: CoreV1Api",
    async (t) => {
      const { k8s, config } = await library(t);
      const api = config.makeApiClient(k8s.CoreV1Api);
      const { namespace } = t;
      const made = await api.createNamespacedConfigMap({
        namespace,
        body: { metadata: { name: "a" }, data: { x: "1" } },
      });
      assert.ok(made.metadata?.creationTimestamp instanceof Date);
      const read = await api.readNamespacedConfigMap({ namespace, name: "a" });
      const changed = (x: string): object => Object.assign(structuredClone(read), { data: { x } });
      const replaced = await api.replaceNamespacedConfigMap({
        namespace,
        name: "a",
        body: changed("2"),
      });
      assert.deepEqual(replaced.data, { x: "2" });
      await assert.rejects(api.replaceNamespacedConfigMap({ namespace, name: "a", body: changed("3") }), { code: 409 });
      const gone = await api.deleteNamespacedConfigMap({ namespace, name: "a" });
      assert.equal(gone.status, "Success");
      await assert.rejects(api.readNamespacedConfigMap({ namespace, name: "a" }), { code: 404 });
    },
  ],
  [
    "lists in pages",
    "@kubernetes/client-node: limit and _continue",
    async (t) => {
      const { k8s, config } = await library(t);
      const api = config.makeApiClient(k8s.CoreV1Api);
      const { namespace } = t;
      for (const name of ["a", "b", "c"]) await api.createNamespacedSecret({ namespace, body: { metadata: { name } } });
      const first = await api.listNamespacedSecret({ namespace, limit: 2 });
      const second = await api.listNamespacedSecret({
        namespace,
        limit: 2,
        // oxlint-disable-next-line no-underscore-dangle -- the library's name for it
        _continue: first.metadata?._continue ?? "",
      });
      assert.deepEqual(
        [...first.items, ...second.items].map(({ metadata }) => metadata?.name),
        ["a", "b", "c"],
      );
    },
  ],
  [
    "watches",
    "@kubernetes/client-node: Watch",
    async (t) => {
      const { k8s, config } = await library(t);
      const api = config.makeApiClient(k8s.CoreV1Api);
      const { namespace } = t;
      const events: string[] = [];
      const watch = new k8s.Watch(config);
      const stop = await watch.watch(
        `/api/v1/namespaces/${namespace}/secrets`,
        {},
        (type: string, object: { metadata?: { name?: string } }) =>
          void events.push(`${type} ${object.metadata?.name}`),
        () => {},
      );
      await api.createNamespacedSecret({ namespace, body: { metadata: { name: "a" } } });
      await api.deleteNamespacedSecret({ namespace, name: "a" });
      await eventually("both events have come", async () => events.length === 2);
      stop.abort();
      assert.deepEqual(events, ["ADDED a", "DELETED a"]);
    },
  ],
  [
    "keeps an informer up to date",
    "@kubernetes/client-node: makeInformer",
    async (t) => {
      const { k8s, config } = await library(t);
      const api = config.makeApiClient(k8s.CoreV1Api);
      const { namespace } = t;
      await api.createNamespacedSecret({ namespace, body: { metadata: { name: "a" } } });
      const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/secrets`, () =>
        api.listNamespacedSecret({ namespace }),
      );
      const seen: string[] = [];
      informer.on("add", (object) => void seen.push(`add ${object.metadata?.name}`));
      informer.on("update", (object) => void seen.push(`update ${object.metadata?.labels?.["x"]}`));
      informer.on("delete", (object) => void seen.push(`delete ${object.metadata?.name}`));
      try {
        await withTimeout("the informer has started", informer.start());
        await api.createNamespacedSecret({ namespace, body: { metadata: { name: "b" } } });
        await eventually("b is seen", async () => seen.includes("add b"));
        await t.patch("merge", "secrets/b", { metadata: { labels: { x: "y" } } });
        await eventually("the update is seen", async () => seen.includes("update y"));
        await api.deleteNamespacedSecret({ namespace, name: "b" });
        await eventually("the deletion is seen", async () => seen.includes("delete b"));
        assert.equal(seen[0], "add a");
      } finally {
        await informer.stop();
      }
    },
  ],
  [
    "patches with each media type",
    "@kubernetes/client-node: setHeaderOptions and PatchStrategy",
    async (t) => {
      const { k8s, config } = await library(t);
      const api = config.makeApiClient(k8s.CoreV1Api);
      const { namespace } = t;
      await api.createNamespacedConfigMap({ namespace, body: { metadata: { name: "a" }, data: { x: "1" } } });
      const patch = (body: object, strategy: string): Promise<{ data?: Record<string, string> }> =>
        api.patchNamespacedConfigMap({ namespace, name: "a", body }, k8s.setHeaderOptions("Content-Type", strategy));
      await patch([{ op: "add", path: "/data/y", value: "2" }], k8s.PatchStrategy.JsonPatch);
      await patch({ data: { x: null } }, k8s.PatchStrategy.MergePatch);
      const last = await patch({ data: { z: "3" } }, k8s.PatchStrategy.StrategicMergePatch);
      assert.deepEqual(last.data, { y: "2", z: "3" });
    },
  ],
  [
    "applies server-side",
    "@kubernetes/client-node: KubernetesObjectApi, PatchStrategy.ServerSideApply",
    async (t) => {
      const { k8s, config } = await library(t);
      const api = k8s.KubernetesObjectApi.makeApiClient(config);
      const object = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a", namespace: t.namespace },
        data: { x: "1" },
      };
      await api.patch(object, undefined, undefined, "me", true, k8s.PatchStrategy.ServerSideApply);
      (await t.get("configmaps/a")).expectShape({
        data: { x: "1" },
        metadata: { managedFields: [{ manager: "me", operation: "Apply" }] },
      });
    },
  ],
  [
    "works with custom objects",
    "@kubernetes/client-node: CustomObjectsApi",
    async (t) => {
      const { k8s, config } = await library(t);
      const { group: name } = await installCrd(t, {
        version: { subresources: { status: {} } },
        spec: { properties: { x: { type: "integer" } } },
      });
      const api = config.makeApiClient(k8s.CustomObjectsApi);
      const where = { group: name, version: "v1", namespace: t.namespace, plural: "widgets" };
      await api.createNamespacedCustomObject({
        ...where,
        body: { apiVersion: `${name}/v1`, kind: "Widget", metadata: { name: "a" }, spec: { x: 1 } },
      });
      await api.patchNamespacedCustomObjectStatus(
        { ...where, name: "a", body: { status: { ready: true } } },
        k8s.setHeaderOptions("Content-Type", k8s.PatchStrategy.MergePatch),
      );
      (await t.get("widgets/a")).expectShape({ spec: { x: 1 }, status: { ready: true } });
      await api.deleteNamespacedCustomObject({ ...where, name: "a" });
      await t.untilDeleted("widgets/a");
    },
  ],
  [
    "resolves the path of any object through discovery",
    "@kubernetes/client-node: KubernetesObjectApi",
    async (t) => {
      const { k8s, config } = await library(t);
      const api = k8s.KubernetesObjectApi.makeApiClient(config);
      const header = {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name: "a", namespace: t.namespace },
      };
      await api.create({ ...header, spec: { podSelector: {} } } as { apiVersion: string; kind: string }); // any object is accepted
      const read = await api.read(header);
      assert.equal(read.kind, "NetworkPolicy");
      await api.delete(header);
      await t.untilDeleted("networkpolicies/a");
    },
  ],
  [
    "sends access reviews and reads the version",
    "@kubernetes/client-node: AuthorizationV1Api, VersionApi",
    async (t) => {
      const { k8s, config } = await library(t);
      const body = { spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: t.namespace } } };
      const review = await config.makeApiClient(k8s.AuthorizationV1Api).createSelfSubjectAccessReview({ body });
      assert.equal(review.status?.allowed, true);
      const version = await config.makeApiClient(k8s.VersionApi).getCode();
      assert.match(version.gitVersion, /^v1\./u);
    },
  ],
  [
    "an object cache resolves after the initial list",
    "@kubernetes/client-node: ListWatch",
    async (t) => {
      const { k8s, config } = await library(t);
      const api = config.makeApiClient(k8s.CoreV1Api);
      const { namespace } = t;
      await api.createNamespacedSecret({ namespace, body: { metadata: { name: "a" } } });
      const cache = new k8s.ListWatch(
        `/api/v1/namespaces/${namespace}/secrets`,
        new k8s.Watch(config),
        () => api.listNamespacedSecret({ namespace }),
        false,
      );
      try {
        await cache.start();
        assert.equal(cache.get("a", namespace)?.metadata?.name, "a");
      } finally {
        await cache.stop();
      }
    },
  ],
]);
