import { ConfigMap, CronJob, kind, Namespace, s } from "@levelset/core";
import { Client, Discovery, ok, operator, step } from "@levelset/operator";
import { testCluster } from "@levelset/apiserver/testing";
import { describe, expect, test } from "vitest";
import { baseFiles, kustomization } from "./kustomize-base.ts";
import type { BaseFile, BaseManifest } from "./base-file.ts";
import type { BaseOptions } from "./base-options.ts";

const spec = s.object({ size: s.int32() });
const Shop = kind({ group: "test.levelset.dev", version: "v1", kind: "Shop", spec });
const Region = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Region",
  scope: "Cluster",
  spec,
});
const options: BaseOptions = {
  operators: [
    operator(Shop, [step(Shop, "A", { owns: [ConfigMap, CronJob], do: () => ok() })]),
    operator(Region, [step(Region, "A", { do: () => ok() })]),
  ],
  name: "shops",
  namespace: "shops-system",
  image: "shops:1.2.3",
  file: "src/shops.ts",
  replicas: 2,
  installCrds: false,
};

const objects = (files: readonly BaseFile[]): readonly BaseManifest[] => files.flatMap(({ documents }) => documents);
const ofKind = (name: string, files: readonly BaseFile[]): readonly BaseManifest[] =>
  objects(files).filter(({ kind: found }) => found === name);

describe("a kustomize base", () => {
  test.each<Partial<BaseOptions>>([{}, { namespaces: ["east", "west"] }, { installCrds: true, replicas: 1 }])(
    "is taken by a strict server, in its order: %j",
    async (changed) => {
      await using cluster = await testCluster();
      for (const name of ["east", "west"]) await cluster.create(Namespace, { name });
      const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
      const discovery = new Discovery(client);
      for (const object of objects(baseFiles({ ...options, ...changed }))) {
        const found = await discovery.kindOf({
          apiVersion: String(object["apiVersion"]),
          kind: String(object["kind"]),
        });
        // The server validates the objects.
        const created = await client.create(found, object as never, { fieldValidation: "Strict" });
        expect(created).toMatchObject(object);
      }
    },
  );

  test("lists all files in order in its kustomization, and is deterministic", () => {
    const files = baseFiles(options);
    expect(kustomization(files).documents).toEqual([
      expect.objectContaining({ kind: "Kustomization", resources: files.map(({ path }) => path) }),
    ]);
    expect(baseFiles(options)).toEqual(files);
    expect(files.map(({ path }) => path)).toEqual([
      "namespace.yaml",
      "crds/shops.test.levelset.dev.yaml",
      "crds/regions.test.levelset.dev.yaml",
      "service-account.yaml",
      "rbac/cluster.yaml",
      "rbac/namespace-shops-system.yaml",
      "deployment.yaml",
      "service.yaml",
      "network-policy.yaml",
      "pod-disruption-budget.yaml",
    ]);
  });

  test("restricts pods: no root, no writable root file system, no capabilities, no privilege escalation", () => {
    const [found] = ofKind("Deployment", baseFiles(options));
    expect(found).toMatchObject({
      spec: {
        template: {
          spec: {
            securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
            containers: [
              {
                image: "shops:1.2.3",
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ["ALL"] },
                },
                livenessProbe: { httpGet: { path: "/healthz", port: "http" } },
                readinessProbe: { httpGet: { path: "/readyz", port: "http" } },
              },
            ],
          },
        },
      },
    });
  });

  test("with namespaces has Roles in these, and a ClusterRole only for cluster-scoped kinds", () => {
    const files = baseFiles({ ...options, namespaces: ["west", "east"] });
    expect(ofKind("Role", files)).toMatchObject([
      { metadata: { namespace: "default" }, rules: [{ resources: ["events"] }] },
      { metadata: { namespace: "east" } },
      { metadata: { namespace: "shops-system" } },
      { metadata: { namespace: "west" } },
    ]);
    expect(ofKind("ClusterRole", files)).toMatchObject([
      { rules: [{ resources: ["regions"] }, { resources: ["regions/status"] }] },
    ]);
    expect(JSON.stringify(ofKind("Deployment", files))).toContain('"--namespaces=west,east"');
  });

  test("grants CRD permissions only with --install-crds, and omits the CRDs then", () => {
    expect(JSON.stringify(ofKind("ClusterRole", baseFiles(options)))).not.toContain("customresourcedefinitions");
    const files = baseFiles({ ...options, installCrds: true });
    expect(JSON.stringify(ofKind("ClusterRole", files))).toContain("customresourcedefinitions");
    expect(ofKind("CustomResourceDefinition", files)).toEqual([]);
  });

  test("omits predefined namespaces, and the disruption budget for a single pod", () => {
    const files = baseFiles({ ...options, namespace: "default", replicas: 1 });
    expect([...ofKind("Namespace", files), ...ofKind("PodDisruptionBudget", files)]).toEqual([]);
  });
});
