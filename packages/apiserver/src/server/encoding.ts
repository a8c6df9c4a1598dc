import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

/** Smaller answers are not worth it, as the real server has it. */
const GZIP_MIN_BYTES = 128 * 1024;

const compress = promisify(gzip);

/** Whether a client takes gzip. As with the real server it must be named alone: neither `*` nor a weight counts. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && header.split(",").some((part) => part.trim() === "gzip");
}

/** The body compressed; undefined where it is too small for that. */
export async function gzipped(body: Uint8Array): Promise<Uint8Array | undefined> {
  if (body.byteLength < GZIP_MIN_BYTES) return undefined;
  return compress(body, { level: constants.Z_BEST_SPEED });
}
