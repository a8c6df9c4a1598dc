import { connect as connectHttp2 } from "node:http2";
import { once } from "node:events";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./client.fixture.ts";
import { createApiServer } from "./embedded.ts";
import type { ApiServer } from "./embedded.ts";
import { listen } from "./listen.ts";
import type { Listening } from "./listen.ts";

const REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

let server: ApiServer;
let listening: Listening;

beforeAll(async () => {
  server = createApiServer();
  listening = await listen(server);
});

afterAll(async () => {
  await listening.close();
  server.close();
});

/** The bytes of a text in UTF-8, one character each, as Node writes headers. */
function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** Who the server takes a client for that impersonates a user. */
async function reviewed(user: string): Promise<{ readonly code: number | undefined; readonly text: string }> {
  // With a body of bytes Node sends each character of a header as one byte.
  return call(listening, REVIEWS, { method: "POST", body: Buffer.from("{}"), headers: { "impersonate-user": user } });
}

test("the name of an impersonated user is read as UTF-8", async () => {
  const { code, text } = await reviewed(utf8("Jörg 😀"));
  expect([code, JSON.parse(text).status.userInfo.username]).toEqual([201, "Jörg 😀"]);
});

test("the name of an impersonated user that is not UTF-8 is refused with the name of the header", async () => {
  const { code, text } = await reviewed("J\xf6rg");
  expect([code, JSON.parse(text)]).toEqual([
    400,
    expect.objectContaining({
      reason: "BadRequest",
      details: { causes: [expect.objectContaining({ field: "impersonate-user" })] },
    }),
  ]);
});

test("a path whose bytes are not percent-encoded is refused over HTTP/1.1 and read as UTF-8 over HTTP/2", async () => {
  await call(listening, ROLES, { method: "POST", body: JSON.stringify({ metadata: { name: "Jörg" } }) });
  expect(await rawGet(`${ROLES}/${utf8("Jörg")}`)).toMatch(/^HTTP\/1.1 400 /u);
  expect(await http2Get(`${ROLES}/${utf8("Jörg")}`)).toBe(200);
  expect(await http2Get(`${ROLES}/J\xf6rg`)).toBe(400);
  expect(await http2Get(`${ROLES}/J%C3%B6rg`)).toBe(200);
});

/** The answer to a request that no careful client would send. */
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
