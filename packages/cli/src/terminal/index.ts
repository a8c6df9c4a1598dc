/** Texts for terminals: styles, tables, frames, logs, durations. Begin with `shell.ts`. */

export { describeDuration, escapeControlChars, wrap } from "@levelset/core/internal";
export type { StyledText, TextStyle } from "@levelset/core/internal";
export { jsonText } from "./json-text.ts";
export { commandLogger } from "./log.ts";
export type { LogFormat } from "./log.ts";
export { progressBar } from "./progress-bar.ts";
export type { Shell, Terminal } from "./shell.ts";
export { STATE_STYLES, STATE_SYMBOLS } from "./state-style.ts";
export { formatStyled } from "./styled-text.ts";
export { formatLine, formatTable } from "./table.ts";
export type { LineOptions } from "./table.ts";
export { TerminalFrame } from "./terminal-frame.ts";
