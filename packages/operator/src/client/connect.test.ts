import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createApiServer, listen } from "@levelset/apiserver";
import { ConfigMap } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { afterEach, describe, expect, test } from "vitest";
import { Client, connect, fixedCredentials, parseKubeconfig } from "./index.ts";
import type { ClusterAccess, Credential } from "./index.ts";

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A server of our own words; answers with its address. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(
  access: Partial<ClusterAccess> & { readonly server: string },
  between: (fetch: Fetch) => Fetch = (fetch) => fetch,
): Client {
  const connection = connect({
    namespace: "default",
    context: "c",
    skipVerification: false,
    credentials: fixedCredentials({}),
    compression: true,
    ...access,
  });
  closing.push(() => connection.close());
  return new Client({ fetch: between(connection.fetch), fieldManager: "test" });
}

const OBJECT = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
const key = { namespace: "default", name: "a" };

describe("a connection", () => {
  test("replaces a refused credential and sends the request once more, body included", async () => {
    const seen: string[] = [];
    const server = await serve((request, response) => {
      seen.push(request.headers.authorization ?? "");
      const code = request.headers.authorization === "Bearer new" ? 201 : 401;
      request.pipe(response.writeHead(code, { "content-type": "application/json" }));
    });
    let token = "old";
    const credentials = {
      current: (): Promise<Credential> => Promise.resolve({ token }),
      reject: (): void => {
        token = "new";
      },
    };
    const client = clientOf({ server, credentials });
    expect(await client.create(ConfigMap, { metadata: key })).toMatchObject({ metadata: { name: "a" } });
    expect(seen).toEqual(["Bearer old", "Bearer new"]);
  });

  test("reports a refused credential that has no successor, after one request", async () => {
    let requests = 0;
    const server = await serve((_, response) => {
      requests++;
      response.writeHead(401).end();
    });
    const client = clientOf({ server, credentials: fixedCredentials({ token: "s3cret" }) });
    const failure = await client.get(ConfigMap, key).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "Unauthorized" });
    expect(String(failure)).not.toContain("s3cret");
    expect(requests).toBe(1);
  });

  test("reads compressed answers, and asks for them only where that may pay", async () => {
    const asked: unknown[] = [];
    const server = await serve((request, response) => {
      asked.push(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(OBJECT));
    });
    expect(await clientOf({ server }).get(ConfigMap, key)).toMatchObject({ kind: "ConfigMap" });
    await clientOf({ server, compression: false }).get(ConfigMap, key);
    expect(asked).toEqual(["gzip", undefined]);
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

  test("says in plain words why a server cannot be reached", async () => {
    const server = await serve(() => {});
    await closing.pop()?.();
    await expect(clientOf({ server }).get(ConfigMap, key)).rejects.toThrow("nothing listens there");
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
    ["through whoever stands in between", (fetch) => (request) => fetch(request)],
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

  test("speaks HTTP/1.1, so that a dead connection is nobody else's", async () => {
    const embedded = createApiServer();
    const listening = await listen(embedded);
    closing.push(() => listening.close());
    const client = clientOf(await parseKubeconfig(listening.kubeconfig(), { path: "f" }));
    await Promise.all(Array.from({ length: 3 }, () => client.list(ConfigMap)));
    expect(listening.connections).toBe(3);
  });
});
