import type { DiffLine } from "../api/index.ts";
import { diffTexts } from "./diff-lines.ts";

/** Somebody else changed what was edited, since it was read. Nothing was written. */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
  /** What is there now. */
  readonly now: string;
  /** What the other did. */
  readonly diff: readonly DiffLine[];

  constructor(base: string, now: string) {
    super("somebody else changed it since you began");
    this.now = now;
    this.diff = diffTexts(base.split("\n"), now.split("\n"));
  }
}
