import { toError } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { ExpressionCompiler } from "../expression/index.ts";
import { Language } from "./language.ts";
import { readLog, readName, readOptionalCall } from "./read-call.ts";
import { readParams, RESERVED } from "./read-param.ts";
import { readPreconditions } from "./read-precondition.ts";
import { readResources } from "./read-resource.ts";
import { TaskNode, TaskProblems } from "./task-node.ts";
import type { AdapterTask, Payload, PostAction } from "./task.ts";
import type { TaskFiles } from "./task-files.ts";

/** A configuration that cannot be used. Tells everything that is wrong with it. */
export class InvalidTask extends Error {
  override readonly name = "InvalidTask";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** What a task is read from. */
export interface TaskSource {
  /** How the file is named in problems. */
  readonly file: string;
  /** Its content, parsed from YAML. */
  readonly content: JsonValue;
  readonly files: TaskFiles;
  /** Parses the YAML of a file that the configuration names. Throws if it is none. */
  readonly parseYaml: (text: string) => JsonValue;
  readonly compiler: ExpressionCompiler;
}

/** Reads a task's configuration. Throws an InvalidTask with all problems. */
export function readTask({ file, content, files, parseYaml, compiler }: TaskSource): AdapterTask {
  const problems = new TaskProblems(file);
  const root = new TaskNode(content, "", problems);
  const language = new Language(compiler, RESERVED);
  const task: AdapterTask = {
    params: readParams(root, language),
    preconditions: readPreconditions(root, language),
    resources: readResources(root, language, files),
    ...readPost(root, language, (node, key, path) => readYaml(node, key, files.read(node, key, path), parseYaml)),
  };
  root.end();
  if (problems.all.length > 0) throw new InvalidTask(problems.all);
  return task;
}

/** A file that cannot be read is told already, and has no text. */
function readYaml(node: TaskNode, key: string, text: string, parseYaml: TaskSource["parseYaml"]): JsonValue {
  if (text === "") return {};
  try {
    return parseYaml(text);
  } catch (error) {
    node.problem(key, `is no YAML: ${toError(error).message}`);
    return {};
  }
}

type ReadData = (node: TaskNode, key: string, path: string) => JsonValue;

function readPost(root: TaskNode, language: Language, readData: ReadData): Pick<AdapterTask, "payloads" | "actions"> {
  const post = root.node("post");
  const taken = new Set<string>();
  const payloads = post.nodes("payloads").map((node) => readPayload(node, language, taken, readData));
  const actions = post.nodes("post_actions").map((node): PostAction => {
    const action = {
      name: readName(node, taken, /^[a-z][A-Za-z0-9_]*$/u, "a word that begins with a small letter"),
      when: language.when(node),
      log: readLog(node, language),
      call: readOptionalCall(node, language),
    };
    if (action.call === undefined && action.log === undefined) node.problem("", "needs an api_call or a log");
    node.end();
    return action;
  });
  post.end();
  return { payloads, actions };
}

function readPayload(node: TaskNode, language: Language, taken: Set<string>, readData: ReadData): Payload {
  const name = readName(node, taken, /^[A-Za-z_][A-Za-z0-9_]*$/u, "a word of letters, digits and _");
  const when = language.when(node);
  node.oneOf(["build", "build_ref"]);
  const reference = node.text("build_ref");
  const content = reference === undefined ? (node.value("build") ?? {}) : readData(node, "build_ref", reference);
  const build = language.tree(node, reference === undefined ? "build" : "build_ref", content, true);
  node.end();
  language.define(node, name);
  return { name, when, build };
}
