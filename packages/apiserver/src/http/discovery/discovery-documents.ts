import { createHash } from "node:crypto";
import { isJsonObject } from "@levelset/core";
import { parseJson, stringifyJson, unreachable } from "@levelset/core/internal";
import { noSuchResourceError } from "../../resource/index.ts";
import type { Resource } from "../../resource/index.ts";
import { checkEncoding, preferredType, wantsAggregatedDiscovery } from "../request/negotiation.ts";
import { ApiResponse, dataResponse, textResponse } from "../api-response.ts";
import {
  aggregatedDiscovery,
  apiVersionsDocument,
  apiGroupDocument,
  apiGroupList,
  apiResourceList,
  rootPaths,
  servedGroups,
  VERSION_INFO,
} from "./discovery.ts";
import type { ServedGroup, ServedVersion } from "./discovery.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type * as OpenApi from "../openapi/index.ts";
import type { ResourceRoute, ServerRoute, ApiRoute } from "../request/api-route.ts";

/** A path of a discovery or OpenAPI document. */
export type DiscoveryRoute = Exclude<ApiRoute, ServerRoute | ResourceRoute | { kind: "unknown" }>;

/** An encoded document and the hash of its content. */
interface EncodedDocument {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly hash: string;
}

const JSON_TYPE = "application/json";
const AGGREGATED_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
/**
 * Media type in Accept headers. Responses use a dot instead of the `@`, which is not valid in a media type
 * (`k8s.io/kube-openapi/pkg/handler/handler.go`, Kubernetes 1.36).
 */
const SWAGGER_ACCEPT = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const SWAGGER_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/** The OpenAPI writers, loaded on first use to keep startup fast. */
type Writers = typeof OpenApi;

const writers = (): Promise<Writers> => import("../openapi/index.ts");

const RELEASE = `${VERSION_INFO["major"]}.${VERSION_INFO["minor"]}`;

/** Discovery and OpenAPI documents. Each document is built on first use and rebuilt only after its resources change. */
export class DiscoveryDocuments {
  readonly #resources: () => readonly Resource[];
  #seen: readonly Resource[] = [];
  #groups: readonly ServedGroup[] = [];
  /** Documents about all resources; cleared by every change. */
  #whole = new Map<string, EncodedDocument>();
  /** Documents about one group and version; rebuilt when one of its resources changes. */
  readonly #parts = new Map<string, { readonly resources: readonly Resource[]; readonly document: EncodedDocument }>();

  constructor(resources: () => readonly Resource[]) {
    this.#resources = resources;
  }

  /** Returns the document of a route. Throws NotAcceptable, and NotFound for an unknown group or version. */
  async respond(request: ApiRequest, route: DiscoveryRoute, query: URLSearchParams): Promise<ApiResponse> {
    switch (route.kind) {
      case "root":
        return dataResponse(rootPaths(this.#served()));
      case "openapi-index":
        return this.#openapiIndex(await writers());
      case "openapi":
        return this.#openapi(await writers(), request, route, query);
      case "openapi-v2":
        return this.#swagger(await writers(), request);
      case "versions":
      case "groups":
        if (wantsAggregatedDiscovery(request)) return this.#aggregated(request, route.kind);
        break;
      case "group":
      case "resources":
      case "version":
        break;
      case "no-resource":
        throw noSuchResourceError();
      default:
        return unreachable(route);
    }
    checkEncoding(request);
    return this.#discovery(route);
  }

  /** Whether a group has served resources. Errors below other groups are plain text instead of a Status. */
  hasGroup(group: string): boolean {
    return this.#served().some(({ name }) => name === group);
  }

  #discovery(
    route: Extract<DiscoveryRoute, { kind: "version" | "versions" | "groups" | "group" | "resources" }>,
  ): ApiResponse {
    switch (route.kind) {
      case "version":
        return dataResponse(VERSION_INFO);
      case "versions":
        return dataResponse(apiVersionsDocument());
      case "groups":
        return dataResponse(apiGroupList(this.#served()));
      case "group": {
        const group = this.#served().find(({ name }) => name === route.group);
        return group === undefined ? missing() : dataResponse(apiGroupDocument(group));
      }
      case "resources": {
        const found = this.#find(route.group, route.version);
        if (found !== undefined) return dataResponse(apiResourceList(found));
        if (this.hasGroup(route.group)) throw noSuchResourceError();
        return missing();
      }
    }
  }

  #served(): readonly ServedGroup[] {
    const resources = this.#resources();
    if (!isSame(resources, this.#seen)) {
      this.#seen = resources;
      this.#groups = servedGroups(resources);
      this.#whole = new Map();
    }
    return this.#groups;
  }

  #find(group: string, version: string): ServedVersion | undefined {
    return this.#served()
      .find(({ name }) => name === group)
      ?.versions.find((served) => served.version === version);
  }

  /** Returns a cached document about all resources. Must be called after `#served`, which clears outdated documents. */
  #cached(key: string, build: () => string | Uint8Array<ArrayBuffer>): EncodedDocument {
    const known = this.#whole.get(key);
    if (known !== undefined) return known;
    const document = encodedDocument(build());
    this.#whole.set(key, document);
    return document;
  }

  #aggregated(request: ApiRequest, kind: "versions" | "groups"): ApiResponse {
    const groups = this.#served().filter(({ name }) => (name === "") === (kind === "versions"));
    const document = this.#cached(`aggregated ${kind}`, () => stringifyJson(aggregatedDiscovery(groups)));
    return conditional(request, document, AGGREGATED_TYPE, "public");
  }

