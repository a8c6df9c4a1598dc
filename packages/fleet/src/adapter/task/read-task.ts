import { toError } from "@levelset/core/internal";
import type { JsonValue } from "@levelset/core";
import type { ExpressionCompiler } from "../expression/index.ts";
import { ExpressionScope } from "./expression-scope.ts";
import { readLogTemplate, readName, readOptionalCall } from "./read-call.ts";
import { readParams, RESERVED_NAMES } from "./read-param.ts";
import { readPreconditions } from "./read-precondition.ts";
import { readResources } from "./read-resource.ts";
import { TaskNode, TaskProblems } from "./task-node.ts";
import type { AdapterTask, Payload, PostAction } from "./task.ts";
import type { TaskFiles } from "./task-files.ts";

/** Thrown for an invalid configuration. Lists all problems. */
export class TaskConfigError extends Error {
  override readonly name = "TaskConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Source of a task. */
export interface TaskSource {
  /** File name shown in problems. */
  readonly file: string;
  /** Content parsed from YAML. */
  readonly content: JsonValue;
  readonly files: TaskFiles;
  /** Parses YAML of a file that the configuration names. Throws if it is not valid YAML. */
  readonly parseYaml: (text: string) => JsonValue;
  readonly compiler: ExpressionCompiler;
}

/** Reads a task configuration. Throws a TaskConfigError with all problems. */
export function readTask({ file, content, files, parseYaml, compiler }: TaskSource): AdapterTask {
  const problems = new TaskProblems(file);
  const root = new TaskNode(content, "", problems);
  const language = new ExpressionScope(compiler, RESERVED_NAMES);
  const task: AdapterTask = {
    params: readParams(root, language),
    preconditions: readPreconditions(root, language),
    resources: readResources(root, language, files),
    ...readPost(root, language, (node, key, path) => readYaml(node, key, files.read(node, key, path), parseYaml)),
  };
  root.rejectUnknown();
  if (problems.all.length > 0) throw new TaskConfigError(problems.all);
  return task;
}

/** Parses a file as YAML. An empty text stands for an unreadable file, which is reported already. */
function readYaml(node: TaskNode, key: string, text: string, parseYaml: TaskSource["parseYaml"]): JsonValue {
  if (text === "") return {};
  try {
    return parseYaml(text);
  } catch (error) {
    node.problem(key, `is not valid YAML: ${toError(error).message}`);
    return {};
  }
}

type ReadData = (node: TaskNode, key: string, path: string) => JsonValue;

function readPost(
  root: TaskNode,
  language: ExpressionScope,
  readData: ReadData,
): Pick<AdapterTask, "payloads" | "actions"> {
  const post = root.node("post");
  const usedNames = new Set<string>();
  const payloads = post.nodes("payloads").map((node) => readPayload(node, language, usedNames, readData));
  const actions = post.nodes("post_actions").map((node): PostAction => {
    const action = {
      name: readName(node, usedNames, /^[a-z][A-Za-z0-9_]*$/u, "an identifier that starts with a lowercase letter"),
      when: language.when(node),
      log: readLogTemplate(node, language),
      call: readOptionalCall(node, language),
    };
    if (action.call === undefined && action.log === undefined) node.problem("", "needs an api_call or a log");
    node.rejectUnknown();
    return action;
  });
  post.rejectUnknown();
  return { payloads, actions };
}

function readPayload(node: TaskNode, language: ExpressionScope, usedNames: Set<string>, readData: ReadData): Payload {
  const name = readName(node, usedNames, /^[A-Za-z_][A-Za-z0-9_]*$/u, "an identifier of letters, digits and _");
  const when = language.when(node);
  node.oneOf(["build", "build_ref"]);
  const reference = node.text("build_ref");
  const content = reference === undefined ? (node.value("build") ?? {}) : readData(node, "build_ref", reference);
  const build = language.tree(node, reference === undefined ? "build" : "build_ref", content, true);
  node.rejectUnknown();
  language.define(node, name);
  return { name, when, build };
}
