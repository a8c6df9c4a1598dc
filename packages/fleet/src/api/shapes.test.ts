import { isJsonObject, validate } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { mutateValue, sampleValue, seededRandom } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { parseReport, timeText } from "../resource/index.ts";
import { FleetError } from "../service/index.ts";
import { readCreate, readPatch } from "./declaration-body.ts";
import type { Shape } from "./route.ts";
import { ADAPTER_STATUS, CREATE, PATCH, REPORT, RESOURCE, RESOURCE_LIST } from "./shapes.ts";
import { TestFleet } from "./fleet-api.fixture.ts";

const NOW = Date.UTC(2026, 0, 1);

/** Bodies that have a shape, and bodies that nearly have it. */
function bodiesOf({ schema }: Shape, count: number): readonly JsonValue[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = seededRandom(seed);
    const whole = sampleValue(schema.structural, random);
    return seed % 2 === 0 ? whole : mutateValue(schema.structural, whole, random);
  });
}

function fits({ schema }: Shape, body: JsonValue): boolean {
  return validate(schema.structural, body).length === 0;
}

/** A report of now whose conditions have different types, for a schema cannot ask for that. */
function distinct(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body;
  const { conditions } = body;
  return {
    ...body,
    ...(fitsTime(body) ? { observed_time: timeText(NOW) } : {}),
    ...(Array.isArray(conditions)
      ? { conditions: conditions.map((condition: JsonValue, index) => numbered(condition, index)) }
      : {}),
  };
}

function fitsTime({ observed_time: time }: JsonObject): boolean {
  return typeof time === "string" && validate({ type: "string", format: "date-time" }, time).length === 0;
}

function numbered(condition: JsonValue, index: number): JsonValue {
  if (!isJsonObject(condition)) return condition;
  const { type } = condition;
  return typeof type === "string" && type !== "" ? { ...condition, type: `${type}${index}` } : condition;
}

describe("what documents show is what is checked", () => {
  test("a report is taken if and only if it has the published shape", () => {
    const bodies = bodiesOf(REPORT, 2_000).map(distinct);
    // The rules of Kubernetes, which check here, take a list where a text has a format; documents do not say so.
    const isPublished = (body: JsonValue): boolean => fits(REPORT, body) && isJsonObject(body) && fitsTime(body);
    const differing = bodies.filter((body) => (parseReport(body, NOW).kind === "report") !== isPublished(body));
    expect(differing).toEqual([]);
    expect(bodies.some((body) => !isPublished(body))).toBe(true);
  });

  test.each([
    ["create", CREATE, readCreate],
    ["patch", PATCH, readPatch],
  ])(
    "a body to %s is read if it has the published shape, and refused by its field or as a whole otherwise",
    (_, shape, read) => {
      for (const body of bodiesOf(shape, 1_000)) {
        const refusal = refusalOf(() => read(body));
        const isTaken = refusal === undefined;
        expect([body, isTaken || refusal instanceof FleetError]).toEqual([body, true]);
        expect([body, !isTaken || fits(shape, withoutNulls(body))]).toEqual([body, true]);
      }
    },
  );
});

function refusalOf(read: () => unknown): unknown {
  try {
    read();
    return undefined;
  } catch (error) {
    return error;
  }
}

function withoutNulls(body: JsonValue): JsonValue {
  return isJsonObject(body) ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) : body;
}

test("answers have their published shapes", async () => {
  await using fleet = await TestFleet.open();
  const id = await fleet.create("/clusters", "Cluster", "prod", { labels: { a: "b" } });
  const pool = await fleet.create(`/clusters/${id}/nodepools`, "NodePool", "pool");
  const status = await fleet.report(`/clusters/${id}`, "dns", 1, "True");
  await fleet.report(`/clusters/${id}`, "dns", 1, "Unknown");
  const deleted = await fleet.call("DELETE", `/clusters/${id}/nodepools/${pool}`);
  const list = await fleet.call("GET", "/resources?fields=id,status.conditions.type");
  const problems = [
    validate(ADAPTER_STATUS.schema.structural, status.json),
    validate(RESOURCE.schema.structural, deleted.json),
    validate(RESOURCE_LIST.schema.structural, list.json),
  ];
  expect(problems).toEqual([[], [], []]);
});
