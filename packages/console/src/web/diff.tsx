import type { JSX } from "preact";
import type { DiffLine } from "../api/index.ts";
import { visible } from "./words.ts";

/** A difference, line by line. */
export function Diff({ lines }: { readonly lines: readonly DiffLine[] }): JSX.Element {
  return (
    <pre class="diff" tabIndex={0}>
      {lines.map(({ sign, text }, index) => (
        <span key={index} class={sign === "+" ? "good" : sign === "-" ? "bad" : "faint"}>
          {sign === "@" ? `⋯${visible(text)}` : `${sign} ${visible(text)}`}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
