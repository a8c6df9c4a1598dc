/** Texts for people: durations, styles, untrusted text, lines. Begin with `styled-text.ts`. */

export { describeDuration } from "./duration.ts";
export { escapeControlChars, wrap } from "./styled-text.ts";
export type { StyledText, TextStyle } from "./styled-text.ts";
