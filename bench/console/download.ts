import { request } from "node:http";

/** How many bytes of bodies a browser gets before a page can show anything: the page, and what it names. */
export async function firstDownload(url: string): Promise<number> {
  const page = await bodyOf(new URL("/", url));
  const text = await (await fetch(new URL("/", url))).text();
  const assets = [...text.matchAll(/(?:src|href)="(?<path>\/assets\/[^"]+)"/gu)].map(
    (found) => found.groups?.["path"] ?? "",
  );
  const sizes = await Promise.all(assets.map((path) => bodyOf(new URL(path, url))));
  return sizes.reduce((sum, size) => sum + size, page);
}

/** As it travels: `fetch` would unpack it. */
async function bodyOf(url: URL): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const asked = request(url, { headers: { "accept-encoding": "gzip" } }, (answer) => {
    let size = 0;
    answer.on("data", (chunk: Buffer) => {
      size += chunk.length;
    });
    answer.on("end", () => resolve(size));
  });
  asked.on("error", reject).end();
  return promise;
}
