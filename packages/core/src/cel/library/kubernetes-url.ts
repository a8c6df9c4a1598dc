import { UrlError, isUrl, parseUrl } from "../../net/index.ts";
import type { Url } from "../../net/index.ts";
import { aString, anObject, global, member } from "../declare/index.ts";
import type { Overload, Parameter } from "../declare/index.ts";
import { CEL_BOOL, CEL_STRING, CelObject, fault, listType, mapType, opaqueType, stringMap } from "../value/index.ts";
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

const aUrl: Parameter<CelUrl> = anObject(URL_TYPE, (value) => value instanceof CelUrl);

function parse(text: string): CelOutcome {
  try {
    return new CelUrl(parseUrl(text));
  } catch (error) {
    if (error instanceof UrlError) return fault(error.message);
    throw error;
  }
}

function getter(id: string, get: (url: Url) => string): readonly Overload[] {
  return [member(id, { parameters: [aUrl], result: CEL_STRING, call: ({ url }) => get(url) })];
}

/** Kubernetes' URLs. */
export const URLS: CelLibrary = {
  name: "urls",
  functions: [
    ["url", [global("string_to_url", { parameters: [aString], result: URL_TYPE, cost: "scan", call: parse })]],
    ["isURL", [global("is_url_string", { parameters: [aString], result: CEL_BOOL, cost: "scan", call: isUrl })]],
    ["getScheme", getter("url_get_scheme", ({ scheme }) => scheme)],
    ["getHost", getter("url_get_host", ({ host }) => host)],
    ["getHostname", getter("url_get_hostname", ({ hostname }) => hostname)],
    ["getPort", getter("url_get_port", ({ port }) => port)],
    ["getEscapedPath", getter("url_get_escaped_path", ({ escapedPath }) => escapedPath)],
    [
      "getQuery",
      [
        member("url_get_query", {
          parameters: [aUrl],
          result: mapType(CEL_STRING, listType(CEL_STRING)),
          call: ({ url }) => stringMap(url.query),
        }),
      ],
    ],
    ["string", [global("url_to_string", { parameters: [aUrl], result: CEL_STRING, call: String })]],
  ],
};
