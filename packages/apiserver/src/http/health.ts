import type { Answer } from "./answer.ts";
import { textAnswer } from "./answer.ts";

/** One thing that health is made of. */
export interface HealthCheck {
  readonly name: string;
  readonly isOk: () => boolean;
  /** What a verbose answer adds to a check that is ok. The endpoint is public, so it holds no names. */
  readonly note?: () => string;
}

/** The parts of a server's health, by the names that the real server gives them. */
export interface Health {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
}

/**
 * What a server can say of itself: it answers, so it lives; it is ready as long as its store takes writes. Damaged rows do not
 * make it unready: all other objects are served, and a restart would not help.
 */
export function healthOf(isOpen: () => boolean, damagedRows: () => number = () => 0): Health {
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

/** Answers `/healthz`, `/livez`, `/readyz` and single checks below them. `endpoint` is the first part of the path. */
export function healthAnswer(health: Health, endpoint: string, check: string, query: URLSearchParams): Answer {
  const checks = endpoint === "readyz" ? health.readyz : health.livez;
  if (check === "") return wholeAnswer(checks, endpoint, query);
  const found = checks.find(({ name }) => name === check);
  if (found === undefined) return textAnswer("404 page not found\n", 404);
  return found.isOk() ? textAnswer("ok") : textAnswer(`internal server error: ${check} failed\n`, 500);
}

function wholeAnswer(checks: readonly HealthCheck[], endpoint: string, query: URLSearchParams): Answer {
  const excluded = new Set(query.getAll("exclude"));
  const counted = checks.filter(({ name }) => !excluded.has(name));
  const isHealthy = counted.every(({ isOk }) => isOk());
  if (isHealthy && !query.has("verbose")) return textAnswer("ok");
  const lines = checks.map((check) => {
    if (excluded.has(check.name)) return `[+]${check.name} excluded: ok\n`;
    // Anybody may ask, so nobody is told why.
    return check.isOk() ? `[+]${check.name} ok${check.note?.() ?? ""}\n` : `[-]${check.name} failed: reason withheld\n`;
  });
  const unknown = [...excluded].filter((name) => !checks.some((check) => check.name === name)).toSorted();
  const names = unknown.map((name) => JSON.stringify(name)).join(",");
  const warning = unknown.length === 0 ? "" : `warn: some health checks cannot be excluded: no matches for ${names}\n`;
  const verdict = `${endpoint} check ${isHealthy ? "passed" : "failed"}\n`;
  return textAnswer(`${lines.join("")}${warning}${verdict}`, isHealthy ? 200 : 500);
}
