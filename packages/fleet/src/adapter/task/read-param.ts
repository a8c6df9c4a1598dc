import type { ExpressionScope } from "./expression-scope.ts";
import { readCall, readName, IDENTIFIER } from "./read-call.ts";
import type { TaskNode } from "./task-node.ts";
import type { Param, ParamSource, ParamType } from "./task.ts";

const TYPES: Readonly<Record<string, ParamType>> = {
  string: "string",
  int: "int",
  int64: "int",
  float: "float",
  float64: "float",
  bool: "bool",
};

/** Reads the params in order: each may use the ones before it. */
export function readParams(node: TaskNode, language: ExpressionScope): readonly Param[] {
  const usedNames = new Set<string>();
  return node.nodes("params").map((entry) => {
    const name = readName(entry, usedNames, IDENTIFIER, "an identifier of letters, digits and _");
    const type = entry.choice("type", Object.keys(TYPES));
    entry.text("description");
    const param: Param = {
      name,
      source: readSource(entry, language),
      type: type === undefined ? undefined : TYPES[type],
      defaultValue: entry.value("default"),
      isRequired: entry.flag("required"),
    };
    entry.rejectUnknown();
    language.define(entry, name);
    return param;
  });
}

/** Built-in variables of every task. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(["adapter", "config", "env", "event", "resources"]);

function readSource(entry: TaskNode, language: ExpressionScope): ParamSource {
  const value = entry.value("source");
  if (value === undefined) {
    entry.problem("source", "is missing");
    return { kind: "path", path: [] };
  }
  if (typeof value === "string") return readPath(entry, value, language);
  const source = entry.node("source");
  source.oneOf(["api_call", "expression", "file"]);
  const read = readMapping(source, language);
  source.rejectUnknown();
  return read;
}

function readMapping(source: TaskNode, language: ExpressionScope): ParamSource {
  if (source.has("api_call")) return { kind: "api_call", call: readCall(source.node("api_call"), language) };
  if (source.has("expression")) {
    return { kind: "expression", expression: language.expression(source, "expression") };
  }
  const file = source.node("file");
  const read: ParamSource = {
    kind: "file",
    path: source.has("file") ? file.required("path") : "",
    isTrimmed: file.has("trim") ? file.flag("trim") : true,
  };
  file.rejectUnknown();
  return read;
}

/** Parses a source: `env.NAME`, a path from a known variable, or else a path in the event. */
function readPath(entry: TaskNode, text: string, language: ExpressionScope): ParamSource {
  const path = text.split(".");
  const [first = "", ...rest] = path;
  if (path.includes("")) entry.problem("source", "must be a path such as event.id");
  if (first === "env") {
    const [variable = ""] = rest;
    if (rest.length !== 1 || variable === "") entry.problem("source", "must name one variable: env.NAME");
    return { kind: "env", variable };
  }
  return { kind: "path", path: language.has(first) ? path : ["event", ...path] };
}
