import { describe, expect, test } from "vitest";
import { explainLines } from "./explain-lines.ts";
import type { ObjectNode } from "./tree.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const ago = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString();

function node(kind: string, name: string, rest: Partial<ObjectNode> = {}): ObjectNode {
  return {
    apiVersion: "v1",
    kind,
    namespace: "default",
    name,
    state: "progressing",
    objectState: "Progressing",
    message: "",
    conditions: [],
    details: [],
    events: [],
    causes: [],
    left: 0,
    ...rest,
  };
}

function condition(type: string, rest: Partial<ObjectNode["conditions"][number]>): ObjectNode["conditions"][number] {
  return { type, status: "True", reason: "Ready", message: "", state: "done", causes: [], ...rest };
}

const READY = { state: "ready", objectState: "Ready" } as const;
const message = "deployment/shop: 1 of 3 updated replicas available";
const pull = "container web: ImagePullBackOff: registry.example/shop:1.9 not found";
const current = (latest: number) => ({ latest, observed: latest, state: "current" }) as const;
const shop = node("ServiceWithDB", "shop", {
  message,
  generation: current(4),
  conditions: [
    condition("Database", {}),
    condition("Config", {}),
    condition("Deployment", {
      status: "False",
      state: "waiting",
      message,
      since: ago(41),
      causes: [
        node("Deployment", "shop", {
          message: "1 of 3 updated replicas available",
          generation: current(7),
          causes: [
            node("Pod", "shop-6c9f-x2", { state: "failed", message: pull }),
            node("Pod", "shop-6c9f-x3", { state: "failed", message: pull }),
          ],
        }),
      ],
    }),
    condition("Announced", { status: "Unknown", state: "pending" }),
  ],
  change: { manager: "kubectl-edit", at: ago(43), created: false, fields: [".spec.image"], left: 0 },
});

function text(root: ObjectNode, options: { readonly columns?: number } = {}): string {
  return explainLines(root, { now: NOW, columns: options.columns })
    .map((line) => `${line.map((each) => each.text).join("")}\n`)
    .join("");
}

test("an object without a message has its state instead", () => {
  const lines = text(node("Shop", "a", { causes: [node("Till", "t")] }))
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => line.replaceAll(/ +/gu, " "))).toEqual(["Shop a Progressing", "└─ Till t Progressing"]);
});

test("a condition whose desired status is False is labelled with `not`", () => {
  const conditions = [condition("Installed", {}), condition("Stalled", { status: "False", reason: "Moving" })];
  const root = node("Operand", "shop", { ...READY, conditions });
  expect(text(root)).toContain("Installed ✓   not Stalled ✓");
  const deleted = condition("Installed", { status: "False", reason: "Deleted" });
  expect(text(node("Operand", "shop", { ...READY, conditions: [deleted] }))).toContain(" Installed ✓");
});

describe("an explanation as text", () => {
  test("is a tree with objects on the left and explanations on the right", () => {
    expect(text(shop)).toBe(
      [
        "ServiceWithDB shop                       Progressing   generation 4, observed 4",
        "└─ Deployment ✗ Progressing 41 s         deployment/shop: 1 of 3 updated replicas available",
        "   └─ Deployment shop                    Progressing   generation 7, observed 7",
        "      └─ Pod shop-6c9f-x2                container web: ImagePullBackOff: registry.example/shop:1.9 not found",
        "            and 1 like it",
        "   Database ✓   Config ✓   Announced …   last change: kubectl-edit set .spec.image 43 s ago",
        "",
      ].join("\n"),
    );
  });

  test("fits the width of a terminal", () => {
    const lines = text(shop, { columns: 80 }).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.slice(4, 7)).toEqual([
      "      └─ Pod shop-6c9f-x2                container web: ImagePullBackOff:",
      "                                         registry.example/shop:1.9 not found",
      "            and 1 like it",
    ]);
  });

  test("shows missing objects, finalizers, events and the number of omitted causes", () => {
    const root = node("Thing", "a", {
      state: "deleting",
      message: "held by corp.example/guard",
      deletedAt: ago(200),
      details: ["held by corp.example/guard: the client that added it"],
      events: [{ reason: "Failed", message: "no\nway", count: 3, last: ago(20) }],
      causes: [node("Secret", "b", { namespace: "other", state: "missing", message: "not found" })],
      left: 2,
      change: { manager: "kubectl-create", at: ago(300), created: true, fields: [".spec"], left: 0 },
    });
    expect(text(root)).toBe(
      [
        "Thing a             Deleting for 3 min",
        "└─ Secret other/b   not found",
        "   and 2 more",
        "   held by corp.example/guard: the client that added it",
        "   event Failed ×3, 20 s ago: no way",
        "   last change: kubectl-create created it 5 min ago",
        "",
      ].join("\n"),
    );
  });

  test("does not repeat that an older generation is observed", () => {
    const observed = "observed generation 1 of 2";
    const root = node("Thing", "a", {
      message: observed,
      generation: { latest: 2, observed: 1, state: "behind" },
      details: ["is its operator running?"],
    });
    expect(text(root)).toBe(`Thing a   Progressing: ${observed}\n   is its operator running?\n`);
  });

  test("has styles for states, names and what is less important", () => {
    expect(explainLines(shop, { now: NOW }).slice(0, 2)).toEqual([
      [
        { text: "", style: "plain" },
        { text: "ServiceWithDB shop", style: "strong" },
        { text: " ".repeat(23), style: "plain" },
        { text: "Progressing   generation 4, observed 4", style: "bad" },
      ],
      [
        { text: "└─ ", style: "plain" },
        { text: "Deployment ", style: "plain" },
        { text: "✗ Progressing", style: "busy" },
        { text: " 41 s", style: "faint" },
        { text: " ".repeat(9), style: "plain" },
        { text: message, style: "plain" },
      ],
    ]);
  });
});

test.each([
  ["ready", "Ready"],
  ["failed", "Failed"],
  ["progressing", "Unknown"],
  ["progressing", "Degraded"],
  ["progressing", "Paused"],
] as const)("the headline of an object that is %s shows its state %s", (own, state) => {
  const [headline = ""] = text(node("Operand", "shop", { state: own, objectState: state })).split("\n");
  expect(headline).toMatch(new RegExp(`^Operand shop +${state}`, "u"));
});

test("the headline of an object with the paused annotation is Paused", () => {
  const root = node("Simple", "a", { state: "ready", objectState: "Paused", generation: current(2) });
  expect(text(root)).toBe("Simple a   Paused   generation 2, observed 2\n");
});
