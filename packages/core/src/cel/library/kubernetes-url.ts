import { UrlError, isUrl, parseUrl } from "../../net/index.ts";
import type { Url } from "../../net/index.ts";
import { stringParam, objectParam, functionOverload, memberOverload } from "../declare/index.ts";
import type { Overload, CelParameter } from "../declare/index.ts";
import { CEL_BOOL, CEL_STRING, CelObject, celError, listType, mapType, opaqueType, stringMap } from "../value/index.ts";
import type { CelOutcome, CelType } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

const URL_TYPE: CelType = opaqueType("kubernetes.URL");

/** A URL. */
class CelUrl extends CelObject {
  readonly celType: CelType = URL_TYPE;
  readonly url: Url;

  constructor(url: Url) {
    super();
    this.url = url;
  }

  override equals(other: CelObject): boolean {
    return other instanceof CelUrl && other.url.text === this.url.text;
  }

  override toString(): string {
    return this.url.text;
  }
}

const aUrl: CelParameter<CelUrl> = objectParam(URL_TYPE, (value) => value instanceof CelUrl);

function parse(text: string): CelOutcome {
  try {
    return new CelUrl(parseUrl(text));
  } catch (error) {
    if (error instanceof UrlError) return celError(error.message);
    throw error;
  }
}

function getter(id: string, get: (url: Url) => string): readonly Overload[] {
  return [memberOverload(id, { parameters: [aUrl], result: CEL_STRING, call: ({ url }) => get(url) })];
}

/** Kubernetes' URLs. */
export const URLS_LIBRARY: CelLibrary = {
  name: "urls",
  functions: [
    [
      "url",
      [functionOverload("string_to_url", { parameters: [stringParam], result: URL_TYPE, cost: "scan", call: parse })],
    ],
    [
      "isURL",
      [functionOverload("is_url_string", { parameters: [stringParam], result: CEL_BOOL, cost: "scan", call: isUrl })],
    ],
    ["getScheme", getter("url_get_scheme", ({ scheme }) => scheme)],
    ["getHost", getter("url_get_host", ({ host }) => host)],
    ["getHostname", getter("url_get_hostname", ({ hostname }) => hostname)],
    ["getPort", getter("url_get_port", ({ port }) => port)],
    ["getEscapedPath", getter("url_get_escaped_path", ({ escapedPath }) => escapedPath)],
    [
      "getQuery",
      [
        memberOverload("url_get_query", {
          parameters: [aUrl],
          result: mapType(CEL_STRING, listType(CEL_STRING)),
          call: ({ url }) => stringMap(url.query),
        }),
      ],
    ],
    ["string", [functionOverload("url_to_string", { parameters: [aUrl], result: CEL_STRING, call: String })]],
  ],
};
