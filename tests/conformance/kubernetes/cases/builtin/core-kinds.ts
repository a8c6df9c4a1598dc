import assert from "node:assert/strict";
import { expectError } from "../../suite/case-response.ts";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { valueAt } from "../../suite/match.ts";

/** Kinds of the core group: defaults, validation, immutable fields. */
export const CORE_KINDS: readonly Case[] = group("core kinds", "requests", [
  [
    "ConfigMap: keys are validated, and unique across data and binaryData",
    "core: ValidateConfigMap",
    async (t) => {
      await expectError(
        t.create("configmaps", { metadata: { name: "a" }, data: { "a b": "", x: "" }, binaryData: { x: "YQ==" } }),
        422,
        "Invalid",
        {
          causes: ["data[a b]: FieldValueInvalid", "data[x]: FieldValueInvalid"],
        },
      );
    },
  ],
  [
    "ConfigMap: immutable data cannot be changed",
    "docs: immutable ConfigMaps",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, immutable: true, data: { x: "1" } });
      await expectError(t.patch("merge", "configmaps/a", { data: { x: "2" } }), 422, "Invalid", {
        causes: ["data: FieldValueForbidden"],
      });
      await expectError(t.patch("merge", "configmaps/a", { immutable: null }), 422, "Invalid", {
        causes: ["immutable: FieldValueForbidden"],
      });
    },
  ],
  [
    "Secret: stringData is written into data, and type is Opaque",
    "docs: secrets",
    async (t) => {
      (
        await t.create("secrets", { metadata: { name: "a" }, data: { x: "YQ==", y: "YQ==" }, stringData: { y: "b" } })
      ).expectShape({
        type: "Opaque",
        data: { x: "YQ==", y: "Yg==" },
        stringData: undefined,
      });
    },
  ],
  [
    "Secret: type is immutable, and types require specific keys",
    "core: ValidateSecret",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      await expectError(t.patch("merge", "secrets/a", { type: "other" }), 422, "Invalid", {
        causes: ["type: FieldValueInvalid"],
      });
      await expectError(t.create("secrets", { metadata: { name: "b" }, type: "kubernetes.io/tls" }), 422, "Invalid", {
        causes: ["data[tls.crt]: FieldValueRequired", "data[tls.key]: FieldValueRequired"],
      });
      await expectError(
        t.create("secrets", {
          metadata: { name: "b" },
          type: "kubernetes.io/dockerconfigjson",
          data: { ".dockerconfigjson": "e30" },
        }),
        400,
        "BadRequest",
      );
    },
  ],
  [
    "Service: defaults, and a cluster IP",
    "docs: services; core: SetDefaults_Service",
    async (t) => {
      const response = await t.create("services", {
        metadata: { name: "a" },
        spec: { selector: { app: "a" }, ports: [{ port: 80 }] },
      });
      response.expectShape({
        spec: {
          type: "ClusterIP",
          sessionAffinity: "None",
          internalTrafficPolicy: "Cluster",
          ipFamilies: ["IPv4"],
          ipFamilyPolicy: "SingleStack",
          clusterIP: /^10\.\d+\.\d+\.\d+$/u,
          ports: [{ port: 80, targetPort: 80, protocol: "TCP" }],
        },
        status: { loadBalancer: {} },
      });
      assert.deepEqual(response.at("spec.clusterIPs"), [response.at("spec.clusterIP")]);
    },
  ],
  [
    "Service: addresses are unique, and an allocated one is rejected",
    "core: cluster IP allocator",
    async (t) => {
      const one = await t.create("services", { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
      const two = await t.create("services", { metadata: { name: "b" }, spec: { ports: [{ port: 80 }] } });
      assert.notEqual(one.at("spec.clusterIP"), two.at("spec.clusterIP"));
      await expectError(
        t.create("services", {
          metadata: { name: "c" },
          spec: { clusterIP: one.str("spec.clusterIP"), ports: [{ port: 80 }] },
        }),
        422,
        "Invalid",
        {
          causes: ["spec.clusterIPs: FieldValueInvalid"],
          message: /provided IP is already allocated/u,
        },
      );
    },
  ],
  [
    "Service: a headless one has no address, a NodePort one has a node port",
    "docs: services, headless and NodePort",
    async (t) => {
      (
        await t.create("services", { metadata: { name: "a" }, spec: { clusterIP: "None", ports: [{ port: 80 }] } })
      ).expectShape({
        spec: { clusterIP: "None", clusterIPs: ["None"] },
      });
      const response = await t.create("services", {
        metadata: { name: "b" },
        spec: { type: "NodePort", ports: [{ port: 80 }] },
      });
      const port = Number(valueAt(response.json, "spec.ports.0.nodePort"));
      assert.ok(port >= 30_000 && port <= 32_767, String(port));
      response.expectShape({ spec: { externalTrafficPolicy: "Cluster" } });
    },
  ],
  [
    "Service: an ExternalName has no address, and needs a name",
    "docs: services, ExternalName",
    async (t) => {
      (
        await t.create("services", {
          metadata: { name: "a" },
          spec: { type: "ExternalName", externalName: "example.com" },
        })
      ).expectShape({
        spec: { clusterIP: undefined, externalName: "example.com", ports: undefined },
      });
      await expectError(
        t.create("services", { metadata: { name: "b" }, spec: { type: "ExternalName" } }),
        422,
        "Invalid",
        {
          causes: ["spec.externalName: FieldValueRequired"],
        },
      );
    },
  ],
  [
    "Service: ports are required, named when several, and in range",
    "core: ValidateService",
    async (t) => {
      await expectError(t.create("services", { metadata: { name: "a" }, spec: {} }), 422, "Invalid", {
        causes: ["spec.ports: FieldValueRequired"],
      });
      await expectError(
        t.create("services", { metadata: { name: "a" }, spec: { ports: [{ port: 80 }, { port: 0 }] } }),
        422,
        "Invalid",
        {
          causes: [
            "spec.ports[0].name: FieldValueRequired",
            "spec.ports[1].name: FieldValueRequired",
            "spec.ports[1].port: FieldValueInvalid",
            "spec.ports[1].targetPort: FieldValueInvalid",
          ],
        },
      );
      await expectError(
        t.create("services", { metadata: { name: "A" }, spec: { ports: [{ port: 80 }] } }),
        422,
        "Invalid",
        { causes: ["metadata.name: FieldValueInvalid"] },
      );
    },
  ],
  [
    "Service: the address is immutable",
    "core: ValidateServiceUpdate",
    async (t) => {
      await t.create("services", { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
      await expectError(
        t.patch("merge", "services/a", { spec: { clusterIP: "10.96.0.250", clusterIPs: ["10.96.0.250"] } }),
        422,
        "Invalid",
        {
          message: /spec\.clusterIPs\[0\]: Invalid value: .*(may not change once set|field is immutable)/u,
        },
      );
    },
  ],
  [
    "Service: an update without an address keeps it",
    "core: service REST, patchAllocatedValues",
    async (t) => {
      const first = await t.create("services", { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
      const second = await t.replace("services/a", { metadata: { name: "a" }, spec: { ports: [{ port: 81 }] } });
      assert.equal(second.at("spec.clusterIP"), first.at("spec.clusterIP"));
    },
  ],
]);
