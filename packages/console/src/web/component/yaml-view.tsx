import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { YamlLine } from "../../api/index.ts";
import { escapeInvisible } from "../format.ts";

/** Number of colours for owners. */
const HUES = 6;

/** An object as YAML, with the owners of its fields. Selecting an owner highlights its fields. */
export function YamlView({ lines }: { readonly lines: readonly YamlLine[] }): JSX.Element {
  const owners = [...new Set(lines.flatMap((line) => line.owners ?? []))];
  const [selected, select] = useState("");
  return (
    <div class="yaml">
      {owners.length === 0 ? null : (
        <p class="owners" role="group" aria-label="Field owners">
          {owners.map((owner, index) => (
            <button
              key={owner}
              type="button"
              class={`owner hue-${index % HUES}`}
              aria-pressed={selected === owner}
              onClick={() => select(selected === owner ? "" : owner)}
            >
              {escapeInvisible(owner)}
            </button>
          ))}
        </p>
      )}
      <pre tabIndex={0}>
        {lines.map(({ text, owners: own = [] }, index) => {
          const [first] = own;
          const hue = first === undefined ? "" : `owned hue-${owners.indexOf(first) % HUES}`;
          const isDim = selected !== "" && !own.includes(selected);
          return (
            <span
              key={index}
              class={`yaml-line ${hue} ${isDim ? "dim" : ""}`}
              title={own.map(escapeInvisible).join(", ")}
            >
              {escapeInvisible(text)}
              {"\n"}
            </span>
          );
        })}
      </pre>
    </div>
  );
}
