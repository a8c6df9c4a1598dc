import { CEL_DYN, celEnvironment, celFromJson } from "@levelset/core/cel";
import type { JsonObject, JsonValue } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { FLEET_READINESS } from "./readiness-functions.ts";

const environment = celEnvironment({ variables: { x: CEL_DYN }, libraries: [FLEET_READINESS] });

function evaluate(source: string, x: JsonValue): unknown {
  const compiled = environment.compile(source);
  if (compiled.kind === "issues") return compiled.issues[0]?.message;
  const result = compiled.program.evaluate({ x: celFromJson(x) });
  return result.kind === "value" ? result.value : result.error.message;
}

/** A resource as sent by the API: generation 2, and conditions `TYPE STATUS GENERATION`. */
function resource(...conditions: readonly string[]): JsonObject {
  return {
    id: "1",
    kind: "Cluster",
    name: "eu",
    generation: 2,
    status: {
      conditions: conditions.map((text) => {
        const [type = "", status = "", generation] = text.split(" ");
        return { type, status, observed_generation: Number(generation) };
      }),
    },
  };
}

describe("expressions about a fleet resource", () => {
  test("isCurrent tests whether Ready, or another condition, is of the latest generation", () => {
    const mixed = resource("Ready False 2", "Available True 1", "Later True 3");
    expect(evaluate("isCurrent(x)", mixed)).toBe(true);
    expect(evaluate("[isCurrent(x, 'Ready'), isCurrent(x, 'Available'), isCurrent(x, 'Later')]", mixed)).toEqual([
      true,
      false,
      false,
    ]);
    expect(evaluate("isCurrent(x, 'Absent')", mixed)).toBe(false);
    expect(evaluate("isCurrent(x)", resource("Ready True 1"))).toBe(false);
  });

  test("readiness is Ready, Progressing or Deleting", () => {
    expect(evaluate("readiness(x)", resource("Ready True 2", "Available True 2"))).toBe("Ready");
    expect(evaluate("readiness(x)", resource("Ready True 1"))).toBe("Progressing");
    expect(evaluate("readiness(x)", resource("Ready False 2", "Available True 1"))).toBe("Progressing");
    const deleting = { ...resource("Ready False 2"), deleted_time: "2027-01-15T08:00:00Z" };
    expect(evaluate("readiness(x)", deleting)).toBe("Deleting");
  });
});

test("the same functions evaluate a Kubernetes object", () => {
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "a", generation: 1 }, status: {} };
  expect(evaluate("readiness(x)", job)).toBe("Progressing");
  const complete = { ...job, status: { conditions: [{ type: "Complete", status: "True" }] } };
  expect(evaluate("readiness(x)", complete)).toBe("Ready");
  const thing = { kind: "Thing", metadata: { name: "a", generation: 2 }, status: { observedGeneration: 1 } };
  expect(evaluate("isCurrent(x)", thing)).toBe(false);
});

test.each(["isCurrent", "readiness"])("%s rejects any other value", (name) => {
  for (const value of [{}, [], "x", { kind: "Cluster", generation: 1 }, { name: "eu", generation: 1 }]) {
    expect(evaluate(`${name}(x)`, value)).toContain(`${name}: neither a fleet resource nor a Kubernetes object`);
  }
});
