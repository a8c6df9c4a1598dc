import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { YamlLine } from "../api/index.ts";
import { visible } from "./words.ts";

/** How many colours there are for owners. */
const HUES = 6;

/** An object as YAML, with the owner of each field beside it; choosing one shows what is its own. */
export function YamlView({ lines }: { readonly lines: readonly YamlLine[] }): JSX.Element {
  const owners = [...new Set(lines.flatMap((line) => line.owners ?? []))];
  const [chosen, choose] = useState("");
  return (
    <div class="yaml">
      {owners.length === 0 ? null : (
        <p class="owners" role="group" aria-label="Owners of fields">
          {owners.map((owner, index) => (
            <button
              key={owner}
              type="button"
              class={`owner hue-${index % HUES}`}
              aria-pressed={chosen === owner}
              onClick={() => choose(chosen === owner ? "" : owner)}
            >
              {visible(owner)}
            </button>
          ))}
        </p>
      )}
      <pre tabIndex={0}>
        {lines.map(({ text, owners: own = [] }, index) => {
          const [first] = own;
          const hue = first === undefined ? "" : `owned hue-${owners.indexOf(first) % HUES}`;
          const isDim = chosen !== "" && !own.includes(chosen);
          return (
            <span key={index} class={`yaml-line ${hue} ${isDim ? "dim" : ""}`} title={own.map(visible).join(", ")}>
              {visible(text)}
              {"\n"}
            </span>
          );
        })}
      </pre>
    </div>
  );
}
