import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../../support/real-cluster.ts";
import { rawClient, embeddedRawClient } from "./raw-clients.ts";
import type { RawResponse, RawClient } from "./raw-clients.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";
const PARTIAL = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const PARTIAL_LIST = PARTIAL.replace("Metadata", "MetadataList");
const DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Queries of lists. `RV` stands for the revision of the previous list. */
const LISTS: readonly string[] = [
  "",
  "resourceVersionMatch=Exact",
  "resourceVersionMatch=Exact&resourceVersion=0",
  "resourceVersionMatch=foo&resourceVersion=RV",
  "resourceVersionMatch=foo&continue=abc",
  "resourceVersion=x",
  "resourceVersion=-1",
  "resourceVersion=18446744073709551616",
  "resourceVersion=",
  "resourceVersion=0",
  "resourceVersion=RV",
  "resourceVersion=RV&resourceVersionMatch=NotOlderThan",
  "resourceVersion=RV&resourceVersionMatch=Exact",
  "resourceVersion=99999999",
  "resourceVersion=99999999&resourceVersionMatch=Exact",
  "limit=x",
  "limit=",
  "limit=1.5",
  "limit=99999999999999999999",
  "limit=-1",
  "limit=2",
  "limit=4",
  "limit=2&labelSelector=n",
  "limit=2&resourceVersion=0",
  "limit=2&resourceVersion=0&resourceVersionMatch=NotOlderThan",
  "limit=2&resourceVersion=RV",
  "limit=2&resourceVersion=RV&resourceVersionMatch=NotOlderThan",
  "limit=2&resourceVersion=RV&resourceVersionMatch=Exact",
  "continue=e30",
  "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ",
  "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0",
  "continue=eyJ2IjoieCIsInJ2IjoxfQ",
  "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhLy4uL2IifQ",
  "timeoutSeconds=x",
  "timeoutSeconds=-1",
  "sendInitialEvents=true",
  "sendInitialEvents=x",
  "watch=0",
  "allowWatchBookmarks=x",
  "fieldSelector=data.x%3D1",
  "fieldSelector=metadata.name%3Da",
  "fieldSelector=metadata.name!%3Da",
  "fieldSelector=metadata.name%3Da,spec.x%3Db",
  "labelSelector=n%20in%20(a,b)",
  "labelSelector=n%3Dnone",
  "foo=bar&labelSelector=n%3Da",
];

const WATCHES: readonly string[] = [
  "resourceVersionMatch=Exact",
  "sendInitialEvents=true",
  "sendInitialEvents=true&resourceVersionMatch=foo&continue=abc",
  "sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
  "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
  "continue=abc",
  "fieldSelector=data.x%3D1",
  "limit=x",
  "limit=1&labelSelector=n%3Da",
];

const FIELDS: readonly string[] = [
  "/api/v1/namespaces/default/pods?fieldSelector=spec.x%3D1",
  "/api/v1/namespaces/default/pods?fieldSelector=spec.host%3D1",
  "/api/v1/pods?fieldSelector=status.podIPs%3D1,spec.hostNetwork%3Dtrue,status.phase!%3DRunning",
  "/api/v1/namespaces?fieldSelector=name%3Da",
  "/api/v1/namespaces?fieldSelector=metadata.namespace%3Da",
  "/api/v1/namespaces?fieldSelector=status.phase%3DTerminating",
  "/api/v1/nodes?fieldSelector=metadata.namespace%3Da",
  "/api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue",
  "/apis/batch/v1/jobs?fieldSelector=spec.x%3D1",
  "/apis/batch/v1/jobs?fieldSelector=status.successful%3D1",
  "/apis/apps/v1/replicasets?fieldSelector=status.replicas%3D1",
  "/api/v1/replicationcontrollers?fieldSelector=status.replicas%3D1",
  "/api/v1/services?fieldSelector=spec.clusterIP%3DNone,spec.type%3DClusterIP",
  "/api/v1/secrets?fieldSelector=type%3Dx",
  "/api/v1/events?fieldSelector=involvedObject.kind%3DPod,source%3Dx,reportingComponent%3Dx,type%3DNormal",
  "/apis/events.k8s.io/v1/events?fieldSelector=involvedObject.kind%3Da",
  "/apis/events.k8s.io/v1/events?fieldSelector=regarding.kind%3Da,reportingController%3Dx",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles?fieldSelector=metadata.namespace%3Da",
];

/** Accept headers for an object and a list. */
const ACCEPTS: readonly string[] = [
  "*/*",
  "text/html",
  "text/*",
  "application/*",
  "garbage",
  "application/cbor",
  TABLE,
  TABLE.replace("v=v1", "v=v1beta1"),
  TABLE.replace("v=v1", "v=v2"),
  TABLE.replace("Table", "Foo"),
  `${TABLE.replace("Table", "Foo")},application/json`,
  PARTIAL,
  PARTIAL_LIST,
  PARTIAL_LIST.replace("v=v1", "v=v1beta1"),
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "application/json;q=0",
  "application/json;charset=utf-8",
  `${TABLE};q=0.1, application/json;q=0.2`,
];

const PATHS: readonly string[] = [
  "/nope",
  "/apis/nope",
  "/apis/apps/v9",
  "/apis/nope.example.com/v1",
  "/apis/nope.example.com/v1/things",
  "/apis/nope.example.com/v1/namespaces/default/things/a",
  "/apis/apps/v9/deployments",
  "/apis/apps/v1/nope",
  "/api/v2",
  "/api/v1/namespaces/default/nope",
  "/apis/apps/",
  "/openapi",
];

