import { InputError } from "@levelset/core";
import type { AdapterBinding } from "./auth-config.ts";
import { wholePattern } from "./whole-pattern.ts";

/** The names under which an identity may report. */
export class AdapterNames {
  readonly #bindings: readonly {
    readonly covers: (identity: string) => boolean;
    readonly adapters: readonly string[];
  }[];

  /** Throws an InputError that names the field of what cannot be used. */
  constructor(bindings: readonly AdapterBinding[]) {
    this.#bindings = bindings.map(({ identity, adapters }, at) => {
      if (adapters.length === 0) throw new InputError(`adapters[${at}].adapters: must name at least one`);
      return { covers: wholePattern(identity, `adapters[${at}].identity`), adapters };
    });
  }

  /** All names that any binding gives it; none if it is in no binding. */
  of(identity: string): readonly string[] {
    return [...new Set(this.#bindings.flatMap(({ covers, adapters }) => (covers(identity) ? adapters : [])))];
  }
}
