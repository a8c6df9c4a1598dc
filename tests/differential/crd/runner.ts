import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { Answered, Asked } from "../pair.ts";
import type { DeclarationCase } from "./declaration.ts";
import type { Scene, Step } from "./scene.ts";

/** What a server said to one write. */
export interface Outcome {
  readonly code: number;
  readonly spec?: JsonValue;
  readonly reason?: string;
  /** `field reason message`, sorted. */
  readonly causes?: readonly string[];
}

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** What a server makes of a declaration and its changes: one outcome for each write. */
export async function declarationOutcomes(server: Asked, test: DeclarationCase): Promise<readonly Outcome[]> {
  const { body, changes } = test;
  const created = await server.ask(changes === undefined ? `${CRDS}?dryRun=All` : CRDS, { method: "POST", body });
  const outcomes = [outcomeOf(created.code, created.body, test)];
  if (changes === undefined || created.code >= 300) return outcomes;
  const path = `${CRDS}/${nameOf(body)}`;
  await untilEstablished(server, path);
  for (const change of changes) {
    const part = Object.hasOwn(change, "status") ? `${path}/status` : path;
    const contentType = "application/merge-patch+json";
    const changed = await server.ask(part, { method: "PATCH", body: change, contentType });
    outcomes.push(outcomeOf(changed.code, changed.body, test));
  }
  return outcomes;
}

/** Waits until a declaration is served: the real server takes a moment. */
export async function untilEstablished(server: Asked, path: string): Promise<void> {
  for (let tried = 0; tried < 100; tried++) {
    const { body } = await server.ask(`${path}?resourceVersion=`);
    if (JSON.stringify(body).includes('"reason":"InitialNamesAccepted"')) return;
    await aMoment(server, path);
  }
  throw new Error(`${path} is not established`);
}

/** The real server serves a changed declaration a moment later. A watch that ends by itself is a wait without a clock. */
async function aMoment(server: Asked, path: string): Promise<void> {
  await server.ask(`${CRDS}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name=${path.split("/").at(-1)}`);
}

function nameOf(body: JsonObject): string {
  return isJsonObject(body["metadata"]) ? textOf(body["metadata"]["name"]) : "";
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function outcomeOf(code: number, body: unknown, test: DeclarationCase): Outcome {
  // Every answer of an API server to a write is an object.
  const { spec } = body as JsonObject;
  return code < 300 ? { code, spec: spec ?? null } : failureOf(code, body, test.words === undefined);
}

function failureOf(code: number, body: unknown, withWords: boolean): Outcome {
  // Every answer of an API server that fails is a Status.
  const { reason, details, message } = body as JsonObject;
  const causes = isJsonObject(details) && Array.isArray(details["causes"]) ? details["causes"] : [];
  const told = causes.map((cause) => described(cause, withWords)).toSorted();
  return { code, reason: textOf(reason), causes: told.length === 0 && withWords ? [textOf(message)] : told };
}

function described(cause: JsonValue, withWords: boolean): string {
  if (!isJsonObject(cause)) return textOf(cause);
  const parts = [cause["field"], cause["reason"], ...(withWords ? [cause["message"]] : [])];
  return parts.map(textOf).join(" ");
}

/** What a server makes of the steps of a scene: one outcome for each. */
export async function sceneOutcomes(server: Asked, scene: Scene): Promise<readonly object[]> {
  const { crd, steps } = scene;
  const { code: made, body: said } = await server.ask(CRDS, { method: "POST", body: crd });
  if (made >= 300) return [failureOf(made, said, scene.words === undefined)];
  const declared = `${CRDS}/${nameOf(crd)}`;
  await untilEstablished(server, declared);
  const outcomes: object[] = [];
  for (const step of steps) {
    if ("declare" in step) {
      await server.ask(declared, { method: "PATCH", body: step.declare, contentType: MERGE });
      await aMoment(server, declared);
      continue;
    }
    const { code, body } = await stepAnswer(server, scene, step);
    outcomes.push(code < 300 ? { code, object: scrubbed(body) } : failureOf(code, body, scene.words === undefined));
  }
  return outcomes;
}

const MERGE = "application/merge-patch+json";

function stepAnswer(
  server: Asked,
  scene: Scene,
  step: Exclude<Step, { readonly declare: JsonObject }>,
): Promise<Answered> {
  const version = step.version ?? "v1";
  const collection = `/apis/differential.example.com/${version}/namespaces/default/${scene.plural}`;
  if ("get" in step) return server.ask(collection + step.get);
  if ("create" in step) {
    const body = { apiVersion: `differential.example.com/${version}`, kind: kindOf(scene), ...step.create };
    return server.ask(collection + (step.query ?? ""), { method: "POST", body });
  }
  const path = `${collection}/${step.name ?? "a"}${step.part ?? ""}`;
  if ("merge" in step) return server.ask(path, { method: "PATCH", body: step.merge, contentType: MERGE });
  return server.ask(path, { method: "PUT", body: step.put });
}

function kindOf({ crd }: Scene): string {
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
