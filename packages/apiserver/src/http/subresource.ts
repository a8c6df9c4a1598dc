import { timestamp } from "@levelset/core";
import type { Clock } from "@levelset/core";
import {
  bindPod,
  evictPod,
  IN_PROCESS_USER,
  isQuestion,
  methodNotAllowed,
  parsePatch,
  readLog,
  readScale,
  requestToken,
  SCALES,
  TOKEN_REQUESTS,
  writeScale,
} from "../registry/index.ts";
import type { Resource, Subresource, SubresourceFacts, Target, Verb } from "../registry/index.ts";
import { dataAnswer, jsonAnswer, textAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { mediaTypeOf, readJson, readText } from "./body.ts";
import type { Presenter } from "./presenter.ts";
import { writeOptionsOf } from "./query.ts";
import { patchAnswer, updateAnswer } from "./write.ts";
import type { WriteRequest } from "./write.ts";

const VERBS: Readonly<Record<string, Verb>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
};
const SUCCESS = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** A request to a part of an object. */
export interface PartRequest extends WriteRequest {
  readonly clock: Clock;
  readonly target: Target;
  /** Shows an object of another kind than the target's, in the format that was asked for. */
  presenting(resource: Resource): Presenter;
}

/** Answers a request to a part of an object. Throws MethodNotAllowed for what the part does not do. */
export async function partAnswer(part: PartRequest, facts: SubresourceFacts): Promise<Answer> {
  const verb = VERBS[part.request.method];
  if (verb === undefined || !facts.verbs.includes(verb)) throw methodNotAllowed();
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
      return wholeAnswer(part, facts.name, verb);
    default:
      throw methodNotAllowed();
  }
}

/** Answers a POST of something that is never stored: a question, or an order to bind a pod. */
export async function virtualAnswer(
  write: WriteRequest & { readonly clock: Clock },
  resource: Resource,
  namespace: string,
): Promise<Answer> {
  if (write.request.method !== "POST") throw methodNotAllowed();
  if (!isQuestion(resource)) return bindingAnswer(write, namespace, undefined);
  const options = writeOptionsOf(write.query, "CreateOptions", write.request);
  const body = await readJson(write.request);
  const user = write.request.user ?? IN_PROCESS_USER;
  return jsonAnswer(write.presenter.one(write.registry.ask(resource, body, { namespace, user }, options)), 201);
}

/** A part that looks like the whole object. */
function wholeAnswer(part: PartRequest, name: Subresource, verb: Verb): Promise<Answer> | Answer {
  if (verb === "get") return jsonAnswer(part.presenter.one(part.registry.get(part.target)));
  return verb === "update" ? updateAnswer(part, part.target, name) : patchAnswer(part, part.target, name);
}

async function scaleAnswer(part: PartRequest, verb: Verb): Promise<Answer> {
  const { registry, target, request, query } = part;
  const presenter = part.presenting(SCALES);
  if (verb === "get") return jsonAnswer(presenter.one(readScale(registry, target)));
  const isPut = verb === "update";
  const options = writeOptionsOf(query, isPut ? "UpdateOptions" : "PatchOptions", request);
  const body = isPut ? await readJson(request) : undefined;
  const change = body === undefined ? parsePatch(SCALES, mediaTypeOf(request), await readText(request)) : () => body;
  const { view, warnings } = await writeScale(registry, target, change, options);
  return jsonAnswer(presenter.one(view), 200, warnings);
}

function logAnswer({ registry, target, query }: PartRequest): Answer {
  const log = readLog(registry, target, query.get("container") ?? "");
  return log === undefined ? textAnswer("", 204) : textAnswer(log);
}

async function bindingAnswer(
  write: WriteRequest & { readonly clock: Clock },
  namespace: string,
  name: string | undefined,
): Promise<Answer> {
  const options = { ...writeOptionsOf(write.query, "CreateOptions", write.request), now: timestamp(write.clock.now()) };
  await bindPod(write.registry, { namespace, name }, await readJson(write.request), options);
  return dataAnswer(SUCCESS, 201);
}

async function evictionAnswer(part: PartRequest): Promise<Answer> {
  const options = { ...writeOptionsOf(part.query, "CreateOptions", part.request), now: timestamp(part.clock.now()) };
  await evictPod(part.registry, part.target, await readJson(part.request), options);
  return dataAnswer(SUCCESS, 201);
}

async function tokenAnswer(part: PartRequest): Promise<Answer> {
  const options = { ...writeOptionsOf(part.query, "CreateOptions", part.request), nowMs: part.clock.now() };
  const view = requestToken(part.registry, part.target, await readJson(part.request), options);
  return jsonAnswer(part.presenting(TOKEN_REQUESTS).one(view), 201);
}
