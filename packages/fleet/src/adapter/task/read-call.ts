import type { Language } from "./language.ts";
import type { TaskNode } from "./task-node.ts";
import type { ApiCall, LogLine } from "./task.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const BACKOFFS = ["exponential", "linear", "constant"] as const;
const LEVELS = ["debug", "info", "warning", "warn", "error"] as const;

/** Reads a request. */
export function readCall(node: TaskNode, language: Language): ApiCall {
  const method = node.choice("method", METHODS);
  if (!node.has("method")) node.problem("method", "is missing");
  const body = node.text("body");
  const call: ApiCall = {
    method: method ?? "GET",
    url: language.template(node, "url", node.required("url")),
    headers: node.nodes("headers").map((header) => {
      const name = header.required("name");
      if (name !== "" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u.test(name)) header.problem("name", "is no name of a header");
      const value = language.template(header, "value", header.text("value") ?? "");
      header.end();
      return { name, value };
    }),
    body: body === undefined ? undefined : language.template(node, "body", body),
    timeoutMs: node.duration("timeout"),
    attemptsMax: node.count("retry_attempts"),
    backoff: node.choice("retry_backoff", BACKOFFS),
  };
  node.end();
  return call;
}

/** The request below `api_call`, if there is one. */
export function readOptionalCall(node: TaskNode, language: Language): ApiCall | undefined {
  return node.has("api_call") ? readCall(node.node("api_call"), language) : undefined;
}

/** The line below `log`, if there is one. */
export function readLog(node: TaskNode, language: Language): LogLine | undefined {
  if (!node.has("log")) return undefined;
  const log = node.node("log");
  const level = log.choice("level", LEVELS) ?? "info";
  const message = language.template(log, "message", log.required("message"));
  log.end();
  return { level: level === "warning" ? "warn" : level, message };
}

/** Something that is named, and named once. */
export function readName(node: TaskNode, taken: Set<string>, pattern: RegExp, hint: string): string {
  const name = node.required("name");
  if (name === "") return name;
  if (!pattern.test(name)) node.problem("name", `must be ${hint}`);
  if (taken.has(name)) node.problem("name", `${name} is there twice`);
  taken.add(name);
  return name;
}

/** What a text can name in expressions and templates. */
export const WORD: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/u;
