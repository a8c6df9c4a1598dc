import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Action } from "../api/index.ts";
import { visible } from "./words.ts";
import { connection } from "./world.ts";

/** A button that asks before it does something, and says what became of it. */
export function ActionButton(props: {
  readonly label: string;
  readonly question: string;
  readonly isDangerous?: boolean;
  readonly action: () => Action;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { label, question, action, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [told, tell] = useState<{ readonly text: string; readonly isBad: boolean } | undefined>(undefined);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const act = async (): Promise<void> => {
    try {
      tell({ text: await connection.act(action()), isBad: false });
      setOpen(false);
    } catch (error) {
      tell({ text: error instanceof Error ? error.message : String(error), isBad: true });
    }
  };
  return (
    <>
      <button type="button" class={props.isDangerous === true ? "danger" : ""} onClick={() => setOpen(true)}>
        {label}
      </button>
      {told === undefined || isOpen ? null : (
        <span class="done" role="status">
          {visible(told.text)}
        </span>
      )}
      <dialog ref={dialog} aria-label={label} onClose={() => setOpen(false)}>
        <h2>{visible(question)}</h2>
        {isOpen ? children : null}
        {told?.isBad === true ? (
          <p class="problem" role="alert">
            {visible(told.text)}
          </p>
        ) : null}
        <p class="buttons">
          <button type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
          <button type="button" class={props.isDangerous === true ? "danger" : "primary"} onClick={() => void act()}>
            {label}
          </button>
        </p>
      </dialog>
    </>
  );
}
