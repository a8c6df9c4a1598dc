import { crdOf, kind, s } from "@levelset/core";
import type { EmbeddedObject, JsonObject } from "@levelset/core";
import type { Manifest } from "@levelset/simulation";
import { config, deployment, job, secret, service } from "../../scenarios/operand/manifests.ts";

const NAMESPACE = "default";
const GROUP = "widgets.example.com";

/** A version of an Operand: the fields of its spec. */
type Spec = JsonObject & {
  readonly steadyState?: readonly EmbeddedObject[];
  readonly postInstall?: readonly EmbeddedObject[];
};

/** Returns the versions of one Operand, between which users change. */
function versionsOf(name: string, specs: readonly Spec[]): readonly Manifest[] {
  return specs.map((spec) => ({
    apiVersion: "operand.levelset.dev/v1alpha1",
    kind: "Operand",
    metadata: { name },
    spec: spec as JsonObject, // manifests are JSON
  }));
}

const settings = (name: string, value: string): EmbeddedObject => config(NAMESPACE, name, { value });

function app(name: string, tag: string): EmbeddedObject {
  return deployment(NAMESPACE, name, [`example.com/${name}:${tag}`]);
}

/** A Job that is deleted right after it has ended, as its record in the status allows. */
function briefJob(name: string, image: string, hook?: string): EmbeddedObject {
  const made = job(NAMESPACE, name, image, hook === undefined ? {} : { operand: { hook } });
  const spec = made["spec"] as JsonObject; // see `job`
  return { ...made, spec: { ...spec, backoffLimit: 0, ttlSecondsAfterFinished: 0 } };
}

function widget(name: string, size: number): EmbeddedObject {
  return { apiVersion: `${GROUP}/v1`, kind: "Widget", metadata: { name, namespace: NAMESPACE }, spec: { size } };
}

/** ConfigMaps, Secrets and Services only: objects come, go, change and return. */
const plain = versionsOf("plain", [
  { steadyState: [settings("a", "1"), settings("b", "1"), secret(NAMESPACE, "s"), service(NAMESPACE, "web")] },
  { steadyState: [settings("a", "2"), settings("c", "1"), secret(NAMESPACE, "s")] },
  { steadyState: [settings("b", "1"), settings("c", "2"), service(NAMESPACE, "web", { ports: [{ port: 81 }] })] },
  { steadyState: [settings("a", "1")], postInstall: [settings("a", "post"), settings("d", "1")] },
  { steadyState: [] },
]);

/** Deployments behind the health gate, and versions that never become ready. */
const gated = versionsOf("gated", [
  { steadyState: [settings("gated", "1"), app("web", "1"), service(NAMESPACE, "gate")], healthGate: "All" },
  { steadyState: [settings("gated", "2"), app("web", "2"), app("worker", "1")], healthGate: "All" },
  { steadyState: [settings("gated", "3"), app("web", "does-not-exist")], postInstall: [settings("late", "3")] },
  { steadyState: [app("worker", "2")], postInstall: [app("web", "2"), settings("late", "4")] },
  { steadyState: [settings("gated", "1"), app("web", "1"), app("worker", "1")], checkDeploymentHealth: false },
]);

/** The kind of the custom resources. CRDs are never pruned, so it exists from the start: else the end depends on the path. */
export const Widget = kind({
  group: GROUP,
  version: "v1",
  kind: "Widget",
  spec: s.object({ size: s.int32().optional() }).optional(),
});

/** As a manifest that a person wrote. */
const WIDGET_CRD = JSON.parse(JSON.stringify(crdOf(Widget))) as EmbeddedObject; // a CRD is JSON

/** A CRD and its custom resources. */
const extended = versionsOf("extended", [
  { steadyState: [WIDGET_CRD, widget("one", 1), settings("extended", "1")] },
  { steadyState: [WIDGET_CRD, widget("one", 2), widget("two", 1)] },
  { steadyState: [WIDGET_CRD, settings("extended", "2")], postInstall: [widget("two", 2)] },
]);

/** Jobs that run once for each content, and hooks. */
const jobs = versionsOf("jobs", [
  { steadyState: [settings("jobs", "1"), briefJob("migrate", "example.com/migrate:1")] },
  {
    steadyState: [
      settings("jobs", "2"),
      briefJob("migrate", "example.com/migrate:2"),
      briefJob("check", "example.com/check:1", "preInstall"),
    ],
  },
  {
    steadyState: [
      settings("jobs", "3"),
      briefJob("migrate", "example.com/migrate:2"),
      briefJob("upgrade", "example.com/upgrade:1", "preUpgrade"),
      briefJob("backup", "example.com/backup:1", "preDelete"),
    ],
  },
]);

/** The options that change how objects are pruned and deleted. */
const careful = versionsOf("careful", [
  { steadyState: [settings("k", "1"), settings("l", "1"), app("keeper", "1")], deletionPolicy: "WaitForTermination" },
  { steadyState: [settings("k", "2"), app("keeper", "2")], prune: { mode: "Deferred", after: "5m" } },
  { steadyState: [settings("l", "2"), settings("m", "1"), app("keeper", "1")], prune: { mode: "Immediate" } },
  { steadyState: [settings("k", "1"), settings("m", "2")], suspend: true },
]);

/** Operands of the kinds of objects that matter, each in several versions. */
export const OPERANDS: readonly Manifest[] = [...plain, ...gated, ...extended, ...jobs, ...careful];
