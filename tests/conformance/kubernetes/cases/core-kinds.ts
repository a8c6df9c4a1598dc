import assert from "node:assert/strict";
import { refused } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { at } from "../suite/match.ts";

/** Kinds of the core group: defaults, checks, what cannot be changed. */
export const CORE_KINDS: readonly Case[] = group("core kinds", "requests", [
  [
    "ConfigMap: keys are checked, and data and binaryData share them",
    "core: ValidateConfigMap",
    async (t) => {
      await refused(
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
    "ConfigMap: what is immutable stays so",
    "docs: immutable ConfigMaps",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" }, immutable: true, data: { x: "1" } });
      await refused(t.patch("merge", "configmaps/a", { data: { x: "2" } }), 422, "Invalid", {
        causes: ["data: FieldValueForbidden"],
      });
      await refused(t.patch("merge", "configmaps/a", { immutable: null }), 422, "Invalid", {
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
      ).is({
        type: "Opaque",
        data: { x: "YQ==", y: "Yg==" },
        stringData: undefined,
      });
    },
  ],
  [
    "Secret: type cannot be changed, and types ask for their keys",
    "core: ValidateSecret",
    async (t) => {
      await t.create("secrets", { metadata: { name: "a" } });
      await refused(t.patch("merge", "secrets/a", { type: "other" }), 422, "Invalid", {
        causes: ["type: FieldValueInvalid"],
      });
      await refused(t.create("secrets", { metadata: { name: "b" }, type: "kubernetes.io/tls" }), 422, "Invalid", {
        causes: ["data[tls.crt]: FieldValueRequired", "data[tls.key]: FieldValueRequired"],
      });
      await refused(
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
    "Service: defaults, and an address of its own",
    "docs: services; core: SetDefaults_Service",
    async (t) => {
      const answer = await t.create("services", {
        metadata: { name: "a" },
        spec: { selector: { app: "a" }, ports: [{ port: 80 }] },
      });
      answer.is({
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
      assert.deepEqual(answer.at("spec.clusterIPs"), [answer.at("spec.clusterIP")]);
    },
  ],
  [
    "Service: two do not share an address, and one that is taken is refused",
    "core: cluster IP allocator",
    async (t) => {
      const one = await t.create("services", { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
      const two = await t.create("services", { metadata: { name: "b" }, spec: { ports: [{ port: 80 }] } });
      assert.notEqual(one.at("spec.clusterIP"), two.at("spec.clusterIP"));
      await refused(
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
    "Service: a headless one has no address, a NodePort one has a port of the node",
    "docs: services, headless and NodePort",
    async (t) => {
      (await t.create("services", { metadata: { name: "a" }, spec: { clusterIP: "None", ports: [{ port: 80 }] } })).is({
        spec: { clusterIP: "None", clusterIPs: ["None"] },
      });
      const answer = await t.create("services", {
        metadata: { name: "b" },
        spec: { type: "NodePort", ports: [{ port: 80 }] },
      });
      const port = Number(at(answer.json, "spec.ports.0.nodePort"));
      assert.ok(port >= 30_000 && port <= 32_767, String(port));
      answer.is({ spec: { externalTrafficPolicy: "Cluster" } });
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
      ).is({
        spec: { clusterIP: undefined, externalName: "example.com", ports: undefined },
      });
      await refused(t.create("services", { metadata: { name: "b" }, spec: { type: "ExternalName" } }), 422, "Invalid", {
        causes: ["spec.externalName: FieldValueRequired"],
      });
    },
  ],
  [
    "Service: ports are required, named when several, and in range",
    "core: ValidateService",
    async (t) => {
      await refused(t.create("services", { metadata: { name: "a" }, spec: {} }), 422, "Invalid", {
        causes: ["spec.ports: FieldValueRequired"],
      });
      await refused(
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
      await refused(
        t.create("services", { metadata: { name: "A" }, spec: { ports: [{ port: 80 }] } }),
        422,
        "Invalid",
        { causes: ["metadata.name: FieldValueInvalid"] },
      );
    },
  ],
  [
    "Service: the address cannot be changed",
    "core: ValidateServiceUpdate",
    async (t) => {
      await t.create("services", { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
      await refused(
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
