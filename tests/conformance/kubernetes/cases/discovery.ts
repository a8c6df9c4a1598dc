import assert from "node:assert/strict";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { valueAt, match } from "../suite/match.ts";
import { installCrd } from "../suite/objects.ts";
import { expectError } from "../suite/case-response.ts";
import { eventually } from "../../../support/eventually.ts";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Discovery. */
export const DISCOVERY: readonly Case[] = group("discovery", "requests", [
  [
    "/version contains major, minor and git version",
    "apimachinery: version.Info",
    async (t) => {
      (await t.get("/version")).expectShape({
        major: "1",
        minor: /^\d+\+?$/u,
        gitVersion: /^v1\.\d+\.\d+/u,
        platform: /\w+\/\w+/u,
      });
    },
  ],
  [
    "/healthz, /livez and /readyz return ok as text",
    "docs: Kubernetes API health endpoints",
    async (t) => {
      for (const path of ["/healthz", "/livez", "/readyz"]) {
        const response = await t.get(path, {}, { accept: "*/*" });
        assert.equal(response.text, "ok");
        match(response.headers["content-type"], /^text\/plain/u);
      }
    },
  ],
  [
    "a verbose health check lists its checks",
    "docs: Kubernetes API health endpoints, verbose",
    async (t) => {
      const { text } = await t.get("/readyz", { verbose: "" }, { accept: "*/*" });
      match(text, /^\[\+\]ping ok$/mu);
      match(text, /^readyz check passed$/mu);
    },
  ],
  [
    "a single health check has its own path",
    "docs: Kubernetes API health endpoints, individual checks",
    async (t) => assert.equal((await t.get("/livez/ping", {}, { accept: "*/*" })).text, "ok"),
  ],
  [
    "/api lists the versions of the core group",
    "apimachinery: metav1.APIVersions",
    async (t) => void (await t.get("/api")).expectShape({ kind: "APIVersions", versions: ["v1"] }),
  ],
  [
    "/apis lists groups with versions and the preferred version",
    "apimachinery: metav1.APIGroupList",
    async (t) => {
      const groups = (await t.get("/apis")).expectShape({ kind: "APIGroupList", apiVersion: "v1" }).list("groups");
      const version = { groupVersion: "apps/v1", version: "v1" };
      const apps = groups.find((item) => valueAt(item, "name") === "apps");
      match(apps, { name: "apps", versions: [version], preferredVersion: version });
    },
  ],
  [
    "/apis/apps describes one group",
    "apimachinery: metav1.APIGroup",
    async (t) => void (await t.get("/apis/apps")).expectShape({ kind: "APIGroup", apiVersion: "v1", name: "apps" }),
  ],
  [
    "/api/v1 describes pods: names, kind, verbs, categories",
    "apimachinery: metav1.APIResourceList",
    async (t) => {
      const resources = (await t.get("/api/v1"))
        .expectShape({ kind: "APIResourceList", groupVersion: "v1" })
        .list("resources");
      match(
        resources.find((item) => valueAt(item, "name") === "pods"),
        {
          name: "pods",
          singularName: "pod",
          namespaced: true,
          kind: "Pod",
          verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
          shortNames: ["po"],
          categories: ["all"],
        },
      );
    },
  ],
  [
    "/api/v1 lists subresources with own kinds",
    "apimachinery: metav1.APIResource group, version and kind of a subresource",
    async (t) => {
      const resources = (await t.get("/api/v1")).list("resources");
      const named = (name: string): unknown => resources.find((item) => valueAt(item, "name") === name);
      match(named("pods/status"), { kind: "Pod", namespaced: true, verbs: ["get", "patch", "update"] });
      match(named("pods/eviction"), { kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] });
      match(named("pods/binding"), { kind: "Binding", verbs: ["create"] });
      match(named("serviceaccounts/token"), {
        kind: "TokenRequest",
        group: "authentication.k8s.io",
        version: "v1",
        verbs: ["create"],
      });
      match(named("replicationcontrollers/scale"), { kind: "Scale", group: "autoscaling", version: "v1" });
    },
  ],
  [
    "/apis/apps/v1 lists the scale subresources",
    "apimachinery: metav1.APIResource",
    async (t) => {
      const resources = (await t.get("/apis/apps/v1")).list("resources");
      for (const name of ["deployments/scale", "replicasets/scale", "statefulsets/scale"]) {
        match(
          resources.find((item) => valueAt(item, "name") === name),
          { kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] },
        );
      }
      assert.equal(
        resources.some((item) => valueAt(item, "name") === "daemonsets/scale"),
        false,
      );
    },
  ],
  [
    "aggregated discovery of /apis contains resources of all groups",
    "KEP-3352: aggregated discovery",
    async (t) => {
      const response = await t.get("/apis", {}, { accept: AGGREGATED });
      match(response.headers["content-type"], /as=APIGroupDiscoveryList/u);
      const items = response
        .expectShape({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" })
        .list("items");
      const apps = items.find((item) => valueAt(item, "metadata.name") === "apps");
      match(valueAt(apps, "versions.0.version"), "v1");
      const resources = valueAt(apps, "versions.0.resources") as readonly unknown[]; // a list by the line above
      match(
        resources.find((item) => valueAt(item, "resource") === "deployments"),
        {
          responseKind: { group: "", version: "", kind: "Deployment" },
          scope: "Namespaced",
          singularResource: "deployment",
          shortNames: ["deploy"],
          categories: ["all"],
        },
      );
    },
  ],
  [
    "aggregated discovery of /api lists subresources below the resource",
    "KEP-3352: aggregated discovery",
    async (t) => {
      const response = await t.get("/api", {}, { accept: AGGREGATED });
      const resources = valueAt(response.json, "items.0.versions.0.resources") as readonly unknown[]; // fails below otherwise
      const pods = resources.find((item) => valueAt(item, "resource") === "pods");
      const inner = valueAt(pods, "subresources") as readonly unknown[]; // fails below otherwise
      match(
        inner.find((item) => valueAt(item, "subresource") === "status"),
        { verbs: ["get", "patch", "update"] },
      );
    },
  ],
  [
    "aggregated discovery has an ETag and returns 304 if it matches",
    "KEP-3352: aggregated discovery, ETag",
    async (t) => {
      await eventually("the documents of other cases' kinds are settled", async () => {
        const { etag = "" } = (await t.get("/apis", {}, { accept: AGGREGATED })).headers;
        match(etag, /^"\w+"$/u);
        const again = await t.send("GET", "/apis", { headers: { accept: AGGREGATED, "if-none-match": etag } });
        return again.status === 304 && again.text === "";
      });
    },
  ],
  [
    "a plain Accept gets legacy discovery",
    "KEP-3352: negotiation",
    async (t) => void (await t.get("/apis", {}, { accept: "application/json" })).expectShape({ kind: "APIGroupList" }),
  ],
  [
    "an Accept header with the aggregated form before JSON gets the aggregated form",
    "KEP-3352: negotiation; client-go's Accept header",
    async (t) => {
      const accept = `${AGGREGATED},application/json`;
      (await t.get("/apis", {}, { accept })).expectShape({ kind: "APIGroupDiscoveryList" });
    },
  ],
  [
    "a custom resource appears in legacy and aggregated discovery",
    "apiextensions-apiserver: discovery controller",
    async (t) => {
      const { group: name } = await installCrd(t, {
        names: { shortNames: ["wdg"], categories: ["all"] },
        version: { subresources: { status: {} } },
      });
      const legacy = await eventually("legacy discovery", async () => {
        const response = await t.send("GET", `/apis/${name}/v1`);
        return response.status === 200 && response;
      });
      match(
        legacy.list("resources").find((item) => valueAt(item, "name") === "widgets"),
        {
          singularName: "widget",
          kind: "Widget",
          namespaced: true,
          shortNames: ["wdg"],
          categories: ["all"],
          verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
        },
      );
      match(
        legacy.list("resources").find((item) => valueAt(item, "name") === "widgets/status"),
        { verbs: ["get", "patch", "update"] },
      );
      await eventually("aggregated discovery", async () => {
        const items = (await t.get("/apis", {}, { accept: AGGREGATED })).list("items");
        return items.some((item) => valueAt(item, "metadata.name") === name);
      });
    },
  ],
  [
    "an unknown group is not found, as text",
    "apiserver: the mux handles paths without a handler",
    async (t) => {
      const response = await t.send("GET", "/apis/nothing.example.com/v1");
      assert.equal(response.status, 404);
      match(response.text, /^404 page not found\n$/u);
    },
  ],
  [
    "an unknown resource of a known group is not found",
    "apiserver: the mux handles paths without a handler",
    async (t) => {
      const response = await t.send("GET", "/api/v1/gadgets");
      assert.equal(response.status, 404);
      match(response.text, /page not found|the server could not find the requested resource/u);
    },
  ],
  [
    "the root lists paths",
    "apiserver: routes.Index",
    async (t) => {
      const paths = (await t.get("/")).list("paths");
      for (const path of [
        "/api",
        "/api/v1",
        "/apis",
        "/apis/apps",
        "/apis/apps/v1",
        "/healthz",
        "/openapi/v3",
        "/version",
      ]) {
        assert.ok(paths.includes(path), `${path} is not listed`);
      }
    },
  ],
  [
    "/openapi/v3 lists a document for each group and version, with a hash in its URL",
    "KEP-2896: OpenAPI v3",
    async (t) => {
      const response = await t.get("/openapi/v3");
      match(valueAt(valueAt(response.json, "paths"), "apis/apps/v1"), {
        serverRelativeURL: /^\/openapi\/v3\/apis\/apps\/v1\?hash=\w+/u,
      });
    },
  ],
  [
    "a document of OpenAPI v3 has schemas with group, version and kind, and patch paths with fieldValidation",
    "KEP-2896: OpenAPI v3; kubectl's query parameter verifier",
    async (t) => {
      const { json } = await t.get("/openapi/v3/apis/apps/v1");
      const schemas = valueAt(json, "components.schemas") as Readonly<Record<string, unknown>>; // fails below otherwise
      match(schemas["io.k8s.api.apps.v1.Deployment"], {
        type: "object",
        "x-kubernetes-group-version-kind": [{ group: "apps", kind: "Deployment", version: "v1" }],
      });
      const paths = valueAt(json, "paths") as Readonly<Record<string, unknown>>; // fails below otherwise
      const patch = valueAt(paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"], "patch");
      match(patch, {
        "x-kubernetes-action": "patch",
        "x-kubernetes-group-version-kind": { group: "apps", kind: "Deployment" },
      });
      const parameters = valueAt(patch, "parameters") as readonly unknown[]; // fails below otherwise
      assert.ok(parameters.some((parameter) => valueAt(parameter, "name") === "fieldValidation"));
    },
  ],
  [
    "the OpenAPI v3 document of a custom resource contains its schema",
    "apiextensions-apiserver: openapiv3 controller",
    async (t) => {
      const { group: name } = await installCrd(t, {
        spec: { properties: { size: { type: "integer", description: "How big." } } },
      });
      const schema = await eventually("the document is published", async () => {
        const response = await t.send("GET", `/openapi/v3/apis/${name}/v1`);
        if (response.status !== 200) return undefined;
        const schemas = valueAt(response.json, "components.schemas") as Readonly<Record<string, unknown>>; // fails below otherwise
        return Object.entries(schemas).find(([key]) => key.endsWith("v1.Widget"))?.[1];
      });
      match(valueAt(schema, "properties.spec.properties.size"), { type: "integer", description: "How big." });
    },
  ],
  [
    "/openapi/v2 is a Swagger document",
    "docs: OpenAPI v2 endpoint",
    async (t) => {
      const { json } = await t.get("/openapi/v2");
      match(json, { swagger: "2.0" });
      const definitions = valueAt(json, "definitions") as Readonly<Record<string, unknown>>; // fails below otherwise
      match(definitions["io.k8s.api.core.v1.ConfigMap"], { type: "object" });
    },
  ],
  [
    "/metrics is in the Prometheus text format",
    "docs: metrics for Kubernetes system components",
    async (t) =>
      match((await t.get("/metrics", {}, { accept: "*/*" })).text, /^# (HELP|TYPE) apiserver_request_total/mu),
  ],
  [
    "a missing object is a Status with its name and kind",
    "apimachinery: errors.NewNotFound",
    async (t) => {
      await expectError(t.get("configmaps/absent"), 404, "NotFound", {
        message: 'configmaps "absent" not found',
        details: { name: "absent", kind: "configmaps", group: undefined },
      });
      await expectError(t.get("deployments/absent"), 404, "NotFound", {
        message: 'deployments.apps "absent" not found',
        details: { name: "absent", kind: "deployments", group: "apps" },
      });
    },
  ],
]);
