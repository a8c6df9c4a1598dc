import fc from "fast-check";
import { apiVersionOf } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { bodyOf } from "./body.ts";
import type { Body } from "./body.ts";
import { hostileString, objectName } from "./malformed-text.ts";

/** A generated request. */
export interface FuzzRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
}

/** Methods that create or change objects are more frequent. */
const METHODS: readonly string[] = ["GET", "POST", "POST", "POST", "PUT", "PATCH", "PATCH", "DELETE"];
const PARTS: readonly string[] = [
  "status",
  "scale",
  "eviction",
  "binding",
  "token",
  "finalize",
  "log",
  "ephemeralcontainers",
];
const ACCEPT: readonly string[] = [
  "application/json",
  "*/*",
  "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/json;as=Table;v=v9;g=meta.k8s.io",
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "application/vnd.kubernetes.protobuf",
  "application/yaml",
  "application/json;q=0",
  ",;=,;",
  "text/html",
];

const number: fc.Arbitrary<string> = fc.constantFrom(
  "0",
  "1",
  "2",
  "10",
  "-1",
  "x",
  "",
  "1e3",
  "9".repeat(30),
  "007",
  "0x10",
);
const truth: fc.Arbitrary<string> = fc.constantFrom("true", "false", "1", "0", "", "maybe");

const selector: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "a=b",
    "a!=b,c",
    "a in (b,c),!d",
    "a notin ()",
    "metadata.name=a",
    "metadata.name!=a,metadata.namespace=default",
    "status.phase=Running",
    "spec.nodeName=",
    "a in (",
    "=,=,=",
    "a>5,b<x",
  ),
  fc.string({
    unit: fc.constantFrom("a", "=", "!", ",", "(", ")", " ", "in", "notin", ".", "/", "\\", ">"),
    maxLength: 12,
  }),
  hostileString,
);

const token: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "e30",
    "eyJydiI6MX0",
    "W10",
    Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"a"}').toString("base64url"),
  ),
  fc.json().map((text) => Buffer.from(text).toString("base64url")),
  hostileString,
);

const QUERY: Readonly<Record<string, fc.Arbitrary<string>>> = {
  dryRun: fc.constantFrom("All", "", "Some"),
  fieldManager: fc.oneof(fc.constantFrom("me", "you"), hostileString),
  force: truth,
  fieldValidation: fc.constantFrom("Strict", "Warn", "Ignore", "No", ""),
  limit: number,
  continue: token,
  resourceVersion: number,
  resourceVersionMatch: fc.constantFrom("Exact", "NotOlderThan", "x", ""),
  labelSelector: selector,
  fieldSelector: selector,
  watch: truth,
  sendInitialEvents: truth,
  allowWatchBookmarks: truth,
  timeoutSeconds: number,
  includeObject: fc.constantFrom("None", "Metadata", "Object", "x"),
  pretty: truth,
  gracePeriodSeconds: number,
  propagationPolicy: fc.constantFrom("Foreground", "Background", "Orphan", "x"),
  orphanDependents: truth,
  container: hostileString,
  ["__proto__"]: hostileString,
};

const someQuery: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(...Object.keys(QUERY)).chain((name) => {
      return (QUERY[name] ?? hostileString).map((value) => `${encodeURIComponent(name)}=${encoded(value)}`);
    }),
    { maxLength: 3, size: "small" },
  )
  .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.join("&")}`));

const query: fc.Arbitrary<string> = fc.oneof(fc.constant(""), someQuery);

/** Percent-encodes a text; lone surrogates are sent unencoded. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

const OTHER_PATHS: readonly string[] = [
  "/",
  "/api",
  "/apis",
  "/api/v1",
  "/apis/apps",
  "/apis/apps/v1",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/api/v1",
  "/version",
  "/healthz",
  "/readyz?verbose",
  "/metrics",
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  "/apis/authentication.k8s.io/v1/tokenreviews",
  "/api/v1/namespaces/default/bindings",
];

const oddHeaders: fc.Arbitrary<Readonly<Record<string, string>>> = fc.record(
  {
    accept: fc.constantFrom(...ACCEPT),
    "user-agent": fc.oneof(fc.constantFrom("kubectl/v1.33", "/", "a b/c"), hostileString),
    "if-none-match": fc.constantFrom('"x"', "*", ""),
    "content-length": fc.constantFrom("0", "-1", "x", "99999999999"),
  },
  { requiredKeys: [] },
);

const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom(...ACCEPT.slice(0, 5)).map((accept) => ({ accept })) },
  { weight: 1, arbitrary: oddHeaders },
);

function pathOf(kind: Kind, name: string | undefined): fc.Arbitrary<string> {
  const apiVersion = apiVersionOf(kind);
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const namespace = fc.oneof({ weight: 8, arbitrary: fc.constant("default") }, { weight: 1, arbitrary: objectName });
  const part = fc.oneof(
    { weight: 6, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.constantFrom(...PARTS).map((each) => `/${each}`) },
    { weight: 1, arbitrary: hostileString.map((word) => `/${encoded(word)}`) },
  );
  return fc.tuple(namespace, part).map(([place, subresource]) => {
    const home = kind.scope === "Namespaced" && place !== "" ? `${root}/namespaces/${encoded(place)}` : root;
    const collection = `${home}/${kind.plural}`;
    return name === undefined ? collection : `${collection}/${encoded(name)}${subresource}`;
  });
}

/** Generates a request for an object of one of the kinds, or for an arbitrary path. */
export function fuzzRequest(kinds: readonly Kind[]): fc.Arbitrary<FuzzRequest> {
  const about = fc.tuple(fc.constantFrom(...kinds), objectName, fc.constantFrom(...METHODS), fc.nat(9));
  const objects = about.chain(([kind, name, method, chance]) => {
    const path = pathOf(kind, method === "POST" && chance > 0 ? undefined : name);
    const collection = pathOf(kind, undefined);
    const body =
      method === "GET" ? fc.constant(undefined) : fc.option(bodyOf(kind, name, method), { freq: 15, nil: undefined });
    const target = fc.oneof({ weight: 15, arbitrary: path }, { weight: 1, arbitrary: collection });
    return request(fc.constant(method), target, body);
  });
  const others = fc.constantFrom(...kinds).chain((kind) => {
    const path = fc.oneof(
      fc.constantFrom(...OTHER_PATHS),
      fc.webPath(),
      fc.array(hostileString, { maxLength: 6 }).map((words) => `/${words.map(encoded).join("/")}`),
    );
    const method = fc.oneof(fc.constantFrom(...METHODS, "HEAD", "OPTIONS", "TRACE", "BREW"));
    return request(method, path, fc.option(bodyOf(kind, "a", "POST"), { nil: undefined }));
  });
  return fc.oneof({ weight: 9, arbitrary: objects }, { weight: 1, arbitrary: others });
}

function request(
  method: fc.Arbitrary<string>,
  path: fc.Arbitrary<string>,
  body: fc.Arbitrary<Body | undefined>,
): fc.Arbitrary<FuzzRequest> {
  return fc.record({ method, path, query, headers, body }).map(({ query: requested, path: plain, ...rest }) => ({
    ...rest,
    path: plain.includes("?") ? plain : plain + requested,
  }));
}
