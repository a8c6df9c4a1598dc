import { ConfigMap, Deployment, Event, EventV1, kind, s } from "@levelset/core";
import { describe, expect, test } from "vitest";
import { kindNamed } from "./kind-word.ts";

const database = (group: string) =>
  kind({ group, version: "v1", kind: "Database", shortNames: ["db"], spec: s.object({}) });
const [ours, theirs] = [database("shop.example"), database("cloud.example")];
const kinds = [ConfigMap, Deployment, Event, EventV1, ours, theirs];

describe("a word for a kind", () => {
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
  ])("%j names the kind that kubectl takes it for", (word, wanted) => {
    expect(kindNamed(word, kinds)).toBe(wanted);
  });

  test.each([
    ["db", '"db" may mean several kinds', "write one of database.shop.example, database.cloud.example"],
    ["deploymnt", 'there is no kind "deploymnt"', "did you mean deployment.apps?"],
    ["conf", 'there is no kind "conf"', "did you mean configmap?"],
    ["wheel", 'there is no kind "wheel"', "kubectl api-resources lists the kinds"],
  ])("%j is refused with a hint", (word, message, hint) => {
    expect(refusal(word)).toMatchObject({ message, hint });
  });
});

function refusal(word: string): unknown {
  try {
    return kindNamed(word, kinds);
  } catch (error) {
    return error;
  }
}
