import { createHash } from "node:crypto";
import { isJsonObject, parseJson, stringifyJson, unreachable } from "@levelset/core";
import { noSuchResource } from "../registry/index.ts";
import type { Resource } from "../registry/index.ts";
import { checkEncoding, preferredType, wantsAggregated } from "./accept.ts";
import { Answer, dataAnswer, textAnswer } from "./answer.ts";
import {
  aggregated,
  coreVersions,
  groupDocument,
  groupList,
  resourceList,
  rootPaths,
  servedGroups,
  VERSION,
} from "./discovery.ts";
import type { ServedGroup, ServedVersion } from "./discovery.ts";
import type { ApiRequest } from "./exchange.ts";
import type * as OpenApi from "./openapi/index.ts";
import type { ObjectRoute, OwnRoute, Route } from "./route.ts";

/** A path that names a document about what is served. */
export type DocumentRoute = Exclude<Route, OwnRoute | ObjectRoute | { kind: "unknown" }>;

/** A document as it is sent, and what its content is known by. */
interface Written {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly hash: string;
}

const JSON_TYPE = "application/json";
const AGGREGATED_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
/** Clients ask with an `@`, and are answered with a dot: it is no valid media type otherwise. */
const SWAGGER_ASKED = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const SWAGGER_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
/** What writes schemas. Few ask for it, and nobody should wait for it at the start. */
type Writers = typeof OpenApi;

const writers = (): Promise<Writers> => import("./openapi/index.ts");

const RELEASE = `${VERSION["major"]}.${VERSION["minor"]}`;

/** The documents about what is served. Each is built when it is first asked for, and again only when something about it has changed. */
export class Documents {
  readonly #resources: () => readonly Resource[];
  #seen: readonly Resource[] = [];
  #groups: readonly ServedGroup[] = [];
  /** Of everything served: forgotten with every change. */
  #whole = new Map<string, Written>();
  /** Of one group and version: forgotten when one of its resources changes. */
  readonly #parts = new Map<string, { readonly resources: readonly Resource[]; readonly written: Written }>();

  constructor(resources: () => readonly Resource[]) {
    this.#resources = resources;
  }