  #openapiIndex(write: Writers): ApiResponse {
    const versions = this.#served().flatMap((group) => group.versions);
    const { body } = this.#cached("index", () => {
      const entries = versions.map((served) => {
        const path = pathOf(served);
        return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#document(write, served).hash}` }] as const;
      });
      return stringifyJson({ paths: Object.fromEntries(entries) });
    });
    return new ApiResponse(body, JSON_TYPE);
  }

  #openapi(
    write: Writers,
    request: ApiRequest,
    route: { group: string; version: string },
    query: URLSearchParams,
  ): ApiResponse {
    const served = this.#find(route.group, route.version);
    if (served === undefined) return missing();
    if (preferredType(request, [JSON_TYPE]) === undefined) return new ApiResponse("", JSON_TYPE, 406);
    const document = this.#document(write, served);
    const requestedHash = query.get("hash");
    if (requestedHash === null) return conditional(request, document, JSON_TYPE, "no-cache, private");
    if (requestedHash === document.hash) return conditional(request, document, JSON_TYPE, "public, immutable");
    const moved = new ApiResponse("", JSON_TYPE, 301);
    moved.headers.set("location", `/openapi/v3/${pathOf(served)}?hash=${document.hash}`);
    return moved;
  }

  #document(write: Writers, served: ServedVersion): EncodedDocument {
    const key = pathOf(served);
    const known = this.#parts.get(key);
    if (known !== undefined && isSame(known.resources, served.resources)) return known.document;
    const document = encodedDocument(stringifyJson(write.openapiV3(served, RELEASE)));
    this.#parts.set(key, { resources: served.resources, document });
    return document;
  }

  #swagger(write: Writers, request: ApiRequest): ApiResponse {
    const groups = this.#served();
    const json = (): EncodedDocument => this.#cached("swagger", () => stringifyJson(write.openapiV2(groups, RELEASE)));
    const type = preferredType(request, [JSON_TYPE, SWAGGER_ACCEPT, SWAGGER_TYPE]);
    if (type === undefined) return new ApiResponse("", JSON_TYPE, 406);
    if (type === JSON_TYPE) return conditional(request, json(), JSON_TYPE, "no-cache, private");
    const document = this.#cached("swagger protobuf", () => {
      const swagger = parseJson(String(json().body));
      return write.encodeSwagger(isJsonObject(swagger) ? swagger : {});
    });
    return conditional(request, document, SWAGGER_TYPE, "no-cache, private");
  }
}

function isSame(a: readonly Resource[], b: readonly Resource[]): boolean {
  return a === b || (a.length === b.length && a.every((resource, index) => resource === b[index]));
}

function pathOf({ group, version }: ServedVersion): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

function encodedDocument(body: string | Uint8Array<ArrayBuffer>): EncodedDocument {
  return { body, hash: createHash("sha256").update(body).digest("hex").toUpperCase() };
}

function missing(): ApiResponse {
  return textResponse("404 page not found\n", 404);
}

/** Returns the document, or 304 if the client has it. */
function conditional(request: ApiRequest, { body, hash }: EncodedDocument, type: string, caching: string): ApiResponse {
  const etag = `"${hash}"`;
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//u, ""));
  const isKnown = known.includes(etag) || known.includes("*");
  const response = new ApiResponse(isKnown ? "" : body, type, isKnown ? 304 : 200);
  response.headers.set("etag", etag);
  response.headers.set("cache-control", caching);
  response.headers.set("vary", "Accept");
  return response;
}
