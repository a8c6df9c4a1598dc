import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type {
  FleetResourceDocument,
  ObjectDocument,
  RuntimeDocument,
  OperandDocument,
  StoriesDocument,
  StoryDocument,
} from "../api/index.ts";
import { FleetResourceView } from "./view/fleet-resource-view.tsx";
import type { PageState } from "./connection.ts";
import { FleetMatrix } from "./view/fleet-matrix.tsx";
import { mergeProblems } from "./merge-problems.ts";
import { focusSearch, moveInList } from "./keyboard.ts";
import { ObjectView } from "./view/object-view.tsx";
import { ObjectsView } from "./view/objects-view.tsx";
import { Overview } from "./view/overview.tsx";
import { Link, DocumentPage, ProblemBanner } from "./component/components.tsx";
import type { Route } from "./route.ts";
import { RuntimeView } from "./view/runtime-view.tsx";
import { OperandView } from "./view/operand-view.tsx";
import { StoriesView } from "./view/stories-view.tsx";
import { StoryView } from "./view/story-view.tsx";
import { connection, navigate, route } from "./app-state.ts";

interface Tab {
  readonly key: string;
  readonly title: string;
  readonly to: Route;
  readonly views: readonly Route["view"][];
}

const TABS: readonly Tab[] = [
  { key: "1", title: "Overview", to: { view: "overview" }, views: ["overview"] },
  { key: "2", title: "Objects", to: { view: "objects", query: "" }, views: ["objects", "object", "set"] },
  { key: "3", title: "Fleet", to: { view: "fleet", query: "", plural: "" }, views: ["fleet", "cluster"] },
  { key: "4", title: "Runtime", to: { view: "runtime" }, views: ["runtime"] },
  { key: "5", title: "Simulations", to: { view: "simulations" }, views: ["simulations", "simulation"] },
];

/** The whole page. */
export function App(): JSX.Element {
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (handleKey(event, () => help.current?.showModal())) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const { view } = route.value;
  // Only a view without a subject is the start of a tab; the others have their own heading.
  const title = TABS.find(({ to }) => to.view === view)?.title;
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <span class="brand">levelset</span>
        <nav aria-label="Views">
          {TABS.map(({ key, title, to, views }) => (
            <Link key={key} to={to} current={views.includes(view)}>
              {title}
            </Link>
          ))}
        </nav>
        <SessionInfo />
        <button type="button" class="quiet" aria-label="Keyboard shortcuts" onClick={() => help.current?.showModal()}>
          ?
        </button>
      </header>
      <Notices />
      <main id="main" tabIndex={-1}>
        {title === undefined ? null : <h1 class="sr">{title}</h1>}
        <View />
      </main>
      <dialog ref={help} aria-label="Keyboard shortcuts">
        <h2>Keyboard shortcuts</h2>
        <dl class="keys">
          {TABS.map(({ key, title }) => (
            <Shortcut key={key} name={key} action={title} />
          ))}
          <Shortcut name="/" action="Search" />
          <Shortcut name="j k" action="Next and previous in a list" />
          <Shortcut name="Esc" action="Close" />
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

function Shortcut({ name, action }: { readonly name: string; readonly action: string }): JSX.Element {
  return (
    <>
      <dt>
        <kbd>{name}</kbd>
      </dt>
      <dd>{action}</dd>
    </>
  );
}

/** Handles a key; returns whether it was a shortcut. */
function handleKey(event: KeyboardEvent, showHelp: () => void): boolean {
  const { key, target } = event;
  const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector("dialog[open]") !== null)
    return false;
  const tab = TABS.find((each) => each.key === key);
  if (tab !== undefined) navigate(tab.to);
  else if (key === "?") showHelp();
  else if (key === "/") {
    if (!focusSearch()) {
      navigate({ view: "objects", query: "" });
      requestAnimationFrame(focusSearch);
    }
  } else if (key === "j" || key === "k") moveInList(key === "j" ? 1 : -1);
  else return false;
  return true;
}

/** The connected cluster and fleet, and the connection state. */
function SessionInfo(): JSX.Element {
  const { cluster, fleet, allowActions } = connection.session.value ?? {};
  const link = connection.link.value;
  return (
    <span class="places">
      {cluster === undefined ? null : <span title={cluster.server}>{cluster.context}</span>}
      {fleet === undefined ? null : <span title={fleet.url}>fleet</span>}
      <span>{allowActions === true ? "actions allowed" : "read-only"}</span>
      <span class={`link ${link}`} role="status">
        {link === "live" ? "live" : link === "lost" ? "reconnecting" : "connecting"}
      </span>
    </span>
  );
}

/** The current problems. */
function Notices(): JSX.Element {
  const refusal = connection.refusal.value;
  return (
    <div class="notices">
      {refusal === undefined ? null : <ProblemBanner problem={refusal} />}
      {mergeProblems(connection.problems.value).map((problem) => (
        <ProblemBanner key={`${problem.source}/${problem.about}`} problem={problem} />
      ))}
    </div>
  );
}

function View(): JSX.Element {
  const shown = route.value;
  const page = connection.page.value;
  // The topic determines the type of the document; see `Documents`.
  switch (shown.view) {
    case "overview":
      return <Overview />;
    case "objects":
      return <ObjectsView query={shown.query} />;
    case "object":
      return (
        <DocumentPage
          state={page as PageState<ObjectDocument>}
          show={(document) => <ObjectView document={document} />}
        />
      );
    case "set":
      return (
        <DocumentPage
          state={page as PageState<OperandDocument>}
          show={(document) => <OperandView document={document} />}
        />
      );
    case "fleet":
      return <FleetMatrix query={shown.query} plural={shown.plural} />;
    case "cluster":
      return (
        <DocumentPage
          state={page as PageState<FleetResourceDocument>}
          show={(document) => <FleetResourceView document={document} />}
        />
      );
    case "runtime":
      return (
        <DocumentPage
          state={page as PageState<RuntimeDocument>}
          show={(document) => <RuntimeView document={document} />}
        />
      );
    case "simulations":
      return (
        <DocumentPage
          state={page as PageState<StoriesDocument>}
          show={(document) => <StoriesView document={document} />}
        />
      );
    case "simulation":
      return (
        <DocumentPage state={page as PageState<StoryDocument>} show={(document) => <StoryView document={document} />} />
      );
    case "unknown":
      return <p class="empty">Page not found.</p>;
  }
}
