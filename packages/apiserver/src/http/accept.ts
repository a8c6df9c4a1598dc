import { StatusError } from "@levelset/core";

/** How a client wants objects to be shown. */
export type Format =
  | { readonly kind: "object" }
  | { readonly kind: "table"; readonly version: "v1" | "v1beta1" }
  | { readonly kind: "partial" };

interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The first accepted media range that this server can give. Throws NotAcceptable. */
export function formatOf(request: Request): Format {
  const ranges = mediaRanges(request);
  if (ranges.length === 0) return { kind: "object" };
  for (const range of ranges) {
    const format = formatOfRange(range);
    if (format !== undefined) return format;
  }
  throw new StatusError("NotAcceptable", "only the following media types are accepted: application/json");
}

function formatOfRange({ type, parameters }: MediaRange): Format | undefined {
  const as = parameters.get("as");
  if (type === "*/*" || type === "application/*") return { kind: "object" };
  if (type !== "application/json") return undefined;
  if (as === undefined) return { kind: "object" };
  const version = parameters.get("v");
  if (parameters.get("g") !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return undefined;
  if (as === "Table") return { kind: "table", version };
  return as === "PartialObjectMetadata" || as === "PartialObjectMetadataList" ? { kind: "partial" } : undefined;
}

/** The version of aggregated discovery that a client explicitly accepts before anything else; undefined for none. */
export function aggregatedVersion(request: Request): "v2" | undefined {
  for (const { type, parameters } of mediaRanges(request)) {
    if (type === "*/*" || type === "application/*") return undefined;
    if (type !== "application/json") continue;
    if (parameters.get("as") === undefined) return undefined;
    const isDiscovery =
      parameters.get("as") === "APIGroupDiscoveryList" && parameters.get("g") === "apidiscovery.k8s.io";
    if (isDiscovery && parameters.get("v") === "v2") return "v2";
  }
  return undefined;
}

function mediaRanges(request: Request): readonly MediaRange[] {
  const header = request.headers.get("accept") ?? "";
  return header
    .split(",")
    .map((range) => range.trim())
    .filter((range) => range !== "")
    .map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const pairs = parameters.map((parameter): [string, string] => {
        const [name = "", value = ""] = parameter.split("=", 2);
        return [name, value];
      });
      return { type: type.toLowerCase(), parameters: new Map(pairs) };
    });
}
