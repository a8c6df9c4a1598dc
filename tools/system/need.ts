import { findProgram } from "./program.ts";

/** Programs that some tests need, and the Debian packages that have them. */
export interface Need {
  readonly programs: readonly string[];
  readonly debianPackages: readonly string[];
}

export const POSTGRESQL: Need = { programs: ["postgres", "initdb"], debianPackages: ["postgresql"] };
export const NATS: Need = { programs: ["nats-server"], debianPackages: ["nats-server"] };
export const RABBITMQ: Need = { programs: ["rabbitmq-server", "epmd"], debianPackages: ["rabbitmq-server"] };
/** A browser draws no text without a font. */
export const CHROMIUM: Need = { programs: ["chromium"], debianPackages: ["chromium", "fonts-liberation"] };

/** One need out of several. */
export function together(...needs: readonly Need[]): Need {
  return {
    programs: needs.flatMap(({ programs }) => programs),
    debianPackages: needs.flatMap(({ debianPackages }) => debianPackages),
  };
}

/** The programs of a need that are not installed. */
export function missingPrograms({ programs }: Need): readonly string[] {
  return programs.filter((name) => findProgram(name) === undefined);
}

/** What a person does about it. */
export function hint({ debianPackages }: Need): string {
  return `apt-get install ${debianPackages.join(" ")}`;
}
