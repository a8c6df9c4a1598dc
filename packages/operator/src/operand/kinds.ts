import { kind, s } from "@levelset/core";

/** The group of the kinds, and the prefix of every label and annotation of theirs. */
export const OPERAND_GROUP = "operand.levelset.dev";

/** How large a set may be: an Operand is one object, and no server stores larger ones. */
export const ITEMS_MAX = 5_000;

/** Names one object of a set, whatever version of its kind it is written in. */
const ref = {
  group: s.string().max(253).default(""),
  kind: s.string().max(63),
  namespace: s.string().max(63).optional(),
  name: s.string().max(253),
};

/**
 * A changing set of manifests that is kept on the cluster: applied, owned, health-gated, and pruned only when the new version is
 * ready.
 */
export const Operand = kind({
  group: OPERAND_GROUP,
  version: "v1alpha1",
  kind: "Operand",
  scope: "Cluster",
  spec: s.object({
    /** Applied first, and healthy before anything else is. */
    steadyState: s.array(s.embedded()).default([]),
    /** Applied when steadyState is healthy; takes the place of whole objects of it. */
    postInstall: s.array(s.embedded()).default([]),
    /** Whether every Deployment must be available before the set counts as installed. */
    checkDeploymentHealth: s.boolean().default(true),
    /** How objects of other kinds become ready: by what Kubernetes says of them, or by expressions of your own. */
    health: s
      .array(
        s.object({
          group: s.string().default(""),
          kind: s.string(),
          /** Over `self`, the object. Without one: as `kubectl wait` and kstatus would judge. */
          ready: s.string().optional(),
          /** Over `self`: that waiting alone will not help. */
          failed: s.string().optional(),
          /** For how long an object may be on its way before that counts as a failure. */
          timeout: s.duration().optional(),
        }),
      )
      .default([]),
    prune: s
      .object({
        mode: s.enum("Immediate", "Deferred", "Confirm", "Disabled").default("Immediate"),
        /** With Deferred: how long an object stays after the set that had it is gone. */
        after: s.duration().default("1h"),
      })
      .default({}),
    /** What becomes of the objects when the Operand is deleted. */
    deletionPolicy: s.enum("Delete", "Orphan", "WaitForTermination").default("Delete"),
    /** How long objects may take to be gone once they are deleted, before that is reported as DeletionTimedOut. Default 10m. */
    deletionTimeout: s.duration().optional(),
    /** Nothing is written while it is true, except this object's status. */
    suspend: s.boolean().default(false),
    /** How many earlier versions that became ready are kept to go back to; each is as large as this object. */
    revisionHistoryLimit: s.int32().min(0).max(100).default(5),
    /** What to do about fields that somebody else has set: take them, or fail and name them. */
    conflicts: s.enum("Force", "Fail").default("Force"),
    /** Whether objects that are there already are taken over. */
    adoption: s.enum("Always", "IfUnowned", "Never").default("IfUnowned"),
    drift: s
      .object({
        mode: s.enum("Correct", "Report").default("Correct"),
        /** Fields that may differ once an object is there, as JSON pointers. Without group and kind: of every object. */
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
  }),
  status: s.object({
    /** The version of the inventory that is fully there: the baseline. */
    latestReadyActiveOperand: s.string().optional(),
    /** The version that was last asked for: the pending operation. */
    latestCreatedActiveOperand: s.string().optional(),
    /** The generation whose steadyState was applied and became healthy; absent while one is being installed. */
    installedSteadyStateGeneration: s.int64().optional(),
    /** How often an inventory of the same name belonged to somebody else. */
    collisionCount: s.int32().optional(),
    phase: s
      .enum("Invalid", "Suspended", "Installing", "PostInstall", "Pruning", "Ready", "Failed", "Deleting")
      .optional(),
    /** Of the objects that are asked for; `pruned` are those that no longer are, and went since this generation was asked for. */
    counts: s.object({ total: s.int32(), applied: s.int32(), ready: s.int32(), pruned: s.int32() }).optional(),
    /** The first objects that are not as they should be. */
    failing: s.array(s.object({ ...ref, reason: s.string(), message: s.string() })).optional(),
    /** Objects that are not ready and may be on their way only for a time: since when. */
    awaited: s
      .array(s.object({ ...ref, uid: s.string(), generation: s.int64().optional(), since: s.dateTime() }))
      .optional(),
    /** What is no longer asked for and still there, because pruning waits or is refused. */
    pending: s
      .array(
        s.object({
          ...ref,
          reason: s.string(),
          /** What it waits for, in words. */
          message: s.string().optional(),
          due: s.dateTime().optional(),
          /** Where it came when its set was installed: PHASE.WAVE.STAGE.DEPTH. */
          place: s.string().optional(),
        }),
      )
      .optional(),
    /** The latest versions that became ready, newest last. */
    history: s.array(s.object({ generation: s.int64(), activeOperand: s.string(), time: s.dateTime() })).optional(),
  }),
  columns: {
    Phase: ".status.phase",
    Applied: ".status.counts.applied",
    Total: ".status.counts.total",
    Version: ".status.latestReadyActiveOperand",
  },
});
/** Its type. */
export type Operand = typeof Operand;

/** One version of the inventory of an Operand: complete, immutable, named by its content. */
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
    /** What cannot be removed, and why. */
    blocked: s.array(s.object({ ...ref, reason: s.string(), message: s.string() })).optional(),
    /** What was deleted, is not gone yet and is waited for, because other objects go only after it. */
    waiting: s.array(s.object({ ...ref, finalizers: s.array(s.string()), since: s.dateTime() })).optional(),
  }),
});
/** Its type. */
export type ClusterActiveOperand = typeof ClusterActiveOperand;
