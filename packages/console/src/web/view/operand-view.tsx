import type { JSX } from "preact";
import type { ObjectRef } from "@levelset/operator";
import type { PlanEntry, OperandDocument, OperandItem, OperandRevisionView } from "../../api/index.ts";
import { ActionButton } from "../component/action-button.tsx";
import { Diff } from "../component/diff.tsx";
import { DeletionPreview } from "../component/deletion-preview.tsx";
import { Conditions } from "./object-view.tsx";
import { Age, Badge, Dot, Link, ObjectLink, Section, StateDot, UntrustedText } from "../component/components.tsx";
import { toneOf } from "../tone.ts";
import type { Tone } from "../tone.ts";
import { GenerationBadge } from "../component/why-tree.tsx";
import { formatCount, escapeInvisible } from "../format.ts";
import { connection } from "../app-state.ts";

/** Symbol and tone of each planned action. */
const ACTIONS: Readonly<Record<PlanEntry["action"], readonly [string, Tone]>> = {
  create: ["+", "good"],
  change: ["~", "busy"],
  recreate: ["±", "busy"],
  drift: ["≠", "busy"],
  hold: ["…", "faint"],
  refuse: ["✗", "bad"],
  delete: ["−", "bad"],
  mark: ["−", "busy"],
  stay: ["=", "faint"],
  none: ["=", "faint"],
  wait: ["…", "faint"],
};

/** Page of an Operand: progress per object and the plan of the next run. */
export function OperandView({ document: set }: { readonly document: OperandDocument }): JSX.Element {
  const { state } = set;
  return (
    <article class="object">
      <header class={`banner ${toneOf(state)}`}>
        <h1>
          <span class="kind">Operand</span> <UntrustedText text={set.name} />
        </h1>
        <p>
          <Badge state={state} />
          <GenerationBadge latest={set.generation} observed={set.observed} />
          <Link
            to={{
              view: "object",
              ref: operandRef(set.name),
            }}
          >
            why, runs and YAML
          </Link>
        </p>
        {set.counts === undefined ? null : <Progress counts={set.counts} />}
        <Phases set={set} />
        {connection.session.value?.allowActions === true ? <SetActions set={set} /> : null}
      </header>
      {set.invalid.map((message) => (
        <p key={message} class="problem" role="alert">
          <UntrustedText text={message} />
        </p>
      ))}
      <div class="columns">
        <Stage title="steadyState" items={set.items.filter(({ list }) => list === "steadyState")} />
        <Stage title="postInstall" items={set.items.filter(({ list }) => list === "postInstall")} />
        <Plan set={set} />
        <Leftovers set={set} />
        <Section title="Versions">
          <Versions set={set} />
        </Section>
        <Section title="Conditions">
          <Conditions conditions={set.conditions} />
        </Section>
      </div>
    </article>
  );
}

function operandRef(name: string): ObjectRef {
  return { apiVersion: "operand.levelset.dev/v1alpha1", kind: "Operand", name };
}

/** Effect of the deletion policy on the objects. */
const POLICY_EFFECTS: Readonly<Record<OperandDocument["deletionPolicy"], string>> = {
  Delete: "Its objects are deleted with it:",
  WaitForTermination: "Its objects are deleted with it; the Operand waits until they are deleted:",
  Orphan: "Its deletionPolicy is Orphan. Its objects are retained without an owner:",
};

function Progress({ counts }: { readonly counts: NonNullable<OperandDocument["counts"]> }): JSX.Element {
  const { total, applied, ready } = counts;
  return (
    <div class="progress">
      {(
        [
          ["applied", applied],
          ["Ready", ready],
        ] as const
      ).map(([label, number]) => (
        <label key={label}>
          {`${number} of ${total} ${label}`}
          <progress max={Math.max(1, total)} value={number} />
        </label>
      ))}
    </div>
  );
}

const PHASE_LABELS = [
  ["Installing", "steadyState"],
  ["PostInstall", "postInstall"],
  ["Pruning", "prune"],
  ["Ready", "Ready"],
] as const;

