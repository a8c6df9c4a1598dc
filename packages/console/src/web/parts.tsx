import type { ComponentChildren, JSX } from "preact";
import type { ObjectRef } from "@levelset/operator";
import type { Problem } from "../api/index.ts";
import type { PageState } from "./connection.ts";
import { formatRoute } from "./route.ts";
import type { Route } from "./route.ts";
import { SIGNS, toneOf } from "./tone.ts";
import type { Tone } from "./tone.ts";
import { age, duration, visible } from "./words.ts";
import { navigate, now } from "./world.ts";

/** A text of somebody else: shown as it is, apart from its surroundings, and never as anything but text. */
export function Words({ text, class: name }: { readonly text: string; readonly class?: string }): JSX.Element {
  return (
    <bdi class={name} title={text.length > 40 ? visible(text) : undefined}>
      {visible(text)}
    </bdi>
  );
}

/** A link inside of the console. */
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

/** A state as a sign and a word. */
export function Badge({ state, word }: { readonly state: string; readonly word?: string }): JSX.Element {
  const tone = toneOf(state);
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {visible(word ?? state)}
    </span>
  );
}

/** A coloured sign, for where there is no room for a word; `label` says it to those who do not see it. */
export function Dot({ tone, label }: { readonly tone: Tone; readonly label: string }): JSX.Element {
  return (
    <span class={`dot ${tone}`} role="img" aria-label={label} title={label}>
      {SIGNS[tone]}
    </span>
  );
}

/** How long ago something was, kept up to date. */
export function Age({ time, word = "" }: { readonly time: string | undefined; readonly word?: string }): JSX.Element {
  const text = age(time, now.value);
  return (
    <time class="age" dateTime={time} title={time}>
      {text === "" ? "" : `${text}${word}`}
    </time>
  );
}

/** When something is due, kept up to date. */
export function Due({ time }: { readonly time: string | undefined }): JSX.Element | null {
  if (time === undefined) return null;
  const leftMs = Date.parse(time) - now.value;
  return (
    <time class="age" dateTime={time} title={time}>
      {leftMs > 0 ? `in ${duration(leftMs)}` : "now"}
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
  const place = namespaced && to.namespace !== undefined ? `${to.namespace}/${to.name}` : to.name;
  return (
    <Link to={{ view: "object", ref: to }} class="object-link">
      <span class="kind">{visible(to.kind)}</span> <Words text={place} />
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

/** Something that cannot be shown, and what to do about it. */
export function ProblemNote({ problem }: { readonly problem: Problem }): JSX.Element {
  const { reason, about, source, message, hint } = problem;
  return (
    <p class="problem" role="alert">
      <strong>{`${source}${about === "" ? "" : ` ${visible(about)}`}: ${reason}`}</strong> <Words text={message} />
      {hint === "" ? null : <span class="hint">{visible(hint)}</span>}
    </p>
  );
}

/** A page that is followed: what it is while it is not there, or no longer up to date. */
export function Page<Document>(props: {
  readonly state: PageState<Document>;
  readonly show: (document: Document) => JSX.Element;
}): JSX.Element {
  const { state, show } = props;
  switch (state.kind) {
    case "loading":
      return <p class="empty">Loading …</p>;
    case "failed":
      return <ProblemNote problem={state.problem} />;
    case "here":
      return (
        <>
          {state.problem === undefined ? null : <ProblemNote problem={state.problem} />}
          {show(state.document)}
        </>
      );
  }
}
