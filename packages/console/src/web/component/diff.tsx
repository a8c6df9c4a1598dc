import type { JSX } from "preact";
import type { DiffLine } from "../../api/index.ts";
import { escapeInvisible } from "../format.ts";

/** A diff. */
export function Diff({ lines }: { readonly lines: readonly DiffLine[] }): JSX.Element {
  return (
    <pre class="diff" tabIndex={0}>
      {lines.map(({ sign, text }, index) => (
        <span key={index} class={sign === "+" ? "good" : sign === "-" ? "bad" : "faint"}>
          {sign === "@" ? `⋯${escapeInvisible(text)}` : `${sign} ${escapeInvisible(text)}`}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
