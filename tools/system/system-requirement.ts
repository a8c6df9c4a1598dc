import { findProgram } from "./program.ts";

/** Programs that some tests need, with their Debian packages. */
export interface SystemRequirement {
  readonly programs: readonly string[];
  readonly debianPackages: readonly string[];
}

export const POSTGRESQL: SystemRequirement = { programs: ["postgres", "initdb"], debianPackages: ["postgresql"] };
export const NATS: SystemRequirement = { programs: ["nats-server"], debianPackages: ["nats-server"] };
export const RABBITMQ: SystemRequirement = {
  programs: ["rabbitmq-server", "epmd"],
  debianPackages: ["rabbitmq-server"],
};
/** Builds kube-apiserver and programs of tests. */
export const GO: SystemRequirement = { programs: ["go"], debianPackages: ["golang"] };
/** A browser needs a font to draw text. */
export const CHROMIUM: SystemRequirement = { programs: ["chromium"], debianPackages: ["chromium", "fonts-liberation"] };

/** Combines several requirements into one. */
export function combineRequirements(...needs: readonly SystemRequirement[]): SystemRequirement {
  return {
    programs: needs.flatMap(({ programs }) => programs),
    debianPackages: needs.flatMap(({ debianPackages }) => debianPackages),
  };
}

/** Returns the missing programs of a requirement. */
export function missingPrograms({ programs }: SystemRequirement): readonly string[] {
  return programs.filter((name) => findProgram(name) === undefined);
}

/** Returns the command that installs them. */
export function installHint({ debianPackages }: SystemRequirement): string {
  return `apt-get install ${debianPackages.join(" ")}`;
}
