/** A subcommand of a script. */
export interface Subcommand {
  /** Short description. */
  readonly about: string;
  /** Options such as `--quick` or `--target ours|real`, with their descriptions. */
  readonly options?: Readonly<Record<string, string>>;
}

/** The action for the command-line arguments. */
export type SubcommandResult<Name extends string> =
  | { readonly kind: "run"; readonly name: Name; readonly args: readonly string[] }
  | { readonly kind: "say"; readonly lines: readonly string[]; readonly code: 0 | 2 };

/** Parses `npm run SCRIPT -- NAME [OPTIONS]`. Invalid input results in a usage text. */
export function parseSubcommand<Name extends string>(
  script: string,
  choices: Readonly<Record<Name, Subcommand>>,
  [name, ...args]: readonly string[],
): SubcommandResult<Name> {
  const names = Object.keys(choices).join(", ");
  const refuse = (wrong: string, hint: string): SubcommandResult<Name> => {
    return { kind: "say", lines: [`${script}: ${wrong}`, `hint: ${hint}`], code: 2 };
  };
  if (name === undefined) return refuse("which one?", names);
  if ([name, ...args].some((word) => word === "--help" || word === "-h")) {
    return { kind: "say", lines: helpOf(script, choices), code: 0 };
  }
  if (!isName(choices, name)) return refuse(`there is no ${name}`, names);
  const options = Object.keys(choices[name].options ?? {});
  const known = options.map((option) => option.split(" ")[0]);
  const unknown = args.find((arg) => arg.startsWith("-") && !known.includes(arg.split("=")[0]));
  if (unknown !== undefined) {
    return refuse(`${name} has no option ${unknown}`, options.length === 0 ? "it has none" : options.join(", "));
  }
  return { kind: "run", name, args };
}

function isName<Name extends string>(choices: Readonly<Record<Name, Subcommand>>, name: string): name is Name {
  return Object.hasOwn(choices, name);
}

function helpOf(script: string, choices: Readonly<Record<string, Subcommand>>): readonly string[] {
  const rows = Object.entries(choices).flatMap(([name, { about, options = {} }]) => [
    [`  ${name}`, about] as const,
    ...Object.entries(options).map(([option, does]) => [`    ${option}`, does] as const),
  ]);
  const width = Math.max(...rows.map(([left]) => left.length));
  return [`npm run ${script} -- NAME [OPTIONS]`, "", ...rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`)];
}

/** Prints the decision instead of running a command. */
export function printAndExit({ lines, code }: Extract<SubcommandResult<string>, { kind: "say" }>): void {
  const out = code === 0 ? process.stdout : process.stderr;
  for (const line of lines) out.write(`${line}\n`);
  process.exitCode = code;
}
