import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ClusterDocument, ObjectDocument, RuntimeDocument, SetDocument } from "../api/index.ts";
import { ClusterPage } from "./cluster-view.tsx";
import type { PageState } from "./connection.ts";
import { FleetMatrix } from "./fleet-view.tsx";
import { gathered } from "./gathered.ts";
import { focusSearch, moveInList } from "./keys.ts";
import { ObjectView } from "./object-view.tsx";
import { ObjectsView } from "./objects-view.tsx";
import { Overview } from "./overview.tsx";
import { Link, Page, ProblemNote } from "./parts.tsx";
import type { Route } from "./route.ts";
import { RuntimeView } from "./runtime-view.tsx";
import { SetView } from "./set-view.tsx";
import { connection, navigate, route } from "./world.ts";

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
];

/** Views that are not about one thing, whose name would be their title. */
const TITLES: Readonly<Partial<Record<Route["view"], string>>> = {
  overview: "Overview",
  objects: "Objects",
  fleet: "Fleet",
  runtime: "Runtime",
};

/** The whole page. */
export function App(): JSX.Element {
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (takeKey(event, () => help.current?.showModal())) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const { view } = route.value;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
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
        <Places />
        <button type="button" class="quiet" aria-label="Keys" onClick={() => help.current?.showModal()}>
          ?
        </button>
      </header>
      <Notices />
      <main id="main" tabIndex={-1}>
        {TITLES[view] === undefined ? null : <h1 class="sr">{TITLES[view]}</h1>}
        <View />
      </main>
      <dialog ref={help} aria-label="Keys">
        <h2>Keys</h2>
        <dl class="keys">
          {TABS.map(({ key, title }) => (
            <Key key={key} name={key} does={title} />
          ))}
          <Key name="/" does="Search" />
          <Key name="j k" does="Next and previous in a list" />
          <Key name="Esc" does="Close" />
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

function Key({ name, does }: { readonly name: string; readonly does: string }): JSX.Element {
  return (
    <>
      <dt>
        <kbd>{name}</kbd>
      </dt>
      <dd>{does}</dd>
    </>
  );
}

/** Whether a key meant something to the page. */
function takeKey(event: KeyboardEvent, showHelp: () => void): boolean {
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

/** What is looked at, and whether it is live. */
function Places(): JSX.Element {
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

/** What cannot be looked at. */
function Notices(): JSX.Element {
  const refusal = connection.refusal.value;
  return (
    <div class="notices">
      {refusal === undefined ? null : <ProblemNote problem={refusal} />}
      {gathered(connection.problems.value).map((problem) => (
        <ProblemNote key={`${problem.source}/${problem.about}`} problem={problem} />
      ))}
    </div>
  );
}

function View(): JSX.Element {
  const shown = route.value;
  const page = connection.page.value;
  // What a page holds follows from its topic; see `Documents`.
  switch (shown.view) {
    case "overview":
      return <Overview />;
    case "objects":
      return <ObjectsView query={shown.query} />;
    case "object":
      return <Page state={page as PageState<ObjectDocument>} show={(document) => <ObjectView document={document} />} />;
    case "set":
      return <Page state={page as PageState<SetDocument>} show={(document) => <SetView document={document} />} />;
    case "fleet":
      return <FleetMatrix query={shown.query} plural={shown.plural} />;
    case "cluster":
      return (
        <Page state={page as PageState<ClusterDocument>} show={(document) => <ClusterPage document={document} />} />
      );
    case "runtime":
      return (
        <Page state={page as PageState<RuntimeDocument>} show={(document) => <RuntimeView document={document} />} />
      );
    case "unknown":
      return <p class="empty">There is no such page.</p>;
  }
}