  /** Answers a request for a document. Throws NotAcceptable, and NotFound where nothing of that name is served. */
  async answer(request: ApiRequest, route: DocumentRoute, query: URLSearchParams): Promise<Answer> {
    switch (route.kind) {
      case "root":
        return dataAnswer(rootPaths(this.#served()));
      case "openapi-index":
        return this.#openapiIndex(await writers());
      case "openapi":
        return this.#openapi(await writers(), request, route, query);
      case "openapi-v2":
        return this.#swagger(await writers(), request);
      case "versions":
      case "groups":
        if (wantsAggregated(request)) return this.#aggregated(request, route.kind);
        break;
      case "group":
      case "resources":
      case "version":
        break;
      case "no-resource":
        throw noSuchResource();
      default:
        return unreachable(route);
    }
    checkEncoding(request);
    return this.#discovery(route);
  }

  /** Whether anything of a group is served. Only then is there somebody to say in a Status what is missing. */
  hasGroup(group: string): boolean {
    return this.#served().some(({ name }) => name === group);
  }

  #discovery(
    route: Extract<DocumentRoute, { kind: "version" | "versions" | "groups" | "group" | "resources" }>,
  ): Answer {
    switch (route.kind) {
      case "version":
        return dataAnswer(VERSION);
      case "versions":
        return dataAnswer(coreVersions());
      case "groups":
        return dataAnswer(groupList(this.#served()));
      case "group": {
        const group = this.#served().find(({ name }) => name === route.group);
        return group === undefined ? missing() : dataAnswer(groupDocument(group));
      }
      case "resources": {
        const found = this.#find(route.group, route.version);
        if (found !== undefined) return dataAnswer(resourceList(found));
        if (this.hasGroup(route.group)) throw noSuchResource();
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

  /** A document about everything. To be called after `#served`, which forgets what is outdated. */
  #keep(key: string, build: () => string | Uint8Array<ArrayBuffer>): Written {
    const known = this.#whole.get(key);
    if (known !== undefined) return known;
    const written = writtenOf(build());
    this.#whole.set(key, written);
    return written;
  }

  #aggregated(request: ApiRequest, kind: "versions" | "groups"): Answer {
    const groups = this.#served().filter(({ name }) => (name === "") === (kind === "versions"));
    const written = this.#keep(`aggregated ${kind}`, () => stringifyJson(aggregated(groups)));
    return conditional(request, written, AGGREGATED_TYPE, "public");
  }

  #openapiIndex(write: Writers): Answer {
    const versions = this.#served().flatMap((group) => group.versions);
    const { body } = this.#keep("index", () => {
      const entries = versions.map((served) => {
        const path = pathOf(served);
        return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#document(write, served).hash}` }] as const;
      });
      return stringifyJson({ paths: Object.fromEntries(entries) });
    });
    return new Answer(body, JSON_TYPE);
  }

  #openapi(
    write: Writers,
    request: ApiRequest,
    route: { group: string; version: string },
    query: URLSearchParams,
  ): Answer {
    const served = this.#find(route.group, route.version);
    if (served === undefined) return missing();
    if (preferredType(request, [JSON_TYPE]) === undefined) return new Answer("", JSON_TYPE, 406);
    const written = this.#document(write, served);
    const asked = query.get("hash");
    if (asked === null) return conditional(request, written, JSON_TYPE, "no-cache, private");
    if (asked === written.hash) return conditional(request, written, JSON_TYPE, "public, immutable");
    const moved = new Answer("", JSON_TYPE, 301);
    moved.headers.set("location", `/openapi/v3/${pathOf(served)}?hash=${written.hash}`);
    return moved;
  }

  #document(write: Writers, served: ServedVersion): Written {
    const key = pathOf(served);
    const known = this.#parts.get(key);
    if (known !== undefined && isSame(known.resources, served.resources)) return known.written;
    const written = writtenOf(stringifyJson(write.openapiV3(served, RELEASE)));
    this.#parts.set(key, { resources: served.resources, written });
    return written;
  }

  #swagger(write: Writers, request: ApiRequest): Answer {
    const groups = this.#served();
    const json = (): Written => this.#keep("swagger", () => stringifyJson(write.openapiV2(groups, RELEASE)));
    const type = preferredType(request, [JSON_TYPE, SWAGGER_ASKED, SWAGGER_TYPE]);
    if (type === undefined) return new Answer("", JSON_TYPE, 406);
    if (type === JSON_TYPE) return conditional(request, json(), JSON_TYPE, "no-cache, private");
    const written = this.#keep("swagger protobuf", () => {
      const document = parseJson(String(json().body));
      return write.writeSwagger(isJsonObject(document) ? document : {});
    });
    return conditional(request, written, SWAGGER_TYPE, "no-cache, private");
  }
}

function isSame(a: readonly Resource[], b: readonly Resource[]): boolean {
  return a === b || (a.length === b.length && a.every((resource, index) => resource === b[index]));
}

function pathOf({ group, version }: ServedVersion): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

function writtenOf(body: string | Uint8Array<ArrayBuffer>): Written {
  return { body, hash: createHash("sha256").update(body).digest("hex").toUpperCase() };
}

function missing(): Answer {
  return textAnswer("404 page not found\n", 404);
}

/** The document, or word that the client has it already. */
function conditional(request: ApiRequest, { body, hash }: Written, type: string, caching: string): Answer {
  const etag = `"${hash}"`;
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//u, ""));
  const isKnown = known.includes(etag) || known.includes("*");
  const answer = new Answer(isKnown ? "" : body, type, isKnown ? 304 : 200);
  answer.headers.set("etag", etag);
  answer.headers.set("cache-control", caching);
  answer.headers.set("vary", "Accept");
  return answer;
}
