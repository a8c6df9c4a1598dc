import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { escapeInvisible } from "../format.ts";

/** A command with a button that copies it. Without access to the clipboard, the button selects the command. */
export function CopyCommand({ command }: { readonly command: string }): JSX.Element {
  const text = useRef<HTMLElement>(null);
  const [result, setResult] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(command);
      setResult("copied");
    } catch {
      if (text.current !== null) getSelection()?.selectAllChildren(text.current);
      setResult("selected: copy it with the keyboard");
    }
  };
  return (
    <span class="command">
      <code ref={text}>{escapeInvisible(command)}</code>
      <button type="button" class="quiet" onClick={() => void copy()}>
        Copy
      </button>
      <span class="aside" role="status">
        {result}
      </span>
    </span>
  );
}
