import {
  APPLY_PATCH,
  checkRepeated,
  deleteOptionsFromBody,
  deleteOptionsFromQuery,
  parsePatch,
} from "../registry/index.ts";
import type {
  Deleted,
  DeleteOptions,
  Registry,
  Resource,
  Subresource,
  Target,
  WriteOptions,
} from "../registry/index.ts";
import { dataAnswer, jsonAnswer, withWarning } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { mediaTypeOf, readObject, readOptions, readText } from "./body.ts";
import { readConfiguration } from "./configuration.ts";
import type { ApiRequest } from "./exchange.ts";
import { listPage } from "./list.ts";
import type { ListScope } from "./list.ts";
import type { Presenter } from "./presenter.ts";
import { forceOf, writeOptionsOf } from "./query.ts";

/** A request that writes. */
export interface WriteRequest {
  readonly registry: Registry;
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
  readonly presenter: Presenter;
}

/** POST to a collection. */
export async function createAnswer(write: WriteRequest, resource: Resource, namespace: string): Promise<Answer> {
  const options = writeOptionsOf(write.query, "CreateOptions", write.request);
  const { value, repeated } = await readObject(write.request);
  const said = checkRepeated(resource, repeated, options.fieldValidation);
  const { view, warnings } = await write.registry.create(resource, namespace, value, options);
  return jsonAnswer(write.presenter.one(view), 201, [...said, ...warnings]);
}

/** PUT of an object or its status. */
export async function updateAnswer(write: WriteRequest, target: Target, subresource: Subresource): Promise<Answer> {
  const options = writeOptionsOf(write.query, "UpdateOptions", write.request);
  const { value, repeated } = await readObject(write.request);
  const said = checkRepeated(target.resource, repeated, options.fieldValidation);
  const { view, warnings, created = false } = await write.registry.update(target, value, subresource, options);
  return jsonAnswer(write.presenter.one(view), created ? 201 : 200, [...said, ...warnings]);
}

/** PATCH of an object or its status. */
export async function patchAnswer(write: WriteRequest, target: Target, subresource: Subresource): Promise<Answer> {
  const type = mediaTypeOf(write.request);
  const text = await readText(write.request);
  const force = forceOf(write.query, type === APPLY_PATCH);
  const options = writeOptionsOf(write.query, "PatchOptions", write.request);
  if (type === APPLY_PATCH) return applyAnswer(write, target, subresource, text, { ...options, force });
  const patch = parsePatch(target.resource, type, text);
  const { view, warnings } = await write.registry.patch(target, patch, subresource, options);
  return jsonAnswer(write.presenter.one(view), 200, warnings);
}

async function applyAnswer(
  write: WriteRequest,
  target: Target,
  subresource: Subresource,
  text: string,
  options: WriteOptions & { readonly force: boolean },
): Promise<Answer> {
  const configuration = readConfiguration(text, options.fieldValidation);
  const { view, warnings, created } = await write.registry.apply(target, configuration, subresource, options);
  return jsonAnswer(write.presenter.one(view), created ? 201 : 200, warnings);
}

/** Built-in resources whose deletion is answered with the object, as the real server does. */
const ANSWER_WITH_OBJECT: ReadonlySet<string> = new Set([
  "persistentvolumeclaims",
  "persistentvolumes",
  "podtemplates",
  "pods",
  "resourcequotas",
  "serviceaccounts",
  "services",
  "csidrivers.storage.k8s.io",
  "storageclasses.storage.k8s.io",
  "volumeattachments.storage.k8s.io",
]);

/** Who deletes a Job without saying what is to become of its pods should know that they stay. */
const JOB_LEAVES_PODS =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set " +
  "propagationPolicy=Orphan to suppress this warning";

/** DELETE of an object: its last state where it stays for a while, a Success otherwise. */
export async function deleteAnswer(write: WriteRequest, target: Target): Promise<Answer> {
  const options = await deleteOptions(write);
  const deleted = await write.registry.delete(target, options);
  const isWaiting = deleted.kind === "waiting";
  const isCascade = options.orphanDependents === false || options.propagationPolicy === "Foreground";
  const code = isWaiting && isCascade ? 202 : 200;
  const answer =
    isWaiting || ANSWER_WITH_OBJECT.has(target.resource.id)
      ? jsonAnswer(write.presenter.one(deleted.view), code)
      : dataAnswer(success(target.resource, deleted));
  const leavesPods = options.propagationPolicy === undefined && options.orphanDependents === undefined;
  return target.resource.id === "jobs.batch" && leavesPods ? withWarning(answer, JOB_LEAVES_PODS) : answer;
}

/** DELETE of a collection: answers with what was there. */
export async function deleteCollectionAnswer(write: WriteRequest, scope: ListScope): Promise<Answer> {
  const options = await deleteOptions(write);
  const page = listPage(write.registry, scope, write.query);
  for (const { object } of page.views) {
    const { name, namespace = "", uid } = object.metadata;
    // The uid keeps a successor of the same name that appeared meanwhile.
    const preconditions = { uid, ...options.preconditions };
    await write.registry
      .delete({ resource: scope.resource, namespace, name }, { ...options, preconditions })
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

/** A body replaces the query altogether. */
async function deleteOptions(write: WriteRequest): Promise<DeleteOptions> {
  const body = await readOptions(write.request);
  return body === undefined ? deleteOptionsFromQuery(write.query) : deleteOptionsFromBody(body);
}
