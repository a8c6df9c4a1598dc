import { REDACTED } from "@levelset/core/internal";
import { describe, expect, test } from "vitest";
import { MESSAGE_BYTES_MAX, REASON_MAX } from "./custom-condition.ts";
import { testKind, OneResource } from "../fleet.fixture.ts";
import { RuleError } from "./rule.ts";

/** A resource of a kind that requires `a` and defines one condition. */
function withRule(rule: { when?: string; status?: string; reason?: string; message?: string }): OneResource {
  const { when = "true", status = "true", reason = "'R'", message = "'M'" } = rule;
  const output = { status: { expression: status }, reason: { expression: reason }, message: { expression: message } };
  const conditions = [{ type: "QuotaValid", when: { expression: when }, output }];
  return new OneResource(testKind({ required_adapters: ["a"], conditions }));
}

const up = (time: number, data: Readonly<Record<string, string>> = {}) => {
  return { adapter: "a", available: "True" as const, generation: 1, time, data };
};

describe("a condition defined by a kind", () => {
  test("exists while its rule is true, with data of the reports", () => {
    const one = withRule({
      when: "statuses.exists(s, s.adapter == 'a' && s.data.?quota.hasValue())",
      status: "statuses[0].data.quota == 'enough'",
      message: "'Quota: ' + dig(statuses[0], 'data.quota') + ' of ' + resource.name",
    });
    expect(one.condition("QuotaValid")).toBeUndefined();
    one.report(up(1, { quota: "enough" }));
    expect(one.condition("QuotaValid")).toEqual({
      type: "QuotaValid",
      status: "True",
      reason: "R",
      message: "Quota: enough of c-1",
      observedGeneration: 1,
      createdTime: 0,
      lastUpdatedTime: 1,
      lastTransitionTime: 1,
    });
    const before = one.condition("QuotaValid");
    one.report(up(2, { quota: "enough" }));
    expect(one.condition("QuotaValid")).toBe(before);
    one.report(up(3, { quota: "short" }));
    expect(one.condition("QuotaValid")).toMatchObject({ status: "False", lastTransitionTime: 3 });
    one.report(up(4));
    expect(one.condition("QuotaValid")).toBeUndefined();
  });

  test.each([
    ["'TRUE'", "True"],
    ["'false'", "False"],
    ["1 == 2", "False"],
  ])("has the status of %s", (status, expected) => {
    expect(withRule({ status }).condition("QuotaValid")?.status).toBe(expected);
  });

  test("is omitted if its reason is too long, and its message is truncated", () => {
    expect(withRule({ reason: `'${"r".repeat(REASON_MAX + 1)}'` }).condition("QuotaValid")).toBeUndefined();
    expect(withRule({ reason: `'${"r".repeat(REASON_MAX)}'` }).condition("QuotaValid")).toBeDefined();
    const message = withRule({ message: `'x${"é".repeat(1_100)}'` }).condition("QuotaValid")?.message ?? "";
    expect(new TextEncoder().encode(message).length).toBe(MESSAGE_BYTES_MAX - 1);
    expect(message.endsWith("é")).toBe(true);
  });

  test("can use isCurrent and readiness", () => {
    const one = withRule({ message: "readiness(resource) + ' ' + string(isCurrent(resource))" });
    one.report(up(1));
    // A rule sees the conditions before the report.
    expect(one.condition("QuotaValid")?.message).toBe("Progressing true");
    one.report(up(2));
    expect(one.condition("QuotaValid")?.message).toBe("Ready true");
  });

  test("sees neither Unknown conditions nor fields with secret-like names", () => {
    const one = withRule({ message: "toJson(statuses) + toJson(resource.spec)" });
    one.report(up(1, { apiToken: "hunter2", user: "me" }));
    const message = one.condition("QuotaValid")?.message ?? "";
    expect(message).toContain('"user":"me"');
    expect(message).toContain(REDACTED);
    expect(message).not.toContain("hunter2");
  });

  test.each([
    ["a rule that fails", { when: "statuses[7].adapter == 'a'" }, "conditions[QuotaValid].when: "],
    ["an invalid status", { status: "'Unknown'" }, "output.status: invalid status value"],
    ["a reason that is not a string", { reason: "dyn(5)" }, "output.reason: must be a string, not 5"],
    [
      "a rule that costs too much",
      {
        when: "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, a + b + c + d > 0))))",
      },
      "cost limit exceeded",
    ],
  ])("rejects the change and names the rule: %s", (_, rule, message) => {
    expect(() => withRule(rule)).toThrow(RuleError);
    expect(() => withRule(rule)).toThrow(message);
  });
});
