import { formatTimestamp, unreachable } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import {
  bindPod,
  evictPod,
  parsePatch,
  readPodLog,
  getScale,
  requestToken,
  reviewObject,
  SCALE_RESOURCE,
  TOKEN_REQUEST_RESOURCE,
  updateScale,
} from "../registry/index.ts";
import { IN_PROCESS_ADMIN } from "../auth/index.ts";
import { methodNotAllowedError } from "../resource/index.ts";
import type { Resource, SubresourceInfo, Verb, VirtualCreate, WritableSubresource } from "../resource/index.ts";
import type { ResourceObjectRef } from "../registry/index.ts";
import { dataResponse, jsonResponse, textResponse } from "./api-response.ts";
import type { ApiResponse } from "./api-response.ts";
import { contentTypeOf, readJsonBody, readBodyText } from "./request/request-body.ts";
import type { ResponseEncoder } from "./response-encoder.ts";
import { parseWriteOptions } from "./request/query-params.ts";
import { handlePatch, handleUpdate } from "./write-handlers.ts";
import type { WriteRequest } from "./write-handlers.ts";

const VERBS: Readonly<Record<string, Verb>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
};
const SUCCESS = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** A request for a subresource. */
export interface SubresourceRequest extends WriteRequest {
  readonly clock: Clock;
  readonly target: ResourceObjectRef;
  /** Returns the encoder for an object of another kind than the target, in the requested representation. */
  encoderFor(resource: Resource): ResponseEncoder;
}

/** Handles a request for a subresource. Throws MethodNotAllowed for an unsupported verb. */
export async function handleSubresource(part: SubresourceRequest, facts: SubresourceInfo): Promise<ApiResponse> {
  const verb = VERBS[part.request.method];
  if (verb === undefined || !facts.verbs.includes(verb)) throw methodNotAllowedError();
  switch (facts.name) {
    case "scale":
      return scaleAnswer(part, verb);
    case "binding":
      return bindingAnswer(part, part.target.namespace, part.target.name);
    case "eviction":
      return evictionAnswer(part);
    case "token":
      return tokenAnswer(part);
    case "log":
      return logAnswer(part);
    case "status":
    case "ephemeralcontainers":
    case "resize":
    case "finalize":
      return handleWholeObject(part, facts.name, verb);
    default:
      return unreachable(facts.name);
  }
}

/** Handles a POST of an object that is never stored, such as an access review or a binding. */
export async function handleVirtualCreate(
  write: WriteRequest & { readonly clock: Clock },
  resource: Resource,
  virtualCreate: VirtualCreate,
  namespace: string,
): Promise<ApiResponse> {
  if (write.request.method !== "POST") throw methodNotAllowedError();
  if (virtualCreate.kind === "binding") return bindingAnswer(write, namespace, undefined);
  const options = parseWriteOptions(write.query, "CreateOptions", write.request);
  const body = await readJsonBody(write.request);
  const user = write.request.user ?? IN_PROCESS_ADMIN;
  const reviewed = reviewObject(write.registry, { resource, ...virtualCreate }, body, { namespace, user }, options);
  return jsonResponse(write.encoder.object(reviewed), 201);
}

/** Handles subresources whose payload is the whole object. */
function handleWholeObject(
  part: SubresourceRequest,
  name: WritableSubresource,
  verb: Verb,
): Promise<ApiResponse> | ApiResponse {
  if (verb === "get") return jsonResponse(part.encoder.object(part.registry.get(part.target)));
  return verb === "update" ? handleUpdate(part, part.target, name) : handlePatch(part, part.target, name);
}

async function scaleAnswer(part: SubresourceRequest, verb: Verb): Promise<ApiResponse> {
  const { registry, target, request, query } = part;
  const responseEncoder = part.encoderFor(SCALE_RESOURCE);
  if (verb === "get") return jsonResponse(responseEncoder.object(getScale(registry, target)));
  const isPut = verb === "update";
  const options = parseWriteOptions(query, isPut ? "UpdateOptions" : "PatchOptions", request);
  const body = isPut ? await readJsonBody(request) : undefined;
  const change =
    body === undefined ? parsePatch(SCALE_RESOURCE, contentTypeOf(request), await readBodyText(request)) : () => body;
  const { view, warnings } = await updateScale(registry, target, change, options);
  return jsonResponse(responseEncoder.object(view), 200, warnings);
}

function logAnswer({ registry, target, query }: SubresourceRequest): ApiResponse {
  const log = readPodLog(registry, target, query.get("container") ?? "");
  return log === undefined ? textResponse("", 204) : textResponse(log);
}

async function bindingAnswer(
  write: WriteRequest & { readonly clock: Clock },
  namespace: string,
  name: string | undefined,
): Promise<ApiResponse> {
  const options = {
    ...parseWriteOptions(write.query, "CreateOptions", write.request),
    now: formatTimestamp(write.clock.now()),
  };
  await bindPod(write.registry, { namespace, name }, await readJsonBody(write.request), options);
  return dataResponse(SUCCESS, 201);
}

async function evictionAnswer(part: SubresourceRequest): Promise<ApiResponse> {
  const options = {
    ...parseWriteOptions(part.query, "CreateOptions", part.request),
    now: formatTimestamp(part.clock.now()),
  };
  await evictPod(part.registry, part.target, await readJsonBody(part.request), options);
  return dataResponse(SUCCESS, 201);
}

async function tokenAnswer(part: SubresourceRequest): Promise<ApiResponse> {
  const options = { ...parseWriteOptions(part.query, "CreateOptions", part.request), nowMs: part.clock.now() };
  const view = requestToken(part.registry, part.target, await readJsonBody(part.request), options);
  return jsonResponse(part.encoderFor(TOKEN_REQUEST_RESOURCE).object(view), 201);
}
