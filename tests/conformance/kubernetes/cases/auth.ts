import assert from "node:assert/strict";
import { refused } from "../suite/answer.ts";
import type { Answer } from "../suite/answer.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import type { Scene } from "../suite/scene.ts";
import { match } from "../suite/match.ts";

const review = (t: Scene, kind: string, path: string, spec: object): Promise<Answer> =>
  t.send("POST", path, { body: { apiVersion: path.split("/").slice(2, 4).join("/"), kind, spec } });

/** Who may come in, and what the server says about them. */
export const AUTH: readonly Case[] = group("authentication", "requests", [
  [
    "a wrong token is unauthorized, even on open paths",
    "docs: authentication; apiserver: 401",
    async (t) => {
      for (const path of ["/api/v1/namespaces", "/version"]) {
        const answer = await refused(
          t.send("GET", path, { headers: { authorization: "Bearer wrong" } }),
          401,
          "Unauthorized",
          { message: "Unauthorized" },
        );
        match(answer.headers["content-type"], "application/json");
      }
    },
  ],
  [
    "without credentials no object is shown",
    "docs: anonymous requests are refused: 401 where they are off, 403 by RBAC",
    async (t) => {
      const answer = await t.send("GET", "/api/v1/namespaces", { headers: { authorization: undefined } });
      match(answer.status, (value) => value === 401 || value === 403);
      answer.is({ kind: "Status", status: "Failure", code: answer.status });
    },
  ],
  [
    "without credentials health and version answer",
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
    "SelfSubjectReview says who asks",
    "KEP-3325: SelfSubjectReview",
    async (t) => {
      const answer = await t.send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
        body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      });
      answer.has(201).is({ kind: "SelfSubjectReview", status: { userInfo: { username: /\w/u } } });
      assert.ok(answer.list("status.userInfo.groups").includes("system:masters"));
      assert.ok(answer.list("status.userInfo.groups").includes("system:authenticated"));
    },
  ],
  [
    "SelfSubjectAccessReview says what one may do",
    "docs: checking API access",
    async (t) => {
      const resourceAttributes = { verb: "create", resource: "pods", namespace: t.namespace };
      const answer = await review(
        t,
        "SelfSubjectAccessReview",
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        { resourceAttributes },
      );
      answer.has(201).is({ kind: "SelfSubjectAccessReview", spec: { resourceAttributes }, status: { allowed: true } });
      await refused(
        review(t, "SelfSubjectAccessReview", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {}),
        422,
        "Invalid",
      );
    },
  ],
  [
    "SubjectAccessReview needs a user or groups, and something to ask",
    "authorization: ValidateSubjectAccessReviewSpec",
    async (t) => {
      const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
      const answer = await review(t, "SubjectAccessReview", path, {
        user: "x",
        groups: ["system:masters"],
        resourceAttributes: { verb: "get", resource: "pods" },
      });
      answer.has(201).is({ status: { allowed: true } });
      await refused(
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
      (await review(t, "LocalSubjectAccessReview", path, spec)).has(201).is({ status: { allowed: true } });
      await refused(
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
      const answer = await review(
        t,
        "SelfSubjectRulesReview",
        "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        { namespace: "default" },
      );
      answer.has(201).is({ kind: "SelfSubjectRulesReview" });
      assert.ok(answer.list("status.resourceRules").some((rule) => JSON.stringify(rule).includes('"verbs":["*"]')));
    },
  ],
  [
    "TokenReview knows good tokens from bad ones",
    "docs: TokenReview",
    async (t) => {
      await t.create("serviceaccounts", { metadata: { name: "a" } });
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
      const token = (await t.send("POST", "serviceaccounts/a/token", { body })).str("status.token");
      const path = "/apis/authentication.k8s.io/v1/tokenreviews";
      (await review(t, "TokenReview", path, { token })).has(201).is({
        status: { authenticated: true, user: { username: `system:serviceaccount:${t.namespace}:a` } },
      });
      (await review(t, "TokenReview", path, { token: "wrong" })).is({
        status: { authenticated: (value) => value !== true, user: {} },
      });
    },
  ],
]);
