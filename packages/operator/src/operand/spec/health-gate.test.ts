import type { EmbeddedObject, JsonObject } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { healthGate } from "./health-gate.ts";
import type { InstallPhase } from "./health-gate.ts";
import type { InstallLists } from "./install-order.ts";
import type { ManifestItem } from "./item.ts";
import { liveRefId } from "./live-ref.ts";
import { parseManifestSet } from "./manifest-set.ts";

type Gate = "Deployments" | "All" | "None";

const API_VERSIONS: Readonly<Record<string, string>> = {
  Deployment: "apps/v1",
  StatefulSet: "apps/v1",
  DaemonSet: "apps/v1",
  Job: "batch/v1",
  APIService: "apiregistration.k8s.io/v1",
  Widget: "example.com/v1",
};

interface Options {
  readonly uses?: readonly string[];
  readonly spec?: JsonObject;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Manifest from `Kind/name`. A workload mounts the claims and ConfigMaps that `uses` names. */
function manifest(words: string, { uses = [], spec = {}, annotations = {} }: Options = {}): EmbeddedObject {
  const [kind = "", name = ""] = words.split("/");
  const prefixed = Object.entries(annotations).map(([key, value]) => [`operand.levelset.dev/${key}`, value]);
  const metadata = { name, namespace: "shop", annotations: Object.fromEntries(prefixed) as JsonObject };
  const volumes = uses.map((one) => {
    const [type, of = ""] = one.split("/");
    const claim = { persistentVolumeClaim: { claimName: of } };
    return type === "PersistentVolumeClaim" ? claim : { configMap: { name: of } };
  });
  const template = { spec: { volumes, containers: [] } };
  const all = kind === "Pod" ? { ...template.spec, ...spec } : { template, ...spec };
  return { apiVersion: API_VERSIONS[kind] ?? "v1", kind, metadata, spec: all };
}

function lists(steadyState: readonly EmbeddedObject[], postInstall: readonly EmbeddedObject[] = []): InstallLists {
  const set = parseManifestSet({ steadyState, postInstall }, () => undefined);
  if (set.kind === "bad") throw new Error(set.problems.join());
  return set;
}

/** Names of the objects that a phase waits for. */
function waitsFor(set: InstallLists, phase: InstallPhase, gate: Gate = "All", isChecked = true): readonly string[] {
  const gates = healthGate({ healthGate: gate, checkDeploymentHealth: isChecked }, set, phase);
  const items = phase === "steadyState" ? set.steadyState : set.merged;
  return items.filter(gates).map(({ ref }) => `${ref.kind}/${ref.name}`);
}

const KINDS = ["Deployment/d", "StatefulSet/s", "DaemonSet/n", "Job/j", "Service/l", "APIService/a", "Widget/w"];
const ALL_KINDS = lists(KINDS.map((words) => manifest(words)));

describe("the health gate", () => {
  test("covers Deployments by default, every object with All, and no object with None", () => {
    for (const phase of ["steadyState", "postInstall"] as const) {
      expect(ALL_KINDS.merged.filter(healthGate({ checkDeploymentHealth: true }, ALL_KINDS, phase))).toHaveLength(1);
      expect(waitsFor(ALL_KINDS, phase, "Deployments")).toEqual(["Deployment/d"]);
      expect(waitsFor(ALL_KINDS, phase, "None")).toEqual([]);
      expect(waitsFor(ALL_KINDS, phase, "All")).toEqual(KINDS);
    }
  });

  test("leaves out Deployments if checkDeploymentHealth is false, with every value", () => {
    expect(waitsFor(ALL_KINDS, "postInstall", "Deployments", false)).toEqual([]);
    expect(waitsFor(ALL_KINDS, "postInstall", "None", false)).toEqual([]);
    expect(waitsFor(ALL_KINDS, "postInstall", "All", false)).toEqual(KINDS.slice(1));
  });

  test("with All waits for objects that a controller makes ready after postInstall, and for workloads before", () => {
    const set = lists(
      KINDS.map((words) => manifest(words)),
      [manifest("Deployment/controller")],
    );
    expect(waitsFor(set, "steadyState")).toEqual(KINDS.slice(0, 4));
    expect(waitsFor(set, "postInstall")).toEqual([...KINDS, "Deployment/controller"]);
  });

  test("with All does not wait in steadyState for objects that postInstall replaces, except Deployments", () => {
    const paused = manifest("Job/j", { spec: { suspend: true } });
    const set = lists(
      [paused, manifest("StatefulSet/s"), manifest("Deployment/d")],
      [manifest("Job/j"), manifest("StatefulSet/s"), manifest("Deployment/d")],
    );
    expect(waitsFor(set, "steadyState")).toEqual(["Deployment/d"]);
    expect(waitsFor(set, "postInstall")).toEqual(["Job/j", "StatefulSet/s", "Deployment/d"]);
  });

  test("with All does not wait in steadyState for a workload whose pods need an object of postInstall", () => {
    const needy = manifest("StatefulSet/s", { uses: ["ConfigMap/settings"] });
    const account = manifest("StatefulSet/t", { spec: { template: { spec: { serviceAccountName: "late" } } } });
    const set = lists([needy, account], [manifest("ConfigMap/settings"), manifest("ServiceAccount/late")]);
    expect(waitsFor(set, "steadyState")).toEqual([]);
    const both = lists([needy, manifest("ConfigMap/settings")], [manifest("ConfigMap/other")]);
    expect(waitsFor(both, "steadyState")).toEqual(["StatefulSet/s"]);
  });

  test("with All does not wait for a suspended Job", () => {
    const set = lists([manifest("Job/j", { spec: { suspend: true } }), manifest("Job/k")]);
    expect(waitsFor(set, "postInstall")).toEqual(["Job/k"]);
  });

  const CLAIM = "PersistentVolumeClaim/data";
  const DEPENDS_ON = { "depends-on": "/namespaces/shop/PersistentVolumeClaim/data" };
  test.each<readonly [string, readonly EmbeddedObject[], boolean]>([
    ["no workload uses it", [], false],
    ["a Deployment uses it", [manifest("Deployment/d", { uses: [CLAIM] })], true],
    ["a Pod uses it", [manifest("Pod/p", { uses: [CLAIM] })], true],
    ["the Deployment has no replicas", [manifest("Deployment/d", { uses: [CLAIM], spec: { replicas: 0 } })], false],
    ["the Job is suspended", [manifest("Job/j", { uses: [CLAIM], spec: { suspend: true } })], false],
    ["its DaemonSet may have no nodes", [manifest("DaemonSet/n", { uses: [CLAIM] })], false],
    ["the workload is not managed", [manifest("Job/j", { uses: [CLAIM], annotations: { mode: "Ignore" } })], false],
    ["its workload waits for it", [manifest("Job/j", { uses: [CLAIM], annotations: DEPENDS_ON })], false],
    ["its workload is in a later wave", [manifest("Job/j", { uses: [CLAIM], annotations: { wave: "1" } })], false],
  ])("waits for a claim only if its workload can start: %s", (_, workloads, isGated) => {
    const set = lists([manifest(CLAIM), ...workloads]);
    expect(waitsFor(set, "postInstall").includes(CLAIM)).toBe(isGated);
    const later = lists([manifest(CLAIM)], workloads.length === 0 ? [manifest("ConfigMap/x")] : workloads);
    expect(waitsFor(later, "steadyState")).toEqual([]);
  });
});

/** One random object, what it needs to become ready, and its list. */
interface Random {
  readonly kind: string;
  readonly needs: number;
  readonly list: "steadyState" | "postInstall" | "both";
  readonly isHeld: boolean;
}

const RANDOM: fc.Arbitrary<Random> = fc.record({
  kind: fc.constantFrom("StatefulSet", "Job", "Widget", "APIService", "PersistentVolumeClaim", "ConfigMap"),
  needs: fc.nat({ max: 9 }),
  list: fc.constantFrom("steadyState", "postInstall", "both"),
  isHeld: fc.boolean(),
});

const wordsOf = ({ kind }: Random, index: number): string => `${kind}/o${index}`;

/** Installs a simulated set, in which each object becomes ready once what it needs is applied. Returns unready objects. */
function install(randoms: readonly Random[]): readonly string[] {
  const all = randoms.map(wordsOf);
  const needOf = (words: string): string | undefined => {
    const needs = randoms[all.indexOf(words)]?.needs ?? 0;
    return needs < all.length && all[needs] !== words ? all[needs] : undefined;
  };
  const isWorkload = (words: string): boolean => /^(?:StatefulSet|Job)/u.test(words);
  const objects = randoms.map((random, index) => {
    const words = wordsOf(random, index);
    const need = needOf(words) ?? "";
    const isPodReference = isWorkload(words) && /^(?:PersistentVolumeClaim|ConfigMap)/u.test(need);
    const [kind, name] = need.split("/");
    const on = `/namespaces/shop/${kind}/${name}`;
    const isHeld = random.isHeld && isPodReference && random.list === "postInstall";
    const annotations: Readonly<Record<string, string>> = isHeld ? { "depends-on": on } : {};
    return manifest(words, { uses: isPodReference ? [need] : [], annotations });
  });
  const listOf = (...names: readonly string[]): readonly EmbeddedObject[] =>
    objects.filter((_, index) => names.includes(randoms[index]?.list ?? ""));
  const set = lists(listOf("steadyState", "both"), listOf("postInstall", "both"));
  const applied = new Set<string>();
  const nameOf = ({ ref }: Pick<ManifestItem, "ref">): string => `${ref.kind}/${ref.name}`;
  const isReady = (words: string): boolean => {
    if (words.startsWith("ConfigMap")) return true;
    const need = needOf(words);
    // A claim is bound when a pod uses it. The pods of a workload need only what they refer to.
    if (words.startsWith("PersistentVolumeClaim")) {
      return all.some((one) => isWorkload(one) && applied.has(one) && needOf(one) === words);
    }
    const isRelevant = !isWorkload(words) || /^(?:PersistentVolumeClaim|ConfigMap)/u.test(need ?? "");
    return !isRelevant || need === undefined || applied.has(need);
  };
  for (const phase of ["steadyState", "postInstall"] as const) {
    const gates = healthGate({ healthGate: "All", checkDeploymentHealth: true }, set, phase);
    const items = phase === "steadyState" ? set.steadyState : set.merged;
    const byId = new Map(items.map((item) => [liveRefId(item.ref), item]));
    const isDone = (item: ManifestItem): boolean =>
      applied.has(nameOf(item)) && (!gates(item) || isReady(nameOf(item)));
    const isFree = (item: ManifestItem): boolean =>
      item.dependsOn.every((ref) => {
        const other = byId.get(liveRefId(ref));
        return other !== undefined && isDone(other);
      });
    for (let turn = 0; turn <= items.length; turn++) {
      for (const item of items.filter(isFree)) applied.add(nameOf(item));
    }
    const stuck = items.filter((item) => !isDone(item)).map(nameOf);
    if (stuck.length > 0) return stuck;
  }
  return [];
}

test("with All every set reaches the end, whichever objects make others ready", () => {
  fc.assert(
    fc.property(fc.array(RANDOM, { minLength: 1, maxLength: 8 }), (randoms) => {
      expect(install(randoms)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
