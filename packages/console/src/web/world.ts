import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { realClock } from "@levelset/core";
import { Connection } from "./connection.ts";
import { formatRoute, parseRoute, topicOf } from "./route.ts";
import type { Route } from "./route.ts";

/** The page's connection. */
export const connection: Connection = new Connection();

/** What is shown. */
export const route: Signal<Route> = signal(parseRoute(location.href));

/** The time, to the second: ages on the page follow it. */
export const now: Signal<number> = signal(realClock.now());

/** Shows something else. `replace` for what nobody would go back to, such as each letter of a search. */
export function navigate(next: Route, options: { readonly replace?: boolean } = {}): void {
  const path = formatRoute(next);
  if (options.replace === true) history.replaceState(null, "", path);
  else {
    history.pushState(null, "", path);
    scrollTo(0, 0);
  }
  route.value = next;
  connection.show(topicOf(next));
}

/** Begins: follows what the address shows, and goes with it. */
export function begin(): void {
  addEventListener("popstate", () => {
    route.value = parseRoute(location.href);
    connection.show(topicOf(route.value));
  });
  connection.setHidden(document.hidden);
  document.addEventListener("visibilitychange", () => connection.setHidden(document.hidden));
  connection.show(topicOf(route.value));
  void connection.start();
  tick();
}

function tick(): void {
  now.value = realClock.now();
  realClock.after(1_000, tick);
}
