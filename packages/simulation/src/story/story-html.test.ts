import { expect, test } from "vitest";
import { storyHtml } from "./story-html.ts";
import type { StoryPage } from "./story-page.ts";

const HOSTILE = `</style><script>alert(1)</script><img src=x onerror="alert(2)">&amp;'\u202E`;
const note = { apiVersion: "a.dev/v1", kind: "Note", metadata: { name: "a" } };

function page(text: string): StoryPage {
  return {
    file: text,
    summary: text,
    warnings: [text],
    coverage: [{ name: text, covered: text, missing: [text] }],
    stories: [
      {
        seed: 12,
        command: text,
        output: text,
        violation: {
          rule: "left-behind",
          message: text,
          expected: text,
          differences: [{ object: text, path: text, expected: text, actual: text }],
        },
        why: {
          atMs: 2_000,
          now: 0,
          events: 3,
          left: 0,
          objects: [
            {
              apiVersion: "a.dev/v1",
              kind: "Note",
              namespace: "default",
              name: text,
              state: "failed",
              objectState: "Failed",
              message: text,
              conditions: [],
              details: [text],
              events: [],
              causes: [],
              left: 0,
            },
          ],
        },
        operations: [
          { do: "create", object: note, afterMs: 0 },
          { do: "restart", afterMs: 0 },
        ],
        events: [
          { atMs: 0, kind: "operation", text },
          { atMs: 1_000, kind: "operation", text: "the process is restarted" },
          { atMs: 2_000, kind: "fault", text },
          { atMs: 3_000, kind: "status", text },
        ],
      },
    ],
  };
}

test("hostile texts are escaped everywhere", () => {
  const html = storyHtml(page(HOSTILE));
  expect(html.split("&lt;script&gt;alert(1)&lt;/script&gt;").length - 1).toBe(20);
  expect(html).not.toMatch(/<script|<img|alert\(2\)">|\u202E/u);
  expect(html.split("</style>")).toHaveLength(2);
});

test("the page is self-contained: it has no links, no scripts, and a policy that forbids them", () => {
  const html = storyHtml(page("text"));
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(html).not.toMatch(/https?:|<script|<link|url\(/u);
});

test("events are in the column of their origin, until the violation", () => {
  const html = storyHtml(page("text"));
  const columns = [...html.matchAll(/<div class="event (\w+)"/gu)].map(([, column]) => column);
  expect(columns).toEqual(["client", "process", "fault", "violation"]);
  expect(html).toContain('<div class="event violation">left-behind is violated</div>');
});

test("the explained custom resources have the styles of their states", () => {
  const html = storyHtml(page("text"));
  expect(html).toContain("<h3>What levelset why says at 2s</h3>");
  expect(html).toContain(
    '<pre class="why"><span class="strong">Note default/text</span>   <span class="bad">Failed: text</span>\n',
  );
});
