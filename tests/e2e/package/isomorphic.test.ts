import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { ROOT } from "../../support/repository.ts";

/** Web APIs that the client may use. */
const WEB = {
  AbortController,
  DOMException,
  Headers,
  Promise,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
};

test("the fleet client runs without Node, with web APIs only", async () => {
  const input = join(ROOT, "packages/fleet/src/client/index.ts");
  const resolve = { conditionNames: ["levelset-source", "import"] };
  const bundle = await rolldown({ input, platform: "browser", resolve, treeshake: true, logLevel: "silent" });
  const { output } = await bundle.generate({ format: "iife", name: "client" });
  await bundle.close();
  const [chunk] = output;
  expect(chunk.imports).toEqual([]);
  expect(chunk.code).not.toMatch(/["']node:|\bBuffer\b|\bprocess\./u);
  const requested: string[] = [];
  const context = createContext({ ...WEB, setTimeout, clearTimeout, asked: requested });
  new Script(`
    ${chunk.code}
    globalThis.fetch = async (request) => {
      asked.push(request.method + " " + request.url);
      return new Response(JSON.stringify({ items: [{ name: "eu-1" }] }));
    };
    globalThis.found = (async () => {
      const clusters = new client.FleetClient({ url: "http://fleet.test" }).collection({ kind: "Cluster", plural: "clusters" });
      const names = [];
      for await (const { name } of clusters.list()) names.push(name);
      return names.join();
    })();
  `).runInContext(context);
  expect(await (context as { readonly found?: Promise<string> }).found).toBe("eu-1");
  expect(requested).toEqual(["GET http://fleet.test/api/hyperfleet/v1/clusters?size=100&after="]);
});
