import { expectError } from "../../suite/case-response.ts";
import { group } from "../../suite/case.ts";
import type { Case } from "../../suite/case.ts";
import { podSpec, template, workload } from "../../suite/objects.ts";

const JOB = { template: { spec: podSpec({ restartPolicy: "Never" }) } };

const OTHER = { template: template("other") };

const MISMATCH = {
  causes: ["spec.template.metadata.labels: FieldValueInvalid"],
  message: /`selector` does not match template `labels`/u,
};

const IMMUTABLE = /field is immutable/u;

/** Kinds of apps and batch. */
export const WORKLOAD_KINDS: readonly Case[] = group("workload kinds", "requests", [
  [
    "Deployment: defaults",
    "apps: SetDefaults_Deployment",
    async (t) => {
      (await t.create("deployments", { metadata: { name: "a" }, spec: workload("a") }, { dryRun: "All" })).expectShape({
        metadata: { generation: 1 },
        spec: {
          replicas: 1,
          revisionHistoryLimit: 10,
          progressDeadlineSeconds: 600,
          strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
          template: {
            metadata: { creationTimestamp: undefined },
            spec: { restartPolicy: "Always", securityContext: {} },
          },
        },
        status: {},
      });
    },
  ],
  [
    "Deployment: the selector must match the template and is immutable",
    "apps: ValidateDeployment",
    async (t) => {
      await expectError(
        t.create("deployments", { metadata: { name: "a" }, spec: workload("a", OTHER) }),
        422,
        "Invalid",
        MISMATCH,
      );
      await t.create("deployments", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      await expectError(t.replace("deployments/a", { metadata: { name: "a" }, spec: workload("b") }), 422, "Invalid", {
        causes: ["spec.selector: FieldValueInvalid"],
        message: IMMUTABLE,
      });
    },
  ],
  [
    "Deployment: required fields",
    "apps: ValidateDeployment",
    async (t) => {
      await expectError(t.create("deployments", { metadata: { name: "a" }, spec: {} }), 422, "Invalid", {
        causes: [
          "spec.selector: FieldValueRequired",
          "spec.template.metadata.labels: FieldValueInvalid",
          "spec.template.spec.containers: FieldValueRequired",
        ],
      });
    },
  ],
  [
    "Deployment: Recreate has no rolling update, and the restart policy must be Always",
    "apps: ValidateDeploymentStrategy, ValidatePodTemplateSpecForReplicaSet",
    async (t) => {
      const strategy = { type: "Recreate", rollingUpdate: { maxSurge: 1 } };
      const bad = { strategy, template: template("a", { restartPolicy: "Never" }) };
      await expectError(
        t.create("deployments", { metadata: { name: "a" }, spec: workload("a", bad) }),
        422,
        "Invalid",
        {
          causes: [
            "spec.strategy.rollingUpdate: FieldValueForbidden",
            "spec.template.spec.restartPolicy: FieldValueNotSupported",
          ],
        },
      );
    },
  ],
  [
    "ReplicaSet: one replica, an immutable selector",
    "apps: SetDefaults_ReplicaSet, ValidateReplicaSet",
    async (t) => {
      (await t.create("replicasets", { metadata: { name: "a" }, spec: workload("a") }, { dryRun: "All" })).expectShape({
        spec: { replicas: 1 },
      });
      await expectError(
        t.create("replicasets", { metadata: { name: "a" }, spec: workload("a", OTHER) }),
        422,
        "Invalid",
        MISMATCH,
      );
      await t.create("replicasets", { metadata: { name: "a" }, spec: workload("a", { replicas: 0 }) });
      await expectError(t.replace("replicasets/a", { metadata: { name: "a" }, spec: workload("b") }), 422, "Invalid", {
        message: IMMUTABLE,
      });
    },
  ],
  [
    "StatefulSet: defaults",
    "apps: SetDefaults_StatefulSet",
    async (t) => {
      (
        await t.create(
          "statefulsets",
          { metadata: { name: "a" }, spec: workload("a", { serviceName: "a" }) },
          { dryRun: "All" },
        )
      ).expectShape({
        spec: {
          replicas: 1,
          podManagementPolicy: "OrderedReady",
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
          revisionHistoryLimit: 10,
          persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
        },
      });
    },
  ],
  [
    "StatefulSet: most fields of spec are immutable",
    "apps: ValidateStatefulSetUpdate",
    async (t) => {
      await t.create("statefulsets", {
        metadata: { name: "a" },
        spec: workload("a", { serviceName: "a", replicas: 0 }),
      });
      await expectError(t.patch("merge", "statefulsets/a", { spec: { serviceName: "b" } }), 422, "Invalid", {
        causes: ["spec: FieldValueForbidden"],
        message:
          /updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy'/u,
      });
    },
  ],
  [
    "DaemonSet: defaults, and an immutable selector",
    "apps: SetDefaults_DaemonSet, ValidateDaemonSetUpdate",
    async (t) => {
      (await t.create("daemonsets", { metadata: { name: "a" }, spec: workload("a") })).expectShape({
        spec: {
          updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
          revisionHistoryLimit: 10,
        },
        metadata: { annotations: { "deprecated.daemonset.template.generation": "1" } },
      });
      await expectError(t.replace("daemonsets/a", { metadata: { name: "a" }, spec: workload("b") }), 422, "Invalid", {
        message: IMMUTABLE,
      });
    },
  ],
  [
    "ControllerRevision: data is immutable",
    "apps: ValidateControllerRevisionUpdate",
    async (t) => {
      await t.create("controllerrevisions", { metadata: { name: "a" }, data: { x: 1 }, revision: 1 });
      await expectError(t.patch("merge", "controllerrevisions/a", { data: { x: 2 } }), 422, "Invalid", {
        message: IMMUTABLE,
      });
      (await t.patch("merge", "controllerrevisions/a", { revision: 2 })).expectShape({ revision: 2 });
    },
  ],
  [
    "Job: defaults, a generated selector and labels for its pods",
    "batch: SetDefaults_Job, generateSelector",
    async (t) => {
      const response = await t.create("jobs", { metadata: { name: "a" }, spec: { ...JOB, suspend: true } });
      const uid = response.str("metadata.uid");
      response.expectShape({
        spec: {
          parallelism: 1,
          completions: 1,
          backoffLimit: 6,
          completionMode: "NonIndexed",
          suspend: true,
          podReplacementPolicy: "TerminatingOrFailed",
          manualSelector: false,
          selector: { matchLabels: { "batch.kubernetes.io/controller-uid": uid } },
          template: {
            metadata: {
              labels: {
                "batch.kubernetes.io/controller-uid": uid,
                "batch.kubernetes.io/job-name": "a",
                "controller-uid": uid,
                "job-name": "a",
              },
            },
          },
        },
      });
    },
  ],
  [
    "Job: restartPolicy is required, template and completions are immutable",
    "batch: ValidateJob, ValidateJobUpdate",
    async (t) => {
      await expectError(
        t.create("jobs", { metadata: { name: "a" }, spec: { template: { spec: podSpec() } } }),
        422,
        "Invalid",
        {
          causes: ["spec.template.spec.restartPolicy: FieldValueRequired"],
        },
      );
      await t.create("jobs", { metadata: { name: "a" }, spec: { ...JOB, suspend: true } });
      await expectError(t.patch("merge", "jobs/a", { spec: { completions: 2 } }), 422, "Invalid", {
        causes: ["spec.completions: FieldValueInvalid"],
        message: IMMUTABLE,
      });
      (await t.patch("merge", "jobs/a", { spec: { parallelism: 2 } })).expectShape({
        spec: { parallelism: 2 },
        metadata: { generation: 2 },
      });
    },
  ],
  [
    "CronJob: defaults, and a valid schedule",
    "batch: SetDefaults_CronJob, ValidateCronJob",
    async (t) => {
      (
        await t.create("cronjobs", {
          metadata: { name: "a" },
          spec: { schedule: "0 0 1 1 *", jobTemplate: { spec: JOB } },
        })
      ).expectShape({
        spec: { concurrencyPolicy: "Allow", suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
      });
      await expectError(
        t.create("cronjobs", {
          metadata: { name: "b" },
          spec: { schedule: "now and then", jobTemplate: { spec: JOB } },
        }),
        422,
        "Invalid",
        {
          causes: ["spec.schedule: FieldValueInvalid"],
        },
      );
      await expectError(
        t.create("cronjobs", {
          metadata: { name: "x".repeat(53) },
          spec: { schedule: "0 0 1 1 *", jobTemplate: { spec: JOB } },
        }),
        422,
        "Invalid",
        {
          causes: ["metadata.name: FieldValueInvalid"],
          message: /must be no more than 52 characters/u,
        },
      );
    },
  ],
]);
