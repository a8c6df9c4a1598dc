import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect as connectTcp } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { createApiServer, listen } from "@levelset/apiserver";
import { ConfigMap, TransportError } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { afterEach, describe, expect, test } from "vitest";
import { Client, connect, staticCredentials, parseKubeconfig } from "../index.ts";
import type { ClusterConfig, Credential } from "../index.ts";

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Starts an HTTP server with this handler and returns its address. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return started(createServer(answer));
}

async function started(server: Server): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a proxy that accepts the requests that `isAllowed` selects. */
async function serveProxy(isAllowed: (request: IncomingMessage) => boolean): Promise<string> {
  const proxy = createServer();
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    if (!isAllowed(request)) return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const { hostname, port } = new URL(`http://${request.url}`);
    const through = connectTcp(Number(port), hostname, () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    socket.pipe(through).pipe(socket);
    for (const end of [socket, through]) end.on("error", () => {});
    closing.push(() => void through.destroy());
    return socket;
  });
  return started(proxy);
}

function accessTo(access: Partial<ClusterConfig> & { readonly server: string }): ClusterConfig {
  return {
    namespace: "default",
    context: "c",
    insecureSkipTlsVerify: false,
    credentials: staticCredentials({}),
    compression: true,
    ...access,
  };
}

function clientOf(
  access: Partial<ClusterConfig> & { readonly server: string },
  between: (fetch: Fetch) => Fetch = (fetch) => fetch,
): Client {
  const connection = connect(accessTo(access));
  closing.push(() => connection.close());
  return new Client({ fetch: between(connection.fetch), fieldManager: "test" });
}

const OBJECT = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
const key = { namespace: "default", name: "a" };

