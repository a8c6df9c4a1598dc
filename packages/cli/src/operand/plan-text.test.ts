import type { JsonObject } from "@levelset/core";
import type { PlannedItem, PlannedPrune } from "@levelset/operator/internal";
import { describe, expect, test } from "vitest";
import { hasChanges, hasRefusals, planJson, planText } from "./plan-text.ts";
import type { ValidPlan } from "./plan-text.ts";

const same = (text: string): string => text;
const object = (kind: string, fields: JsonObject): JsonObject => ({ apiVersion: "v1", kind, metadata: {}, ...fields });

function item(kind: string, name: string, rest: Partial<PlannedItem>): PlannedItem {
  const ref = { group: "", kind, namespace: "shop", name };
  return { ref, at: "steadyState[0]", action: "none", isAdopted: false, isGuess: false, ...rest };
}

function prune(kind: string, name: string, rest: Partial<PlannedPrune>): PlannedPrune {
  const ref = { group: "", kind, namespace: "shop", name };
  return { ref, action: "delete", isFirst: false, before: object(kind, {}), ...rest };
}

function plan(items: readonly PlannedItem[], prunes: readonly PlannedPrune[] = [], isSuspended = false): ValidPlan {
  return { kind: "plan", items, prunes, isSuspended, unlisted: [] };
}

const text = (of: ValidPlan, diffs = false): string => planText(of, { colors: false, diffs, scrub: same });

describe("a plan as text", () => {
  test("names kinds that could not be listed", () => {
    const why = "cannot list widgets.example.com: forbidden (needs list and watch)";
    const shown = text({ ...plan([item("Service", "web", {})]), unlisted: [why] });
    expect(shown).toBe(`incomplete: ${why}; leftovers of that kind may be missing\nno changes: 1 up to date\n`);
  });

  test("has a line for each affected object, and totals", () => {
    const items = [
      item("Deployment", "web", {
        action: "change",
        before: object("Deployment", { image: "web:1.8" }),
        after: object("Deployment", { image: "web:1.9" }),
      }),
      item("ConfigMap", "web-flags", { action: "create", after: object("ConfigMap", {}) }),
      item("Service", "web", {}),
      item("Job", "migrate", { action: "recreate", message: "a field of it cannot be changed", isGuess: true }),
      item("Role", "r", { action: "refuse", reason: "Forbidden", message: "no" }),
      item("RoleBinding", "r", { action: "hold", message: "role/r is not ready" }),
      item("Secret", "taken", { action: "change", isAdopted: true, before: {}, after: {} }),
    ];
    const prunes = [
      prune("Service", "legacy", {}),
      prune("Service", "early", { isFirst: true }),
      prune("Namespace", "shop", { action: "stay", reason: "NeverPruned" }),
      prune("ConfigMap", "later", { action: "mark", due: "2026-01-01T00:00:00Z" }),
      prune("ConfigMap", "pending", { action: "wait", reason: "Confirm" }),
    ];
    expect(text(plan(items, prunes))).toBe(`\
  ~ Deployment   shop/web        image 1.8 → 1.9
  + ConfigMap    shop/web-flags
  ± Job          shop/migrate    a field of it cannot be changed
  ✗ Role         shop/r          Forbidden: no
  … RoleBinding  shop/r          role/r is not ready
  ~ Secret       shop/taken      exists already; will be adopted
  - Service      shop/legacy     pruned when the new version is Ready
  - Service      shop/early      pruned immediately: its version is superseded
  = Namespace    shop/shop       retained: namespaces and CRDs are never pruned
  - ConfigMap    shop/later      pruned at 2026-01-01T00:00:00Z
  … ConfigMap    shop/pending    waits for levelset operand confirm

1 to create, 2 to change, 1 to recreate, 2 to prune, 1 to prune later, 1 refused, 1 blocked, 1 unchanged
`);
  });

  test("reports that nothing changes, and that a suspended Operand is not changed", () => {
    expect(text(plan([item("Service", "web", {})]))).toBe("no changes: 1 up to date\n");
    expect(text(plan([]))).toBe("no changes: the Operand has no objects\n");
    expect(text(plan([item("Service", "web", { action: "create" })], [], true))).toContain(
      "Paused: run levelset operand resume to apply this plan\n",
    );
  });

  test("shows the diff of each object, without Secret data and control characters", () => {
    const secret = (password: string): JsonObject => object("Secret", { data: { password } });
    const shown = text(
      plan([
        item("Secret", "db", { action: "change", before: secret("aHVudGVyMg=="), after: secret("c3dvcmRmaXNo") }),
        item("ConfigMap", "a", { action: "create", after: object("ConfigMap", { data: { a: "\u001B[31mred" } }) }),
      ]),
      true,
    );
    expect(shown).toContain("~ Secret     shop/db  password changed\n");
    expect(shown).toContain("-  password: '*** (before)'\n+  password: '*** (after)'\n");
    expect(shown).toContain("--- /dev/null\n+++ ConfigMap shop/a (planned)\n@@ -0,0 +1,");
    expect(shown).not.toMatch(/aHVudGVyMg|c3dvcmRmaXNo/u);
    expect(shown).not.toContain("\u001B");
  });

  test("has colours by action", () => {
    const painted = planText(plan([item("Service", "web", { action: "create" })]), {
      colors: true,
      diffs: false,
      scrub: same,
    });
    expect(painted).toContain("\u001B[32m  + Service\u001B[39m");
  });
});

test("a plan as JSON masks Secrets, also in server messages", () => {
  const before = object("Secret", { data: { a: "hunter2" } });
  const refused = item("Secret", "db", { action: "refuse", reason: "Invalid", message: "hunter2 is bad", before });
  const json = JSON.stringify(
    planJson(plan([refused], [prune("Secret", "old", { before })]), (output) => output.replaceAll("hunter2", "***")),
  );
  expect(json).not.toContain("hunter2");
  expect(JSON.parse(json)).toMatchObject({ isChanging: true, items: [{ action: "refuse", message: "*** is bad" }] });
});

test("hasChanges and hasRefusals consider all visible actions", () => {
  expect(hasChanges(plan([item("A", "a", {}), item("A", "b", { action: "hold" })]))).toBe(false);
  expect(hasChanges(plan([], [prune("A", "a", { action: "mark" })]))).toBe(true);
  expect(hasRefusals(plan([item("A", "a", { action: "refuse" })]))).toBe(true);
});
