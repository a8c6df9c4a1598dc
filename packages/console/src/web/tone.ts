/** How something looks: five tones, each with a sign of its own, so that none is told by its colour alone. */
export type Tone = "good" | "busy" | "bad" | "faint" | "going";

/** The sign of each tone. */
export const SIGNS: Readonly<Record<Tone, string>> = { good: "✓", busy: "…", bad: "✗", faint: "·", going: "⌫" };

const TONES: Readonly<Record<string, Tone>> = {
  ready: "good",
  done: "good",
  ok: "good",
  applied: "good",
  True: "good",
  progressing: "busy",
  waiting: "busy",
  behind: "busy",
  wait: "busy",
  requeueAfter: "busy",
  again: "busy",
  unknown: "busy",
  Unknown: "busy",
  differs: "busy",
  False: "bad",
  failing: "bad",
  failed: "bad",
  fail: "bad",
  terminal: "bad",
  missing: "bad",
  unreadable: "bad",
  deleting: "going",
  gone: "going",
};

/** The tone of a state, of whichever kind of thing. */
export function toneOf(state: string): Tone {
  return Object.hasOwn(TONES, state) ? (TONES[state] ?? "faint") : "faint";
}

const BADNESS: Readonly<Record<Tone, number>> = { bad: 0, busy: 1, going: 2, faint: 3, good: 4 };

/** What rows are sorted by. */
export interface Ranked {
  readonly state: string;
  readonly name: string;
  readonly since?: string | undefined;
}

/** The worst first; of equally bad ones, the one that is so for longest. */
export function compareBadness(a: Ranked, b: Ranked): number {
  return (
    BADNESS[toneOf(a.state)] - BADNESS[toneOf(b.state)] ||
    compareTexts(a.since ?? "", b.since ?? "") ||
    compareTexts(a.name, b.name)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
