import { InputError } from "@levelset/core";
import type { AdapterBinding } from "./auth-config.ts";
import { fullMatchPattern } from "./full-match-pattern.ts";

/** The adapter names under which an identity may report. */
export class AdapterNames {
  readonly #bindings: readonly {
    readonly covers: (identity: string) => boolean;
    readonly adapters: readonly string[];
  }[];

  /** Throws an `InputError` that names the invalid field. */
  constructor(bindings: readonly AdapterBinding[]) {
    this.#bindings = bindings.map(({ identity, adapters }, at) => {
      if (adapters.length === 0) throw new InputError(`adapters[${at}].adapters: must contain at least one name`);
      return { covers: fullMatchPattern(identity, `adapters[${at}].identity`), adapters };
    });
  }

  /** Returns the names of all matching bindings; empty if none matches. */
  of(identity: string): readonly string[] {
    return [...new Set(this.#bindings.flatMap(({ covers, adapters }) => (covers(identity) ? adapters : [])))];
  }
}
