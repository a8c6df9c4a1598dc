import type { ExpressionScope } from "./expression-scope.ts";
import type { TaskNode } from "./task-node.ts";
import type { ApiCall, LogTemplate } from "./task.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const BACKOFFS = ["exponential", "linear", "constant"] as const;
const LEVELS = ["debug", "info", "warning", "warn", "error"] as const;

/** Reads an API call. */
export function readCall(node: TaskNode, language: ExpressionScope): ApiCall {
  const method = node.choice("method", METHODS);
  if (!node.has("method")) node.problem("method", "is missing");
  const body = node.text("body");
  const call: ApiCall = {
    method: method ?? "GET",
    url: language.template(node, "url", node.required("url")),
    headers: node.nodes("headers").map((header) => {
      const name = header.required("name");
      if (name !== "" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u.test(name))
        header.problem("name", "is not a valid header name");
      const value = language.template(header, "value", header.text("value") ?? "");
      header.rejectUnknown();
      return { name, value };
    }),
    body: body === undefined ? undefined : language.template(node, "body", body),
    timeoutMs: node.duration("timeout"),
    attemptsMax: node.count("retry_attempts"),
    backoff: node.choice("retry_backoff", BACKOFFS),
  };
  node.rejectUnknown();
  return call;
}

/** Reads the API call below `api_call`, if there is one. */
export function readOptionalCall(node: TaskNode, language: ExpressionScope): ApiCall | undefined {
  return node.has("api_call") ? readCall(node.node("api_call"), language) : undefined;
}

/** Reads the log line below `log`, if there is one. */
export function readLogTemplate(node: TaskNode, language: ExpressionScope): LogTemplate | undefined {
  if (!node.has("log")) return undefined;
  const log = node.node("log");
  const level = log.choice("level", LEVELS) ?? "info";
  const message = language.template(log, "message", log.required("message"));
  log.rejectUnknown();
  return { level: level === "warning" ? "warn" : level, message };
}

/** Reads a unique name that matches the pattern. */
export function readName(node: TaskNode, usedNames: Set<string>, pattern: RegExp, hint: string): string {
  const name = node.required("name");
  if (name === "") return name;
  if (!pattern.test(name)) node.problem("name", `must be ${hint}`);
  if (usedNames.has(name)) node.problem("name", `duplicate name ${name}`);
  usedNames.add(name);
  return name;
}

/** Valid variable names in expressions and templates. */
export const IDENTIFIER: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/u;
