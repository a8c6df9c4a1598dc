import type { Compression } from "@levelset/core/http";

/**
 * Smaller responses are not compressed, and only the plain name counts, without `*` or weights, as in
 * `k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go` (Kubernetes 1.36).
 */
export const COMPRESSION: Compression = {
  bytesMin: 128 * 1024,
  accepts: (acceptEncoding) => (acceptEncoding ?? "").split(",").some((part) => part.trim() === "gzip"),
};
