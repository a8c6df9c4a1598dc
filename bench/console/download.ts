import { request } from "node:http";

/** Returns the number of bytes that a browser downloads before the first paint: the page and its assets. */
export async function firstDownload(url: string): Promise<number> {
  const page = await bodyOf(new URL("/", url));
  const text = await (await fetch(new URL("/", url))).text();
  const assets = [...text.matchAll(/(?:src|href)="(?<path>\/assets\/[^"]+)"/gu)].map(
    (found) => found.groups?.["path"] ?? "",
  );
  const sizes = await Promise.all(assets.map((path) => bodyOf(new URL(path, url))));
  return sizes.reduce((sum, size) => sum + size, page);
}

/** Returns the compressed size of a response body; `fetch` would decompress it. */
async function bodyOf(url: URL): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const requested = request(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
    });
    response.on("end", () => resolve(size));
  });
  requested.on("error", reject).end();
  return promise;
}
