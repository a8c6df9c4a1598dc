import { X509Certificate } from "node:crypto";
import { connect } from "node:http2";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ClientAuthority, servingCertificate } from "./certificate.ts";
import type { ClientCertificate } from "./certificate.ts";
import { call } from "./client.fixture.ts";
import type { CallOptions } from "./client.fixture.ts";
import { createApiServer } from "./api-server.ts";
import { listen } from "./listen.ts";
import type { ListeningServer } from "./listen.ts";

const NAMESPACES = "/api/v1/namespaces";
const REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const server = createApiServer();
let listening: ListeningServer;

beforeAll(async () => {
  listening = await listen(server);
});

afterAll(async () => {
  await listening.close();
  server.close();
});

/** The user as seen by the server. */
async function whoami(options: CallOptions): Promise<unknown> {
  const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
  const { text } = await call(listening, REVIEWS, { ...options, method: "POST", body });
  const { status } = JSON.parse(text) as { readonly status?: { readonly userInfo?: unknown } };
  return status?.userInfo;
}

test("the token and the administrator's certificate identify the same user", async () => {
  const admin = { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
  expect(await whoami({})).toEqual(admin);
  const config = JSON.parse(listening.kubeconfig("certificate")) as {
    readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
  };
  const user = config.users[0]?.user ?? {};
  expect(Object.keys(user)).toEqual(["client-certificate-data", "client-key-data"]);
  const read = (name: string): string => Buffer.from(user[name] ?? "", "base64").toString();
  const certificate = { cert: read("client-certificate-data"), key: read("client-key-data") };
  expect(await whoami({ token: "", certificate })).toEqual(admin);
});

test("a client certificate contains user and groups, over HTTP/1.1 and HTTP/2", async () => {
  const certificate = listening.clientCertificate({ name: "jane", groups: ["dev", "system:masters"] });
  const jane = { username: "jane", groups: ["dev", "system:masters", "system:authenticated"] };
  expect(await whoami({ token: "", certificate })).toEqual(jane);
  const single = listening.clientCertificate({ name: "joe", groups: [] });
  expect(await whoami({ token: "", certificate: single })).toEqual({
    username: "joe",
    groups: ["system:authenticated"],
  });
  const session = connect(listening.url, { ca: listening.ca, ...certificate });
  const stream = session.request({ ":path": NAMESPACES });
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
  expect(headers[":status"]).toBe(200);
  session.destroy();
});

test("a certificate takes precedence over a token, and certificates of another CA are ignored", async () => {
  const certificate = listening.clientCertificate({ name: "jane", groups: [] });
  expect(await whoami({ certificate })).toMatchObject({ username: "jane" });
  const now = new X509Certificate(listening.ca).validFromDate.getTime();
  const foreign: ClientCertificate = new ClientAuthority(now).issue({
    name: "kubernetes-admin",
    groups: ["system:masters"],
  });
  expect((await call(listening, NAMESPACES, { token: "", certificate: foreign })).code).toBe(401);
  const { cert, key } = servingCertificate(now);
  expect((await call(listening, NAMESPACES, { token: "", certificate: { cert, key } })).code).toBe(401);
  expect((await call(listening, NAMESPACES, { certificate: foreign })).code).toBe(200);
});

test("a service account token is valid until the account is deleted", async () => {
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await call(listening, accounts, { method: "POST", body: '{"metadata":{"name":"robot"}}' });
  const requested = await call(listening, `${accounts}/robot/token`, {
    method: "POST",
    body: '{"spec":{"audiences":[]}}',
  });
  const { status } = JSON.parse(requested.text) as { readonly status: { readonly token: string } };
  expect(await whoami({ token: status.token })).toMatchObject({
    username: "system:serviceaccount:default:robot",
    groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
  });
  await call(listening, `${accounts}/robot`, { method: "DELETE" });
  expect((await call(listening, NAMESPACES, { token: status.token })).code).toBe(401);
});

test("an impersonated service account has its groups", async () => {
  expect(await whoami({ headers: { "impersonate-user": "system:serviceaccount:shop:installer" } })).toEqual({
    username: "system:serviceaccount:shop:installer",
    groups: ["system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"],
  });
});

test("an administrator may impersonate users; others may not", async () => {
  const headers = { "impersonate-user": "bob", "impersonate-group": "dev" };
  expect(await whoami({ headers })).toEqual({ username: "bob", groups: ["dev", "system:authenticated"] });
  const certificate = listening.clientCertificate({ name: "joe", groups: [] });
  expect((await call(listening, NAMESPACES, { token: "", certificate, headers })).code).toBe(403);
  expect((await call(listening, NAMESPACES, { headers: { "impersonate-group": "dev" } })).code).toBe(400);
});

test("a rejection is the Status of kube-apiserver without further details", async () => {
  const { code, text, headers } = await call(listening, NAMESPACES, { token: "wrong" });
  expect(code).toBe(401);
  expect(JSON.parse(text)).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Unauthorized",
    reason: "Unauthorized",
    code: 401,
  });
  expect(headers["content-type"]).toBe("application/json");
});

test.each(["Basic d3Jvbmc=", "Bearer", "Bearer a b", "bearer ", "Token x"])(
  "the header %j is not a credential",
  async (authorization) => {
    expect((await call(listening, NAMESPACES, { token: "", headers: { authorization } })).code).toBe(401);
  },
);
