import { ConfigMap, Deployment, Event, EventV1, kind, s } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { resolveKind } from "./resolve-kind.ts";

const database = (group: string) =>
  kind({ group, version: "v1", kind: "Database", shortNames: ["db"], spec: s.object({}) });
const [ours, theirs] = [database("shop.example"), database("cloud.example")];
const kinds = [ConfigMap, Deployment, Event, EventV1, ours, theirs];

describe("a kind argument", () => {
  test.each([
    ["deployment", Deployment],
    ["deployments", Deployment],
    ["deploy", Deployment],
    ["Deployment", Deployment],
    ["deployments.apps", Deployment],
    ["deployment.v1.apps", Deployment],
    ["cm", ConfigMap],
    ["ev", Event],
    ["events.events.k8s.io", EventV1],
    ["database.shop.example", ours],
    ["db.v1.cloud.example", theirs],
  ])("%j resolves to the same kind as in kubectl", (word, desired) => {
    expect(resolveKind(word, kinds)).toBe(desired);
  });

  test.each([
    ["db", '"db" matches several kinds', "use one of database.shop.example, database.cloud.example"],
    ["deploymnt", 'there is no kind "deploymnt"', "did you mean deployment.apps?"],
    ["conf", 'there is no kind "conf"', "did you mean configmap?"],
    ["wheel", 'there is no kind "wheel"', "kubectl api-resources lists the kinds"],
  ])("%j is rejected with a hint", (word, message, hint) => {
    expect(refusal(word)).toMatchObject({ message, hint });
  });
});

function refusal(word: string): unknown {
  try {
    return resolveKind(word, kinds);
  } catch (error) {
    return error;
  }
}
