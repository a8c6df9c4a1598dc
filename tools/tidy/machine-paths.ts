import { lineAt } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

interface Trace {
  /** Files that must not contain it. */
  readonly files: RegExp;
  readonly pattern: RegExp;
  readonly fix: string;
}

const ANY_FILE = /^/;
const RELATIVE = "write a path relative to the repository, or take it from the environment";
const REGISTRY = "leave the registry to the configuration of the machine";

/** Because dots and slashes are escaped, the patterns do not match themselves. */
const TRACES: readonly Trace[] = [
  {
    // A directory of one machine, at the start of a path: not `src/work/` and not `https://host/work/`.
    files: ANY_FILE,
    pattern: /(?<=^|[\s"'`(=:,;|<>[@]|file:\/\/)\/(?:root|work|home\/[\w.-]+|Users\/[\w.-]+)\//gm,
    fix: RELATIVE,
  },
  {
    files: ANY_FILE,
    pattern:
      /\b(?:registry\.npmjs\.org|registry\.yarnpkg\.com|(?:proxy|sum)\.golang\.org|(?:deb|security)\.debian\.org)\b/g,
    fix: REGISTRY,
  },
  {
    files: /(?:^|\/)package-lock\.json$/,
    pattern: /"resolved": "https?:[^"]*/g,
    fix: "install with omit-lockfile-registry-resolved=true, as .npmrc says",
  },
];

/** Reports tracked files that contain paths of a machine or the address of a registry. */
export function checkMachinePaths(tree: SourceTree): readonly Violation[] {
  return TRACES.flatMap(({ files, pattern, fix }) =>
    [...tree]
      .filter(([file]) => files.test(file))
      .flatMap(([file, text]) =>
        [...text.matchAll(pattern)].map((match) => {
          return { file, line: lineAt(text, match.index), message: `names ${match[0]}`, fix };
        }),
      ),
  );
}
