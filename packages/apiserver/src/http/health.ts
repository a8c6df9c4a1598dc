import type { ApiResponse } from "./api-response.ts";
import { textResponse } from "./api-response.ts";

/** One health check. */
export interface HealthCheck {
  readonly name: string;
  readonly isOk: () => boolean;
  /** Text that verbose output adds to a passing check. The endpoint is public, so it must not contain object names. */
  readonly note?: () => string;
}

/** The health checks of a server, with the names used by kube-apiserver (docs: Kubernetes API health endpoints). */
export interface HealthChecks {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
}

/**
 * Health checks of this server: it is live if it responds and ready while its store accepts writes. Damaged rows do not
 * make it unready, because all other objects are served and a restart would not help.
 */
export function serverHealthChecks(isOpen: () => boolean, damagedRows: () => number = () => 0): HealthChecks {
  const always = (): boolean => true;
  const ping = { name: "ping", isOk: always };
  const log = { name: "log", isOk: always };
  const store = { name: "etcd", isOk: isOpen };
  const shutdown = { name: "shutdown", isOk: isOpen };
  const rows = { name: "stored-rows", isOk: always, note: () => damageNote(damagedRows()) };
  const readiness = { ...store, name: "etcd-readiness" };
  return { livez: [ping, log, store], readyz: [ping, log, store, readiness, rows, shutdown] };
}

function damageNote(count: number): string {
  if (count === 0) return "";
  return `: ${count} damaged ${count === 1 ? "row is" : "rows are"} in quarantine; run: levelset apiserver check --data FILE`;
}

/** Handles `/healthz`, `/livez`, `/readyz` and the single checks below them. `endpoint` is the first path segment. */
export function healthResponse(
  health: HealthChecks,
  endpoint: string,
  check: string,
  query: URLSearchParams,
): ApiResponse {
  const checks = endpoint === "readyz" ? health.readyz : health.livez;
  if (check === "") return allChecksResponse(checks, endpoint, query);
  const found = checks.find(({ name }) => name === check);
  if (found === undefined) return textResponse("404 page not found\n", 404);
  return found.isOk() ? textResponse("ok") : textResponse(`internal server error: ${check} failed\n`, 500);
}

function allChecksResponse(checks: readonly HealthCheck[], endpoint: string, query: URLSearchParams): ApiResponse {
  const excluded = new Set(query.getAll("exclude"));
  const counted = checks.filter(({ name }) => !excluded.has(name));
  const isHealthy = counted.every(({ isOk }) => isOk());
  if (isHealthy && !query.has("verbose")) return textResponse("ok");
  const lines = checks.map((check) => {
    if (excluded.has(check.name)) return `[+]${check.name} excluded: ok\n`;
    // The endpoint is public, so the reason is withheld.
    return check.isOk() ? `[+]${check.name} ok${check.note?.() ?? ""}\n` : `[-]${check.name} failed: reason withheld\n`;
  });
  const unknown = [...excluded].filter((name) => !checks.some((check) => check.name === name)).toSorted();
  const names = unknown.map((name) => JSON.stringify(name)).join(",");
  const warning = unknown.length === 0 ? "" : `warn: some health checks cannot be excluded: no matches for ${names}\n`;
  const verdict = `${endpoint} check ${isHealthy ? "passed" : "failed"}\n`;
  return textResponse(`${lines.join("")}${warning}${verdict}`, isHealthy ? 200 : 500);
}
