import { celEnv, parse, plan } from "@bufbuild/cel";
import { Environment } from "@marcbachmann/cel-js";
import type { JsonObject } from "@levelset/core";
import { celEnvironment, celType } from "@levelset/core/cel";
import type { CelProgram } from "@levelset/core/cel";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

/** Two expressions over adapter reports. */
const AVAILABLE = `self.items.all(i, 
  i.observed_generation == self.items[0].observed_generation && 
  i.conditions.exists(c, c.type == 'Available' && c.status == 'True')
)`;
const READY = "available && self.items.all(i, i.observed_generation == generationN)";

const EXPRESSIONS: readonly (readonly [name: string, source: string])[] = [
  ["available", AVAILABLE],
  ["ready", READY],
];
const SIZES = [3, 10, 100];
const ROUNDS = 9;
const ROUND_MS = 40;

/** A measured library: compiles an expression and evaluates it. */
interface Contestant {
  readonly name: string;
  readonly compile: (source: string) => (data: Data) => unknown;
}

interface Data {
  readonly self: { readonly items: readonly JsonObject[] };
  readonly available: boolean;
  readonly generationN: number;
}

const OURS: Contestant = { name: "ours", compile: ourCompile() };
const PEERS: readonly Contestant[] = [
  { name: "@bufbuild/cel", compile: bufbuildCompile() },
  { name: "@marcbachmann/cel-js", compile: marcbachmannCompile() },
];

function ourCompile(): Contestant["compile"] {
  const variables = { self: celType.dyn, available: celType.bool, generationN: celType.dyn };
  const environment = celEnvironment({ variables });
  return (source) => {
    const compiled = environment.compile(source);
    if (compiled.kind === "issues") throw new Error(compiled.issues.map(({ text }) => text).join("\n"));
    const { program }: { readonly program: CelProgram } = compiled;
    return (data) => {
      const result = program.evaluate({ ...data });
      return result.kind === "value" ? result.value : result.error;
    };
  };
}

function bufbuildCompile(): Contestant["compile"] {
  const environment = celEnv({});
  return (source) => {
    const run = plan(environment, parse(source));
    return (data) => run({ ...data });
  };
}

function marcbachmannCompile(): Contestant["compile"] {
  const environment = new Environment()
    .registerVariable("self", "dyn")
    .registerVariable("available", "bool")
    .registerVariable("generationN", "dyn");
  return (source) => {
    const run = environment.parse(source);
    run.check(); // otherwise the first evaluation would compile it
    return (data): unknown => run({ ...data });
  };
}

/** Returns adapter reports of one generation that are all available, so that every element is evaluated. */
function dataOf(size: number): Data {
  const items = Array.from({ length: size }, (_, index) => ({
    adapter: `adapter-${index}`,
    observed_generation: 7,
    conditions: [
      { type: "Applied", status: "True" },
      { type: "Health", status: "True" },
      { type: "Available", status: "True" },
    ],
  }));
  return { self: { items }, available: true, generationN: 7 };
}

/**
 * Returns calls per second, the median of several rounds. Libraries are measured alternately, so that other load
 * affects all.
 */
function rates(runs: readonly (() => unknown)[]): readonly number[] {
  const measured = runs.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, run] of runs.entries()) measured[index]?.push(rate(run));
  }
  return measured.map(median);
}

function rate(run: () => unknown): number {
  const start = performance.now();
  let count = 0;
  for (;;) {
    for (let index = 0; index < 20; index += 1) run();
    count += 20;
    const took = performance.now() - start;
    if (took >= ROUND_MS) return (count * 1_000) / took;
  }
}

function figures(what: string, runs: readonly (() => unknown)[]): readonly Measurement[] {
  const [ours = Number.NaN, ...others] = rates(runs);
  return PEERS.map(({ name }, index) => ({
    what,
    unit: "ops/s",
    ours,
    peer: { name, value: others[index] ?? Number.NaN },
  }));
}

/**
 * Measures expressions with exponential or cubic cost. Without a peer, because the fast one does not return from the
 * first.
 */
function hostile(): readonly Measurement[] {
  const text = `${"a".repeat(40)}!`;
  const list = Array.from({ length: 10_000 }, (_, index) => index);
  const environment = celEnvironment({ variables: { text: celType.string, list: celType.list(celType.int) } });
  const run = (source: string): (() => unknown) => {
    const compiled = environment.compile(source);
    if (compiled.kind === "issues") throw new Error(compiled.issues.map((issue) => issue.text).join("\n"));
    return () => compiled.program.evaluate({ text, list });
  };
  const [matches = Number.NaN] = rates([run('text.matches("^(a+)+$")')]);
  const [nested = Number.NaN] = rates([run("list.all(a, list.all(b, list.all(c, a + b + c >= 0)))")]);
  return [
    { what: "matches ^(a+)+$ on 40 a and !", unit: "ops/s", ours: matches },
    { what: "three nested all() over 10000 items, until the budget ends it", unit: "ms", ours: 1_000 / nested },
  ];
}

/**
 * Compares compilation and evaluation with two implementations on npm: `@bufbuild/cel`, the conformant one, which
 * compiles without type checks, and `@marcbachmann/cel-js`, the fast one. The latter compiles faster, because it
 * evaluates the checked tree directly; ours compiles to closures with slots and source positions, and evaluates faster
 * although it counts the cost of every step.
 */
export function cel(): Promise<readonly Measurement[]> {
  const contestants = [OURS, ...PEERS];
  const all = EXPRESSIONS.flatMap(([name, source]): readonly Measurement[] => [
    ...figures(
      `compile ${name}`,
      contestants.map(
        ({ compile }) =>
          () =>
            compile(source),
      ),
    ),
    ...SIZES.flatMap((size) => {
      const data = dataOf(size);
      const runs = contestants.map(({ name: library, compile }) => {
        const run = compile(source);
        if (run(data) !== true) throw new Error(`${library} evaluates ${name} to ${String(run(data))}`);
        return (): unknown => run(data);
      });
      return figures(`evaluate ${name}, ${size} items`, runs);
    }),
  ]);
  return Promise.resolve([...all, ...hostile()]);
}
