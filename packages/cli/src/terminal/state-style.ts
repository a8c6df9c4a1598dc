import type { ObjectState } from "@levelset/core";
import type { TextStyle } from "@levelset/core/internal";

/** Style of each state on a terminal. */
export const STATE_STYLES: Readonly<Record<ObjectState, TextStyle>> = {
  Ready: "good",
  Progressing: "busy",
  Degraded: "bad",
  Failed: "bad",
  Deleting: "busy",
  Paused: "busy",
  Unknown: "busy",
};

/** Symbol of each state in lines without colours. */
export const STATE_SYMBOLS: Readonly<Record<ObjectState, string>> = {
  Ready: "✓",
  Progressing: "…",
  Degraded: "✗",
  Failed: "✗",
  Deleting: "…",
  Paused: "…",
  Unknown: "?",
};
