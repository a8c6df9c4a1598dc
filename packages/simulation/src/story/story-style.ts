/** Styles of the page: light and dark, one column on a phone. */
export const STORY_STYLE: string = `
:root { color-scheme: light dark; --text: #1c2128; --faint: #59636e; --page: #fff; --card: #f6f8fa; --line: #d1d9e0;
  --client: #0969da; --fault: #cf222e; --process: #8250df; --object: #1a7f37; --found: #ffebe9; --expected: #dafbe1; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --faint: #9198a1; --page: #0d1117; --card: #161b22;
  --line: #30363d; --client: #58a6ff; --fault: #ff7b72; --process: #bc8cff; --object: #56d364; --found: #3d1d20;
  --expected: #12301c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 75rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.4rem; } h2 { margin: 0 0 .5rem; font-size: 1.15rem; } h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
code, pre, .mono { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
h1 code { font-size: inherit; } h2 .faint { font-weight: normal; font-size: 1rem; }
.faint { color: var(--faint); }
.warning { margin: .75rem 0; padding: .5rem .75rem; border-left: 4px solid #bf8700; background: var(--card); }
.story { margin: 1.5rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: 8px; }
.rule { color: var(--fault); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .75rem; background: var(--card); border-radius: 6px; white-space: pre-wrap; }
.why { white-space: pre; overflow-x: auto; overflow-wrap: normal; }
.why .strong { font-weight: 600; } .why .good { color: var(--object); } .why .bad { color: var(--fault); } .why .busy { color: #9a6700; }
.timeline { display: grid; grid-template-columns: max-content repeat(4, 1fr); border-top: 1px solid var(--line); }
.timeline > * { padding: .35rem .6rem; border-bottom: 1px solid var(--line); min-width: 0; }
.timeline .head { font-weight: 600; font-size: 13px; background: var(--card); }
.timeline .time { color: var(--faint); text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.event { border-left: 3px solid var(--column); overflow-wrap: anywhere; }
.client { --column: var(--client); grid-column: 2; } .fault { --column: var(--fault); grid-column: 3; }
.process { --column: var(--process); grid-column: 4; } .object { --column: var(--object); grid-column: 5; }
.head.client, .head.fault, .head.process, .head.object { color: var(--column); }
.violation { --column: var(--fault); grid-column: 2 / -1; color: var(--fault); font-weight: 600; }
.filler { padding: 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { font-size: 13px; background: var(--card); overflow-wrap: normal; }
.expected { background: var(--expected); } .found { background: var(--found); }
@media (max-width: 44rem) {
  body { padding: .75rem; } .story { padding: .75rem; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; }
  .timeline { grid-template-columns: max-content 1fr; } .timeline .head, .filler { display: none; }
  .event { grid-column: 2; }
  .event::before { content: attr(data-column); display: block; font-size: 12px; color: var(--column); }
  .differences thead { display: none; } .differences tr, .differences td { display: block; }
  .differences .expected::before { content: "expected "; } .differences .found::before { content: "found "; }
  .differences td { border: 0; } .differences tr { border-bottom: 1px solid var(--line); }
}
`;