/** Events of a watch: the initial objects and the end bookmark. Later bookmarks come at arbitrary times. */
const EVENTS = 5;

/** Returns the comparable parts of a response. */
function comparable({ code, type, body }: RawResponse): unknown {
  return { code, type, body: plain(Array.isArray(body) ? body.slice(0, EVENTS) : body) };
}

function plain(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value)
      .filter(
        ([name]) => !["uid", "creationTimestamp", "managedFields", "annotations", "columnDefinitions"].includes(name),
      )
      .map(([name, item]) => [name, plain(item, name)]);
    return Object.fromEntries(entries);
  }
  if (key === "resourceVersion" || key === "continue") return typeof value;
  if (key === "message") return shared(String(value));
  return typeof value === "string" && /^\d+[smh]$/u.test(value) ? "age" : value;
}

/** Returns a message without revisions, Go type names, and encodings that the embedded server does not support. */
function shared(message: string): string {
  return message
    .replace(/current: \d+/u, "current: N")
    .replace("*core.", "")
    .replaceAll(/, application\/(?:vnd\.kubernetes\.protobuf|json|yaml)(?:;stream=watch)?/gu, "");
}

await onRealCluster("our reads compared with kube-apiserver", (start) => {
  describe("our reads compared with kube-apiserver", () => {
    let real: RawClient;
    let ours: RawClient;
    beforeAll(async () => {
      real = await rawClient(await start());
      ours = await embeddedRawClient();
      for (const server of [real, ours]) {
        for (const name of ["a", "b", "c", "d"]) {
          await server.request(MAPS, { method: "POST", body: { metadata: { name, labels: { n: name } } } });
        }
      }
    });
    afterAll(async () => {
      await real[Symbol.asyncDispose]();
      await ours[Symbol.asyncDispose]();
    });

    /** Returns both responses, the embedded server's first. */
    const both = async (path: string, accept?: string): Promise<readonly [unknown, unknown]> => {
      const asking = accept === undefined ? {} : { accept };
      const [theirs, mine] = [await real.request(path, asking), await ours.request(path, asking)];
      return [comparable(mine), comparable(theirs)];
    };

    test.each(LISTS)("a list with ?%s", async (query) => {
      const answers: unknown[] = [];
      for (const server of [real, ours]) {
        const { body } = await server.request(MAPS);
        const revision = (body as { readonly metadata: { readonly resourceVersion: string } }).metadata.resourceVersion;
        answers.push(comparable(await server.request(`${MAPS}?${query.replace("RV", revision)}`)));
      }
      expect(answers[1]).toEqual(answers[0]);
    });

    test.each(WATCHES)("a watch with ?%s", async (query) => {
      // Ignores other objects of the namespace, which differ between servers.
      const selected = query.includes("Selector") ? query : `${query}&labelSelector=n`;
      const [mine, theirs] = await both(`${MAPS}?watch=1&timeoutSeconds=1&${selected}`);
      expect(mine).toEqual(theirs);
    });

    test.each(FIELDS)("a field selector: %s", async (path) => {
      const [mine, theirs] = await both(path);
      expect(mine).toEqual(theirs);
    });

    test.each(ACCEPTS)("Accept: %s", async (accept) => {
      for (const path of [`${MAPS}/a`, `${MAPS}?labelSelector=n%3Da`]) {
        const [mine, theirs] = await both(path, accept);
        expect(mine).toEqual(theirs);
      }
    });

    test.each(["", "None", "Object", "Metadata", "foo"])("a table with includeObject=%s", async (included) => {
      const [mine, theirs] = await both(`${MAPS}/a?includeObject=${included}`, TABLE);
      expect(mine).toEqual(theirs);
    });

    test.each(PATHS)("a path: %s", async (path) => {
      const [mine, theirs] = await both(path);
      expect(mine).toEqual(theirs);
    });

    test("a page continues where the last one ended, whatever the token is combined with", async () => {
      const seen: unknown[][] = [[], []];
      for (const [index, server] of [real, ours].entries()) {
        const { body } = await server.request(`${MAPS}?limit=2&labelSelector=n`);
        const { resourceVersion, continue: token } = (body as { metadata: Record<string, string> }).metadata;
        for (const query of [
          `continue=${token}`,
          `continue=${token}&resourceVersion=0`,
          `continue=${token}&resourceVersion=${resourceVersion}`,
          `continue=${token}&resourceVersionMatch=Exact&resourceVersion=${resourceVersion}`,
          `limit=1&continue=${token}`,
        ]) {
          seen[index]?.push(comparable(await server.request(`${MAPS}?${query}&labelSelector=n`)));
        }
      }
      expect(seen[1]).toEqual(seen[0]);
    });

    test("aggregated discovery is returned on request, and not sent again for a matching ETag", async () => {
      for (const accept of [
        DISCOVERY,
        `application/json,${DISCOVERY}`,
        `${DISCOVERY},*/*`,
        "*/*",
        "application/json",
      ]) {
        const [theirs, mine] = [await real.request("/apis", { accept }), await ours.request("/apis", { accept })];
        expect([accept, mine.code, mine.type]).toEqual([accept, theirs.code, theirs.type]);
      }
      for (const path of ["/apis", "/openapi/v2", "/openapi/v3/apis/apps/v1"]) {
        for (const server of [real, ours]) {
          const accept = path === "/apis" ? DISCOVERY : "application/json";
          const etag = (await server.request(path, { accept })).headers.get("etag") ?? "";
          const again = await server.request(path, { accept, headers: { "if-none-match": etag } });
          expect([path, etag === "", again.code]).toEqual([path, false, 304]);
        }
      }
    });
  });
});
