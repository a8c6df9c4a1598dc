import { clusterScopedPath, namespacedPath, tableCase } from "./table-case.ts";
import type { TableCase } from "./table-case.ts";

/** Volumes, claims and drivers. */
export const STORAGE: readonly TableCase[] = [
  tableCase(
    clusterScopedPath("", "persistentvolumes"),
    "tables-pv",
    {
      spec: {
        capacity: { storage: "5Gi" },
        accessModes: ["ReadWriteMany", "ReadWriteOnce", "ReadOnlyMany"],
        persistentVolumeReclaimPolicy: "Retain",
        storageClassName: "slow",
        hostPath: { path: "/data" },
        claimRef: { namespace: "tables", name: "claim" },
      },
    },
    { phase: "Released", reason: "Because" },
  ),
  tableCase(namespacedPath("", "persistentvolumeclaims"), "claim", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "slow" },
  }),
  tableCase(
    namespacedPath("", "persistentvolumeclaims"),
    "bound",
    {
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        volumeName: "tables-pv",
        storageClassName: "slow",
        volumeMode: "Block",
      },
    },
    { phase: "Bound", accessModes: ["ReadWriteOnce", "ReadOnlyMany"], capacity: { storage: "5Gi" } },
  ),
  tableCase(clusterScopedPath("storage.k8s.io/v1", "storageclasses"), "tables-slow", {
    metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "example.com/p",
    allowVolumeExpansion: true,
    volumeBindingMode: "WaitForFirstConsumer",
    reclaimPolicy: "Retain",
  }),
  tableCase(clusterScopedPath("storage.k8s.io/v1", "storageclasses"), "tables-plain", { provisioner: "example.com/p" }),
  tableCase(clusterScopedPath("storage.k8s.io/v1", "csidrivers"), "tables.example.com", {
    spec: {
      attachRequired: false,
      tokenRequests: [{ audience: "a" }, { audience: "b" }],
      volumeLifecycleModes: ["Ephemeral"],
    },
  }),
  tableCase(clusterScopedPath("storage.k8s.io/v1", "csidrivers"), "plain.example.com", { spec: {} }),
  tableCase(clusterScopedPath("storage.k8s.io/v1", "volumeattachments"), "tables-va", {
    spec: { attacher: "example.com", nodeName: "n1", source: { persistentVolumeName: "tables-pv" } },
  }),
];
