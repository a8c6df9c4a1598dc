/** What may be done at a path, in the words of discovery. */
export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** A part of an object that has a path of its own, as discovery shows it. */
export interface SubresourceFacts {
  /** The last segment of its path. */
  readonly name: string;
  /** The kind that is read and written there. */
  readonly kind: string;
  /** Group of that kind; absent where it is the resource's own. */
  readonly group?: string;
  /** Version of that kind; given together with `group`. */
  readonly version?: string;
  readonly verbs: readonly Verb[];
}

/** What ordinary resources can do. */
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

/** The same for declared kinds, in the order in which the real server names them. */
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

/** A part that is read and written as the whole object. */
export function partOf(kind: string, name: string): SubresourceFacts {
  return { name, kind, verbs: READ_WRITE };
}

/** How many: the same small object for every kind that can be scaled. */
export const SCALE: SubresourceFacts = {
  name: "scale",
  kind: "Scale",
  group: "autoscaling",
  version: "v1",
  verbs: READ_WRITE,
};

/** The parts of built-in kinds besides `status`, by the id of the resource. */
export const PARTS: Readonly<Record<string, readonly SubresourceFacts[]>> = {
  namespaces: [{ name: "finalize", kind: "Namespace", verbs: ["update"] }],
  pods: [
    { name: "binding", kind: "Binding", verbs: ["create"] },
    partOf("Pod", "ephemeralcontainers"),
    { name: "eviction", kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] },
    { name: "log", kind: "Pod", verbs: ["get"] },
    partOf("Pod", "resize"),
  ],
  replicationcontrollers: [SCALE],
  serviceaccounts: [
    { name: "token", kind: "TokenRequest", group: "authentication.k8s.io", version: "v1", verbs: ["create"] },
  ],
  "deployments.apps": [SCALE],
  "replicasets.apps": [SCALE],
  "statefulsets.apps": [SCALE],
};
