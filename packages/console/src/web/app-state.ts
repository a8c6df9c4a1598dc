import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { realClock } from "@levelset/core";
import { Connection } from "./connection.ts";
import { formatRoute, parseRoute, topicOf } from "./route.ts";
import type { Route } from "./route.ts";

/** The page's connection. */
export const connection: Connection = new Connection();

/** The current route. */
export const route: Signal<Route> = signal(parseRoute(location.href));

/** Current time, updated every second; ages depend on it. */
export const now: Signal<number> = signal(realClock.now());

/** Navigates to a route. `replace` adds no history entry, for example for each key of a search. */
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

/** Starts the application and subscribes to the route. */
export function startApp(): void {
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
