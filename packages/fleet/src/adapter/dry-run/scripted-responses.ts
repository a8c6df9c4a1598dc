import { InputError, isJsonObject, stringifyJson, toError } from "@levelset/core";
import type { Fetch, JsonObject, JsonValue } from "@levelset/core";

interface Rule {
  readonly method: string;
  readonly url: RegExp;
  readonly answers: readonly JsonObject[];
  used: number;
}

/**
 * An API that answers from a file: `{ responses: [{ match: { method, urlPattern }, responses: [{ statusCode, headers, body }] }] }`. The answers of a rule are given one
 * after the other, the last one for ever; what no rule matches is answered with 200 and `{}`. Throws an InputError.
 */
export function scriptedResponses(file: string, content: JsonValue): Fetch {
  const bad = (path: string, problem: string): InputError => new InputError(`${file}: ${path}: ${problem}`);
  const listed = isJsonObject(content) ? content["responses"] : undefined;
  if (!Array.isArray(listed)) throw bad("responses", "must be a list");
  const rules = listed.map((entry: JsonValue, index): Rule => {
    const path = `responses[${index}]`;
    const match = isJsonObject(entry) ? entry["match"] : undefined;
    const answers = isJsonObject(entry) ? entry["responses"] : undefined;
    if (!isJsonObject(match)) throw bad(`${path}.match`, "must be a mapping");
    const { method = "*", urlPattern = ".*" } = match;
    if (typeof method !== "string" || typeof urlPattern !== "string") throw bad(`${path}.match`, "must have texts");
    const given = Array.isArray(answers) ? answers.flatMap((one: JsonValue) => (isJsonObject(one) ? [one] : [])) : [];
    if (given.length === 0) throw bad(`${path}.responses`, "must be a list of at least one answer");
    return {
      method: method.toUpperCase(),
      url: pattern(urlPattern, (why) => bad(`${path}.match.urlPattern`, why)),
      answers: given,
      used: 0,
    };
  });
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const rule = rules.find(
      ({ method, url }) => (method === "*" || method === request.method) && url.test(`${pathname}${search}`),
    );
    if (rule === undefined) return Response.json({});
    const answer = rule.answers[Math.min(rule.used, rule.answers.length - 1)] ?? {};
    rule.used += 1;
    return responseOf(answer);
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
  const given = isJsonObject(headers)
    ? Object.entries(headers).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : stringifyJson(value),
      ])
    : [];
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : typeof body === "string" ? body : stringifyJson(body), {
    status,
    headers: given,
  });
}
