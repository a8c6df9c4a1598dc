import { posix } from "node:path";
import { anchorsOf } from "./anchor.ts";
import { manifestAt } from "../dependency/manifest.ts";
import { blankOut, withoutBlocks } from "./prose.ts";
import { lineAt, perTree, textOf } from "../tree.ts";
import type { SourceTree } from "../tree.ts";
import type { Violation } from "../violation.ts";

const DOCUMENT =
  /^(?:(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG)\.md|docs\/.+\.md|packages\/[^/]+\/(?:template\/)?README\.md|(?:tools|examples|bench|tests)\/(?:.+\/)?README\.md)$/;

/** Top-level names that a path may start with, even if they do not exist yet. */
const TOP_LEVEL = ["packages", "docs", "tools", "examples", "tests", "bench", ".ci"];
const TOP_LEVEL_FILES = new Set(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]);

/** A code span; it ends with its paragraph at the latest. */
const CODE_SPAN = /(?<!`)(`+)(?!`)((?:(?!\n[^\S\n]*\n)[^])*?)(?<!`)\1(?!`)/g;
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g;
const LINK_DEFINITION = /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)>?/gm;
const NPM_RUN = /\bnpm run(?:-script)? +([\w:.-]+)/g;

/**
 * Manifests whose npm scripts documents may name: the repository's, and that of projects created by `levelset init`.
 */
const MANIFESTS = ["package.json", "packages/cli/template/package.json"];

/** Placeholders in a path or a name. */
const PLACEHOLDER = /…|\.\.\.|[*<>{}[\]$]|\bNAME\b/;
const UNTRACKED = /(?:^|\/)(?:\.levelset|dist|node_modules)(?:\/|$)/;

/** Reports paths, links, anchors and npm scripts in documents that do not exist. */
export function checkDocumentLinks(tree: SourceTree): readonly Violation[] {
  return documentPaths(tree).flatMap((file) => {
    const text = textOf(tree, file);
    const prose = withoutBlocks(text);
    const links = blankOut(prose, CODE_SPAN);
    return [
      ...namedPaths(tree, file, prose),
      ...[...links.matchAll(LINK), ...links.matchAll(LINK_DEFINITION)].flatMap((link) => deadLink(tree, file, link)),
      ...[...text.matchAll(NPM_RUN)].flatMap((command) => unknownScript(tree, file, text, command)),
    ];
  });
}

/** Returns the documents of a tree. */
export function documentPaths(tree: SourceTree): readonly string[] {
  return [...tree.keys()].filter((path) => DOCUMENT.test(path));
}

function namedPaths(tree: SourceTree, file: string, prose: string): readonly Violation[] {
  return [...prose.matchAll(CODE_SPAN)].flatMap((span) =>
    [...(span[2] ?? "").matchAll(/\S+/g)].flatMap((word) => {
      const path = pathIn(tree, word[0]);
      if (path === undefined || exists(tree, path) || exists(tree, posix.join(posix.dirname(file), path))) return [];
      const offset = span.index + (span[1] ?? "").length + word.index;
      return [missing(file, lineAt(prose, offset), path)];
    }),
  );
}

/** Returns the repository path in a word, without line numbers, anchors and punctuation. */
function pathIn(tree: SourceTree, word: string): string | undefined {
  if (PLACEHOLDER.test(word)) return undefined;
  const path = word
    .replace(/^["'(]+|^\.\//g, "")
    .replace(/[#?].*$/, "")
    .replace(/(?::\d+)*[.,;:!)"']*$/, "");
  const [top = "", ...rest] = path.split("/");
  const isPath = rest.length > 0 ? topFolders(tree).has(top) : TOP_LEVEL_FILES.has(top);
  return isPath && !UNTRACKED.test(path) ? path : undefined;
}

const topFolders = perTree((tree) => {
  const tops = [...tree.keys()].filter((path) => path.includes("/")).map((path) => path.slice(0, path.indexOf("/")));
  return new Set([...TOP_LEVEL, ...tops]);
});

function deadLink(tree: SourceTree, file: string, link: RegExpExecArray): readonly Violation[] {
  const target = link[1] ?? "";
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target) || PLACEHOLDER.test(target)) return [];
  const line = lineAt(link.input, link.index);
  const [, plain = "", anchor] = /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(decode(target)) ?? [];
  const path = linkedPath(file, plain);
  if (UNTRACKED.test(path)) return [];
  if (!exists(tree, path)) return [missing(file, line, path)];
  if (anchor === undefined || !path.endsWith(".md") || anchorsOf(tree, path).has(anchor)) return [];
  const wrong = `links to #${anchor}, which is not a heading of ${path}`;
  return [{ file, line, message: wrong, fix: "use the anchor of an existing heading" }];
}

function linkedPath(file: string, plain: string): string {
  if (plain === "") return file;
  return plain.startsWith("/") ? plain.slice(1) : posix.join(posix.dirname(file), plain);
}

function decode(target: string): string {
  return target.replaceAll("%20", " ");
}

function unknownScript(tree: SourceTree, file: string, text: string, command: RegExpExecArray): readonly Violation[] {
  const name = (command[1] ?? "").replace(/[.:]+$/, "");
  const scripts = Object.assign({}, ...MANIFESTS.map((path) => manifestAt(tree, path)?.scripts));
  // A name that starts with a dash is an option. With -w, the script belongs to another package.
  if (name === "" || name.startsWith("-") || PLACEHOLDER.test(name) || Object.hasOwn(scripts, name)) return [];
  const rest = text.slice(command.index + command[0].length);
  if (/^(?:…|[<*{$])/.test(rest) || /^[^\n`]* (?:-w|--workspace)\b/.test(rest)) return [];
  const wrong = `names npm run ${name}, which package.json does not have`;
  return [{ file, line: lineAt(text, command.index), message: wrong, fix: "name a script that exists" }];
}

function missing(file: string, line: number, path: string): Violation {
  return { file, line, message: `names ${path}, which does not exist`, fix: "correct the path or add the file" };
}

const folders = perTree((tree) => {
  const all = new Set<string>([".", ""]);
  for (const path of tree.keys()) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) all.add(path.slice(0, at));
  }
  return all;
});

function exists(tree: SourceTree, path: string): boolean {
  const plain = path.replace(/\/+$/, "");
  return tree.has(plain) || folders(tree).has(plain);
}
