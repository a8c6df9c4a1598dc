import { describeNoAlarm } from "./no-alarm.ts";

// Half of the work: files are distributed over the workers.
describeNoAlarm({ seeds: 200, filter: ({ oracle }) => oracle === "converges" });
