import { openDatabase } from "../../../packages/fleet/src/store/sqlite/database.ts";
import type { Database } from "../../../packages/fleet/src/store/sqlite/database.ts";

/** Makes database calls fail before or after they take effect. */
export class FaultyDatabase {
  #calls = 0;
  #failing: { readonly call: number; readonly when: "before" | "after" } | undefined;

  /** Makes the n-th call from now on fail. */
  failNth(n: number, when: "before" | "after"): void {
    this.#failing = { call: this.#calls + n, when };
  }

  /** Cancels failures; returns whether one was still pending. */
  disarm(): boolean {
    const isOpen = this.#failing !== undefined && this.#failing.call > this.#calls;
    this.#failing = undefined;
    return isOpen;
  }

  /** Opens a file. */
  readonly open = async (path: string): Promise<Database> => {
    const database = await openDatabase(path);
    return {
      get isTransaction() {
        return database.isTransaction;
      },
      rows: (text, parameters) => this.#pass(() => database.rows(text, parameters)),
      close: () => database.close(),
    };
  };

  #pass<T>(call: () => T): T {
    this.#calls += 1;
    const when = this.#failing?.call === this.#calls ? this.#failing.when : undefined;
    if (when === "before") throw diskError();
    const result = call();
    if (when === "after") throw diskError();
    return result;
  }
}

/** The error of `node:sqlite`. */
function diskError(): Error {
  return Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 10 });
}
