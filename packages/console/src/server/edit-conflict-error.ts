import type { DiffLine } from "../api/index.ts";
import { diffTexts } from "./yaml/diff-lines.ts";

/** The edited object was changed since it was read. No write happened. */
export class EditConflictError extends Error {
  override readonly name = "EditConflictError";
  /** The current text. */
  readonly current: string;
  /** The other change. */
  readonly diff: readonly DiffLine[];

  constructor(base: string, current: string) {
    super("the object was changed since you started editing");
    this.current = current;
    this.diff = diffTexts(base.split("\n"), current.split("\n"));
  }
}
