import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import type { CaseResponse } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import type { CaseContext } from "../suite/case-context.ts";
import { match } from "../suite/match.ts";

const review = (t: CaseContext, kind: string, path: string, spec: object): Promise<CaseResponse> =>
  t.send("POST", path, { body: { apiVersion: path.split("/").slice(2, 4).join("/"), kind, spec } });

/** Authentication and access reviews. */
export const AUTH: readonly Case[] = group("authentication", "requests", [
  [
    "an invalid token is unauthorized, even on public paths",
    "docs: authentication; apiserver: 401",
    async (t) => {
      for (const path of ["/api/v1/namespaces", "/version"]) {
        const response = await expectError(
          t.send("GET", path, { headers: { authorization: "Bearer wrong" } }),
          401,
          "Unauthorized",
          { message: "Unauthorized" },
        );
        match(response.headers["content-type"], "application/json");
      }
    },
  ],
  [
    "objects are not readable without credentials",
    "docs: anonymous requests are refused: 401 where they are off, 403 by RBAC",
    async (t) => {
      const response = await t.send("GET", "/api/v1/namespaces", { headers: { authorization: undefined } });
      match(response.status, (value) => value === 401 || value === 403);
      response.expectShape({ kind: "Status", status: "Failure", code: response.status });
    },
  ],
  [
    "health and version are readable without credentials",
    "docs: default roles, system:public-info-viewer",
    async (t) => {
      for (const path of ["/healthz", "/livez", "/readyz", "/version"]) {
        assert.equal(
          (await t.send("GET", path, { headers: { authorization: undefined, accept: "*/*" } })).status,
          200,
          path,
        );
      }
    },
  ],
  [
    "SelfSubjectReview returns the user",
    "KEP-3325: SelfSubjectReview",
    async (t) => {
      const response = await t.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      });
      response.expectStatus(201).expectShape({ kind: "SelfSubjectReview", status: { userInfo: { username: /\w/u } } });
      assert.ok(response.list("status.userInfo.groups").includes("system:masters"));
      assert.ok(response.list("status.userInfo.groups").includes("system:authenticated"));
    },
  ],
  [
    "SelfSubjectAccessReview returns whether a request is allowed",
    "docs: checking API access",
    async (t) => {
      const resourceAttributes = { verb: "create", resource: "pods", namespace: t.namespace };
      const response = await review(
        t,
        "SelfSubjectAccessReview",
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        { resourceAttributes },
      );
      response
        .expectStatus(201)
        .expectShape({ kind: "SelfSubjectAccessReview", spec: { resourceAttributes }, status: { allowed: true } });
      await expectError(
        review(t, "SelfSubjectAccessReview", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {}),
        422,
        "Invalid",
      );
    },
  ],
  [
    "SubjectAccessReview needs a user or groups, and attributes",
    "authorization: ValidateSubjectAccessReviewSpec",
    async (t) => {
      const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
      const response = await review(t, "SubjectAccessReview", path, {
        user: "x",
        groups: ["system:masters"],
        resourceAttributes: { verb: "get", resource: "pods" },
      });
      response.expectStatus(201).expectShape({ status: { allowed: true } });
      await expectError(
        review(t, "SubjectAccessReview", path, { resourceAttributes: { verb: "get", resource: "pods" } }),
        422,
        "Invalid",
        { causes: ["spec.user: FieldValueInvalid"] },
      );
    },
  ],
  [
    "LocalSubjectAccessReview is about its namespace",
    "authorization: ValidateLocalSubjectAccessReview",
    async (t) => {
      await t.ready();
      const path = `/apis/authorization.k8s.io/v1/namespaces/${t.namespace}/localsubjectaccessreviews`;
      const resourceAttributes = { verb: "get", resource: "pods", namespace: t.namespace };
      const spec = { user: "x", groups: ["system:masters"], resourceAttributes };
      (await review(t, "LocalSubjectAccessReview", path, spec))
        .expectStatus(201)
        .expectShape({ status: { allowed: true } });
      await expectError(
        review(t, "LocalSubjectAccessReview", path, {
          ...spec,
          resourceAttributes: { ...resourceAttributes, namespace: "other" },
        }),
        422,
        "Invalid",
      );
    },
  ],
  [
    "SelfSubjectRulesReview lists the rules of a namespace",
    "docs: checking API access",
    async (t) => {
      const response = await review(
        t,
        "SelfSubjectRulesReview",
        "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        { namespace: "default" },
      );
      response.expectStatus(201).expectShape({ kind: "SelfSubjectRulesReview" });
      assert.ok(response.list("status.resourceRules").some((rule) => JSON.stringify(rule).includes('"verbs":["*"]')));
    },
  ],
  [
    "TokenReview distinguishes valid and invalid tokens",
    "docs: TokenReview",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
      const token = (await t.send("POST", "serviceaccounts/a/token", { body })).str("status.token");
      const path = "/apis/authentication.k8s.io/v1/tokenreviews";
      (await review(t, "TokenReview", path, { token })).expectStatus(201).expectShape({
        status: { authenticated: true, user: { username: `system:serviceaccount:${t.namespace}:a` } },
      });
      (await review(t, "TokenReview", path, { token: "wrong" })).expectShape({
        status: { authenticated: (value) => value !== true, user: {} },
      });
    },
  ],
]);
