import { Job, Namespace } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { AdapterHarness } from "./adapter-harness.fixture.ts";

const CALL = { timeout: "10s", retry_attempts: 3, retry_backoff: "exponential" };
const RECONCILED = 'status.conditions.filter(c, c.type == "Reconciled")';

/** The public configurations keep the manifest in a separate file, so it is a text here. */
const JOB = [
  "apiVersion: batch/v1",
  "kind: Job",
  "metadata:",
  '  name: "hello-{{ .clusterId }}-{{ .generationSpec }}"',
  '  namespace: "{{ .clusterId }}"',
  "  labels:",
  '    hyperfleet.io/cluster-id: "{{ .clusterId }}"',
  '    hyperfleet.io/resource-type: "job"',
  "  annotations:",
  '    hyperfleet.io/generation: "{{ .generationSpec }}"',
  '    team: "{{ .team }}"',
  "spec:",
  "  backoffLimit: 0",
  "  template:",
  "    spec:",
  "      restartPolicy: Never",
  '      containers: [{ name: hello, image: "alpine:3.19", command: ["/bin/true"] }]',
].join("\n");

/**
 * Modelled on the HyperFleet configuration of the Job adapter: it waits for the report of the Namespace adapter,
 * captured by fields and expressions.
 */
const CL_JOB: JsonObject = {
  params: [{ name: "clusterId", source: "event.id", type: "string", required: true }],
  preconditions: [
    {
      name: "clusterStatus",
      api_call: { method: "GET", url: "/clusters/{{ .clusterId }}", ...CALL },
      capture: [
        { name: "clusterName", field: "name" },
        { name: "generationSpec", field: "generation" },
        { name: "team", field: "labels.team" },
        { name: "is_deleting", expression: "has(clusterStatus.deleted_time)" },
        { name: "notReconciled", expression: `${RECONCILED}.size() > 0 ? ${RECONCILED}[0].status != "True" : true` },
      ],
    },
    {
      name: "clusterAdapterStatus",
      api_call: { method: "GET", url: "/clusters/{{ .clusterId }}/statuses", ...CALL },
      capture: [
        { name: "namespaceStatus", field: "{.items[?(@.adapter=='cl-namespace')].data.namespace.status}" },
        { name: "namespaceMessage", field: "items[0].data.namespace.message" },
      ],
    },
    {
      name: "validationCheck",
      log: { message: "namespace is {{ .namespaceStatus }}: {{ .namespaceMessage }}" },
      expression: 'is_deleting || (namespaceStatus == "Active" && notReconciled)',
    },
  ],
  resources: [
    {
      name: "testJob",
      transport: { client: "kubernetes" },
      manifest: JOB,
      discovery: {
        namespace: "{{ .clusterId }}",
        by_selectors: {
          label_selector: { "hyperfleet.io/cluster-id": "{{ .clusterId }}", "hyperfleet.io/resource-type": "job" },
        },
      },
      lifecycle: { delete: { propagationPolicy: "Background", when: { expression: "is_deleting" } } },
    },
  ],
  post: {
    payloads: [
      {
        name: "report",
        build: {
          adapter: "{{ .adapter.name }}",
          observed_generation: { expression: "generationSpec" },
          observed_time: '{{ now | date "2006-01-02T15:04:05.000Z07:00" }}',
          conditions: [
            { type: "Applied", status: { expression: 'has(resources.testJob) ? "True" : "False"' } },
            { type: "Available", status: "False", message: "team {{ .team }}" },
            { type: "Health", status: { expression: 'adapter.executionStatus == "success" ? "True" : "False"' } },
          ],
          data: { team: { expression: "team", default: "none" }, message: { field: "namespaceMessage" } },
        },
      },
    ],
    post_actions: [
      { name: "send", api_call: { method: "PUT", url: "/clusters/{{ .clusterId }}/statuses", body: "{{ .report }}" } },
    ],
  },
};

describe("a Job adapter modelled on the HyperFleet configuration", () => {
  test("waits without failing while a captured field is absent, then creates its Job", async () => {
    await using harness = await AdapterHarness.open({ workloads: false, adapters: ["cl-namespace", "cl-job"] });
    await harness.startTask("cl-job", CL_JOB);
    const id = await harness.create();
    await harness.cluster.create(Namespace, { name: id });
    expect((await harness.pulse(id)).errors).toEqual([]);
    expect(await harness.reported(id)).toContain("Applied=False");
    expect(await harness.reported(id)).toContain("Health=True");
    await harness.advance(1_000);
    await harness.clusters.report(id, {
      adapter: "cl-namespace",
      observed_generation: 1,
      observed_time: new Date(harness.cluster.clock.now()).toISOString(),
      conditions: (["Available", "Applied", "Health"] as const).map((type) => ({ type, status: "True" as const })),
      data: { namespace: { status: "Active" } },
    });
    expect((await harness.pulse(id)).errors).toEqual([]);
    const [job] = await harness.cluster.list(Job, id);
    expect(job?.metadata.name).toBe(`hello-${id}-1`);
    expect(job?.metadata.annotations).toMatchObject({ team: "<no value>" });
    const data = new Map<string, unknown>();
    for await (const status of harness.clusters.statuses(id)) data.set(status.adapter, status.data);
    expect(data.get("cl-job")).toEqual({ team: "none", message: null });
  });
});
