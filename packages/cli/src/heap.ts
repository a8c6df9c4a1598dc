import { setFlagsFromString } from "node:v8";

/** By how much, in percent, what lives long may grow before it is collected again. */
const GROWTH_PERCENT = 30;

/**
 * Keeps the heap of a server small from here on, at no cost that can be measured: it stays in the background for hours, and left alone
 * V8 gives it a hundred megabytes for objects that live for milliseconds. To be called when the server has started: by then the
 * space for new objects has grown to a few megabytes, which is enough. Both flags are read whenever V8 thinks of growing.
 */
export function boundHeap(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
