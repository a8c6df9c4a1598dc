import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { expect, test } from "vitest";
import { TcpProxy } from "./tcp-proxy.ts";

/** A server that answers each chunk with `re: ` and the chunk, and records what it received. */
async function startEcho(): Promise<AsyncDisposable & { readonly port: number; readonly received: string[] }> {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received.push(String(chunk));
      socket.write(`re: ${String(chunk)}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    server.close();
    await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, received, [Symbol.asyncDispose]: close };
}

/** Sends a text and returns all data until the connection is closed, or until `answer` arrived. */
async function send(port: number, text: string, answer = `re: ${text}`): Promise<string> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  let data = "";
  const done = new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
    socket.on("data", (chunk) => {
      data += String(chunk);
      if (data === answer) resolve();
    });
  });
  socket.write(text);
  await done;
  socket.destroy();
  return data;
}

test.for([
  [{ direction: "to server", when: "before" }, [], ""],
  [{ direction: "to server", when: "response" }, ["a"], ""],
  [{ direction: "to client", when: "before" }, ["a"], ""],
  [{ direction: "to client", when: "after" }, ["a"], "re: a"],
] as const)("a cut %o loses what it says, once", async ([cut, received, answer]) => {
  await using server = await startEcho();
  await using proxy = await TcpProxy.start(server.port);
  proxy.cutOnce({ ...cut, chunk: 1 });
  expect(await send(proxy.port, "a")).toBe(answer);
  expect(proxy.disarm()).toBe(false);
  expect(server.received).toEqual(received);
  expect(await send(proxy.port, "b")).toBe("re: b");
  proxy.cutOnce({ ...cut, chunk: 2 });
  expect(await send(proxy.port, "c")).toBe("re: c");
  expect(proxy.disarm()).toBe(true);
});

test("a chunk that is cut after it was sent arrives at the server", async () => {
  await using server = await startEcho();
  await using proxy = await TcpProxy.start(server.port);
  proxy.cutOnce({ direction: "to server", chunk: 1, when: "after" });
  await send(proxy.port, "a");
  await expect.poll(() => server.received).toEqual(["a"]);
});

test("a connection is cut inside a text until that ends", async () => {
  await using server = await startEcho();
  await using proxy = await TcpProxy.start(server.port);
  proxy.cutInside({ text: "needle", offset: 4 });
  expect(await send(proxy.port, "a needle")).toBe("re: a need");
  expect(proxy.cuts).toBe(1);
  proxy.heal();
  expect(await send(proxy.port, "a needle")).toBe("re: a needle");
});

test("refused and dropped connections receive nothing, delayed ones everything", async () => {
  await using server = await startEcho();
  await using proxy = await TcpProxy.start(server.port);
  proxy.refuse(true);
  expect(await send(proxy.port, "a")).toBe("");
  proxy.heal();
  proxy.blackHole(true);
  const dropped = send(proxy.port, "b");
  await expect.poll(() => proxy.connections).toBe(2);
  proxy.heal();
  proxy.delay(1);
  expect(await send(proxy.port, "c")).toBe("re: c");
  proxy.cut();
  expect(await dropped).toBe("");
  expect(server.received).toEqual(["c"]);
});
