import { lineAt } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

interface Trace {
  /** Which files it must not be in. */
  readonly files: RegExp;
  readonly pattern: RegExp;
  readonly instead: string;
}

const ANY_FILE = /^/;
const RELATIVE = "write a path relative to the repository, or take it from the environment";
const REGISTRY = "leave the choice of registry to the machine's own configuration";

/** The escaped dots and slashes also keep these patterns from finding themselves. */
const TRACES: readonly Trace[] = [
  {
    // A directory of one machine, at the start of a path: not `src/work/` and not `https://host/work/`.
    files: ANY_FILE,
    pattern: /(?<=^|[\s"'`(=:,;|<>[@]|file:\/\/)\/(?:root|work|home\/[\w.-]+|Users\/[\w.-]+)\//gm,
    instead: RELATIVE,
  },
  {
    files: ANY_FILE,
    pattern:
      /\b(?:registry\.npmjs\.org|registry\.yarnpkg\.com|(?:proxy|sum)\.golang\.org|(?:deb|security)\.debian\.org)\b/g,
    instead: REGISTRY,
  },
  {
    files: /(?:^|\/)package-lock\.json$/,
    pattern: /"resolved": "https?:[^"]*/g,
    instead: "install with omit-lockfile-registry-resolved=true, as .npmrc says",
  },
];

/** Nothing tracked tells on which machine, or through which registry, it was made. */
export function checkMachine(tree: Tree): readonly Violation[] {
  return TRACES.flatMap(({ files, pattern, instead }) =>
    [...tree]
      .filter(([file]) => files.test(file))
      .flatMap(([file, text]) =>
        [...text.matchAll(pattern)].map((match) => {
          return { file, line: lineAt(text, match.index), wrong: `names ${match[0]}`, instead };
        }),
      ),
  );
}
