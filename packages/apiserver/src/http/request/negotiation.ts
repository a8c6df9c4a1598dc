import { StatusError } from "@levelset/core";
import { LruCache } from "@levelset/core/internal";
import type { ApiRequest } from "./api-request.ts";

/** The representation of objects that a client requests. */
export type ResponseFormat =
  | { readonly kind: "object" }
  | { readonly kind: "table"; readonly version: "v1" | "v1beta1" }
  | { readonly kind: "partial"; readonly of: "one" | "list"; readonly version: "v1" | "v1beta1" };

/** Supported response encodings. */
export type Encoding = "json" | "yaml";

/** One media range of an Accept header. */
interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

const OFFERED: Readonly<Record<string, Encoding>> = {
  "application/json": "json",
  "application/yaml": "yaml",
  "*/*": "json",
};

const ACCEPTED = "only the following media types are accepted: application/json, application/yaml";

/** Returns the first acceptable representation. Throws NotAcceptable. */
export function negotiateFormat(request: ApiRequest): ResponseFormat {
  for (const range of offeredRanges(request)) {
    const format = formatOfRange(range);
    if (format !== undefined) return format;
  }
  throw notAcceptable(ACCEPTED);
}

/** Throws NotAcceptable if the client accepts none of the supported encodings. */
export function checkEncoding(request: ApiRequest): void {
  if (!offeredRanges(request).some(({ parameters }) => !parameters.has("as"))) throw notAcceptable(ACCEPTED);
}

/** Returns the preferred encoding; JSON if neither is accepted. */
export function negotiateEncoding(request: ApiRequest): Encoding {
  const first = mediaRanges(request).find(
    (range) => Object.hasOwn(OFFERED, range.type) && formatOfRange(range) !== undefined,
  );
  return OFFERED[first?.type ?? ""] ?? "json";
}

/** Returns a 406 error: no supported media type is acceptable. */
export function notAcceptable(message: string): StatusError {
  return new StatusError("NotAcceptable", message);
}

/** Whether the client requests aggregated discovery in a supported version. */
export function wantsAggregatedDiscovery(request: ApiRequest): boolean {
  return mediaRanges(request).some(
    ({ type, parameters }) =>
      OFFERED[type] === "json" &&
      parameters.get("as") === "APIGroupDiscoveryList" &&
      parameters.get("g") === "apidiscovery.k8s.io" &&
      parameters.get("v") === "v2",
  );
}

/** Returns the type that the client prefers, or undefined if it accepts none of them. */
export function preferredType<const T extends string>(
  request: ApiRequest,
  offered: readonly [T, ...T[]],
): T | undefined {
  for (const { type } of mediaRanges(request)) {
    if (type === "*/*") return offered[0];
    const found = offered.find((name) => name === type);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether to pretty-print the response: on request, or for browsers and command-line clients. */
export function wantsPretty(request: ApiRequest, query: URLSearchParams): boolean {
  const requested = query.get("pretty") ?? "";
  if (requested !== "") return ["1", "t", "T", "true", "TRUE", "True"].includes(requested);
  if (mediaRanges(request).some(({ parameters }) => parameters.get("pretty") === "1")) return true;
  return /^(?:curl|Wget|Mozilla\/5\.0)/u.test(request.headers.get("user-agent") ?? "");
}

function offeredRanges(request: ApiRequest): readonly MediaRange[] {
  const ranges = mediaRanges(request).filter(({ type }) => Object.hasOwn(OFFERED, type));
  if (ranges.length > 0) return ranges;
  throw new StatusError(
    "NotAcceptable",
    "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml",
    { details: {} },
  );
}

function formatOfRange({ parameters }: MediaRange): ResponseFormat | undefined {
  const as = parameters.get("as");
  const version = parameters.get("v");
  if (as === undefined) return { kind: "object" };
  if (parameters.get("g") !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return undefined;
  switch (as) {
    case "Table":
      return { kind: "table", version };
    case "PartialObjectMetadata":
      return { kind: "partial", of: "one", version };
    case "PartialObjectMetadataList":
      return { kind: "partial", of: "list", version };
    default:
      return undefined;
  }
}

const ANYTHING: readonly MediaRange[] = [{ type: "*/*", quality: 1, parameters: new Map() }];

/** Cache of parsed headers. Clients repeat the same few. */
const known = new LruCache<string, readonly MediaRange[]>(32);

/** Returns the media ranges of the Accept header, best first. */
function mediaRanges(request: ApiRequest): readonly MediaRange[] {
  const header = request.headers.get("accept") ?? "";
  if (header.trim() === "") return ANYTHING;
  return known.getOrCreate(header, () => readRanges(header));
}

function readRanges(header: string): readonly MediaRange[] {
  return header
    .split(",")
    .map((range) => range.trim())
    .filter((range) => range !== "")
    .map(mediaRange)
    .toSorted((a, b) => b.quality - a.quality || Number(a.type === "*/*") - Number(b.type === "*/*"));
}

function mediaRange(text: string): MediaRange {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim());
  const parameters = new Map(
    rest.map((parameter): [string, string] => {
      const [name = "", value = ""] = parameter.split("=", 2);
      return [name.trim(), value.trim()];
    }),
  );
  const quality = Number(parameters.get("q") ?? 1);
  return { type: type.toLowerCase(), quality: Number.isNaN(quality) ? 1 : quality, parameters };
}
