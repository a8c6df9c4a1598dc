import { kind, s } from "@levelset/core";

/** API group of the Operand kinds, and prefix of their labels and annotations. */
export const OPERAND_GROUP = "operand.levelset.dev";

/** Maximum number of objects in a set. An Operand is one object and must fit the server's size limit. */
export const ITEMS_MAX = 5_000;

/** Names of namespaces and of service accounts (docs: Object Names and IDs). */
const DNS_LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
const DNS_SUBDOMAIN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/** Points of the life of a set at which a Job can run: values of the annotation `hook`. */
export const HOOKS = ["preInstall", "postInstall", "preUpgrade", "preDelete"] as const;
/** One of {@link HOOKS}. */
export type HookName = (typeof HOOKS)[number];

/** Reference to one object of a set, independent of the API version. */
const ref = {
  group: s.string().max(253).default(""),
  kind: s.string().max(63),
  namespace: s.string().max(63).optional(),
  name: s.string().max(253),
};

/** A versioned set of manifests: applied, owned, health-checked, and pruned only when the new version is ready. */
export const Operand = kind({
  group: OPERAND_GROUP,
  version: "v1alpha1",
  kind: "Operand",
  scope: "Cluster",
  spec: s
    .object({
      /** Objects that are applied first and must be healthy before postInstall is applied. */
      steadyState: s.array(s.embedded()).default([]),
      /** Objects that are applied once steadyState is healthy. They replace whole objects of steadyState. */
      postInstall: s.array(s.embedded()).default([]),
      /** False if Deployments need not be available before the set counts as installed. */
      checkDeploymentHealth: s.boolean().default(true),
      /**
       * Objects that must be ready before the set counts as installed. Default: Deployments. CRDs and kinds in `health`
       * always must be.
       */
      healthGate: s.enum("Deployments", "All", "None").optional(),
      /** Readiness rules for objects of other kinds: kstatus, or custom CEL expressions. */
      health: s
        .array(
          s.object({
            group: s.string().default(""),
            kind: s.string(),
            /** CEL expression over `self`, the object. Default: kstatus. */
            ready: s.string().optional(),
            /** CEL expression over `self`: true if the object has failed for good. */
            failed: s.string().optional(),
            /** Time after which an object that is not ready counts as failed. */
            timeout: s.duration().optional(),
          }),
        )
        .default([]),
      prune: s
        .object({
          mode: s.enum("Immediate", "Deferred", "Confirm", "Disabled").default("Immediate"),
          /** With Deferred: how long an object stays after its set is gone. */
          after: s.duration().default("1h"),
        })
        .default({}),
      /** What happens to the objects when the Operand is deleted. */
      deletionPolicy: s.enum("Delete", "Orphan", "WaitForTermination").default("Delete"),
      /** Time that the deletion of objects may take before it is reported as DeletionTimedOut. Default 10m. */
      deletionTimeout: s.duration().optional(),
      /** While true, only the status of this object is written. */
      suspend: s.boolean().default(false),
      /** Number of earlier ready versions that are stored for rollback; each is as large as this object. */
      revisionHistoryLimit: s.int32().min(0).max(100).default(5),
      /** How to handle fields of other managers: take them over, or fail and report them. */
      conflicts: s.enum("Force", "Fail").default("Force"),
      /** Whether existing objects are adopted. */
      adoption: s.enum("Always", "IfUnowned", "Never").default("IfUnowned"),
      /** Fields of an adopted object that its former manager set and the manifest lacks: removed, or kept. */
      adoptedFields: s.enum("Remove", "Keep").optional(),
      drift: s
        .object({
          mode: s.enum("Correct", "Report").default("Correct"),
          /**
           * Fields that may differ once an object exists, as JSON pointers. Without group and kind the rule selects every
           * object.
           */
          ignore: s
            .array(
              s.object({
                group: s.string().optional(),
                kind: s.string().optional(),
                namespace: s.string().optional(),
                name: s.string().optional(),
                fields: s.array(s.string()),
              }),
            )
            .default([]),
        })
        .default({}),
      /**
       * Service account whose rights are used for the objects of the set, by impersonation. Default: the rights of the
       * operator.
       */
      serviceAccountName: s.string().max(253).pattern(DNS_SUBDOMAIN).optional(),
      /** Namespace of that service account. */
      serviceAccountNamespace: s.string().max(63).pattern(DNS_LABEL).optional(),
    })
    .rule("has(self.serviceAccountName) == has(self.serviceAccountNamespace)", {
      message: "serviceAccountName and serviceAccountNamespace must be set together",
    }),
  status: s.object({
    /** Inventory of the version that is fully installed: the baseline. */
    latestReadyActiveOperand: s.string().optional(),
    /** Inventory of the version that was requested last: the pending one. */
    latestCreatedActiveOperand: s.string().optional(),
    /** Generation whose steadyState was applied and became healthy; absent during installation. */
    installedSteadyStateGeneration: s.int64().optional(),
    /** Number of name collisions with an inventory of another owner. */
    collisionCount: s.int32().optional(),
    /** State of the Operand in the words of every view; computed from the Ready condition. */
    state: s.enum("Ready", "Progressing", "Degraded", "Failed", "Deleting", "Paused", "Unknown").optional(),
    /** Position in the installation. */
    phase: s
      .enum("Invalid", "Suspended", "Installing", "PostInstall", "Pruning", "Ready", "Failed", "Deleting")
      .optional(),
    /** Counts of the desired objects. `pruned` counts objects pruned since this generation was stored. */
    counts: s.object({ total: s.int32(), applied: s.int32(), ready: s.int32(), pruned: s.int32() }).optional(),
    /** The first objects that are not applied or have failed. */
    failing: s.array(s.object({ ...ref, reason: s.string(), message: s.string() })).optional(),
    /** Objects that are not ready and have a readiness timeout, with the start of the wait. */
    awaited: s
      .array(s.object({ ...ref, uid: s.string(), generation: s.int64().optional(), since: s.dateTime() }))
      .optional(),
    /** Objects that are no longer desired and still exist, because pruning waits or was rejected. */
    pending: s
      .array(
        s.object({
          ...ref,
          reason: s.string(),
          /** What the object waits for. */
          message: s.string().optional(),
          due: s.dateTime().optional(),
          /** Position in the install order: PHASE.WAVE.STAGE.DEPTH. */
          place: s.string().optional(),
        }),
      )
      .optional(),
    /** Results of the Jobs of the set: a Job runs once for each content, also if it is deleted afterwards. */
    jobs: s
      .array(
        s.object({
          namespace: s.string(),
          /** Name of the Job. */
          job: s.string(),
          /** Hook that it ran for. */
          hook: s.enum(...HOOKS).optional(),
          uid: s.string(),
          /** Hash of what it ran for. */
          hash: s.string(),
          result: s.enum("Complete", "Failed"),
          reason: s.string().optional(),
          message: s.string().optional(),
          finishedAt: s.dateTime(),
        }),
      )
      .optional(),
    /** Hash of the manifests that were installed last; only for a set with preUpgrade hooks. */
    installedSetHash: s.string().optional(),
    /** The latest ready versions, newest last. */
    history: s.array(s.object({ generation: s.int64(), activeOperand: s.string(), time: s.dateTime() })).optional(),
  }),
  columns: {
    State: ".status.state",
    Phase: ".status.phase",
    Applied: ".status.counts.applied",
    Total: ".status.counts.total",
    Version: ".status.latestReadyActiveOperand",
  },
});
/** Type of {@link Operand}. */
export type Operand = typeof Operand;

/** Inventory of one version of an Operand: complete, immutable, named by its content. */
export const ClusterActiveOperand = kind({
  group: OPERAND_GROUP,
  version: "v1alpha1",
  kind: "ClusterActiveOperand",
  shortNames: ["cao"],
  scope: "Cluster",
  spec: s
    .object({ live: s.array(s.object(ref)).max(ITEMS_MAX).default([]) })
    .rule("self == oldSelf", { message: "an inventory never changes: another set has another name" }),
  status: s.object({
    counts: s.object({ total: s.int32(), owned: s.int32() }).optional(),
    /** Objects that cannot be removed, and why. */
    blocked: s.array(s.object({ ...ref, reason: s.string(), message: s.string() })).optional(),
    /** Deleted objects that are not gone yet and that block the deletion of others. */
    waiting: s.array(s.object({ ...ref, finalizers: s.array(s.string()), since: s.dateTime() })).optional(),
  }),
});
/** Type of {@link ClusterActiveOperand}. */
export type ClusterActiveOperand = typeof ClusterActiveOperand;
