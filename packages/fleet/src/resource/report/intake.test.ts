import { describe, expect, test } from "vitest";
import type { AdapterStatus, ReportedStatus } from "./adapter-status.ts";
import { decideReport } from "./intake.ts";
import { CONDITIONS_MAX, parseReport } from "./parse-report.ts";
import { adapterStatusJson } from "../resource-json.ts";

const NOW = 1_800_000_000_000;
const BODY = {
  adapter: "dns",
  observed_generation: 1,
  observed_time: "2027-01-15T08:00:00Z",
  conditions: ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" })),
};

describe("the body of a report", () => {
  test("is parsed with times truncated to milliseconds", () => {
    const body = { ...BODY, observed_time: "2027-01-15T08:00:00.1239Z", data: { a: 1 }, unheard: true };
    expect(parseReport(body, NOW)).toEqual({
      kind: "report",
      report: {
        adapter: "dns",
        observedGeneration: 1,
        observedTime: NOW + 123,
        conditions: BODY.conditions,
        data: { a: 1 },
      },
    });
  });

  test.each([
    [{ adapter: "" }, "adapter", "adapter is required"],
    [{ adapter: "x".repeat(256) }, "adapter", "at most 255"],
    [{ observed_generation: 0 }, "observed_generation", ">= 1"],
    [{ observed_generation: 1.5 }, "observed_generation", "integer"],
    [{ observed_generation: "1" }, "observed_generation", "integer"],
    [{ observed_generation: 2 ** 31 }, "observed_generation", "32-bit"],
    [{ observed_time: "yesterday" }, "observed_time", "RFC 3339"],
    [{ observed_time: undefined }, "observed_time", "RFC 3339"],
    [{ observed_time: "2027-01-15T07:29:59.999Z" }, "observed_time", "30 minutes in the past"],
    [{ observed_time: "2027-01-15T08:05:00.001Z" }, "observed_time", "5 minutes in the future"],
    [{ conditions: "x" }, "conditions", "must be a list"],
    [{ conditions: Array.from({ length: CONDITIONS_MAX + 1 }, () => ({})) }, "conditions", "at most 64"],
    [{ conditions: [{ type: "", status: "True" }] }, "conditions[0].type", "cannot be empty"],
    [{ conditions: [null] }, "conditions[0].type", "cannot be empty"],
    [{ conditions: [...BODY.conditions, BODY.conditions[0]] }, "conditions[3].type", "duplicate condition type"],
    [{ conditions: [{ type: "Available", status: "true" }] }, "conditions[0].status", "invalid status value 'true'"],
    [{ conditions: [{ type: "A", status: "True", reason: 5 }] }, "conditions[0].reason", "must be a string"],
    [{ data: [] }, "data", "must be an object"],
    [{ metadata: "x" }, "metadata", "must be an object"],
  ])("%j is rejected", (change, field, message) => {
    const problem = expect.objectContaining({ field, message: expect.stringContaining(message) });
    expect(parseReport({ ...BODY, ...change }, NOW)).toEqual({
      kind: "invalid",
      problems: expect.arrayContaining([problem]),
    });
  });

  test("may be observed exactly at the limits of the window", () => {
    expect(parseReport({ ...BODY, observed_time: "2027-01-15T07:30:00Z" }, NOW).kind).toBe("report");
    expect(parseReport({ ...BODY, observed_time: "2027-01-15T08:05:00Z" }, NOW).kind).toBe("report");
    expect(parseReport("x", NOW).kind).toBe("invalid");
  });
});

interface ReportParts {
  readonly available?: ReportedStatus;
  readonly generation?: number;
  readonly time?: number;
  readonly types?: readonly string[];
}

function report({
  available = "True",
  generation = 1,
  time = 10,
  types = ["Available", "Applied", "Health"],
}: ReportParts) {
  const conditions = types.map((type) => ({ type, status: type === "Available" ? available : ("True" as const) }));
  return { adapter: "dns", observedGeneration: generation, observedTime: time, conditions };
}

/** Returns the stored state after these reports. */
function after(...reports: readonly ReportParts[]): AdapterStatus | undefined {
  let known: AdapterStatus | undefined;
  for (const one of reports) {
    const intake = decideReport(report(one), { generation: 5 }, known);
    if (intake.kind === "verdict" || intake.kind === "progress") known = intake.status;
  }
  return known;
}

