import { isJsonObject } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { badRequest, parsePatch } from "../registry/index.ts";
import type { Deleted, Preconditions, Registry, Resource, Subresource, Target } from "../registry/index.ts";
import { dataAnswer, jsonAnswer } from "./answer.ts";
import { mediaTypeOf, readJson, readOptions, readText } from "./body.ts";
import { listPage } from "./list.ts";
import type { ListScope } from "./list.ts";
import type { Presenter } from "./presenter.ts";
import { refuse, writeOptionsOf } from "./query.ts";

/** A request that writes. */
export interface WriteRequest {
  readonly registry: Registry;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly presenter: Presenter;
}

/** POST to a collection. */
export async function createAnswer(write: WriteRequest, resource: Resource, namespace: string): Promise<Response> {
  const options = writeOptionsOf(write.query, "CreateOptions");
  const body = await readJson(write.request);
  const { view, warnings } = await write.registry.create(resource, namespace, body, options);
  return jsonAnswer(write.presenter.one(view), 201, warnings);
}

/** PUT of an object or its status. */
export async function updateAnswer(write: WriteRequest, target: Target, subresource: Subresource): Promise<Response> {
  const options = writeOptionsOf(write.query, "UpdateOptions");
  const body = await readJson(write.request);
  const { view, warnings } = await write.registry.update(target, body, subresource, options);
  return jsonAnswer(write.presenter.one(view), 200, warnings);
}

/** PATCH of an object or its status. */
export async function patchAnswer(write: WriteRequest, target: Target, subresource: Subresource): Promise<Response> {
  const options = writeOptionsOf(write.query, "PatchOptions");
  const text = await readText(write.request);
  const patch = parsePatch(target.resource, mediaTypeOf(write.request), text);
  const { view, warnings } = await write.registry.patch(target, patch, subresource, options);
  return jsonAnswer(write.presenter.one(view), 200, warnings);
}

/** DELETE of an object: its last state where it stays for its finalizers, a Success otherwise. */
export async function deleteAnswer(write: WriteRequest, target: Target): Promise<Response> {
  const options = await deleteOptions(write);
  const deleted = await write.registry.delete(target, options);
  if (deleted.kind === "waiting") return jsonAnswer(write.presenter.one(deleted.view));
  return dataAnswer(success(target.resource, deleted));
}

/** DELETE of a collection: answers with what was there. */
export async function deleteCollectionAnswer(write: WriteRequest, scope: ListScope): Promise<Response> {
  const options = await deleteOptions(write);
  const page = listPage(write.registry, scope, write.query);
  for (const { object } of page.views) {
    const { name, namespace = "", uid } = object.metadata;
    // The uid keeps a successor of the same name that appeared meanwhile.
    await write.registry
      .delete({ resource: scope.resource, namespace, name }, { ...options, preconditions: { uid } })
      .catch(unlessGone);
  }
  return jsonAnswer(write.presenter.list(page.views, page.meta));
}

function unlessGone(error: unknown): void {
  const isGone =
    error instanceof Error && "reason" in error && (error.reason === "NotFound" || error.reason === "Conflict");
  if (!isGone) throw error;
}

function success(resource: Resource, deleted: Deleted): unknown {
  const { name, uid } = deleted.view.object.metadata;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(resource.group === "" ? {} : { group: resource.group }), kind: resource.plural, uid },
  };
}

async function deleteOptions(
  write: WriteRequest,
): Promise<{ readonly dryRun: boolean; readonly preconditions: Preconditions }> {
  const fromQuery = writeOptionsOf(write.query, "DeleteOptions");
  const body = await readOptions(write.request);
  if (body === undefined) return { dryRun: fromQuery.dryRun, preconditions: {} };
  if (!isJsonObject(body)) throw badRequest("the object provided is unrecognized: DeleteOptions must be an object");
  const { dryRun } = body;
  const asked = Array.isArray(dryRun) && dryRun.length > 0;
  const unknown = asked ? dryRun.find((value: JsonValue) => value !== "All") : undefined;
  if (unknown !== undefined) {
    const message = `Unsupported value: ${JSON.stringify(unknown)}: supported values: "All"`;
    refuse("DeleteOptions", [{ reason: "FieldValueNotSupported", field: "dryRun", message }]);
  }
  return { dryRun: fromQuery.dryRun || asked, preconditions: preconditionsOf(body["preconditions"]) };
}

function preconditionsOf(given: JsonValue | undefined): Preconditions {
  if (!isJsonObject(given)) return {};
  const { uid, resourceVersion } = given;
  return {
    ...(typeof uid === "string" ? { uid } : {}),
    ...(typeof resourceVersion === "string" ? { resourceVersion } : {}),
  };
}
