import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

/**
 * Smaller responses are not compressed (`k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go`,
 * Kubernetes 1.36).
 */
const GZIP_MIN_BYTES = 128 * 1024;

const compress = promisify(gzip);

/**
 * Whether a client accepts gzip. Only the plain name counts, without `*` or weights, as in
 * `k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go` (Kubernetes 1.36).
 */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && header.split(",").some((part) => part.trim() === "gzip");
}

/** Returns the compressed body; undefined if it is too small. */
export async function gzipBody(body: Uint8Array): Promise<Uint8Array | undefined> {
  if (body.byteLength < GZIP_MIN_BYTES) return undefined;
  return compress(body, { level: constants.Z_BEST_SPEED });
}
