import { CLUSTER_ORIGIN } from "@levelset/core/internal";
import { ConfigMap, crdOf, isReady, Namespace, PersistentVolumeClaim, Secret } from "@levelset/core";
import type { CustomResourceDefinition, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { ClusterActiveOperand, Operand, operandManager, PRUNE_CONFIRMED_ANNOTATION } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { parseYamlDocuments } from "../../../packages/cli/src/yaml/yaml.ts";
import { exportCluster } from "./cluster-export.ts";
import { DurableCluster } from "./durable-cluster.ts";
import { INSTALL_ORDER, withoutMigration } from "./migration.ts";
import { OPERAND_NAMESPACE, OPERANDS } from "./operands.ts";
import { copiesOf, FILES, recordedVersions } from "./recorded.ts";
import type { Copies } from "./recorded.ts";
import { Part, Shop, shopManager } from "./shop.ts";

const MINUTE_MS = 60_000;
const KINDS = [Shop, Part, ...(operandManager().kinds ?? [])];

/** Opens the API server's data file of a version, with the clock at the time of the recording. */
async function openCluster(copies: Copies): Promise<DurableCluster> {
  return DurableCluster.open(copies.path(FILES.cluster), { now: copies.time, seed: 99 });
}

/** Opens the data file and installs the current CRDs. */
async function upgradedCluster(copies: Copies): Promise<DurableCluster> {
  const cluster = await openCluster(copies);
  await cluster.applyCrds(KINDS);
  return cluster;
}

async function documents(copies: Copies, ...files: readonly string[]): Promise<readonly KubeObject[]> {
  const texts = await Promise.all(files.map((file) => copies.text(file)));
  // The recorder wrote objects.
  return texts.flatMap((text) => parseYamlDocuments(text) as readonly KubeObject[]);
}

const idOf = ({ apiVersion, kind, metadata: { namespace = "", name } }: KubeObject): string =>
  `${apiVersion} ${kind} ${namespace}/${name}`;

/** The objects of a cluster, by kind, namespace and name. */
async function objectsOf({ fetch }: DurableCluster): Promise<ReadonlyMap<string, KubeObject>> {
  return new Map((await exportCluster(fetch)).map((object) => [idOf(object), object]));
}

const at = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace: "default", name });

async function exists<K extends Kind>({ client }: DurableCluster, kind: K, name: string, namespace?: string) {
  const { items } = await client.list(kind, namespace === undefined ? {} : { namespace });
  return items.some(({ metadata }) => metadata.name === name);
}

const operand = ({ client }: DurableCluster, name: string): Promise<ObjectOf<typeof Operand>> =>
  client.get(Operand, { name });

const hasConfig = (cluster: DurableCluster, name: string): Promise<boolean> =>
  exists(cluster, ConfigMap, name, OPERAND_NAMESPACE);

