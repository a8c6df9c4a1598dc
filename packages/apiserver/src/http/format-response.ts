import { parseJson, stringifyJson } from "@levelset/core/internal";
import { negotiateEncoding, wantsPretty } from "./request/negotiation.ts";
import { ApiResponse, isChunkedText } from "./api-response.ts";
import type { ApiRequest } from "./request/api-request.ts";

const JSON_TYPE = "application/json";
const INDENT = 2;

/**
 * Encodes a response in the format that the client prefers, pretty-printed where requested. Streams and other media
 * types are returned unchanged.
 */
export async function formatResponse(
  response: ApiResponse,
  request: ApiRequest,
  query: URLSearchParams,
): Promise<ApiResponse> {
  if (response.headers.get("content-type") !== JSON_TYPE) return response;
  const isYaml = negotiateEncoding(request) === "yaml";
  if (!isYaml && !wantsPretty(request, query)) return response;
  const text = textOf(response);
  if (text === undefined || text === "") return response;
  if (!isYaml) return replaced(response, stringifyJson(parseJson(text), INDENT), JSON_TYPE);
  // Loaded on first use to keep startup fast.
  const { stringifyYaml } = await import("./request/yaml.ts");
  return replaced(response, stringifyYaml(parseJson(text)), "application/yaml");
}

function textOf({ body }: ApiResponse): string | undefined {
  if (isChunkedText(body)) return body.join("");
  return typeof body === "string" ? body : undefined;
}

function replaced(response: ApiResponse, body: string, type: string): ApiResponse {
  const other = new ApiResponse(body, type, response.status);
  for (const [name, value] of response.headers) if (name !== "content-type") other.headers.set(name, value);
  return other;
}
