import type { GoTime } from "./template-value.ts";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Layout elements, each as Go writes it in its reference time. Longer ones first. */
const PARTS: readonly (readonly [string, (date: Date) => string])[] = [
  ["January", (date) => MONTHS[date.getUTCMonth()] ?? ""],
  ["Monday", (date) => DAYS[date.getUTCDay()] ?? ""],
  ["Z07:00:00", () => "Z"],
  ["-07:00:00", () => "+00:00:00"],
  ["Z070000", () => "Z"],
  ["-070000", () => "+000000"],
  ["Z07:00", () => "Z"],
  ["-07:00", () => "+00:00"],
  ["Z0700", () => "Z"],
  ["-0700", () => "+0000"],
  ["2006", (date) => String(date.getUTCFullYear()).padStart(4, "0")],
  ["__2", (date) => String(dayOfYear(date)).padStart(3, " ")],
  ["002", (date) => String(dayOfYear(date)).padStart(3, "0")],
  ["Jan", (date) => (MONTHS[date.getUTCMonth()] ?? "").slice(0, 3)],
  ["Mon", (date) => (DAYS[date.getUTCDay()] ?? "").slice(0, 3)],
  ["MST", () => "UTC"],
  ["Z07", () => "Z"],
  ["-07", () => "+00"],
  ["_2", (date) => String(date.getUTCDate()).padStart(2, " ")],
  ["01", (date) => two(date.getUTCMonth() + 1)],
  ["02", (date) => two(date.getUTCDate())],
  ["03", (date) => two(hour12(date))],
  ["04", (date) => two(date.getUTCMinutes())],
  ["05", (date) => two(date.getUTCSeconds())],
  ["06", (date) => two(date.getUTCFullYear() % 100)],
  ["15", (date) => two(date.getUTCHours())],
  ["PM", (date) => (date.getUTCHours() < 12 ? "AM" : "PM")],
  ["pm", (date) => (date.getUTCHours() < 12 ? "am" : "pm")],
  ["1", (date) => String(date.getUTCMonth() + 1)],
  ["2", (date) => String(date.getUTCDate())],
  ["3", (date) => String(hour12(date))],
  ["4", (date) => String(date.getUTCMinutes())],
  ["5", (date) => String(date.getUTCSeconds())],
];

/** Formats a time with a layout of Go's time package. */
export function formatTime({ ms }: GoTime, layout: string): string {
  const date = new Date(ms);
  let text = "";
  let rest = layout;
  while (rest !== "") {
    const fraction = /^[.,](?:0+|9+)(?!\d)/u.exec(rest)?.[0];
    const part = fraction === undefined ? PARTS.find(([name]) => isPart(rest, name)) : undefined;
    if (fraction !== undefined) text += secondsFraction(date, fraction);
    else text += part?.[1](date) ?? rest.slice(0, 1);
    rest = rest.slice(fraction?.length ?? part?.[0].length ?? 1);
  }
  return text;
}

/** "Jan" matches neither "January", which is the longer element, nor "Janet". */
function isPart(rest: string, name: string): boolean {
  return rest.startsWith(name) && !((name === "Jan" || name === "Mon") && /^[a-z]/u.test(rest.slice(3)));
}

/** `.000` keeps all digits, `.999` drops trailing zeros. */
function secondsFraction(date: Date, layout: string): string {
  const digits = String(date.getUTCMilliseconds())
    .padStart(3, "0")
    .padEnd(9, "0")
    .slice(0, layout.length - 1);
  if (!layout.endsWith("9")) return `${layout[0] ?? ""}${digits}`;
  const short = digits.replace(/0+$/u, "");
  return short === "" ? "" : `${layout[0] ?? ""}${short}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function hour12(date: Date): number {
  return date.getUTCHours() % 12 === 0 ? 12 : date.getUTCHours() % 12;
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
}
