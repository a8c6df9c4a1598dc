import { isJsonObject } from "@levelset/core";
import { validate } from "@levelset/core/schema";
import type { JsonObject, JsonValue } from "@levelset/core";
import { mutateValue, sampleValue, seededRandom } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { parseReport, timeText } from "../resource/index.ts";
import { FleetError } from "../service/index.ts";
import { readCreate, readPatch } from "./declaration-body.ts";
import type { NamedSchema } from "./route.ts";
import {
  ADAPTER_STATUS_SCHEMA,
  CREATE_SCHEMA,
  PATCH_SCHEMA,
  REPORT_SCHEMA,
  RESOURCE_SCHEMA,
  RESOURCE_LIST_SCHEMA,
} from "./api-schemas.ts";
import { TestFleet } from "./fleet-api.fixture.ts";

const NOW = Date.UTC(2026, 0, 1);

/** Generates bodies that match a schema, and bodies that nearly match. */
function bodiesOf({ schema }: NamedSchema, count: number): readonly JsonValue[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = seededRandom(seed);
    const complete = sampleValue(schema.structural, random);
    return seed % 2 === 0 ? complete : mutateValue(schema.structural, complete, random);
  });
}

function fits({ schema }: NamedSchema, body: JsonValue): boolean {
  return validate(schema.structural, body).length === 0;
}

/** Returns a current report with unique condition types, which a schema cannot require. */
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

describe("the published schemas are the validated ones", () => {
  test("a report is accepted if and only if it matches the published schema", () => {
    const bodies = bodiesOf(REPORT_SCHEMA, 2_000).map(distinct);
    // The Kubernetes validation used here accepts a list where a string has a format; the published schema does not
    // state this.
    const isPublished = (body: JsonValue): boolean => fits(REPORT_SCHEMA, body) && isJsonObject(body) && fitsTime(body);
    const differing = bodies.filter((body) => (parseReport(body, NOW).kind === "report") !== isPublished(body));
    expect(differing).toEqual([]);
    expect(bodies.some((body) => !isPublished(body))).toBe(true);
  });

  test.each([
    ["create", CREATE_SCHEMA, readCreate],
    ["patch", PATCH_SCHEMA, readPatch],
  ])(
    "a body to %s is accepted if it matches the published schema, and refused with its field otherwise",
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

test("responses match the published schemas", async () => {
  await using fleet = await TestFleet.open();
  const id = await fleet.create("/clusters", "Cluster", "prod", { labels: { a: "b" } });
  const pool = await fleet.create(`/clusters/${id}/nodepools`, "NodePool", "pool");
  const status = await fleet.report(`/clusters/${id}`, "dns", 1, "True");
  await fleet.report(`/clusters/${id}`, "dns", 1, "Unknown");
  const deleted = await fleet.call("DELETE", `/clusters/${id}/nodepools/${pool}`);
  const list = await fleet.call("GET", "/resources?fields=id,status.conditions.type");
  const problems = [
    validate(ADAPTER_STATUS_SCHEMA.schema.structural, status.json),
    validate(RESOURCE_SCHEMA.schema.structural, deleted.json),
    validate(RESOURCE_LIST_SCHEMA.schema.structural, list.json),
  ];
  expect(problems).toEqual([[], [], []]);
});