describe("the intake of a report", () => {
  const known = after({ generation: 2, time: 10 });

  test.each<[string, ReportParts, AdapterStatus | undefined, unknown]>([
    ["of a generation beyond the resource's", { generation: 6 }, undefined, "GenerationUnknown"],
    ["of an older generation than the adapter reported", { generation: 1, time: 99 }, known, "GenerationOlder"],
    ["older in time", { generation: 2, time: 9 }, known, "TimeOlder"],
    ["of the same time", { generation: 2, time: 10 }, known, "TimeEqual"],
    ["progress older than the verdict", { generation: 2, time: 9, available: "Unknown" }, known, "TimeOlder"],
    ["incomplete, but discarded before validation", { generation: 6, types: [] }, undefined, "GenerationUnknown"],
  ])("%s: discarded", (_, parts, before, reason) => {
    expect(decideReport(report(parts), { generation: 5 }, before)).toEqual({
      kind: "discarded",
      reason,
      httpStatus: 204,
    });
  });

  test("without a mandatory condition it is invalid", () => {
    expect(decideReport(report({ types: ["Available", "Applied"] }), { generation: 5 }, undefined)).toMatchObject({
      kind: "invalid",
      problems: [{ field: "conditions", message: "missing mandatory condition 'Health'" }],
    });
  });

  test("a newer verdict replaces the previous one, and unchanged conditions keep the times", () => {
    const intake = decideReport(report({ generation: 2, time: 20, available: "False" }), { generation: 5 }, known);
    expect(intake).toMatchObject({
      kind: "verdict",
      httpStatus: 201,
      flipped: true,
      status: { createdTime: 10, verdict: { observedTime: 20, observedGeneration: 2 } },
    });
    const conditions = intake.kind === "verdict" ? intake.status.verdict?.conditions : [];
    expect(conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ["Available", 20],
      ["Applied", 10],
      ["Health", 10],
    ]);
    expect(decideReport(report({ generation: 2, time: 20 }), { generation: 5 }, known)).toMatchObject({
      flipped: false,
    });
    expect(decideReport(report({ generation: 3, time: 5 }), { generation: 5 }, known)).toMatchObject({ flipped: true });
    const finalized = report({ generation: 2, time: 20 });
    const withFinalized = [...finalized.conditions, { type: "Finalized", status: "True" as const }];
    expect(decideReport({ ...finalized, conditions: withFinalized }, { generation: 5 }, known)).toMatchObject({
      flipped: true,
    });
  });

  test("the first report of an adapter is 201 even if it is Unknown, a later Unknown is 204", () => {
    const first = decideReport(report({ available: "Unknown" }), { generation: 5 }, undefined);
    expect(first).toMatchObject({ kind: "progress", httpStatus: 201, status: { progress: { observedTime: 10 } } });
    const second = decideReport(report({ available: "Unknown", time: 11 }), { generation: 5 }, known);
    expect(second.kind).toBe("discarded");
    const third = decideReport(report({ available: "Unknown", generation: 3 }), { generation: 5 }, known);
    expect(third).toMatchObject({ kind: "progress", httpStatus: 204, status: { verdict: known?.verdict } });
  });

  test("progress does not affect the verdict, and a verdict ends it", () => {
    const working = after({ time: 10 }, { time: 20, available: "Unknown" });
    expect(working).toMatchObject({ verdict: { observedTime: 10 }, progress: { observedTime: 20 } });
    const done = after({ time: 10 }, { time: 20, available: "Unknown" }, { time: 30 });
    expect(done).toMatchObject({ verdict: { observedTime: 30 } });
    expect(done).not.toHaveProperty("progress");
  });

  test("progress on a new generation does not block the final verdict on the previous one", () => {
    const status = after(
      { time: 10 },
      { time: 20, generation: 2, available: "Unknown" },
      { time: 30, available: "False" },
    );
    expect(status).toMatchObject({
      verdict: { observedGeneration: 1, observedTime: 30 },
      progress: { observedGeneration: 2 },
    });
  });

  test("a verdict may have the same second as the progress before it", () => {
    expect(after({ time: 10, available: "Unknown" }, { time: 10 })).toMatchObject({ verdict: { observedTime: 10 } });
  });

  test("repeated progress is discarded", () => {
    const working = after({ time: 10, available: "Unknown" });
    expect(decideReport(report({ available: "Unknown" }), { generation: 5 }, working)).toMatchObject({
      reason: "TimeEqual",
    });
  });
});

test("a status shows the verdict with the later progress", () => {
  const working = after({ time: 10 }, { time: 20, available: "Unknown" });
  if (working === undefined) throw new TypeError("no stored status");
  expect(adapterStatusJson(working)).toMatchObject({
    adapter: "dns",
    observed_generation: 1,
    last_report_time: "1970-01-01T00:00:00.010Z",
    created_time: "1970-01-01T00:00:00.010Z",
    data: {},
    conditions: [{ type: "Available", status: "True", last_transition_time: "1970-01-01T00:00:00.010Z" }, {}, {}],
    progress: { observed_generation: 1, observed_time: "1970-01-01T00:00:00.020Z" },
  });
  const started = after({ time: 10, available: "Unknown" });
  expect(started && adapterStatusJson(started)).toMatchObject({
    conditions: [{ type: "Available", status: "Unknown" }, {}, {}],
  });
  expect(started && adapterStatusJson(started)).not.toHaveProperty("progress");
});