describe.each(await recordedVersions())("a data file of the API server of version %s", (version) => {
  test("has every object, with identical content", async () => {
    await using copies = await copiesOf(version);
    await using cluster = await openCluster(copies);
    const found = await objectsOf(cluster);
    const recorded = await documents(copies, FILES.operands, FILES.children, FILES.adapters, FILES.others);
    expect(recorded.length).toBeGreaterThan(100);
    for (const object of recorded) expect(found.get(idOf(object))).toEqual(object);
  });

  test("accepts the current CRDs, with which every object stays unchanged and valid", async () => {
    await using copies = await copiesOf(version);
    await using cluster = await upgradedCluster(copies);
    const found = await objectsOf(cluster);
    const recorded = await documents(copies, FILES.operands, FILES.children);
    const groups = new Set(KINDS.map(({ group }) => group));
    const custom = recorded.filter(({ apiVersion }) => groups.has(apiVersion.split("/")[0] ?? ""));
    expect(custom.length).toBeGreaterThan(10);
    for (const object of custom) {
      expect(found.get(idOf(object))).toEqual(object);
      const { plural, scope } = KINDS.find(({ kind }) => kind === object.kind) ?? Shop;
      const { namespace, name } = object.metadata;
      const home = scope === "Namespaced" ? `namespaces/${namespace}/` : "";
      const url = `${CLUSTER_ORIGIN}/apis/${object.apiVersion}/${home}${plural}/${name}?dryRun=All`;
      const headers = { "content-type": "application/json" };
      const response = await cluster.fetch(new Request(url, { method: "PUT", headers, body: JSON.stringify(object) }));
      expect([name, response.status]).toEqual([name, 200]);
    }
  });

  test("has kinds whose names, scopes and versions still exist", async () => {
    await using copies = await copiesOf(version);
    const now = new Map(KINDS.map((kind) => [crdOf(kind).metadata.name, crdOf(kind)]));
    const recorded = await documents(copies, FILES.crds);
    // The recorder wrote CRDs.
    for (const crd of recorded as readonly ObjectOf<typeof CustomResourceDefinition>[]) {
      const present = now.get(crd.metadata.name)?.spec;
      expect(present).toMatchObject({ group: crd.spec.group, scope: crd.spec.scope });
      expect(present?.names.kind).toBe(crd.spec.names.kind);
      const versions = present?.versions.map(({ name }) => name);
      expect(versions).toEqual(expect.arrayContaining(crd.spec.versions.map(({ name }) => name)));
    }
  });
});

describe.each(await recordedVersions())("children that version %s made", (version) => {
  test("are recognized by their operator without a write, and waiting work continues", async () => {
    await using copies = await copiesOf(version);
    await using cluster = await upgradedCluster(copies);
    cluster.run(shopManager("upgraded"));
    await cluster.pass(10 * MINUTE_MS);
    expect(cluster.writeRequests()).toEqual([]);
    expect(isReady(await cluster.client.get(Shop, at("corner")))).toBe(true);
    await cluster.client.create(Secret, { metadata: at("waiting-password"), stringData: { password: "example" } });
    await cluster.pass(MINUTE_MS);
    expect(isReady(await cluster.client.get(Shop, at("waiting")))).toBe(true);
  });

  test("are restored after drift, stay protected, and are deleted with their owner", async () => {
    await using copies = await copiesOf(version);
    await using cluster = await upgradedCluster(copies);
    const { client } = cluster;
    cluster.run(shopManager("upgraded"));
    await cluster.pass(MINUTE_MS);
    await client.mergePatch(ConfigMap, at("corner-settings"), { data: { image: "drifted" } });
    await client.delete(PersistentVolumeClaim, at("corner-data"));
    await client.delete(Part, at("corner-ledger"));
    await cluster.pass(MINUTE_MS);
    const settings = await client.get(ConfigMap, at("corner-settings"));
    expect(settings.data).toEqual({ image: "registry.example/shop:1" });
    expect(await exists(cluster, PersistentVolumeClaim, "corner-data", "default")).toBe(true);
    expect(await exists(cluster, Part, "corner-ledger", "default")).toBe(true);
    await client.delete(Shop, at("corner"));
    await cluster.pass(5 * MINUTE_MS);
    const left = (await exportCluster(cluster.fetch)).filter(({ kind, metadata: { name, namespace = "" } }) => {
      return `${namespace}${name}`.includes("corner") && kind !== "Event";
    });
    // Only the Secret that the user created is left.
    expect(left.map((object) => idOf(object))).toEqual(["v1 Secret default/corner-password"]);
  });
});

