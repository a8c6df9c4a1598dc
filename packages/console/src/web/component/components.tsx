import type { ComponentChildren, JSX } from "preact";
import type { ObjectRef } from "@levelset/operator";
import type { Problem } from "../../api/index.ts";
import type { PageState } from "../connection.ts";
import { formatRoute } from "../route.ts";
import type { Route } from "../route.ts";
import { stateLabel, TONE_SYMBOLS, toneOf } from "../tone.ts";
import type { Tone } from "../tone.ts";
import { formatAge, formatDuration, escapeInvisible } from "../format.ts";
import { navigate, now } from "../app-state.ts";

/** Untrusted text: rendered as plain text, isolated from the surrounding text direction. */
export function UntrustedText({ text, class: name }: { readonly text: string; readonly class?: string }): JSX.Element {
  return (
    <bdi class={name} title={text.length > 40 ? escapeInvisible(text) : undefined}>
      {escapeInvisible(text)}
    </bdi>
  );
}

/** A link to a route of the console. */
export function Link(props: {
  readonly to: Route;
  readonly class?: string;
  readonly label?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { to, label, children } = props;
  const onClick = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a
      href={formatRoute(to)}
      class={props.class}
      aria-label={label}
      aria-current={props.current === true ? "page" : undefined}
      onClick={onClick}
    >
      {children}
    </a>
  );
}

/** A state as a symbol, followed by its name or by `word`. */
export function Badge({ state, word }: { readonly state: string; readonly word?: string }): JSX.Element {
  const tone = toneOf(state);
  return (
    <span class={`badge ${tone}`} title={word === undefined ? undefined : stateLabel(state)}>
      <span aria-hidden="true">{TONE_SYMBOLS[tone]}</span> {escapeInvisible(word ?? stateLabel(state))}
    </span>
  );
}

/** A coloured symbol without text; `label` is its accessible name. */
export function Dot({ tone, label }: { readonly tone: Tone; readonly label: string }): JSX.Element {
  return (
    <span class={`dot ${tone}`} role="img" aria-label={label} title={label}>
      {TONE_SYMBOLS[tone]}
    </span>
  );
}

/** A state as a coloured symbol; its accessible name is the name of the state. */
export function StateDot({ state }: { readonly state: string }): JSX.Element {
  return <Dot tone={toneOf(state)} label={stateLabel(state)} />;
}

/** Time since an event, updated every second. */
export function Age({ time, word = "" }: { readonly time: string | undefined; readonly word?: string }): JSX.Element {
  const text = formatAge(time, now.value);
  return (
    <time class="age" dateTime={time} title={time}>
      {text === "" ? "" : `${text}${word}`}
    </time>
  );
}

/** Time until an event, updated every second. */
export function Due({ time }: { readonly time: string | undefined }): JSX.Element | null {
  if (time === undefined) return null;
  const leftMs = Date.parse(time) - now.value;
  return (
    <time class="age" dateTime={time} title={time}>
      {leftMs > 0 ? `in ${formatDuration(leftMs)}` : "now"}
    </time>
  );
}

/** An object's kind and name, as a link to its page. */
export function ObjectLink({
  to,
  namespaced = true,
}: {
  readonly to: ObjectRef;
  readonly namespaced?: boolean;
}): JSX.Element {
  const fullName = namespaced && to.namespace !== undefined ? `${to.namespace}/${to.name}` : to.name;
  return (
    <Link to={{ view: "object", ref: to }} class="object-link">
      <span class="kind">{escapeInvisible(to.kind)}</span> <UntrustedText text={fullName} />
    </Link>
  );
}

/** A part of a page with a title. */
export function Section(props: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class={`card ${props.class ?? ""}`} aria-label={props.title}>
      <h2>
        {props.title} <small>{props.note}</small>
      </h2>
      {props.children}
    </section>
  );
}

/** A problem and its hint. */
export function ProblemBanner({ problem }: { readonly problem: Problem }): JSX.Element {
  const { reason, about, source, message, hint } = problem;
  return (
    <p class="problem" role="alert">
      <strong>{`${source}${about === "" ? "" : ` ${escapeInvisible(about)}`}: ${reason}`}</strong>{" "}
      <UntrustedText text={message} />
      {hint === "" ? null : <span class="hint">{escapeInvisible(hint)}</span>}
    </p>
  );
}

/** A live page with its loading and stale states. */
export function DocumentPage<Document>(props: {
  readonly state: PageState<Document>;
  readonly show: (document: Document) => JSX.Element;
}): JSX.Element {
  const { state, show } = props;
  switch (state.kind) {
    case "loading":
      return <p class="empty">Loading …</p>;
    case "failed":
      return <ProblemBanner problem={state.problem} />;
    case "loaded":
      return (
        <>
          {state.problem === undefined ? null : <ProblemBanner problem={state.problem} />}
          {show(state.document)}
        </>
      );
  }
}
