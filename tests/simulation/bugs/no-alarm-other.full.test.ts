import { describeNoAlarm } from "./no-alarm.ts";

describeNoAlarm({ seeds: 200, filter: ({ oracle }) => oracle !== "converges" });
