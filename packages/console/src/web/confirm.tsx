import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Action, Problem } from "../api/index.ts";
import { ActionRefusal } from "./connection.ts";
import { Diff } from "./diff.tsx";
import { visible } from "./words.ts";
import { connection } from "./world.ts";

/** What became of an action. */
type Outcome =
  | { readonly kind: "none" }
  | { readonly kind: "busy" }
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "refused"; readonly problem: Omit<Problem, "source" | "about" | "reason"> };

/** What a button does, and asks before. */
interface ActionProps {
  readonly label: string;
  /** What the button says that does it, if something else. */
  readonly goLabel?: string;
  readonly question: string;
  readonly isDangerous?: boolean;
  readonly action: () => Action;
  /** Before the question is asked. */
  readonly onOpen?: () => void;
  /** Somebody else was faster, and the answer to that is to go on from what is there now. */
  readonly onOvertaken?: (now: string) => void;
  readonly children?: ComponentChildren;
}

/** A button that asks before it does something, and says what became of it. What is refused can be corrected in place. */
export function ActionButton(props: ActionProps): JSX.Element {
  const { label, question, action, children, isDangerous = false } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [outcome, setOutcome] = useState<Outcome>({ kind: "none" });
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const open = (): void => {
    props.onOpen?.();
    setOutcome({ kind: "none" });
    setOpen(true);
  };
  const act = async (): Promise<void> => {
    setOutcome({ kind: "busy" });
    try {
      setOutcome({ kind: "done", text: await connection.act(action()) });
      setOpen(false);
    } catch (error) {
      setOutcome({ kind: "refused", problem: refusalOf(error) });
    }
  };
  return (
    <>
      <button type="button" class={isDangerous ? "danger" : ""} onClick={open}>
        {label}
      </button>
      {outcome.kind === "done" ? (
        <span class="done" role="status">
          {visible(outcome.text)}
        </span>
      ) : null}
      <dialog ref={dialog} aria-label={label} onClose={() => setOpen(false)}>
        <h2>{visible(question)}</h2>
        {isOpen ? children : null}
        {outcome.kind === "refused" ? <Refusal problem={outcome.problem} /> : null}
        <p class="buttons">
          <button type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
          <Go props={props} outcome={outcome} act={() => void act()} />
        </p>
      </dialog>
    </>
  );
}

/** The button that does it. */
function Go(parts: { readonly props: ActionProps; readonly outcome: Outcome; readonly act: () => void }): JSX.Element {
  const { props, outcome, act } = parts;
  const { onOvertaken, label, goLabel = label, isDangerous = false } = props;
  const now = outcome.kind === "refused" ? outcome.problem.now : undefined;
  if (now === undefined || onOvertaken === undefined) {
    return (
      <button type="button" class={isDangerous ? "danger" : "primary"} disabled={outcome.kind === "busy"} onClick={act}>
        {goLabel}
      </button>
    );
  }
  const goOn = (): void => {
    onOvertaken(now.yaml);
    act();
  };
  return (
    <button type="button" class="danger" onClick={goOn}>
      Write mine over it
    </button>
  );
}

/** A button that lets a text be edited. What is typed stays, whatever happens to the text meanwhile, until it is written or given up. */
export function EditButton(props: {
  readonly question: string;
  /** As it is now. */
  readonly text: string;
  readonly action: (base: string, yaml: string) => Action;
}): JSX.Element {
  const { question, text, action } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const base = useRef("");
  const [first, setFirst] = useState("");
  return (
    <ActionButton
      label="Edit"
      goLabel="Write"
      question={question}
      action={() => action(base.current, area.current?.value ?? "")}
      onOpen={() => {
        setFirst(text);
        base.current = text;
      }}
      onOvertaken={(now) => {
        base.current = now;
      }}
    >
      <textarea ref={area} aria-label="YAML" spellcheck={false} rows={22} defaultValue={first} />
    </ActionButton>
  );
}

function Refusal({ problem }: { readonly problem: Omit<Problem, "source" | "about" | "reason"> }): JSX.Element {
  const { message, hint, fields = [], now } = problem;
  return (
    <div class="problem" role="alert">
      {fields.length > 0 ? (
        <ul>
          {fields.map(({ field, message: words }) => (
            <li key={`${field}${words}`}>
              <strong>{visible(field)}</strong> {visible(words)}
            </li>
          ))}
        </ul>
      ) : (
        visible(message)
      )}
      {hint === "" ? null : <span class="hint">{visible(hint)}</span>}
      {now === undefined ? null : <Diff lines={now.diff} />}
    </div>
  );
}

function refusalOf(error: unknown): Omit<Problem, "source" | "about" | "reason"> {
  if (error instanceof ActionRefusal) return error.problem;
  return { message: error instanceof Error ? error.message : String(error), hint: "" };
}
