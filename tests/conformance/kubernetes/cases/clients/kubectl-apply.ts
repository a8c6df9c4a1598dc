import assert from "node:assert/strict";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { match } from "../../suite/match.ts";
import { installCrd, template, workload } from "../../suite/objects.ts";
import type { CaseContext } from "../../suite/case-context.ts";

const config = (data: object, metadata: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
  data,
});

async function applyFile(t: CaseContext, objects: readonly object[], ...args: readonly string[]): Promise<string> {
  return t.kubectl("apply", "-f", await t.file("apply.json", objects), ...args);
}

/** kubectl apply, diff and edit. */
export const KUBECTL_APPLY: readonly Case[] = group("kubectl apply", "kubectl", [
  [
    "apply creates, updates, leaves unchanged and removes fields",
    "kubectl apply",
    async (t) => {
      assert.equal(await applyFile(t, [config({ x: "1", y: "1" })]), "configmap/a created\n");
      assert.equal(await applyFile(t, [config({ x: "2" })]), "configmap/a configured\n");
      assert.equal(await applyFile(t, [config({ x: "2" })]), "configmap/a unchanged\n");
      assert.deepEqual((await t.get("configmaps/a")).at("data"), { x: "2" });
    },
  ],
  [
    "apply keeps fields set by other clients",
    "kubectl apply, three-way merge",
    async (t) => {
      const deployment = (image: string): object => ({
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "a" },
        spec: workload("a", { replicas: 0, template: template("a", { containers: [{ name: "main", image }] }) }),
      });
      await applyFile(t, [deployment("a:1")]);
      await t.patch("strategic", "deployments/a", {
        spec: { template: { spec: { containers: [{ name: "side", image: "s:1" }] } } },
      });
      assert.equal(await applyFile(t, [deployment("a:2")]), "deployment.apps/a configured\n");
      (await t.get("deployments/a")).expectShape({
        spec: {
          template: {
            spec: {
              containers: [
                { name: "side", image: "s:1" },
                { name: "main", image: "a:2" },
              ],
            },
          },
        },
      });
    },
  ],
  [
    "apply of many objects, and by kustomization",
    "kubectl apply -f, -k",
    async (t) => {
      assert.equal(
        await applyFile(t, [config({ x: "1" }), { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } }]),
        "configmap/a created\nsecret/s created\n",
      );
      await t.file("kustomization.yaml", "namePrefix: k-\nresources: [apply.json]\n");
      assert.equal(await t.kubectl("apply", "-k", "."), "configmap/k-a created\nsecret/k-s created\n");
    },
  ],
  [
    "apply of a custom object",
    "kubectl apply",
    async (t) => {
      const { group: name } = await installCrd(t, {
        spec: { properties: { x: { type: "integer" }, y: { type: "integer" } } },
      });
      const widget = (spec: object): object => ({
        apiVersion: `${name}/v1`,
        kind: "Widget",
        metadata: { name: "a" },
        spec,
      });
      assert.equal(await applyFile(t, [widget({ x: 1, y: 1 })]), `widget.${name}/a created\n`);
      assert.equal(await applyFile(t, [widget({ x: 2 })]), `widget.${name}/a configured\n`);
      assert.deepEqual((await t.get("widgets/a")).at("spec"), { x: 2 });
    },
  ],
  [
    "apply --server-side, with a conflict and --force-conflicts",
    "kubectl apply --server-side",
    async (t) => {
      assert.equal(await applyFile(t, [config({ x: "1" })], "--server-side"), "configmap/a serverside-applied\n");
      const file = await t.file("other.json", [config({ x: "2" })]);
      const stderr = await t.kubectlFails("apply", "--server-side", "--field-manager=other", "-f", file);
      match(stderr, /Apply failed with 1 conflict: conflict with "kubectl": \.data\.x/u);
      match(stderr, /--force-conflicts/u);
      assert.equal(
        await t.kubectl("apply", "--server-side", "--field-manager=other", "--force-conflicts", "-f", file),
        "configmap/a serverside-applied\n",
      );
      (await t.get("configmaps/a")).expectShape({ data: { x: "2" } });
    },
  ],
  [
    "apply --server-side takes over the fields of client-side apply",
    "docs: server-side apply, migration",
    async (t) => {
      await applyFile(t, [config({ x: "1", y: "1" })]);
      assert.equal(await applyFile(t, [config({ x: "2" })], "--server-side"), "configmap/a serverside-applied\n");
      assert.deepEqual((await t.get("configmaps/a")).at("data"), { x: "2" });
    },
  ],
  [
    "apply --prune by label deletes removed objects",
    "kubectl apply --prune",
    async (t) => {
      const one = config({ x: "1" }, { labels: { set: "yes" } });
      const two = config({ x: "1" }, { name: "b", labels: { set: "yes" } });
      await applyFile(t, [one, two]);
      match(
        await applyFile(t, [one], "--prune", "-l", "set=yes", "--prune-allowlist=core/v1/ConfigMap"),
        /^configmap\/a unchanged\nconfigmap\/b pruned\n$/u,
      );
      await t.untilDeleted("configmaps/b");
    },
  ],
  [
    "apply --prune --applyset deletes removed objects",
    "KEP-3659: ApplySet",
    async (t) => {
      const one = config({ x: "1" });
      await applyFile(t, [one, config({ x: "1" }, { name: "b" })], "--prune", "--applyset=secrets/set");
      match(await applyFile(t, [one], "--prune", "--applyset=secrets/set"), /configmap\/b pruned/u);
      await t.untilDeleted("configmaps/b");
      (await t.get("secrets/set")).expectShape({
        metadata: { labels: { "applyset.kubernetes.io/id": /^applyset-/u } },
      });
    },
  ],
  [
    "apply view-last-applied shows the applied configuration",
    "kubectl apply view-last-applied",
    async (t) => {
      await applyFile(t, [config({ x: "1" })]);
      match(await t.kubectl("apply", "view-last-applied", "cm/a", "-o", "json"), /"x": "1"/u);
    },
  ],
  [
    "diff shows changes and exits with 1",
    "kubectl diff",
    async (t) => {
      const file = await t.file("c.json", [config({ x: "1" })]);
      await t.kubectl("apply", "-f", file);
      assert.equal(await t.kubectl("diff", "-f", file), "");
      const { code, stdout } = await t.tryKubectl(["diff", "-f", await t.file("d.json", [config({ x: "2" })])]);
      assert.equal(code, 1);
      match(stdout, /^- {2}x: "1"\n\+ {2}x: "2"$/mu);
      const server = await t.tryKubectl(["diff", "--server-side", "--force-conflicts", "-f", "d.json"]);
      assert.equal(server.code, 1);
    },
  ],
  [
    "edit changes an object with an editor",
    "kubectl edit",
    async (t) => {
      await t.create("configmaps", config({ x: "1" }));
      await t.file("editor.sh", '#!/bin/sh\nsed -i "s/x: .*/x: edited/" "$1"\n', 0o755);
      assert.equal(await t.kubectl("edit", "cm", "a"), "configmap/a edited\n");
      (await t.get("configmaps/a")).expectShape({ data: { x: "edited" } });
      match(await t.kubectl("edit", "cm", "a"), /^(Edit cancelled, no changes made\.\n)?$/u);
    },
  ],
]);
