import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Action, Problem } from "../../api/index.ts";
import { ActionRefusedError } from "../connection.ts";
import { Diff } from "./diff.tsx";
import { escapeInvisible } from "../format.ts";
import { connection } from "../app-state.ts";

/** Result of an action. */
type Outcome =
  | { readonly kind: "none" }
  | { readonly kind: "busy" }
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "refused"; readonly problem: Omit<Problem, "source" | "about" | "reason"> };

/** Properties of {@link ActionButton}. */
interface ActionProps {
  readonly label: string;
  /** Label of the confirm button. Default: the label of the button. */
  readonly confirmLabel?: string;
  readonly question: string;
  readonly isDangerous?: boolean;
  readonly action: () => Action;
  /** Called before the dialog opens. */
  readonly onOpen?: () => void;
  /** Called with the current text when the user overwrites a conflicting change. */
  readonly onOverwrite?: (current: string) => void;
  readonly children?: ComponentChildren;
}

/** A button with a confirmation dialog that shows the result. Refused input can be corrected in the dialog. */
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
          {escapeInvisible(outcome.text)}
        </span>
      ) : null}
      <dialog ref={dialog} aria-label={label} onClose={() => setOpen(false)}>
        <h2>{escapeInvisible(question)}</h2>
        {isOpen ? children : null}
        {outcome.kind === "refused" ? <Refusal problem={outcome.problem} /> : null}
        <p class="buttons">
          <button type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
          <ConfirmButton props={props} outcome={outcome} act={() => void act()} />
        </p>
      </dialog>
    </>
  );
}

/** The confirm button. */
function ConfirmButton(parts: {
  readonly props: ActionProps;
  readonly outcome: Outcome;
  readonly act: () => void;
}): JSX.Element {
  const { props, outcome, act } = parts;
  const { onOverwrite, label, confirmLabel = label, isDangerous = false } = props;
  const current = outcome.kind === "refused" ? outcome.problem.current : undefined;
  if (current === undefined || onOverwrite === undefined) {
    return (
      <button type="button" class={isDangerous ? "danger" : "primary"} disabled={outcome.kind === "busy"} onClick={act}>
        {confirmLabel}
      </button>
    );
  }
  const overwrite = (): void => {
    onOverwrite(current.yaml);
    act();
  };
  return (
    <button type="button" class="danger" onClick={overwrite}>
      Overwrite with mine
    </button>
  );
}

/** A button with an editor dialog. Typed text survives updates until it is saved or discarded. */
export function EditButton(props: {
  readonly question: string;
  /** The current text. */
  readonly text: string;
  readonly action: (base: string, yaml: string) => Action;
}): JSX.Element {
  const { question, text, action } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const base = useRef("");
  const [initial, setInitial] = useState("");
  return (
    <ActionButton
      label="Edit"
      confirmLabel="Save"
      question={question}
      action={() => action(base.current, area.current?.value ?? "")}
      onOpen={() => {
        setInitial(text);
        base.current = text;
      }}
      onOverwrite={(current) => {
        base.current = current;
      }}
    >
      <textarea ref={area} aria-label="YAML" spellcheck={false} rows={22} defaultValue={initial} />
    </ActionButton>
  );
}

function Refusal({ problem }: { readonly problem: Omit<Problem, "source" | "about" | "reason"> }): JSX.Element {
  const { message, hint, fields = [], current } = problem;
  return (
    <div class="problem" role="alert">
      {fields.length > 0 ? (
        <ul>
          {fields.map(({ field, message: text }) => (
            <li key={`${field}${text}`}>
              <strong>{escapeInvisible(field)}</strong> {escapeInvisible(text)}
            </li>
          ))}
        </ul>
      ) : (
        escapeInvisible(message)
      )}
      {hint === "" ? null : <span class="hint">{escapeInvisible(hint)}</span>}
      {current === undefined ? null : <Diff lines={current.diff} />}
    </div>
  );
}

function refusalOf(error: unknown): Omit<Problem, "source" | "about" | "reason"> {
  if (error instanceof ActionRefusedError) return error.problem;
  return { message: error instanceof Error ? error.message : String(error), hint: "" };
}