describe.each(await recordedVersions())("Operands that version %s installed", (version) => {
  test("are adopted: each inventory gets the install order, each Operand gets its state, and no other field changes", async () => {
    await using copies = await copiesOf(version);
    await using cluster = await upgradedCluster(copies);
    const before = await objectsOf(cluster);
    cluster.run(operandManager());
    await cluster.pass(5 * MINUTE_MS);
    const { items } = await cluster.client.list(ClusterActiveOperand);
    const ordered = items.filter(({ metadata }) => metadata.annotations?.[INSTALL_ORDER] !== undefined);
    expect(ordered.length).toBeGreaterThan(2);
    const patches = [
      ...ordered.map(({ metadata }) => `PATCH clusteractiveoperands/${metadata.name}`),
      ...Object.values(OPERANDS).map((name) => `PATCH ${name}/status`),
    ];
    const written = cluster
      .writeRequests()
      .map(({ method, path }) => `${method} ${path.split("/").slice(-2).join("/")}`);
    expect(written.toSorted()).toEqual(patches.toSorted());
    expect(isReady(await operand(cluster, OPERANDS.ready))).toBe(true);
    expect((await operand(cluster, OPERANDS.ready)).status?.state).toBe("Ready");
    expect((await operand(cluster, OPERANDS.suspended)).status?.state).toBe("Paused");
    const after = await objectsOf(cluster);
    const isOperands = ({ apiVersion, metadata }: KubeObject): boolean =>
      apiVersion.startsWith(`${Operand.group}/`) || metadata.namespace === OPERAND_NAMESPACE;
    const managed = [...before].filter(([, object]) => isOperands(object));
    expect(withoutMigration(managed.flatMap(([id]) => after.get(id) ?? []))).toEqual(
      withoutMigration(managed.map(([, object]) => object)),
    );
    await cluster.stopAll();
    const { length } = cluster.writeRequests();
    cluster.run(operandManager());
    // Less than the deadline of the Deployment that the changing Operand waits for.
    await cluster.pass(MINUTE_MS);
    expect(cluster.writeRequests().slice(length)).toEqual([]);
  });

  test("prune objects that are due, confirmed, or left over from an interrupted change", async () => {
    await using copies = await copiesOf(version);
    await using cluster = await upgradedCluster(copies);
    const { client } = cluster;
    cluster.run(operandManager());
    await cluster.pass(MINUTE_MS);
    const kept = ["deferred-old", "confirm-old", "changing-old"];
    for (const name of kept) expect([name, await hasConfig(cluster, name)]).toEqual([name, true]);
    const { status } = await operand(cluster, OPERANDS.confirm);
    const annotations = { [PRUNE_CONFIRMED_ANNOTATION]: status?.latestReadyActiveOperand ?? "" };
    await client.mergePatch(Operand, { name: OPERANDS.confirm }, { metadata: { annotations } });
    const { spec } = await operand(cluster, OPERANDS.changing);
    const steadyState = spec.steadyState.filter((manifest) => manifest["kind"] === "ConfigMap");
    await client.mergePatch(Operand, { name: OPERANDS.changing }, { spec: { steadyState } });
    await client.mergePatch(Operand, { name: OPERANDS.suspended }, { spec: { suspend: false } });
    await cluster.pass(60 * MINUTE_MS);
    for (const name of kept) expect([name, await hasConfig(cluster, name)]).toEqual([name, false]);
    const resumed = await client.get(ConfigMap, { namespace: OPERAND_NAMESPACE, name: "suspended-a" });
    expect(resumed.data).toEqual({ version: "2" });
    for (const name of Object.values(OPERANDS))
      expect([name, isReady(await operand(cluster, name))]).toEqual([name, true]);
  });

  test("delete all their objects when they are deleted", async () => {
    await using copies = await copiesOf(version);
    await using cluster = await upgradedCluster(copies);
    cluster.run(operandManager());
    await cluster.pass(MINUTE_MS);
    for (const name of Object.values(OPERANDS)) await cluster.client.delete(Operand, { name });
    await cluster.pass(5 * MINUTE_MS);
    expect(await exists(cluster, Namespace, OPERAND_NAMESPACE)).toBe(true);
    expect((await cluster.client.list(Operand)).items).toEqual([]);
    expect((await cluster.client.list(ConfigMap, { namespace: OPERAND_NAMESPACE })).items).toEqual([]);
  });
});
