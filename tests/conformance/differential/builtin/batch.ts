import type { JsonObject } from "@levelset/core";
import { CONTAINER } from "./pods.ts";
import type { Case } from "./runner.ts";

const POD: JsonObject = { containers: [CONTAINER], restartPolicy: "Never" };
const TEMPLATE: JsonObject = { spec: POD };

function job(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, ...metadata },
    spec: { template: TEMPLATE, ...spec },
  };
}

function cron(name: string, spec: JsonObject = {}): JsonObject {
  const base = { schedule: "*/5 * * * *", jobTemplate: { spec: { template: TEMPLATE } } };
  return { apiVersion: "batch/v1", kind: "CronJob", metadata: { name }, spec: { ...base, ...spec } };
}

const FAILURE = { rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [42] } }] };

const JOBS: readonly Case[] = [
  { name: "a minimal job", body: job("minimal") },
  { name: "a parallel job", body: job("parallel", { parallelism: 3 }) },
  {
    name: "an indexed job",
    body: job("indexed", { completionMode: "Indexed", completions: 3, backoffLimitPerIndex: 1 }),
  },
  {
    name: "a job with labels in its template",
    body: job("labelled", { template: { metadata: { labels: { a: "b" } }, spec: POD } }),
  },
  { name: "a job with a failure policy", body: job("policy", { podFailurePolicy: FAILURE }) },
  {
    name: "a job with a manual selector",
    body: job("manual", {
      manualSelector: true,
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: POD },
    }),
  },
  { name: "a manual selector without any", body: job("a", { manualSelector: true }) },
  {
    name: "an unexpected selector",
    body: job("a", { selector: { matchLabels: { a: "b" } } }),
    messageDifference: "the uid differs",
  },
  {
    name: "no spec",
    body: { apiVersion: "batch/v1", kind: "Job", metadata: { name: "a" } },
    messageDifference: "the uid differs",
  },
  { name: "a job with restart policy Always", body: job("a", { template: { spec: { containers: [CONTAINER] } } }) },
  { name: "an unknown restart policy", body: job("a", { template: { spec: { ...POD, restartPolicy: "Maybe" } } }) },
  {
    name: "numbers below zero",
    body: job("a", {
      parallelism: -1,
      completions: -1,
      backoffLimit: -1,
      activeDeadlineSeconds: -1,
      ttlSecondsAfterFinished: -1,
    }),
  },
  { name: "indexed without completions", body: job("a", { completionMode: "Indexed", parallelism: 2 }) },
  { name: "per index without an index", body: job("a", { backoffLimitPerIndex: 1 }) },
  {
    name: "failed indexes without a limit",
    body: job("a", { completionMode: "Indexed", completions: 2, maxFailedIndexes: 3 }),
  },
  { name: "an unknown completion mode", body: job("a", { completionMode: "Random" }) },
  {
    name: "a failure policy that restarts",
    body: job("a", { podFailurePolicy: FAILURE, template: { spec: { ...POD, restartPolicy: "OnFailure" } } }),
  },
  { name: "a failure policy without action", body: job("a", { podFailurePolicy: { rules: [{}] } }) },
  {
    name: "a failure policy with contradictory rules",
    body: job("a", {
      podFailurePolicy: {
        rules: [
          { action: "Ignore", onExitCodes: { operator: "In", values: [0, 3, 2, 2] }, onPodConditions: [{ type: "X" }] },
        ],
      },
    }),
  },
  {
    name: "a success policy without an index",
    body: job("a", { successPolicy: { rules: [{ succeededCount: 1 }] } }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  {
    name: "a success policy",
    body: job("a", {
      completionMode: "Indexed",
      completions: 2,
      successPolicy: { rules: [{ succeededIndexes: "0-5" }, {}] },
    }),
  },
  { name: "an unknown replacement policy", body: job("a", { podReplacementPolicy: "Never" }) },
  { name: "an invalid managedBy", body: job("a", { managedBy: "me" }) },
  {
    name: "the template of a job is immutable",
    body: job("fixed"),
    changes: [
      { merge: { spec: { parallelism: 5 } } },
      { merge: { spec: { completions: 5 } } },
      { merge: { spec: { template: { spec: { containers: [{ name: "main", image: "x" }] } } } } },
      { merge: { spec: { selector: { matchLabels: { a: "b" } } } } },
      { merge: { spec: { completionMode: "Indexed" } } },
      { merge: { spec: { suspend: true } } },
      { merge: { spec: { backoffLimit: 1, ttlSecondsAfterFinished: 5, activeDeadlineSeconds: 7 } } },
      { merge: { metadata: { annotations: { a: "b" } } } },
    ],
    messageDifference: "kube-apiserver prints a Go struct",
  },
  {
    name: "a suspended job can be rescheduled",
    body: job("suspended", { suspend: true }),
    changes: [
      { merge: { spec: { template: { spec: { nodeSelector: { a: "b" } } } } } },
      { merge: { spec: { template: { metadata: { annotations: { a: "b" } } } } } },
      { merge: { spec: { template: { spec: { restartPolicy: "OnFailure" } } } } },
    ],
    messageDifference: "kube-apiserver prints a Go struct",
  },
  {
    name: "the status of a job",
    body: job("status"),
    changes: [
      { part: "status", merge: { status: { active: 1, ready: 2 } } },
      { part: "status", merge: { status: { conditions: [{ type: "Complete", status: "True" }] } } },
      { part: "status", merge: { status: { startTime: "2026-01-01T00:00:00Z", active: 1 } } },
      {
        part: "status",
        merge: {
          status: {
            active: 0,
            succeeded: 1,
            completionTime: "2026-01-01T00:01:00Z",
            conditions: [
              { type: "SuccessCriteriaMet", status: "True" },
              { type: "Complete", status: "True" },
            ],
          },
        },
      },
      { part: "status", merge: { status: { conditions: [], completionTime: null } } },
      { part: "status", merge: { status: { succeeded: 0 } } },
    ],
  },
];

const CRONS: readonly Case[] = [
  {
    name: "a minimal cron job",
    body: cron("minimal"),
    changes: [
      { merge: { spec: { suspend: true } } },
      { merge: { spec: { schedule: "x" } } },
      { merge: { metadata: { labels: { a: "b" } } } },
    ],
  },
  { name: "a cron job in a zone", body: cron("zone", { timeZone: "Europe/Berlin", concurrencyPolicy: "Forbid" }) },
  { name: "an unknown zone", body: cron("a", { timeZone: "Mars/Base" }) },
  { name: "an empty zone", body: cron("a", { timeZone: "" }) },
  { name: "a local zone", body: cron("a", { timeZone: "Local" }) },
  { name: "an unknown policy", body: cron("a", { concurrencyPolicy: "Maybe" }) },
  {
    name: "a manual selector",
    body: cron("a", {
      jobTemplate: { spec: { selector: { matchLabels: { a: "b" } }, manualSelector: true, template: TEMPLATE } },
    }),
    messageDifference: "kube-apiserver prints a Go struct",
  },
  { name: "a name that is too long", body: cron("a".repeat(53)) },
  {
    name: "limits below zero",
    body: cron("a", { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1, startingDeadlineSeconds: -1 }),
  },
  { name: "no spec", body: { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "a" } } },
  {
    name: "a job with restart policy Always",
    body: cron("a", { jobTemplate: { spec: { template: { spec: { containers: [CONTAINER] } } } } }),
  },
  ...[
    "",
    "* * * *",
    "60 * * * *",
    "a * * * *",
    "* * * * mon-fri",
    "@daily",
    "@every 5m",
    "@soon",
    "@every x",
    "5-1 * * * *",
    "*/0 * * * *",
    "1-2-3 * * * *",
    "1/2/3 * * * *",
    "* * 0 * *",
    "-1 * * * *",
    "TZ=UTC * * * * *",
  ].map((schedule, index): Case => ({
    name: `the schedule ${JSON.stringify(schedule)}`,
    body: cron(`s-${index}`, { schedule }),
  })),
];

/** Valid and invalid jobs and cron jobs. */
export const BATCH: readonly Case[] = [...JOBS, ...CRONS];
