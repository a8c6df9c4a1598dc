import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

const compress = promisify(gzip);

/** Compresses a body, preferring speed to size. */
export function gzipBody(body: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return compress(body, { level: constants.Z_BEST_SPEED });
}

/** Returns true if an `Accept-Encoding` header allows gzip. */
export function acceptsGzip(acceptEncoding: string | null | undefined): boolean {
  return (acceptEncoding ?? "").split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return name === "gzip" && Number(quality) > 0;
  });
}
