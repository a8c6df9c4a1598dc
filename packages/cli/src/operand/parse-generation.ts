import { InvalidArgumentError } from "commander";

/** Parses the generation of a version. */
export function parseGeneration(text: string): number {
  const generation = Number(text);
  if (/^\d+$/u.test(text) && Number.isSafeInteger(generation)) return generation;
  throw new InvalidArgumentError("write a generation that levelset operand history lists.");
}