describe("a connection", () => {
  test("replaces a rejected credential and resends the request with its body once", async () => {
    const seen: string[] = [];
    const server = await serve((request, response) => {
      seen.push(request.headers.authorization ?? "");
      const code = request.headers.authorization === "Bearer new" ? 201 : 401;
      request.pipe(response.writeHead(code, { "content-type": "application/json" }));
    });
    let token = "old";
    const credentials = {
      current: (): Promise<Credential> => Promise.resolve({ token }),
      invalidate: (): void => {
        token = "new";
      },
    };
    const client = clientOf({ server, credentials });
    expect(await client.create(ConfigMap, { metadata: key })).toMatchObject({ metadata: { name: "a" } });
    expect(seen).toEqual(["Bearer old", "Bearer new"]);
  });

  test("reports a rejected credential without a replacement after one request", async () => {
    let requests = 0;
    const server = await serve((_, response) => {
      requests++;
      response.writeHead(401).end();
    });
    const client = clientOf({ server, credentials: staticCredentials({ token: "s3cret" }) });
    const failure = await client.get(ConfigMap, key).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "Unauthorized" });
    expect(String(failure)).not.toContain("s3cret");
    expect(requests).toBe(1);
  });

  test("reads compressed responses, and requests compression only where it is useful", async () => {
    const requested: unknown[] = [];
    const server = await serve((request, response) => {
      requested.push(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(OBJECT));
    });
    expect(await clientOf({ server }).get(ConfigMap, key)).toMatchObject({ kind: "ConfigMap" });
    await clientOf({ server, compression: false }).get(ConfigMap, key);
    expect(requested).toEqual(["gzip", undefined]);
  });

  test("keeps the path of a server behind a proxy", async () => {
    const paths: unknown[] = [];
    const server = await serve((request, response) => {
      paths.push(request.url);
      response.end(OBJECT);
    });
    await clientOf({ server: `${server}/clusters/c-1/` }).get(ConfigMap, key);
    expect(paths).toEqual(["/clusters/c-1/api/v1/namespaces/default/configmaps/a"]);
  });

  test("reports why a server cannot be reached", async () => {
    const server = await serve(() => {});
    await closing.pop()?.();
    await expect(clientOf({ server }).get(ConfigMap, key)).rejects.toThrow("connection refused");
  });

  test("trusts the authority of the kubeconfig and no other", async () => {
    const embedded = createApiServer();
    const listening = await listen(embedded);
    closing.push(() => listening.close());
    const good = await parseKubeconfig(listening.kubeconfig(), { path: "f" });
    const { ca: _ca, ...bad } = good;
    expect((await clientOf(good).list(ConfigMap)).resourceVersion).not.toBe("");
    await expect(clientOf(bad).list(ConfigMap)).rejects.toThrow("check certificate-authority in the kubeconfig");
  });

  test.each<[string, (fetch: Fetch) => Fetch]>([
    ["directly", (fetch) => fetch],
    ["through middleware", (fetch) => (request) => fetch(request)],
  ])("gives answers, refusals, streams and aborts %s", async (_, between) => {
    const server = await serve((request, response) => {
      const [path, query] = (request.url ?? "").split("?");
      if (query?.includes("watch=true") === true)
        response.writeHead(200).write(`{"type":"ADDED","object":${OBJECT}}\n`);
      else if (path?.endsWith("/a") === true) response.end(OBJECT);
      else response.writeHead(404, { "content-type": "application/json" }).end(`{"reason":"NotFound"}`);
    });
    const client = clientOf({ server }, between);
    expect(await client.get(ConfigMap, key)).toMatchObject({ kind: "ConfigMap" });
    await expect(client.get(ConfigMap, { ...key, name: "b" })).rejects.toMatchObject({ reason: "NotFound" });
    const stop = new AbortController();
    const watch = client.watch(ConfigMap, { resourceVersion: "1", timeoutSeconds: 60, signal: stop.signal });
    expect(await watch.next()).toMatchObject({ value: { type: "ADDED", object: { metadata: { name: "a" } } } });
    const next = watch.next();
    stop.abort(new TypeError("no interest any more"));
    await expect(next).rejects.toMatchObject({ name: "AbortError" });
    await expect(client.get(ConfigMap, key, { signal: stop.signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  test.each<[string, (fetch: Fetch) => Fetch]>([
    ["directly", (fetch) => fetch],
    ["through middleware", (fetch) => (request) => fetch(request)],
  ])("reads the refusal of a watch %s", async (_, between) => {
    const server = await serve((_request, response) => {
      response.writeHead(410, { "content-type": "application/json" }).end(`{"kind":"Status","reason":"Expired"}`);
    });
    const watch = clientOf({ server }, between).watch(ConfigMap, { resourceVersion: "1", timeoutSeconds: 60 });
    await expect(watch.next()).rejects.toMatchObject({ reason: "Expired" });
  });

  test("reads a complete stream in chunks of any size", async () => {
    const events = Array.from({ length: 300 }, (_, index) => {
      const metadata = { name: `map-${index}`, resourceVersion: String(index) };
      return {
        type: "ADDED",
        object: { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: "é".repeat(99) } },
      };
    });
    const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    const server = await serve((_, response) => {
      for (let at = 0; at < bytes.length; at += 1001) response.write(bytes.subarray(at, at + 1001));
      response.end();
    });
    const watch = clientOf({ server }).watch(ConfigMap, { resourceVersion: "1", timeoutSeconds: 60 });
    const read: unknown[] = [];
    for await (const event of watch) read.push(event);
    expect(read).toEqual(events);
  });

  test("leaves no listeners on a signal that outlives its requests", async () => {
    const server = await serve((_, response) => response.end(OBJECT));
    const gone = await serve(() => {});
    await closing.pop()?.();
    const { signal } = new AbortController();
    await clientOf({ server }).get(ConfigMap, key, { signal });
    await expect(clientOf({ server: gone }).get(ConfigMap, key, { signal })).rejects.toThrow("connection refused");
    await expect.poll(() => getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a truncated response is an error, not a partial object", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-length": 1000 }).write(OBJECT);
      response.destroy();
    });
    await expect(clientOf({ server }).get(ConfigMap, key)).rejects.toBeInstanceOf(TransportError);
  });

  test("a request in progress completes when the certificate is replaced, and the next one uses the new certificate", async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const sockets = new Set<unknown>();
    const server = await serve((request, response) => {
      sockets.add(request.socket);
      if (sockets.size === 1) held.resolve(response);
      else response.end(OBJECT);
    });
    let certificate = "old";
    const credentials = {
      current: (): Promise<Credential> => Promise.resolve({ certificate, key: "k" }),
      invalidate: (): void => {},
    };
    const client = clientOf({ server, credentials });
    const first = client.get(ConfigMap, key);
    const response = await held.promise;
    certificate = "new";
    await client.get(ConfigMap, key);
    response.end(OBJECT);
    expect(await first).toMatchObject({ kind: "ConfigMap" });
    await client.get(ConfigMap, key);
    expect(sockets.size).toBe(2);
  });

  test("closing it aborts requests in progress and rejects later ones", async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await serve(() => arrived.resolve());
    const connection = connect(accessTo({ server }));
    const client = new Client({ fetch: connection.fetch, fieldManager: "test" });
    const waiting = client.get(ConfigMap, key);
    await arrived.promise;
    await connection.close();
    await expect(waiting).rejects.toBeInstanceOf(TransportError);
    await expect(client.get(ConfigMap, key)).rejects.toThrow("the connection to the cluster is closed");
  });

  test("uses a proxy with its credentials", async () => {
    const embedded = createApiServer();
    const listening = await listen(embedded);
    closing.push(() => listening.close());
    const requested: unknown[] = [];
    const proxy = await serveProxy((request) => {
      requested.push(request.url, request.headers["proxy-authorization"]);
      return request.headers["proxy-authorization"] !== undefined;
    });
    const access = await parseKubeconfig(listening.kubeconfig(), { path: "f" });
    const { host } = new URL(access.server);
    const client = clientOf({ ...access, proxy: proxy.replace("//", "//me:s%2Fcret@") });
    expect((await client.list(ConfigMap)).items).toEqual([]);
    expect(requested).toEqual([host, `Basic ${Buffer.from("me:s/cret").toString("base64")}`]);
    await expect(clientOf({ ...access, proxy }).list(ConfigMap)).rejects.toThrow("refuses to connect");
  });

  test("uses HTTP/1.1, so that a dead connection affects one request only", async () => {
    const embedded = createApiServer();
    const listening = await listen(embedded);
    closing.push(() => listening.close());
    const client = clientOf(await parseKubeconfig(listening.kubeconfig(), { path: "f" }));
    await Promise.all(Array.from({ length: 3 }, () => client.list(ConfigMap)));
    expect(listening.connections).toBe(3);
  });
});
