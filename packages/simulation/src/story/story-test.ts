import type { JsonValue } from "@levelset/core";
import type { SimulationRule } from "../violation/index.ts";
import type { Manifest } from "../history/index.ts";
import { describeFault, describeOperation } from "../run/index.ts";
import { formatLiteral, formatString } from "./literal.ts";
import type { StoryFile } from "./story-file.ts";

/** What a generated test needs. */
export interface TestMaterial {
  readonly story: Pick<StoryFile, "violation" | "case">;
  /** The specifier of the program, as the test imports it: `../src/operator.ts`. */
  readonly program: string;
  /** Samples that the program does not declare itself. */
  readonly samples: readonly Manifest[];
  /** Rules that the program does not declare as ignored itself. */
  readonly ignore: readonly SimulationRule[];
}

/** Returns the source of a vitest test that replays a case: it fails until the bug is fixed. */
export function storyTest({ story, program, samples, ignore }: TestMaterial): string {
  const { violation, case: recorded } = story;
  const { operations } = recorded.history;
  return [
    'import { replay } from "@levelset/simulation";',
    'import { test } from "vitest";',
    `import program from ${formatString(program)};`,
    "",
    `// Found by levelset simulate with seed ${recorded.seed}.`,
    `// Found:    ${comment(violation.message)}`,
    `// Expected: ${comment(violation.expected)}`,
    `test(${formatString(`the history of seed ${recorded.seed} does not violate ${violation.rule}`)}, async () => {`,
    "  const operations = [",
    ...operations.flatMap((each) => [`    // ${comment(describeOperation(each))}`, `    ${dataOf(each)},`]),
    "  ] as const;",
    recorded.faults.length === 0 ? "  const faults = [] as const;" : "  const faults = [",
    ...recorded.faults.flatMap((each) => [`    // ${comment(describeFault(each))}`, `    ${dataOf(each)},`]),
    ...(recorded.faults.length === 0 ? [] : ["  ] as const;"]),
    `  const recorded = { seed: ${recorded.seed}, history: { operations }, faults };`,
    `  await replay(program, recorded${optionsOf(samples, ignore)});`,
    "});",
    "",
  ].join("\n");
}

function optionsOf(samples: readonly Manifest[], ignore: readonly SimulationRule[]): string {
  const options = {
    ...(samples.length === 0 ? {} : { samples }),
    ...(ignore.length === 0 ? {} : { ignore }),
  };
  return Object.keys(options).length === 0 ? "" : `, ${formatLiteral(options, "  ")}`;
}

function dataOf(value: object): string {
  return formatLiteral(value as JsonValue, "    "); // cases are JSON
}

/** Keeps a text within its line. */
function comment(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
}
