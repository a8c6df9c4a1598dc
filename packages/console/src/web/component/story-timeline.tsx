import type { JSX } from "preact";
import type { StoryColumn, StoryEventView } from "../../api/index.ts";
import { UntrustedText } from "./components.tsx";

const COLUMNS: readonly (readonly [Exclude<StoryColumn, "violation">, string])[] = [
  ["client", "Users and other clients"],
  ["fault", "Faults"],
  ["process", "Processes"],
  ["object", "Objects and status"],
];

/** What happened in a simulation, one row for each event, in the column of its origin. */
export function StoryTimeline({ events }: { readonly events: readonly StoryEventView[] }): JSX.Element {
  return (
    <table class="stacked story-timeline">
      <thead>
        <tr>
          <th scope="col" class="time">
            Time
          </th>
          {COLUMNS.map(([column, title]) => (
            <th key={column} scope="col" class={`by-${column}`}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {events.map((event, index) => (
          <EventRow key={index} event={event} isSameTime={events[index - 1]?.time === event.time} />
        ))}
      </tbody>
    </table>
  );
}

/** Repeated times are visible only to screen readers, so that events of the same time form a group. */
function EventRow({
  event,
  isSameTime,
}: {
  readonly event: StoryEventView;
  readonly isSameTime: boolean;
}): JSX.Element {
  const { column, time, text } = event;
  return (
    <tr class={isSameTime ? "" : "later"}>
      <td class="time">{isSameTime ? <span class="sr">{time}</span> : time}</td>
      {column === "violation" ? (
        <td class="by-violation" colSpan={COLUMNS.length} data-label="Violation">
          <UntrustedText class="event" text={`✗ ${text}`} />
        </td>
      ) : (
        COLUMNS.map(([each, title]) =>
          each === column ? (
            <td key={each} class={`by-${each}`} data-label={title}>
              <UntrustedText class="event" text={text} />
            </td>
          ) : (
            <td key={each} />
          ),
        )
      )}
    </tr>
  );
}
