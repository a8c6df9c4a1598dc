import { InputError, isJsonObject } from "@levelset/core";
import { stringifyJson, toError } from "@levelset/core/internal";
import type { Fetch, JsonObject, JsonValue } from "@levelset/core";

interface Rule {
  readonly method: string;
  readonly url: RegExp;
  readonly responses: readonly JsonObject[];
  used: number;
}

/**
 * Returns a fetch that responds from a file: `{ responses: [{ match: { method, urlPattern }, responses: [{ statusCode,
 * headers, body }] }] }`. The responses of a rule are returned in order and the last one repeats. Requests that match
 * no rule get 200 and `{}`. Throws an InputError.
 */
export function scriptedResponses(file: string, content: JsonValue): Fetch {
  const inputError = (path: string, problem: string): InputError => new InputError(`${file}: ${path}: ${problem}`);
  const listed = isJsonObject(content) ? content["responses"] : undefined;
  if (!Array.isArray(listed)) throw inputError("responses", "must be a list");
  const rules = listed.map((entry: JsonValue, index): Rule => {
    const path = `responses[${index}]`;
    const match = isJsonObject(entry) ? entry["match"] : undefined;
    const responses = isJsonObject(entry) ? entry["responses"] : undefined;
    if (!isJsonObject(match)) throw inputError(`${path}.match`, "must be a mapping");
    const { method = "*", urlPattern = ".*" } = match;
    if (typeof method !== "string" || typeof urlPattern !== "string")
      throw inputError(`${path}.match`, "must be strings");
    const entries = Array.isArray(responses)
      ? responses.flatMap((one: JsonValue) => (isJsonObject(one) ? [one] : []))
      : [];
    if (entries.length === 0) throw inputError(`${path}.responses`, "must be a list of at least one response");
    return {
      method: method.toUpperCase(),
      url: pattern(urlPattern, (why) => inputError(`${path}.match.urlPattern`, why)),
      responses: entries,
      used: 0,
    };
  });
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const rule = rules.find(
      ({ method, url }) => (method === "*" || method === request.method) && url.test(`${pathname}${search}`),
    );
    if (rule === undefined) return Response.json({});
    const response = rule.responses[Math.min(rule.used, rule.responses.length - 1)] ?? {};
    rule.used += 1;
    return responseOf(response);
  };
}

function pattern(text: string, problem: (why: string) => InputError): RegExp {
  try {
    return new RegExp(text, "u");
  } catch (error) {
    throw problem(toError(error).message);
  }
}

function responseOf({ statusCode = 200, headers, body = {} }: JsonObject): Response {
  const status = typeof statusCode === "number" ? statusCode : 200;
  const entries = isJsonObject(headers)
    ? Object.entries(headers).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : stringifyJson(value),
      ])
    : [];
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : typeof body === "string" ? body : stringifyJson(body), {
    status,
    headers: entries,
  });
}
