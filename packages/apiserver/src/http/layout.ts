import { parseJson, stringifyJson } from "@levelset/core";
import { acceptedEncoding, wantsPretty } from "./accept.ts";
import { Answer, isPieces } from "./answer.ts";
import type { ApiRequest } from "./exchange.ts";

const JSON_TYPE = "application/json";
const INDENT = 2;

/** The answer in the encoding that the client prefers, laid out for people if it is for people. Streams and other types stay as they are. */
export async function laidOut(answer: Answer, request: ApiRequest, query: URLSearchParams): Promise<Answer> {
  if (answer.headers.get("content-type") !== JSON_TYPE) return answer;
  const isYaml = acceptedEncoding(request) === "yaml";
  if (!isYaml && !wantsPretty(request, query)) return answer;
  const text = textOf(answer);
  if (text === undefined || text === "") return answer;
  if (!isYaml) return replaced(answer, stringifyJson(parseJson(text), INDENT), JSON_TYPE);
  // Few ask for it, and none should wait for it at the start.
  const { writeYaml } = await import("./yaml.ts");
  return replaced(answer, writeYaml(parseJson(text)), "application/yaml");
}

function textOf({ body }: Answer): string | undefined {
  if (isPieces(body)) return body.join("");
  return typeof body === "string" ? body : undefined;
}

function replaced(answer: Answer, body: string, type: string): Answer {
  const other = new Answer(body, type, answer.status);
  for (const [name, value] of answer.headers) if (name !== "content-type") other.headers.set(name, value);
  return other;
}
