import { connect as connectHttp2 } from "node:http2";
import { once } from "node:events";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./client.fixture.ts";
import { createApiServer } from "./api-server.ts";
import type { ApiServer } from "./api-server.ts";
import { listen } from "./listen.ts";
import type { ListeningServer } from "./listen.ts";

const REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

let server: ApiServer;
let listening: ListeningServer;

beforeAll(async () => {
  server = createApiServer();
  listening = await listen(server);
});

afterAll(async () => {
  await listening.close();
  server.close();
});

/** UTF-8 bytes of a text as latin1, as Node writes headers. */
function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Sends a SelfSubjectReview as an impersonated user. */
async function reviewed(user: string): Promise<{ readonly code: number | undefined; readonly text: string }> {
  // With a byte body, Node sends each header character as one byte.
  return call(listening, REVIEWS, { method: "POST", body: Buffer.from("{}"), headers: { "impersonate-user": user } });
}

test("the name of an impersonated user is read as UTF-8", async () => {
  const { code, text } = await reviewed(utf8("Jörg 😀"));
  expect([code, JSON.parse(text).status.userInfo.username]).toEqual([201, "Jörg 😀"]);
});

test("an impersonated user name that is not UTF-8 is rejected with the name of the header", async () => {
  const { code, text } = await reviewed("J\xf6rg");
  expect([code, JSON.parse(text)]).toEqual([
    400,
    expect.objectContaining({
      reason: "BadRequest",
      details: { causes: [expect.objectContaining({ field: "impersonate-user" })] },
    }),
  ]);
});

test("a path with raw non-ASCII bytes is rejected over HTTP/1.1 and read as UTF-8 over HTTP/2", async () => {
  await call(listening, ROLES, { method: "POST", body: JSON.stringify({ metadata: { name: "Jörg" } }) });
  expect(await rawGet(`${ROLES}/${utf8("Jörg")}`)).toMatch(/^HTTP\/1.1 400 /u);
  expect(await http2Get(`${ROLES}/${utf8("Jörg")}`)).toBe(200);
  expect(await http2Get(`${ROLES}/J\xf6rg`)).toBe(400);
  expect(await http2Get(`${ROLES}/J%C3%B6rg`)).toBe(200);
});

/** Sends a raw request that regular clients would not send. */
async function rawGet(path: string): Promise<string> {
  const socket = connect({ port: listening.port, host: "127.0.0.1", ca: listening.ca, ALPNProtocols: ["http/1.1"] });
  await once(socket, "secureConnect");
  socket.end(
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer ${listening.token}\r\n\r\n`,
    "latin1",
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks).toString();
}

async function http2Get(path: string): Promise<number> {
  const session = connectHttp2(listening.url, { ca: listening.ca });
  const stream = session.request({ ":path": path, authorization: `Bearer ${listening.token}` });
  stream.resume();
  const [headers] = (await once(stream, "response")) as [{ ":status": number }];
  await once(stream, "close");
  session.close();
  return headers[":status"];
}
