import type { JsonObject } from "@levelset/core";
import type { Case } from "./runner.ts";

function storage(kind: string, name: string, fields: JsonObject): JsonObject {
  return { apiVersion: "storage.k8s.io/v1", kind, metadata: { name }, ...fields };
}

const klass = (name: string, fields: JsonObject): JsonObject =>
  storage("StorageClass", name, { provisioner: "a.b/c", ...fields });
const driver = (name: string, spec: JsonObject): JsonObject => storage("CSIDriver", name, { spec });
const attachment = (name: string, spec: JsonObject): JsonObject =>
  storage("VolumeAttachment", name, {
    spec: { attacher: "a.b", nodeName: "n", source: { persistentVolumeName: "v" }, ...spec },
  });

/** Storage classes, CSI drivers and volume attachments. */
export const STORAGE: readonly Case[] = [
  { name: "a storage class", body: klass("a", {}) },
  {
    name: "a storage class with everything",
    body: klass("a", {
      parameters: { a: "b" },
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
      mountOptions: ["x"],
      allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a", "b"] }] }],
    }),
  },
  { name: "a storage class without a provisioner", body: storage("StorageClass", "a", {}) },
  { name: "a storage class with a bad provisioner", body: klass("a", { provisioner: "a b" }) },
  {
    name: "a storage class with unknown policies",
    body: klass("a", { reclaimPolicy: "Recycle", volumeBindingMode: "Later" }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  { name: "a storage class with empty parameters", body: klass("a", { parameters: { "": "x" } }) },
  {
    name: "a storage class with bad topologies",
    body: klass("a", {
      allowedTopologies: [
        {
          matchLabelExpressions: [
            { key: "a b", values: [] },
            { key: "z", values: ["x", "x"] },
            { key: "z", values: ["y"] },
          ],
        },
        { matchLabelExpressions: [{ key: "q", values: ["x"] }] },
        { matchLabelExpressions: [{ key: "q", values: ["x"] }] },
      ],
    }),
  },
  {
    name: "a storage class is immutable",
    body: klass("stays", { parameters: { a: "b" } }),
    changes: [
      { merge: { parameters: { a: "c" } } },
      { merge: { provisioner: "x.y/z", reclaimPolicy: "Retain", volumeBindingMode: "WaitForFirstConsumer" } },
      { merge: { allowVolumeExpansion: true } },
    ],
    messageDifference: "kube-apiserver prints a pointer",
  },
  { name: "a driver", body: driver("a.b", {}) },
  {
    name: "a driver with all fields",
    body: driver("a.b", {
      attachRequired: false,
      podInfoOnMount: true,
      storageCapacity: true,
      fsGroupPolicy: "File",
      requiresRepublish: true,
      volumeLifecycleModes: ["Ephemeral"],
      tokenRequests: [{ audience: "x", expirationSeconds: 600 }],
    }),
  },
  {
    name: "a driver with invalid fields",
    body: driver("a.b", {
      fsGroupPolicy: "Any",
      volumeLifecycleModes: ["Forever"],
      tokenRequests: [{ audience: "x", expirationSeconds: 1 }, { audience: "x" }],
    }),
    messageDifference: "kube-apiserver prints a pointer",
  },
  { name: "a driver with a long name", body: driver(`${"a".repeat(64)}.b`, {}) },
  {
    name: "a driver that changes",
    body: driver("changes.b", {}),
    changes: [
      { merge: { spec: { attachRequired: false } } },
      { merge: { spec: { volumeLifecycleModes: ["Ephemeral"] } } },
      { merge: { spec: { fsGroupPolicy: "None" } } },
      { merge: { spec: { requiresRepublish: true } } },
    ],
    messageDifference: "kube-apiserver prints a pointer",
  },
  { name: "an attachment", body: attachment("a", {}) },
  { name: "an empty attachment", body: storage("VolumeAttachment", "a", { spec: {} }) },
  { name: "an attachment of an empty name", body: attachment("a", { source: { persistentVolumeName: "" } }) },
  {
    name: "an attachment with bad names",
    body: attachment("a", { attacher: "A_", nodeName: "N_", source: { persistentVolumeName: "V_" } }),
  },
  {
    name: "an attachment is immutable",
    body: attachment("stays", {}),
    changes: [
      { merge: { spec: { nodeName: "m" } } },
      { merge: { status: { attached: true, attachmentMetadata: { a: "b" } } }, part: "status" },
      { merge: { status: { attachError: { message: "x", errorCode: -1 } } }, part: "status" },
    ],
    messageDifference: "kube-apiserver prints a Go struct",
  },
];