/** Progress of an installation and what it waits for. */
function Phases({ set }: { readonly set: OperandDocument }): JSX.Element | null {
  const at = PHASE_LABELS.findIndex(([phase]) => phase === set.phase);
  if (at === -1) return null;
  const waiting = waitingFor(set);
  return (
    <>
      <ol class="phases" aria-label="Progress">
        {PHASE_LABELS.map(([phase, label], index) => {
          const isDone = index < at || set.phase === "Ready";
          return (
            <li
              key={phase}
              class={isDone ? "good" : index === at ? "busy" : "faint"}
              aria-current={index === at ? "step" : undefined}
            >
              <span aria-hidden="true">{isDone ? "✓" : index === at ? "…" : "·"}</span> {label}
            </li>
          );
        })}
      </ol>
      {set.phase === "Ready" || waiting === "" ? null : (
        <UntrustedText class="message" text={`waiting for ${waiting}`} />
      )}
    </>
  );
}

/** Lists the first objects that are not Ready. */
function waitingFor({ items }: OperandDocument): string {
  const notReady = items.filter(({ state, health }) => state !== "applied" || health !== "ready");
  const named = notReady.slice(0, 3).map(({ kind, namespace, name, message, state }) => {
    const reason = message === "" ? state : message;
    return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}: ${reason}`;
  });
  return [...named, ...(notReady.length > 3 ? [`${notReady.length - 3} more`] : [])].join("; ");
}

function SetActions({ set }: { readonly set: OperandDocument }): JSX.Element {
  const { name, isSuspended } = set;
  return (
    <div class="actions">
      {isSuspended ? (
        <ActionButton label="Resume" question={`Resume ${name}?`} action={() => ({ kind: "resume", set: name })} />
      ) : (
        <ActionButton label="Suspend" question={`Suspend ${name}?`} action={() => ({ kind: "suspend", set: name })} />
      )}
      <ActionButton
        label="Delete"
        question={`Delete Operand ${name}?`}
        isDangerous
        action={() => ({ kind: "delete", object: operandRef(name), uid: set.uid })}
      >
        <DeletionPreview text={POLICY_EFFECTS[set.deletionPolicy]} refs={[...set.items, ...leftoversOf(set)]} />
      </ActionButton>
    </div>
  );
}

function Stage({ title, items }: { readonly title: string; readonly items: readonly OperandItem[] }): JSX.Element {
  const done = items.filter(({ state, health }) => state === "applied" && health === "ready").length;
  return (
    <Section title={title} note={items.length === 0 ? "" : `${done} of ${items.length} Ready`}>
      {items.length === 0 ? <p class="empty">This stage has no objects.</p> : null}
      <ul class="items">
        {items.map((item) => (
          <li key={idOf(item)}>
            <StateDot state={item.state === "applied" ? item.health : item.state} />
            <ObjectLink to={item} />
            <span class="aside">
              {item.state === "differs" ? "drifted or changed" : item.state === "missing" ? "missing" : ""}
            </span>
            <UntrustedText
              class="message"
              text={item.health === "ready" && item.state === "applied" ? "" : item.message}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Plan({ set }: { readonly set: OperandDocument }): JSX.Element {
  const { plan, state, isSuspended } = set;
  if (plan.kind === "invalid") {
    return (
      <Section title="Plan" class="wide">
        <p class="empty">No plan: the Operand is invalid.</p>
      </Section>
    );
  }
  const entries = plan.items;
  return (
    <Section title="Plan" note="changes of the next run" class="wide">
      {state === "paused" ? (
        <p class="aside">
          {isSuspended
            ? "Paused: resume the Operand to apply this plan."
            : "Paused: remove the annotation levelset.dev/paused to apply this plan."}
        </p>
      ) : null}
      {entries.length === 0 ? (
        <p class="empty">{`No changes: ${formatCount(plan.unchanged, "object")} up to date.`}</p>
      ) : null}
      <ul class="plan">
        {entries.map((entry) => (
          <li key={idOf(entry)}>
            <PlanLine entry={entry} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function PlanLine({ entry }: { readonly entry: PlanEntry }): JSX.Element {
  const [sign, tone] = ACTIONS[entry.action];
  const head = (
    <>
      <span class={`state ${tone}`}>{`${sign} ${entry.action}`}</span> <ObjectLink to={entry} />{" "}
      <UntrustedText class="message" text={entry.note} />
    </>
  );
  if (entry.diff.length === 0) return <div class="leaf">{head}</div>;
  return (
    <details>
      <summary>{head}</summary>
      <Diff lines={entry.diff} />
    </details>
  );
}

/** Objects to be pruned, and what blocks their deletion. */
function Leftovers({ set }: { readonly set: OperandDocument }): JSX.Element | null {
  const { pending, blocked, phase } = set;
  const planned = plannedPrunes(set);
  if (pending.length + blocked.length + planned.length === 0) return null;
  const waiting = waitingFor(set);
  const isBefore = phase !== "Ready" && phase !== "Pruning" && waiting !== "";
  return (
    <Section title="To be pruned" note="removed from the Operand, not deleted yet" class="wide">
      {isBefore ? (
        <p class="aside">
          Pruning starts when the new version is Ready. It waits for <UntrustedText text={waiting} />.
        </p>
      ) : null}
      <ul class="items">
        {planned.map((entry) => (
          <li key={`planned${idOf(entry)}`}>
            <Dot tone="deleting" label="planned" />
            <ObjectLink to={entry} />
            <UntrustedText class="message" text={entry.note} />
          </li>
        ))}
        {pending.map(({ reason, due, ...ref }) => (
          <li key={`pending${idOf(ref)}`}>
            <Dot tone="deleting" label="pending" />
            <ObjectLink to={ref} />
            <UntrustedText class="message" text={due === undefined ? reason : `${reason}, pruned at ${due}`} />
          </li>
        ))}
        {blocked.map(({ reason, message, ...ref }) => (
          <li key={`blocked${idOf(ref)}`}>
            <Dot tone="bad" label="blocked" />
            <ObjectLink to={ref} />
            <UntrustedText class="message" text={`${reason}: ${message}`} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Returns planned prunes that are neither pending nor blocked. */
function plannedPrunes({ pending, blocked, plan }: OperandDocument): readonly PlanEntry[] {
  const known = new Set([...pending, ...blocked].map(idOf));
  return plan.kind === "plan" ? plan.prunes.filter((entry) => !known.has(idOf(entry))) : [];
}

/** Returns all objects that were removed from the Operand and still exist. */
function leftoversOf(set: OperandDocument): readonly ObjectRef[] {
  const all = [...plannedPrunes(set), ...set.pending, ...set.blocked];
  return [...new Map(all.map((ref) => [idOf(ref), ref])).values()];
}

function idOf({ kind, namespace, name }: Pick<ObjectRef, "kind" | "namespace" | "name">): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}

function Versions({ set }: { readonly set: OperandDocument }): JSX.Element {
  if (set.versions.length === 0) return <p class="empty">No version has become Ready yet.</p>;
  return (
    <ol class="versions">
      {set.versions.map((version) => (
        <li key={`${version.generation}${version.time}`}>
          <strong>{`generation ${version.generation}`}</strong> <code>{escapeInvisible(version.inventory)}</code>{" "}
          <Age time={version.time} word=" ago" /> {version.isCurrent ? <span class="badge good">current</span> : null}
          <Rollback name={set.name} version={version} />
        </li>
      ))}
    </ol>
  );
}

function Rollback({
  name,
  version,
}: {
  readonly name: string;
  readonly version: OperandRevisionView;
}): JSX.Element | null {
  const { generation, isCurrent, isStored } = version;
  if (isCurrent || !isStored || connection.session.value?.allowActions !== true) return null;
  return (
    <ActionButton
      label="Roll back"
      question={`Roll back ${name} to generation ${generation}?`}
      action={() => ({ kind: "rollback", set: name, generation })}
    />
  );
}
