/** API verbs, as in discovery. */
export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** A subresource, as in discovery. */
export interface SubresourceInfo {
  /** Last segment of the path. */
  readonly name: string;
  /** Kind of the request and response bodies. */
  readonly kind: string;
  /** Group of that kind; absent if it is the group of the resource. */
  readonly group?: string;
  /** Version of that kind; set together with `group`. */
  readonly version?: string;
  readonly verbs: readonly Verb[];
}

/** Verbs of built-in resources. */
export const ALL_VERBS: readonly Verb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** Verbs of custom resources, in the order of kube-apiserver's discovery. */
export const CUSTOM_VERBS: readonly Verb[] = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];

const READ_WRITE: readonly Verb[] = ["get", "patch", "update"];

/** Returns a subresource whose body is the whole object. */
export function wholeObjectSubresource(kind: string, name: string): SubresourceInfo {
  return { name, kind, verbs: READ_WRITE };
}

/** The scale subresource. */
export const SCALE_SUBRESOURCE: SubresourceInfo = {
  name: "scale",
  kind: "Scale",
  group: "autoscaling",
  version: "v1",
  verbs: READ_WRITE,
};

/** Subresources of built-in kinds other than `status`, by resource id. */
export const BUILTIN_SUBRESOURCES: Readonly<Record<string, readonly SubresourceInfo[]>> = {
  namespaces: [{ name: "finalize", kind: "Namespace", verbs: ["update"] }],
  pods: [
    { name: "binding", kind: "Binding", verbs: ["create"] },
    wholeObjectSubresource("Pod", "ephemeralcontainers"),
    { name: "eviction", kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] },
    { name: "log", kind: "Pod", verbs: ["get"] },
    wholeObjectSubresource("Pod", "resize"),
  ],
  replicationcontrollers: [SCALE_SUBRESOURCE],
  serviceaccounts: [
    { name: "token", kind: "TokenRequest", group: "authentication.k8s.io", version: "v1", verbs: ["create"] },
  ],
  "deployments.apps": [SCALE_SUBRESOURCE],
  "replicasets.apps": [SCALE_SUBRESOURCE],
  "statefulsets.apps": [SCALE_SUBRESOURCE],
};
