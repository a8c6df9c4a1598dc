import { oracleOf } from "../violation/index.ts";
import type { Difference } from "../violation/index.ts";
import { timelineEvents } from "./story-page.ts";
import type { CoverageRow, TimelineColumn, TimelineEvent, PageStory, StoryPage } from "./story-page.ts";
import { STORY_STYLE } from "./story-style.ts";
import { formatTime, whyTitle } from "./story-text.ts";
import { whyLines } from "./why-lines.ts";
import type { WhyReport } from "../run/index.ts";

const COLUMNS: readonly (readonly [TimelineColumn, string])[] = [
  ["client", "Users and other clients"],
  ["fault", "Faults"],
  ["process", "Processes"],
  ["object", "Objects and status"],
];
/** The page loads nothing and runs no script, whatever its texts contain. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Returns a self-contained HTML page about a simulation. All texts of the program are escaped. */
export function storyHtml(page: StoryPage): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Simulation of ${escapeHtml(page.file)}</title>`,
    `<style>${STORY_STYLE}</style>`,
    "</head>",
    "<body>",
    `<h1>Simulation of <code>${escapeHtml(page.file)}</code></h1>`,
    `<p class="faint">${escapeHtml(page.summary)}</p>`,
    ...page.warnings.map((warning) => `<p class="warning">${escapeHtml(warning)}</p>`),
    ...page.stories.map(storySection),
    ...coverageSection(page.coverage),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function storySection(story: PageStory): string {
  const { seed, violation, command, output, events, why } = story;
  const { rule, message, expected, differences = [] } = violation;
  return [
    `<section class="story" id="seed-${seed}">`,
    `<h2><span class="rule">${escapeHtml(rule)}</span> <span class="faint">${escapeHtml(oracleOf(violation))}, seed ${seed}</span></h2>`,
    "<dl>",
    `<dt>found</dt><dd>${escapeHtml(message)}</dd>`,
    `<dt>expected</dt><dd>${escapeHtml(expected)}</dd>`,
    `<dt>replay</dt><dd><code>${escapeHtml(command)}</code></dd>`,
    "</dl>",
    ...(events.length === 0 ? [] : ["<h3>What happened</h3>", timeline(timelineEvents(story))]),
    ...whySection(why),
    ...(differences.length === 0 ? [] : ["<h3>Differences</h3>", differenceTable(differences)]),
    ...(output === undefined || output === "" ? [] : ["<h3>Output</h3>", `<pre>${escapeHtml(output)}</pre>`]),
    "</section>",
  ].join("\n");
}

function whySection(why: WhyReport | undefined): readonly string[] {
  if (why === undefined || why.objects.length === 0) return [];
  const lines = whyLines(why).map((line) => line.map(styledHtml).join(""));
  return [`<h3>${whyTitle(why)}</h3>`, `<pre class="why">${lines.join("\n")}</pre>`];
}

function styledHtml({ text, style }: { readonly text: string; readonly style: string }): string {
  return style === "plain" ? escapeHtml(text) : `<span class="${style}">${escapeHtml(text)}</span>`;
}

function timeline(events: readonly TimelineEvent[]): string {
  const heads = COLUMNS.map(([column, name]) => `<div class="head ${column}">${name}</div>`);
  return [
    '<div class="timeline">',
    '<div class="head time">Time</div>',
    ...heads,
    ...events.map((event, index) => eventRow(event, events[index - 1]?.atMs === event.atMs && index > 0)),
    "</div>",
  ].join("\n");
}

/** Repeated times are not shown, so that events of the same time form a group. */
function eventRow({ column, atMs, text }: TimelineEvent, isSameTime: boolean): string {
  const time = `<div class="time">${isSameTime ? "" : formatTime(atMs)}</div>`;
  if (column === "violation") return `${time}<div class="event violation">${escapeHtml(text)}</div>`;
  const cells = COLUMNS.map(([each, name]) =>
    each === column
      ? `<div class="event ${column}" data-column="${name}">${escapeHtml(text)}</div>`
      : `<div class="filler"></div>`,
  );
  return `${time}${cells.join("")}`;
}

function differenceTable(differences: readonly Difference[]): string {
  const rows = differences.map(
    ({ object, path, expected, actual }) =>
      `<tr><td>${escapeHtml(object)}</td><td class="mono">${escapeHtml(path)}</td>` +
      `<td class="mono expected">${valueHtml(expected)}</td><td class="mono found">${valueHtml(actual)}</td></tr>`,
  );
  const head = "<thead><tr><th>Object</th><th>Field</th><th>Expected</th><th>Found</th></tr></thead>";
  return `<table class="differences">${head}<tbody>${rows.join("\n")}</tbody></table>`;
}

function valueHtml(value: string | undefined): string {
  return value === undefined ? '<span class="faint">absent</span>' : escapeHtml(value);
}

function coverageSection(rows: readonly CoverageRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const body = rows.map(
    ({ name, covered, missing }) =>
      `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(covered)}</td><td>${escapeHtml(missing.join(", "))}</td></tr>`,
  );
  const head = "<thead><tr><th></th><th>Covered</th><th>Missing</th></tr></thead>";
  return ["<h2>Coverage</h2>", `<table>${head}<tbody>${body.join("\n")}</tbody></table>`];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML. Control characters, which could reverse the order of the text, become blanks. */
function escapeHtml(text: string): string {
  return text
    .replaceAll(/[&<>"']/gu, (char) => ENTITIES[char] ?? "")
    .replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Co}]/gu, " ");
}
