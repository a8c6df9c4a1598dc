import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { eventually } from "../../../support/eventually.ts";
import type { RawResponse, RawClient } from "../raw-clients.ts";
import type { CrdCase } from "./crd-case.ts";
import type { CrdScenario, Step } from "./crd-scenario.ts";

/** Response of a server to one write. */
export interface Outcome {
  readonly code: number;
  readonly spec?: JsonValue;
  readonly reason?: string;
  /** `field reason message`, sorted. */
  readonly causes?: readonly string[];
}

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Runs a CRD case: one outcome per write. */
export async function crdCaseOutcomes(server: RawClient, test: CrdCase): Promise<readonly Outcome[]> {
  const { body, changes } = test;
  const created = await server.request(changes === undefined ? `${CRDS}?dryRun=All` : CRDS, { method: "POST", body });
  const outcomes = [outcomeOf(created.code, created.body, test)];
  if (changes === undefined || created.code >= 300) return outcomes;
  const path = `${CRDS}/${nameOf(body)}`;
  await untilEstablished(server, path);
  for (const change of changes) {
    const part = Object.hasOwn(change, "status") ? `${path}/status` : path;
    const contentType = "application/merge-patch+json";
    const changed = await server.request(part, { method: "PATCH", body: change, contentType });
    outcomes.push(outcomeOf(changed.code, changed.body, test));
  }
  return outcomes;
}

/** Waits until a CRD is established; kube-apiserver does that asynchronously. */
export async function untilEstablished(server: RawClient, path: string): Promise<void> {
  await eventually(`${path} is established`, async () => {
    const { body } = await server.request(`${path}?resourceVersion=`);
    return JSON.stringify(body).includes('"reason":"InitialNamesAccepted"');
  });
}

/** Waits until kube-apiserver serves a changed CRD. A watch with a timeout serves as a wait without a clock. */
async function aMoment(server: RawClient, path: string): Promise<void> {
  await server.request(`${CRDS}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name=${path.split("/").at(-1)}`);
}

function nameOf(body: JsonObject): string {
  return isJsonObject(body["metadata"]) ? textOf(body["metadata"]["name"]) : "";
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function outcomeOf(code: number, body: unknown, test: CrdCase): Outcome {
  // Every response of an API server to a write is an object.
  const { spec } = body as JsonObject;
  return code < 300 ? { code, spec: spec ?? null } : failureOf(code, body, test.messageDifference === undefined);
}

function failureOf(code: number, body: unknown, withWords: boolean): Outcome {
  // Every error response of an API server is a Status.
  const { reason, details, message } = body as JsonObject;
  const causes = isJsonObject(details) && Array.isArray(details["causes"]) ? details["causes"] : [];
  const reported = causes.map((cause) => described(cause, withWords)).toSorted();
  return { code, reason: textOf(reason), causes: reported.length === 0 && withWords ? [textOf(message)] : reported };
}

function described(cause: JsonValue, withWords: boolean): string {
  if (!isJsonObject(cause)) return textOf(cause);
  const parts = [cause["field"], cause["reason"], ...(withWords ? [cause["message"]] : [])];
  return parts.map(textOf).join(" ");
}

/** Runs the steps of a scenario: one outcome each. */
export async function scenarioOutcomes(server: RawClient, scenario: CrdScenario): Promise<readonly object[]> {
  const { crd, steps } = scenario;
  const { code: made, body: result } = await server.request(CRDS, { method: "POST", body: crd });
  if (made >= 300) return [failureOf(made, result, scenario.messageDifference === undefined)];
  const declared = `${CRDS}/${nameOf(crd)}`;
  await untilEstablished(server, declared);
  const outcomes: object[] = [];
  for (const step of steps) {
    if ("declare" in step) {
      await server.request(declared, { method: "PATCH", body: step.declare, contentType: MERGE });
      await aMoment(server, declared);
      continue;
    }
    const { code, body } = await stepAnswer(server, scenario, step);
    outcomes.push(
      code < 300 ? { code, object: scrubbed(body) } : failureOf(code, body, scenario.messageDifference === undefined),
    );
  }
  return outcomes;
}

const MERGE = "application/merge-patch+json";

function stepAnswer(
  server: RawClient,
  scenario: CrdScenario,
  step: Exclude<Step, { readonly declare: JsonObject }>,
): Promise<RawResponse> {
  const version = step.version ?? "v1";
  const collection = `/apis/differential.example.com/${version}/namespaces/default/${scenario.plural}`;
  if ("get" in step) return server.request(collection + step.get);
  if ("create" in step) {
    const body = { apiVersion: `differential.example.com/${version}`, kind: kindOf(scenario), ...step.create };
    return server.request(collection + (step.query ?? ""), { method: "POST", body });
  }
  const path = `${collection}/${step.name ?? "a"}${step.part ?? ""}`;
  if ("merge" in step) return server.request(path, { method: "PATCH", body: step.merge, contentType: MERGE });
  return server.request(path, { method: "PUT", body: step.put });
}

function kindOf({ crd }: CrdScenario): string {
  const { spec } = crd;
  const names = isJsonObject(spec) ? spec["names"] : undefined;
  return isJsonObject(names) ? textOf(names["kind"]) : "";
}

const OWN_VALUES: readonly string[] = ["uid", "resourceVersion", "creationTimestamp", "managedFields", "continue"];

function scrubbed(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(scrubbed);
  if (!isJsonObject(value)) return value as JsonValue;
  const entries = Object.entries(value).filter(([name]) => !OWN_VALUES.includes(name));
  return Object.fromEntries(entries.map(([name, child]) => [name, scrubbed(child)]));
}
